package view

import (
	"testing"

	"framescope/charts/format"
	"framescope/model"
)

// TestEndedSessionsZoomOutToAll zooms out near the left end: a session that has ended comes to stand in
// the middle with its margin; one that goes on, or is beside another, leaves room.
func TestEndedSessionsZoomOutToAll(t *testing.T) {
	for _, c := range []struct {
		name          string
		ended, beside bool
	}{{"ended", true, false}, {"beside another", true, true}, {"running", false, false}} {
		s, v := liveGame()
		v.Follow(false)
		if c.ended {
			s.Apply(model.End{Reason: "the game quit"})
		}
		begin, end, _ := s.Bounds()
		v.Steer().PlaceTime(begin, begin+(end-begin)/20)
		for now := int64(1); now < 60; now++ {
			v.Tick(now*16_000_000, false)
			if c.beside {
				v.Steer().Beside()
			}
			v.Steer().ZoomBy(float64(begin), 0.8, false, v.window.nowNs)
		}
		margin := float64(end-begin) * format.Margin
		left, right := float64(begin)-v.Time().BeginNs, v.Time().EndNs-float64(end)
		all := left > margin-2 && left < margin+2 && right > margin-2 && right < margin+2
		if all != (c.name == "ended") {
			t.Errorf("%s: %g and %g ns are empty, the margin is %g", c.name, left, right, margin)
		}
	}
}
