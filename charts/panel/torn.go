package panel

import "framescope/charts/draw"

// DrawTorn draws the mark of a cut bar: two slashes through it, in the colour of the ground, below
// its upper edge y.
func DrawTorn(l *draw.List, env *Env, x0, x1, y float32, ground draw.Color) {
	rise, thick := env.Px(3), max(1, env.Px(1.5))
	for i := range 2 {
		at := y + env.Px(4+5*float32(i))
		l.Line(x0-env.Px(1), at+rise, x1+env.Px(1), at, thick, ground)
	}
}
