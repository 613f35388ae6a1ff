package flame

import (
	"framescope/charts/chartstest"
	"framescope/model"
	"testing"
)

// TestLiveFlameFollows runs a game and a flame graph together: it shows the mean of the newest
// frames, of as many as its switch says.
func TestLiveFlameFollows(t *testing.T) {
	g := chartstest.NewLiveGame(20)
	for range 200 {
		g.Frame()
	}
	rig := chartstest.NewRig(g.S, 1, 900, 400)
	rig.Env.Animate, rig.Env.Paced = true, true
	rig.Env.View.Follow(true)
	flame := New(model.NoCollector)
	for range 120 {
		g.Frame()
		rig.Move(flame, 500, 200)
		newest := g.S.Track(0).Frame(g.S.Track(0).NumFrames() - 1)
		if flame.source.last != newest.Number || flame.source.frames != 60 {
			t.Fatalf("frame %d (mean of %d), the newest is %d", flame.source.last, flame.source.frames, newest.Number)
		}
	}
	for _, want := range []int64{300, 1, 60} {
		for i, n := range means {
			if tool := flame.Tools(rig.Env)[0]; tool.ID != toolMean {
				t.Fatalf("the first tool is %+v", tool)
			} else if int64(n) == want {
				flame.Use(rig.Env, toolMean, i)
			}
		}
		rig.Tick(flame)
		if flame.source.frames != want {
			t.Errorf("mean of %d frames, want %d", flame.source.frames, want)
		}
	}
	if !rig.Env.View.Live() {
		t.Error("a hover or a switch stopped following")
	}
}
