package sessions

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/net/feed"
)

// TestReframe makes frames of the calls of a name, none, and those again that are found: each time the recording is
// read anew, and what was shown before is closed.
func TestReframe(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "../spall/game-v3.spall")}})
	settle(t, g)
	found := g.ss.active.Track(g.ss.active.MainTrack()).NumFrames()
	now, ok := g.ss.FramesOf()
	testkit.MustThat(t, ok && now == "" && found != 0, "frames %q, %t, %d found", now, ok, found)
	for _, c := range []struct {
		f feed.Frames
		n int
	}{{"physics", 60}, {feed.NoFrames, 0}, {"nothing is called so", 0}, {"", found}} {
		was := g.ss.active
		g.ss.Reframe(c.f)
		testkit.WaitUntil(t, "the recording with other frames", func() bool {
			g.tick()
			return g.ss.active != was && len(g.ss.store.Sessions()) == 1
		})
		settle(t, g)
		s := g.ss.active
		n := s.Track(s.MainTrack()).NumFrames()
		testkit.That(t, n == c.n, "%d frames of %q, want %d", n, c.f, c.n)
		now, ok := g.ss.FramesOf()
		testkit.That(t, ok && now == c.f, "frames are %q, %t, want %q", now, ok, c.f)
	}
}

// TestFramesThatAreGiven offers no choice where a recording says itself what its frames are.
func TestFramesThatAreGiven(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "gaps.pstats")}})
	settle(t, g)
	_, ok := g.ss.FramesOf()
	testkit.That(t, !ok, "frames of PStats can be chosen")
}
