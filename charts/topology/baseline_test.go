package topology

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/comparing"
	"framescope/charts/draw/golden"
	"framescope/model/compare"
)

// Measured by a baseline elements are blue where buffers are through faster than usual, and red where slower
// so is their list.
func TestGoldenBaseline(t *testing.T) {
	s := chartstest.LoadTrace(t, "all-audio-chain.log.gz")
	begin, end, _ := s.Bounds()
	mid := begin + (end-begin)/2
	rig, c := topoRig(s, 1, 1300, 300, false)
	rig.Env.Comparing = new(comparing.State)
	rig.Env.Comparing.Pin(comparing.Mark{Side: compare.TimeOf(s, begin, mid), Name: "before", What: "half"})
	for rig.Env.Comparing.Baseline(s) == nil {
		rig.Env.Comparing.Tick(1000)
	}
	rig.Env.View.Look().MeasuredBy(rig.Env.Comparing.BaselineRevision())
	rig.Env.View.SelectRange(mid, end+1)
	rig.Tick(c)
	rig.Tick(c)
	golden.Check(t, "../testdata/golden/topology_baseline.png", chartstest.Picture(int(rig.R.X1), int(rig.R.Y1), c.List()))
}
