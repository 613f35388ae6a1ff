package app

import (
	"math"
	"testing"

	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
)

// TestMenuMakesFrames: the menu of a span makes frames of the calls of its name, and gives back those that are found.
func TestMenuMakesFrames(t *testing.T) {
	g := openedGame(t, "../spall/game-v3.spall")
	found := g.View().Shown().NumFrames()
	for _, c := range []struct {
		label string
		n     int
	}{{"Its calls are the frames", 60}, {"Frames as they are found", found}, {"No frames", 0}} {
		was := g.View().Session()
		bar, ok := spanOf(g, "physics")
		testkit.MustThat(t, ok, "nothing is called physics")
		hit := panel.Hit{Kind: panel.HitSpan, Bar: bar, Collector: bar.Collector}
		pressMenu(t, g, panel.Action{Hit: hit, Track: was.MainTrack()}, c.label)
		testkit.WaitUntil(t, "the recording with other frames", func() bool {
			takeIn(g)
			return g.View().Session() != was && len(g.ss.Sessions()) == 1
		})
		settle(t, g)
		s := g.View().Session()
		n := s.Track(s.MainTrack()).NumFrames()
		testkit.That(t, n == c.n, "%s: %d frames, want %d", c.label, n, c.n)
	}
}

// spanOf returns the first span of a name on the main thread.
func spanOf(g *Game, name string) (b spans.Bar, ok bool) {
	s := g.View().Session()
	for c := range s.Collectors().Len() {
		if s.Collector(model.CollectorID(c)).Name == name {
			return s.Spans().Next(s.MainTrack(), model.CollectorID(c), math.MinInt64, 1)
		}
	}
	return b, false
}
