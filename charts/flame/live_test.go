package flame

import (
	"math"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/paths"
)

// TestLiveFlameFollows runs a game and a flame graph together: it shows the mean of the newest
// frames, of as many as its switch says, and of others four times a second, bars and words alike.
func TestLiveFlameFollows(t *testing.T) {
	g := chartstest.NewLiveGame(20)
	for range 200 {
		g.Frame()
	}
	rig := chartstest.NewRig(g.S, 1, 900, 400)
	rig.Env.Animate, rig.Env.Paced = true, true
	rig.Env.View.Follow(true)
	flame := New(model.NoCollector)
	var tree paths.Tree
	number, atNs, times := int64(0), int64(-panel.LiveValuesNs), 0
	for range 120 {
		g.Frame()
		rig.Move(flame, 500, 200)
		if !panel.Stands(rig.Env, atNs) {
			number, atNs, times = g.S.Track(0).Frame(g.S.Track(0).NumFrames()-1).Number, rig.Env.NowNs, times+1
		}
		if flame.source.last != number || flame.source.frames != panel.LiveFrames {
			t.Fatalf("frame %d (mean of %d), of the moment is %d", flame.source.last, flame.source.frames, number)
		}
		i, _ := g.S.Track(0).FrameByNumber(number)
		g.S.FrameTree([]model.TrackID{0}, 0, i-panel.LiveFrames+1, i, &tree)
		if want := float64(tree.Total) / panel.LiveFrames; math.Abs(flame.total-want) > 1 {
			t.Fatalf("bars of %v ns, the frames that the words name have %v", flame.total, want)
		}
	}
	if times < 4 || times > 12 {
		t.Errorf("made anew %d times in 2 s", times)
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
