package flare

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/store"
	"framescope/net/flare/flaretest"
)

// sink hands everything to a session at once.
type sink struct {
	s *store.Session
	b model.Batch
}

func (k *sink) Define(c model.Change) { k.s.Apply(c) }
func (k *sink) Begin() *model.Batch   { k.b.Reset(); return &k.b }
func (k *sink) Publish(b *model.Batch) bool {
	k.s.Append(b)
	return true
}
func (k *sink) Progress(done, total int64) {}

type truthThread struct {
	Name          string `json:"name"`
	Samples       int    `json:"samples"`
	TotalDuration int64  `json:"total_duration_ms"`
	CPU           int64  `json:"cpu_time_delta_sum_us"`
	Methods       []struct {
		Name      string `json:"name"`
		Inclusive int64  `json:"inclusive_ms"`
		Self      int64  `json:"self_ms"`
		Samples   int64  `json:"samples"`
	} `json:"methods"`
}

func find(t testing.TB, pattern string) string {
	t.Helper()
	return flaretest.Find(t, flaretest.Captures(t), pattern)
}

// TestMethodTimesEqualTheTruth opens each folder as a session and asks it for inclusive and self
// times of every method of every thread.
func TestMethodTimesEqualTheTruth(t *testing.T) {
	for _, f := range []struct{ glob, truth string }{
		{"constructed-60s/127*", "constructed-60s/truth.json"},
		{"recorded-60s/127*", "recorded-60s/truth.json"},
		{"constructed-roll/*200654", "constructed-roll/truth-1-*.json"},
		{"constructed-roll/*200657", "constructed-roll/truth-2-*.json"},
	} {
		dir := find(t, f.glob)
		data := testkit.Must(os.ReadFile(find(t, f.truth)))(t)
		var want struct {
			Threads map[string]truthThread `json:"threads"`
		}
		testkit.OK(t, json.Unmarshal(data, &want))
		s := store.NewSession()
		testkit.OK(t, (Source{}).OpenFile(t.Context(), dir, &sink{s: s}))
		checked := 0
		for id, w := range want.Threads {
			checked += checkThread(t, s, filepath.Base(dir)+" thread "+id, id, w, firstDelta(t, dir, id))
		}
		if _, ended := s.Ended(); !ended || checked == 0 {
			t.Errorf("%s: ended %v, %d methods checked", dir, ended, checked)
		}
		n, lines := s.Losses()
		for i, v := range n {
			if v != 0 {
				t.Errorf("%s: loss %d: %d %q", dir, i, v, lines)
			}
		}
		t.Logf("%s: %d threads, %d methods with the truth's times", filepath.Base(dir), len(want.Threads), checked)
	}
}

func trackOf(s *store.Session, id string) *store.Track {
	for i := range s.NumTracks() {
		if t := s.Track(model.TrackID(i)); strconv.Itoa(t.Def.Index) == id {
			return t
		}
	}
	return nil
}

// firstDelta is the CPU time that a thread had used before its first sample, as far as the
// recording tells: it belongs to no time of the session.
func firstDelta(t *testing.T, dir, id string) int64 {
	rec := testkit.Must(ReadFolder(t.Context(), dir, nil))(t)
	n, _ := strconv.ParseInt(id, 10, 64)
	if th := rec.Thread(n); th != nil && len(th.Records) > 0 {
		return th.Records[0].CPUDeltaNs
	}
	return 0
}

func checkThread(t *testing.T, s *store.Session, where, id string, w truthThread, first int64) (checked int) {
	t.Helper()
	track := trackOf(s, id)
	if track == nil {
		if w.Samples > 0 {
			t.Errorf("%s is missing", where)
		}
		return 0
	}
	if track.Title() != w.Name {
		t.Errorf("%s is called %q, want %q", where, track.Title(), w.Name)
	}
	var tree paths.Tree
	s.Spans().Tree([]model.TrackID{track.Def.ID}, math.MinInt64/4, math.MaxInt64/4, &tree)
	total, self := map[string]int64{}, map[string]int64{}
	for _, n := range tree.Nodes {
		name := s.Collector(n.Collector).Name
		if p := s.Collector(n.Collector).Parent; p != rootCollector {
			name = s.Collector(p).Name + "." + name
		}
		self[name] += n.Self
		again := false
		for up := n.Parent; up >= 0 && !again; up = tree.Nodes[up].Parent {
			again = tree.Nodes[up].Collector == n.Collector
		}
		if !again {
			total[name] += n.Total
		}
	}
	for _, m := range w.Methods {
		checked++
		if total[m.Name] != m.Inclusive*1e6 || self[m.Name] != m.Self*1e6 {
			t.Errorf("%s: %s: %d ms inside, %d ms itself; want %d, %d", where, m.Name, total[m.Name]/1e6, self[m.Name]/1e6, m.Inclusive, m.Self)
		}
	}
	stacks := 0
	var growth, load, mean float64
	var begin, end int64
	for _, id := range s.Series().ByRole(model.RoleCPUTime) {
		if x := s.Series().ByID(id); x.Def.Track == track.Def.ID {
			begin, end, _ = x.Bounds()
		}
	}
	for i := range s.Series().Len() {
		x := s.Series().ByID(model.SeriesID(i))
		if x.Def.Track != track.Def.ID {
			continue
		}
		switch x.Def.Role {
		case model.RoleStack:
			stacks = int(x.Len())
		case model.RoleCPUTime:
			st := x.Stats(math.MinInt64/4, math.MaxInt64/4)
			growth = st.Last - st.First
			if w.Samples > 1 && math.Abs((growth+float64(first))/1000-float64(w.CPU)) > float64(w.Samples) {
				t.Errorf("%s: %.0f µs of CPU, want %d", where, (growth+float64(first))/1000, w.CPU)
			}
		case model.RoleCPULoad:
			// Spread over the time between two readings, the load gives the growth of the clock again.
			mean = x.Stats(math.MinInt64/4, math.MaxInt64/4).Mean
			var at float64
			var share float64
			known := false
			for _, v := range x.Samples(math.MinInt64/4, math.MaxInt64/4, 0, nil) {
				if known {
					load += share / 100 * (float64(v.Time) - at)
				}
				at, share, known = float64(v.Time), v.Value, !math.IsNaN(v.Value)
			}
			if known {
				load += share / 100 * (float64(end) - at)
			}
		}
	}
	if all := mean / 100 * float64(end-begin); math.Abs(all-growth) > 1000 {
		t.Errorf("%s: a mean load of %v %% is %.0f µs of its life, the clock grew by %.0f", where, mean, all/1000, growth/1000)
	}
	if math.Abs(load-growth) > 1000 {
		t.Errorf("%s: the load adds up to %.0f µs, the clock grew by %.0f", where, load/1000, growth/1000)
	}
	if stacks != w.Samples {
		t.Errorf("%s: %d samples, want %d", where, stacks, w.Samples)
	}
	return checked
}

// TestFlushedEqualsWhole: a session that is fed a few samples at a time, and flushed between, holds
// what one that is read at once does.
func TestFlushedEqualsWhole(t *testing.T) {
	dir := find(t, "recorded-60s/127*")
	whole := store.NewSession()
	testkit.OK(t, (Source{}).OpenFile(t.Context(), dir, &sink{s: whole}))
	pieces := store.NewSession()
	testkit.OK(t, openInPieces(t.Context(), dir, &sink{s: pieces}, 7))
	describe := func(s *store.Session) string {
		out := ""
		for i := range s.NumTracks() {
			tr := s.Track(model.TrackID(i))
			var tree paths.Tree
			s.Spans().Tree([]model.TrackID{tr.Def.ID}, math.MinInt64/4, math.MaxInt64/4, &tree)
			out += fmt.Sprintln(tr.Title(), tr.NumSpans(), tr.Lanes())
			for _, n := range tree.Nodes {
				out += fmt.Sprintln(" ", n.Depth, s.Collector(n.Collector).Name, n.Total, n.Self, n.Count)
			}
		}
		return out
	}
	if a, b := describe(whole), describe(pieces); a != b {
		t.Errorf("at once:\n%.2000s\nin pieces:\n%.2000s", a, b)
	}
}
