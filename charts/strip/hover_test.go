package strip

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/model"
)

// TestHoverLightsUpEverywhere moves the mouse over one panel and looks at another, which is updated
// before it: what is under the mouse is lit there too, from the next tick on, and while the mouse
// rests nothing is drawn again.
func TestHoverLightsUpEverywhere(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, 360)
	rig.Env.View.SelectFrames(50, 50)
	first, strip := flame.New(model.NoCollector), New(model.NoTrack, 0, false)
	away := panel.Input{}
	tick := func() {
		rig.Env.View.Tick(1, false)
		first.Update(rig.Env, rig.R, &away)
		strip.Update(rig.Env, rig.R, &rig.In)
	}
	tick()
	rects, bands := bandRects(strip)
	for i, r := range rects {
		if strip.strip.Bands[bands[i]] == chartstest.CDraw {
			rig.In.X, rig.In.Y, rig.In.Over = (r.X0+r.X1)/2, (r.Y0+r.Y1)/2, true
		}
	}
	before := first.List().Revision()
	tick()
	tick()
	if rig.Env.View.Pointer().Collector() != chartstest.CDraw || first.List().Revision() == before {
		t.Fatalf("collector %d is lit, want Draw", rig.Env.View.Pointer().Collector())
	}
	a, b, laid := first.List().Revision(), strip.List().Revision(), strip.laid
	for range 5 {
		tick()
	}
	if first.List().Revision() != a || strip.List().Revision() != b || strip.laid != laid {
		t.Error("drawn again though the mouse rests")
	}
	rig.Env.View.Look().SetHidden(chartstest.CDraw, true)
	if tick(); strip.laid != laid+1 {
		t.Errorf("edges were laid %d times for a collector that is hidden", strip.laid-laid)
	}
	// the panel with the mouse is closed
	for range 2 {
		rig.Env.View.Tick(1, false)
		first.Update(rig.Env, rig.R, &away)
	}
	if rig.Env.View.Pointer().Collector() != model.NoCollector || rig.Env.View.Pointer().HasTime() {
		t.Error("what a closed panel had under the mouse is still lit")
	}
}
