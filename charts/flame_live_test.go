package charts

import (
	"framescope/model"
	"testing"
)

// TestLiveFlameFollows runs a game and a flame graph together: it shows the mean of the newest frames, of as many as its
// switch says.
func TestLiveFlameFollows(t *testing.T) {
	g := newLiveGame(20)
	for range 200 {
		g.frame()
	}
	rig := newPanelRig(g.s, 1, 900, 400)
	rig.env.Animate = true
	rig.env.View.Follow(true)
	flame := NewFlameGraph(model.NoCollector)
	for range 120 {
		g.frame()
		rig.move(flame, 500, 200)
		newest := g.s.Track(0).Frame(g.s.Track(0).NumFrames() - 1)
		if flame.source.last != newest.Number || flame.source.frames != 60 {
			t.Fatalf("frame %d (mean of %d), the newest is %d", flame.source.last, flame.source.frames, newest.Number)
		}
	}
	for _, want := range []int64{300, 1, 60} {
		for _, ch := range flame.chips.chips {
			if ch.id == flameChipMean {
				rig.click(flame, (ch.rect.X0+ch.rect.X1)/2, (ch.rect.Y0+ch.rect.Y1)/2)
			}
		}
		rig.tick(flame)
		if flame.source.frames != want {
			t.Errorf("mean of %d frames, want %d", flame.source.frames, want)
		}
	}
	if !rig.env.View.Live() {
		t.Error("a hover or a switch stopped following")
	}
}
