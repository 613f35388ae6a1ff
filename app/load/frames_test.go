package load

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
)

// TestFramesByName asks for frames by the name of spans: as many as the main thread has of these, each
// as long as its span; none where nothing is called so, and where none are wanted.
func TestFramesByName(t *testing.T) {
	for _, c := range []struct {
		path, name string
		n          int
	}{
		{"../../testdata/spall/game-v3.spall", "physics", 60},
		{"../../testdata/chrometrace/engine-object.json.gz", "Frame", 120},
		{"../../testdata/gotrace/game-122.trace.gz", "physics", 25},
		{"../../testdata/gotrace/game-122.trace.gz", "load level", 5}, // tasks
		{"../../testdata/perfetto/rust-layer.pftrace.gz", "schedule", 350},
		{"../../testdata/perfetto/frametimeline.pftrace.gz", "TX - game", 90}, // a layer
	} {
		for name, want := range map[string]int{c.name: c.n, "nothing is called so": 0, string(feed.NoFrames): 0} {
			rec, err := File(t.Context(), c.path, Options{Sources: Sources{Frames: feed.Frames(name)}})
			testkit.NoErr(t, err)
			s := rec.Session
			tr := s.Track(s.MainTrack())
			testkit.That(t, tr.NumFrames() == want && s.HasFrames() == (want > 0),
				"%s: %d frames called %q, want %d", c.path, tr.NumFrames(), name, want)
			if n := len(s.Warnings()); want == 0 && name != string(feed.NoFrames) && n == 0 {
				t.Errorf("%s: nobody says that nothing is called %q", c.path, name)
			}
			for i := range tr.NumFrames() {
				f := tr.Frame(i)
				found := c.name == "load level" || c.name == "TX - game" // those are on other tracks
				for lane := range tr.Lanes() {
					b, ok := s.Spans().At(tr.Def.ID, lane, f.Begin, 0)
					found = found || ok && b.Begin == f.Begin && b.End == f.End && s.Collector(b.Collector).Name == name
				}
				testkit.That(t, found, "%s: frame %d is no span %q", c.path, i, name)
			}
			lost, lines := s.Losses()
			testkit.That(t, lost[model.LossLimit] <= 0 && lost[model.LossMalformed] <= 0, "%s: %q", c.path, lines)
		}
	}
}
