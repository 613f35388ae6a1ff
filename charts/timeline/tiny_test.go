package timeline

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/locks"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/charts/view"
)

// Panels may be as small as a pixel, or nothing at all, at any zoom.
func TestNewChartsInTinyPanels(t *testing.T) {
	s := chartstest.NewLockSession(t)
	for _, size := range []float32{0, 1, 7, 40, 90} {
		for _, width := range []float64{1000, 400e6, 4e17} {
			env := chartstest.NewEnv(s, 1)
			env.View.Tick(1, false)
			env.View.Look().SetMessageFilter(view.MessageFilter{Text: "a"})
			tab, _ := locks.NewLockPanel()
			for _, c := range []panel.Panel{&Timeline{}, &locks.Chart{}, &Chart{}, tables.NewMessages(), tab} {
				r := draw.Rect{X0: 10, Y0: 10, X1: 10 + size, Y1: 10 + size}
				chartstest.Settle(env, c, r)
				env.View.Steer().Set(0, width, false, 0)
				env.View.SelectCollector(chartstest.LkPool)
				chartstest.Settle(env, c, r)
				c.Update(env, r, chartstest.MouseAt(10+size/2, 10+size/2))
				c.HitTest(env, 10+size/2, 10+size/2)
				for _, v := range c.List().Vertices {
					if v.X < r.X0 || v.X > r.X1 || v.Y < r.Y0 || v.Y > r.Y1 {
						t.Fatalf("%T of %g pixels draws at %g, %g", c, size, v.X, v.Y)
					}
				}
			}
		}
	}
}
