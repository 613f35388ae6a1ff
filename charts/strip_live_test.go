package charts

import (
	"framescope/model"
	"testing"
)

// TestLiveStripFollows runs a game and a strip chart together: it ends at the newest frame, its scale keeps still, a hover
// does not stop it, and a drag into the past does.
func TestLiveStripFollows(t *testing.T) {
	g := newLiveGame(20)
	for range 200 {
		g.frame()
	}
	rig := newPanelRig(g.s, 1, 900, 400)
	rig.env.Animate = true
	rig.env.View.Follow(true)
	strip := NewStripChart(model.NoTrack, 0, false)
	tops := map[float64]bool{}
	for range 120 {
		g.frame()
		rig.move(strip, 500, 200)
		tops[strip.topTarget] = true
		newest := g.s.Track(0).Frame(g.s.Track(0).NumFrames() - 1)
		if got := int64(strip.own.EndNs); got != newest.Begin {
			t.Fatalf("the strip chart ends at %d, the newest frame begins at %d", got, newest.Begin)
		}
	}
	if len(tops) > 2 {
		t.Errorf("the scale of a steady game changed %d times", len(tops)-1)
	}
	if !rig.env.View.Live() {
		t.Error("a hover stopped following")
	}
	rig.drag(strip, 400, 200, 600, 200)
	before := strip.own.EndNs
	for range 30 {
		g.frame()
		rig.tick(strip)
	}
	if rig.env.View.Live() || strip.own.EndNs > before {
		t.Error("the chart runs on after it was dragged into the past")
	}
}
