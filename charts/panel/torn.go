package panel

import (
	"framescope/charts/draw"
	"framescope/charts/format"
)

// DrawTorn draws the mark of a cut bar: two slashes through it, in the color of the ground, below
// its upper edge y.
func DrawTorn(l *draw.List, env *Env, x0, x1, y float32, ground draw.Color) {
	rise, thick := env.Px(3), max(1, env.Px(1.5))
	for i := range 2 {
		at := y + env.Px(4+5*float32(i))
		l.Line(x0-env.Px(1), at+rise, x1+env.Px(1), at, thick, ground)
	}
}

// DrawStop draws the time in which a program stood still: nothing, between torn edges, and how long, where
// there is room for it.
func DrawStop(l *draw.List, env *Env, r draw.Rect, ns int64) {
	th, one := env.Theme, max(1, float32(int(env.Scale)))
	l.Rect(r, draw.Color(th.Ground))
	for _, x := range [...]float32{r.X0, r.X1 - one} {
		l.DashedV(x, r.Y0, r.Y1, one, env.Px(3), env.Px(3), draw.Color(th.TextDim))
	}
	mid, rise := (r.X0+r.X1)/2, env.Px(3)
	var buf [40]byte
	words := ScratchText(AppendStopped(buf[:0], ns))
	if w := env.Atlas.Measure(draw.Small, words) + env.Px(8); w <= r.W() && r.H() >= env.Atlas.LineHeight(draw.Small) {
		l.TextIn(draw.Small, r, draw.Center, words, draw.Color(th.TextDim))
		return
	}
	for _, x := range [...]float32{mid - env.Px(1.5), mid + env.Px(1.5)} {
		l.Line(x-env.Px(1), (r.Y0+r.Y1)/2+rise, x+env.Px(1), (r.Y0+r.Y1)/2-rise, one, draw.Color(th.TextDim))
	}
}

// AppendStopped appends "stopped 14.1 s".
func AppendStopped(dst []byte, ns int64) []byte {
	return format.AppendDuration(append(dst, "stopped "...), ns)
}
