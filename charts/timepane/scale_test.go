package timepane

import (
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
)

// A scale puts times where the pane does.
func TestScaleIsThatOfThePane(t *testing.T) {
	env := chartstest.NewEnv(chartstest.NewSession(t), 1)
	rapid.Check(t, func(t *rapid.T) {
		var p Pane
		begin, width := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "begin"), rapid.Int64Range(1, 1<<40).Draw(t, "width")
		env.View.Steer().Set(float64(begin), float64(begin+width), false, 0)
		env.View.Tick(1, false)
		p.Place(env, draw.Rect{X0: 10, Y0: 20, X1: 10 + float32(rapid.IntRange(30, 3000).Draw(t, "px")), Y1: 400}, Shape{GutterW: 12})
		s := p.Scale(env)
		for range 20 {
			a := begin + rapid.Int64Range(-width/4-1, width+width/4+1).Draw(t, "a")
			b := a + rapid.Int64Range(0, width).Draw(t, "b")
			if got, want := s.PxOf(a), p.PxOf(env, a); got-want > 1 || want-got > 1 {
				t.Fatalf("time %d at %g, want %g", a, got, want)
			}
			x0, x1, seen := s.PxRange(a, b)
			if x1 < x0+1 || seen != (x1 > p.Plot().X0 && x0 < p.Plot().X1) || s.PxOf(a) != x0 {
				t.Fatalf("[%d, %d] from %g to %g, seen %t", a, b, x0, x1, seen)
			}
		}
	})
}
