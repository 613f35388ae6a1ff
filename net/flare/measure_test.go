package flare

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/flare/flaretest"
)

// openCapture reads one of the recordings as a session.
func openCapture(t *testing.T, dir string) *store.Session {
	t.Helper()
	s := store.NewSession()
	testkit.OK(t, (Source{}).OpenFile(t.Context(), dir, &sink{s: s}))
	return s
}

func glob1(t *testing.T, pattern string) string {
	t.Helper()
	m, err := filepath.Glob(pattern)
	if err != nil || len(m) != 1 {
		t.Fatalf("%s gives %d files, %v", pattern, len(m), err)
	}
	return m[0]
}

// methodName is the full name of a method's collector.
func methodName(s *store.Session, c model.CollectorID) string {
	d := s.Collector(c)
	if d.Parent != rootCollector {
		return s.Collector(d.Parent).Name + "." + d.Name
	}
	return d.Name
}

// TestSamplesEqualTheTruth asks each recording for the number of samples of every method of every
// thread. A recursive method counts once in a sample. The truth is of samples that own time: it
// leaves out the newest of each thread.
func TestSamplesEqualTheTruth(t *testing.T) {
	captures := flaretest.Captures(t)
	for _, f := range []struct{ dir, truth string }{
		{"constructed-60s/127*", "constructed-60s/truth.json"},
		{"recorded-60s/127*", "recorded-60s/truth.json"},
		{"constructed-roll/*200654", "constructed-roll/truth-1-*.json"},
		{"constructed-roll/*200657", "constructed-roll/truth-2-*.json"},
	} {
		data := testkit.Must(os.ReadFile(glob1(t, filepath.Join(captures, f.truth))))(t)
		var want struct {
			Threads map[string]truthThread `json:"threads"`
		}
		testkit.OK(t, json.Unmarshal(data, &want))
		s := openCapture(t, glob1(t, filepath.Join(captures, f.dir)))
		checked := 0
		for id, w := range want.Threads {
			track := trackOf(s, id)
			if track == nil {
				continue // no samples: the test of times says so
			}
			var tree paths.Tree
			s.Spans().TreeOf(spans.MeasureSamples, []model.TrackID{track.Def.ID}, math.MinInt64, math.MaxInt64, &tree)
			got := map[string]int64{}
			for i := range tree.Nodes {
				n := &tree.Nodes[i]
				again := false
				for up := n.Parent; up >= 0 && !again; up = tree.Nodes[up].Parent {
					again = tree.Nodes[up].Collector == n.Collector
				}
				if !again {
					got[methodName(s, n.Collector)] += n.Total
				}
			}
			for name := range newestStack(s, track.Def.ID) {
				got[name]--
			}
			for _, m := range w.Methods {
				checked++
				if got[m.Name] != m.Samples {
					t.Errorf("%s thread %s: %s is in %d samples, want %d", f.dir, id, m.Name, got[m.Name], m.Samples)
				}
			}
		}
		if checked == 0 {
			t.Errorf("%s: nothing was checked", f.dir)
		}
		t.Logf("%s: %d methods", f.dir, checked)
	}
}

// newestStack is the set of the methods in a thread's newest sample.
func newestStack(s *store.Session, id model.TrackID) map[string]bool {
	out := map[string]bool{}
	for _, k := range s.Series().ByTrack(id) {
		x := s.Series().ByID(k)
		if x.Def.Role != model.RoleStack {
			continue
		}
		_, end := x.Positions()
		for path := model.PathID(x.Row(end - 1).Value); path != model.PathRoot; {
			up, c := s.Path(path)
			out[methodName(s, c)], path = true, up
		}
	}
	return out
}

// pathSums is what a call path has in the three measures.
type pathSums struct{ ms, cpuNs, samples int64 }

// piecesOf adds up the pieces of a thread's time by call path, the names joined from the outermost
// in. CPU time goes to code, which is told by such names; where nothing but waits was sampled between
// two readings of the clock it is spread over all of that time.
func piecesOf(rec *Recording, th *Thread, code map[string]bool, startMs, endMs int64) map[string]pathSums {
	out := map[string]pathSums{}
	pieces := Pieces(th, startMs, endMs)
	isCode := func(p *Piece) bool {
		path := ""
		for _, id := range slices.Backward(th.Records[p.Index].Stack) {
			path += ";" + rec.Method(id)
		}
		return code[path]
	}
	reading, last := make([]int, len(th.Records)), th.Records[0] // how often the clock changed up to a record
	for k := 1; k < len(th.Records); k++ {
		reading[k] = reading[k-1]
		if r := th.Records[k]; r.CPUNs < last.CPUNs || r.CPUNs > last.CPUNs && r.TimeMs > last.TimeMs {
			reading[k], last = reading[k]+1, r
		}
	}
	for i := 0; i < len(pieces); {
		end, cpu, ran := i, int64(0), int64(0)
		for ; end < len(pieces) && reading[pieces[end].Index] == reading[pieces[i].Index]; end++ {
			p := &pieces[end]
			if cpu += p.CPUNs; isCode(p) {
				ran += p.EndMs - p.BeginMs
			}
		}
		for ; i < end; i++ {
			if p := &pieces[i]; ran > 0 {
				if p.CPUNs = 0; isCode(p) {
					p.CPUNs = int64(float64(cpu) * float64(p.EndMs-p.BeginMs) / float64(ran))
				}
			}
		}
	}
	for _, p := range pieces {
		path := ""
		for _, id := range slices.Backward(th.Records[p.Index].Stack) {
			path += ";" + rec.Method(id)
			x := out[path]
			x.ms += p.EndMs - p.BeginMs
			x.cpuNs += p.CPUNs
			out[path] = x
		}
	}
	for _, r := range th.Records {
		if r.TimeMs < startMs || r.TimeMs >= endMs {
			continue
		}
		path := ""
		for _, id := range slices.Backward(r.Stack) {
			path += ";" + rec.Method(id)
			x := out[path]
			x.samples++
			out[path] = x
		}
	}
	return out
}

// TestMeasuresEqualTheRecordsOwn holds the trees of sessions against those made of the raw records,
// over whole recordings and over parts of them.
func TestMeasuresEqualTheRecordsOwn(t *testing.T) {
	captures := flaretest.Captures(t)
	for _, pattern := range []string{"constructed-60s/127*", "recorded-60s/127*"} {
		dir := glob1(t, filepath.Join(captures, pattern))
		rec := testkit.Must(ReadFolder(t.Context(), dir, nil))(t)
		s := openCapture(t, dir)
		checked := 0
		code := codeOf(s)
		for i := range s.NumTracks() {
			track := s.Track(model.TrackID(i))
			th := rec.Thread(int64(track.Def.Index))
			if th == nil || len(th.Records) < 2 {
				continue
			}
			zeroMs := th.Records[0].TimeMs - firstSampleNs(s, track.Def.ID)/1e6
			for _, part := range [][2]int64{{0, 1 << 40}, {1000, 2000}, {12_345, 12_346}, {20_003, 41_777}, {59_000, 70_000}} {
				want := piecesOf(rec, th, code, zeroMs+part[0], zeroMs+part[1])
				for _, m := range []spans.Measure{spans.MeasureDuration, spans.MeasureCPU, spans.MeasureSamples} {
					checked += compareMeasure(t, s, track, m, part, want, int64(len(th.Records)))
				}
			}
		}
		if checked == 0 {
			t.Errorf("%s: nothing was compared", dir)
		}
		t.Logf("%s: %d call paths", filepath.Base(dir), checked)
	}
}

// codeOf tells of the names of call paths whether what has them is code.
func codeOf(s *store.Session) map[string]bool {
	out := map[string]bool{}
	names := []string{""}
	for p := model.PathID(1); ; p++ {
		up, c := s.Path(p)
		if c == model.NoCollector {
			return out
		}
		names = append(names, names[up]+";"+methodName(s, c))
		out[names[p]] = s.Spans().StateOf(p) == spans.StateReady
	}
}

// firstSampleNs is the session time of a track's first sample.
func firstSampleNs(s *store.Session, track model.TrackID) int64 {
	for _, id := range s.Series().ByTrack(track) {
		if x := s.Series().ByID(id); x.Def.Role == model.RoleStack {
			begin, _, _ := x.Bounds()
			return begin
		}
	}
	return 0
}

func compareMeasure(t *testing.T, s *store.Session, track *store.Track, m spans.Measure, part [2]int64, want map[string]pathSums, records int64) (checked int) {
	t.Helper()
	var tree paths.Tree
	s.Spans().TreeOf(m, []model.TrackID{track.Def.ID}, part[0]*1e6, part[1]*1e6, &tree)
	there := 0
	for _, w := range want {
		if m == spans.MeasureDuration && w.ms > 0 || m != spans.MeasureDuration && w.samples > 0 || m == spans.MeasureCPU && w.cpuNs > 0 {
			there++
		}
	}
	if len(tree.Nodes) != there {
		t.Errorf("%s, measure %d of %d ms: %d call paths, want %d", track.Title(), m, part, len(tree.Nodes), there)
	}
	names := make([]string, len(tree.Nodes))
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Parent >= 0 {
			names[i] = names[n.Parent]
		}
		names[i] += ";" + methodName(s, n.Collector)
		w, ok := want[names[i]]
		same := ok
		switch m {
		case spans.MeasureDuration:
			same = same && n.Total == w.ms*1e6
		case spans.MeasureSamples:
			same = same && n.Total == w.samples && n.Count == w.samples
		case spans.MeasureCPU: // the records' own figures are cut to whole ns at each piece
			same = same && math.Abs(float64(n.Total-w.cpuNs)) <= float64(records) && n.Count == w.samples
		}
		if !same {
			t.Errorf("%s, measure %d of %d ms: %s has %d in %d samples, want %+v", track.Title(), m, part, names[i], n.Total, n.Count, w)
		}
		checked++
	}
	return checked
}
