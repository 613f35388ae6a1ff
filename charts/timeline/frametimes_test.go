package timeline

import (
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
)

// Below the name of a thread stands the duration of a frame of its own, and which it is: a thread
// that is cut by the frames of another has none.
func TestFrameTimesAreOfTheirThread(t *testing.T) {
	rig := chartstest.NewRig(chartstest.LoadProfile(t, "small-clean.prof"), 1, 1000, 500)
	rig.Env.View.SelectFrames(0, 0)
	tl := &Timeline{}
	rig.Tick(tl)
	rig.Tick(tl)
	var below []string
	for _, x := range tl.pane.List().Texts() {
		if strings.HasSuffix(x.Text, " ms") && x.Box.X1 <= tl.pane.Gutter().X1 {
			below = append(below, x.Text)
		}
	}
	if !slices.Equal(below, []string{"#0 6.91 ms"}) {
		t.Errorf("below the names stands %q", below)
	}
}
