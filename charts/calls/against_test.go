package calls

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/comparing"
)

// While a baseline is pinned the tree of one thread and the longest calls say by how much they are off it.
func TestGoldenBaseline(t *testing.T) {
	rig := func() *chartstest.Rig {
		rig := chartstest.NewComparedRig(1, 760, 220)
		before, _ := rig.Env.Comparing.Marked(comparing.A)
		rig.Env.Comparing.Pin(before)
		for rig.Env.Comparing.Baseline(rig.Env.View.Session()) == nil {
			rig.Env.Comparing.Tick(1000)
		}
		rig.Env.View.Look().MeasuredBy(rig.Env.Comparing.BaselineRevision())
		rig.Env.View.SelectFrames(120, 140)
		return rig
	}
	t.Run("tree", func(t *testing.T) {
		tree := NewTree()
		tree.AllTracks = false
		rig().Check(t, tree, "calltree_baseline")
	})
	t.Run("calls", func(t *testing.T) {
		r, slow := rig(), NewSlow()
		slow.InRange = true
		r.Env.View.SelectCollector(9)
		for range 6 {
			r.Tick(slow)
		}
		r.Check(t, slow, "slowcalls_baseline")
	})
}
