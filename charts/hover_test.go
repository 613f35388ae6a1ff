package charts

import (
	"testing"

	"framescope/model"
)

// TestHoverLightsUpEverywhere moves the mouse over one panel and looks at another, which is updated before it: what is under the mouse is lit there too, from the next tick on, and
// while the mouse rests nothing is drawn again.
func TestHoverLightsUpEverywhere(t *testing.T) {
	rig := newPanelRig(newTestSession(t), 1, 640, 360)
	rig.env.View.SelectFrames(50, 50)
	first, strip := NewFlameGraph(model.NoCollector), NewStripChart(model.NoTrack, 0, false)
	away := Input{}
	tick := func() {
		rig.env.View.Tick(1, false)
		first.Update(rig.env, rig.r, &away)
		strip.Update(rig.env, rig.r, &rig.in)
	}
	tick()
	rects, bands := bandRects(strip)
	for i, r := range rects {
		if strip.strip.Bands[bands[i]] == cDraw {
			rig.in.X, rig.in.Y, rig.in.Over = (r.X0+r.X1)/2, (r.Y0+r.Y1)/2, true
		}
	}
	before := first.List().Revision()
	tick()
	tick()
	if rig.env.View.HoverCollector() != cDraw || first.List().Revision() == before {
		t.Fatalf("collector %d is lit, want Draw", rig.env.View.HoverCollector())
	}
	a, b := first.List().Revision(), strip.List().Revision()
	for range 5 {
		tick()
	}
	if first.List().Revision() != a || strip.List().Revision() != b {
		t.Error("drawn again though the mouse rests")
	}
	// the panel with the mouse is closed
	for range 2 {
		rig.env.View.Tick(1, false)
		first.Update(rig.env, rig.r, &away)
	}
	if rig.env.View.HoverCollector() != model.NoCollector || rig.env.View.HasHoverTime() {
		t.Error("what a closed panel had under the mouse is still lit")
	}
}
