package flame

import (
	"math/rand/v2"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model"
)

// However a flame graph is dragged, zoomed and scrolled, there are bars of it in its pane: all of its
// width where that is narrower than the pane, else from edge to edge.
func TestTheGraphStaysInItsPane(t *testing.T) {
	for _, flip := range []bool{false, true} {
		for _, locked := range []bool{false, true} {
			rig := chartstest.NewRig(chartstest.NewSession(t), 1, 500, 110)
			rig.Env.View.SelectFrames(150, 150)
			f := New(model.NoCollector)
			f.Flip = flip
			rig.Tick(f)
			if locked {
				f.ToggleLock(rig.Env)
				rig.Env.View.SelectFrames(10, 10) // much shorter
				rig.Tick(f)
			}
			plot := f.regions.plot
			rnd := rand.New(rand.NewPCG(1, 2))
			at := func() (x, y float32) {
				return plot.X0 + rnd.Float32()*plot.W(), plot.Y0 + rnd.Float32()*plot.H()
			}
			for n := range 400 {
				x, y := at()
				if rnd.IntN(3) == 0 {
					f.Update(rig.Env, rig.R, &panel.Input{Over: true, X: x, Y: y, WheelY: float32(rnd.IntN(7) - 3)})
				} else {
					x1, y1 := at()
					left := panel.Button{Down: true, Pressed: true, DownX: x, DownY: y}
					f.Update(rig.Env, rig.R, &panel.Input{Over: true, X: x, Y: y, Left: left})
					left.Pressed, left.Dragging = false, true
					f.Update(rig.Env, rig.R, &panel.Input{Over: true, X: x1, Y: y1, Left: left})
					left.Down, left.Released = false, true
					f.Update(rig.Env, rig.R, &panel.Input{Over: true, X: x1, Y: y1, Left: left})
				}
				rig.Tick(f)
				seen := false
				for _, b := range f.bars {
					r := b.rect
					seen = seen || r.X1 > plot.X0 && r.X0 < plot.X1 && r.Y0 >= plot.Y0-1 && r.Y0 < plot.Y1
				}
				b, e := f.axis.Target()
				if out := max(-b, e-f.total); !seen || out > max(e-b-f.total, 0)+1 {
					t.Fatalf("step %d, flip %v, locked %v: bars in sight: %v, %v to %v of %v ns", n, flip, locked, seen, b, e, f.total)
				}
			}
		}
	}
}
