package charts

import (
	"testing"

	"framescope/charts/draw"
)

// What shows the same again leaves its list as it is, so that the window need not be painted.
func TestNothingNewIsNotDrawnAgain(t *testing.T) {
	env := testEnv(newTestSession(t), 1)
	env.View.SelectFrames(150, 150)
	rect := draw.Rect{X1: 300, Y1: 400}
	tree := NewTable("Collectors", NewCollectorTree())
	var tip Tooltip
	hit := Hit{Kind: HitSpan, Collector: 2, Lines: []string{"Cull", "duration\t1 ms"}, Rect: draw.Rect{X0: 10, Y0: 10, X1: 60, Y1: 30}}
	tick := func() (uint64, uint64) {
		env.NowNs += 16e6
		env.View.Tick(env.NowNs, false)
		tree.Update(env, rect, &Input{X: -1, Y: -1})
		return tree.List().Revision(), tip.Draw(env, &hit, 20, 20, rect).Revision()
	}
	tick()
	tree0, tip0 := tick()
	for range 5 {
		if tree1, tip1 := tick(); tree1 != tree0 || tip1 != tip0 {
			t.Fatalf("revisions of the tree %d, then %d; of the tooltip %d, then %d", tree0, tree1, tip0, tip1)
		}
	}
	hit.Lines[1] = "duration\t2 ms"
	env.View.SelectFrames(151, 151)
	if tree1, tip1 := tick(); tree1 == tree0 || tip1 == tip0 {
		t.Error("what changed was not drawn")
	}
}
