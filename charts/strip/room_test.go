package strip

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/model"
)

// The plot has nearly all of the panel, at the sizes that it has in windows from 1280 × 720 on: names
// of bands and numbers of the axis stand where little is lost.
func TestPlotHasTheRoom(t *testing.T) {
	s := manyBands(40, 30, "Stage")
	for _, size := range [][2]float32{{521, 330}, {440, 230}, {640, 180}, {900, 300}} {
		for _, scale := range []float32{1, 1.5, 2} {
			rig := chartstest.NewRig(s, scale, size[0], size[1])
			c := New(model.NoTrack, 0, false)
			rig.Tick(c)
			rig.Tick(c)
			plot := c.regions.plot
			if w, h := plot.W()/rig.R.W(), plot.H()/rig.R.H(); w < 0.85 || h < 0.6 {
				t.Errorf("%v at %v: the plot has %.2f of the width and %.2f of the height", size, scale, w, h)
			}
		}
	}
}
