package strip

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/model"
	"framescope/model/store"
)

// A frame rate stands beside the duration of frames only: what ran in their blocks is less, and 1 by
// it is no rate of anything.
func TestFrameRateIsOfFrames(t *testing.T) {
	for _, x := range []struct {
		name string
		s    *store.Session
		rate bool
	}{
		{"blocks", chartstest.LoadProfile(t, "small-clean.prof"), false},
		{"frames", chartstest.NewSession(t), true},
	} {
		rig := chartstest.NewRig(x.s, 1, 500, 300)
		for _, last := range []int{0, 4} {
			rig.Env.View.SelectFrames(0, last)
			c := New(model.NoTrack, 0, false)
			rig.Tick(c)
			if said := c.Mode(rig.Env); said == "" || strings.Contains(said, "Hz") != x.rate {
				t.Errorf("%s: %q, frame rate: %v", x.name, said, x.rate)
			}
		}
	}
}
