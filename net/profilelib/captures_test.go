package profilelib

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/profilelib/record"
)

// expected is what testdata/profilelib/expected.json tells of each capture: counted by another program that knows only the record layout.
type expected struct {
	Records    int
	Stray      int
	Kinds      map[string]int
	Threads    map[string]int
	Processors []int
	Missing    int64
	Frames     int
	Names      map[string][2]int64 // count, ticks
}

// truth is what the recorded program noted itself.
type truth struct {
	Threads []struct {
		TID    uint32
		Role   string
		Scopes map[string]struct {
			Calls   int64
			TotalNs int64 `json:"total_ns"`
		}
		Events [][]any
	}
	Scopes map[string]struct {
		Calls   int64
		TotalNs int64 `json:"total_ns"`
	}
	Messages [][]any
	Frames   [][2]int64
}

const (
	small = "../../testdata/profilelib"
	large = "../../../shared/captures/profilelib"
)

var all = []string{"small-clean", "game-600f", "locks-waits-logs", "migrating", "restarts", "exhausted", "no-sysinfo", "layout-2013-01", "layout-2013-10", "layout-2014-03-72byte", "truncated"}

// capture returns the path of a capture; it skips the test when the capture is not there.
func capture(t testing.TB, name string) string {
	t.Helper()
	for _, dir := range []string{small, large} {
		path := filepath.Join(dir, name+".prof")
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("the capture %s is not here", name)
	return ""
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readJSON(t testing.TB, path string, to any) {
	t.Helper()
	if err := json.Unmarshal(readFile(t, path), to); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// sink hands everything to a session and notes the losses.
type sink struct {
	s       *model.Session
	b       model.Batch
	batches int
	loose   int
	losses  []model.Loss
	stopAt  int
}

var _ feed.Sink = (*sink)(nil)

func newSink() *sink { return &sink{s: model.NewSession()} }

func (k *sink) Define(c model.Change) {
	if l, ok := c.(model.Loss); ok {
		k.losses = append(k.losses, l)
	}
	k.s.Apply(c)
}
func (k *sink) Begin() *model.Batch { k.b.Reset(); return &k.b }
func (k *sink) Publish(b *model.Batch) bool {
	k.batches++
	if !b.HasFrame {
		k.loose++
	}
	k.s.Append(b)
	return k.stopAt == 0 || k.batches < k.stopAt
}
func (k *sink) Progress(done, total int64) {}

func (k *sink) lost(reason model.LossReason) (n int64) {
	for _, l := range k.losses {
		if l.Reason == reason {
			n += l.N
		}
	}
	return n
}

// load reads a capture as a file.
func load(t testing.TB, path string, o Options) *sink {
	t.Helper()
	k := newSink()
	if err := OpenFile(context.Background(), path, k, o); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return k
}

// sum is what there is of blocks.
type sum struct{ Count, Ns int64 }

// blocks sums the spans of a session by track title and name, and all tracks together.
func blocks(s *model.Session) (byTrack map[model.TrackID]map[string]sum, all map[string]sum) {
	byTrack, all = map[model.TrackID]map[string]sum{}, map[string]sum{}
	for i := range s.NumTracks() {
		id := model.TrackID(i)
		byTrack[id] = map[string]sum{}
		tr := s.Track(id)
		for lane := range tr.Lanes() {
			for _, b := range spansOf(s, id, lane) {
				_, c := s.Path(b.Path)
				name := s.Collector(c).Name
				v, w := byTrack[id][name], all[name]
				v.Count, v.Ns = v.Count+1, v.Ns+b.End-b.Begin
				w.Count, w.Ns = w.Count+1, w.Ns+b.End-b.Begin
				byTrack[id][name], all[name] = v, w
			}
		}
	}
	return byTrack, all
}

// spansOf returns the spans of a lane, one by one.
func spansOf(s *model.Session, track model.TrackID, lane int) []model.Bar {
	begin, end, ok := s.Track(track).Bounds()
	if !ok {
		return nil
	}
	var out []model.Bar
	for _, b := range s.VisibleSpans(track, lane, begin, end+1, 0, nil) {
		out = append(out, b)
	}
	return out
}

func layoutOf(name string) record.Layout {
	l := record.Current
	switch {
	case strings.Contains(name, "2013-01"):
		l.Variant = record.V1
	case strings.Contains(name, "2013-10"):
		l.Variant = record.V2
	case strings.Contains(name, "72byte"):
		l.Variant = record.V3
	}
	return l
}

func TestQuick(t *testing.T) {
	var want map[string]expected
	readJSON(t, filepath.Join(small, "expected.json"), &want)
	for _, name := range all {
		k := load(t, capture(t, name), Options{})
		_, sums := blocks(k.s)
		bad := 0
		for n, w := range want[name+".prof"].Names {
			if got := sums[n]; got.Count != w[0] || got.Ns != w[1] {
				t.Logf("%s: %q %v want %v", name, n, got, w)
				bad++
			}
		}
		t.Logf("%s: %d names, %d differ; tracks %d main frames %d; losses %+v; info %q; batches %d loose %d", name, len(sums), bad, k.s.NumTracks(), k.s.Track(0).NumFrames(), k.losses, k.s.Info().Version, k.batches, k.loose)
		for i := range k.s.NumTracks() {
			t.Logf("  %s %d frames %d", k.s.Track(model.TrackID(i)).Title(), k.s.Track(model.TrackID(i)).Def.Index, k.s.Track(model.TrackID(i)).NumFrames())
		}
	}
}
