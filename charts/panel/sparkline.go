package panel

import (
	"slices"

	"framescope/charts/draw"
)

// Sparkline draws values from left to right as one thin line between the smallest value and top
// (the greatest if top is 0), or a fifth of top if they are closer. Where several values fall on
// one pixel column, the column spans from the smallest to the greatest, so that no spike hides.
func Sparkline(l *draw.List, env *Env, r draw.Rect, values []float32, top float32, c draw.Color) {
	if len(values) == 0 || r.Empty() {
		return
	}
	top = sparkTop(values, top)
	low := min(top, slices.Min(values))
	// Lines that hardly move stay in the middle and do not look wild.
	if least := top / 5; top-low < least {
		mid := (top + low) / 2
		low, top = max(0, mid-least/2), mid+least/2
	}
	SparklineIn(l, env, r, values, low, top, c)
}

// sparkTop returns the value at the upper edge: top, else the greatest.
func sparkTop(values []float32, top float32) float32 {
	if top <= 0 {
		top = slices.Max(values)
	}
	if top <= 0 {
		top = 1
	}
	return top
}

// SparklineIn is Sparkline between two given values.
func SparklineIn(l *draw.List, env *Env, r draw.Rect, values []float32, low, top float32, c draw.Color) {
	if len(values) == 0 || r.Empty() || !(top > low) {
		return
	}
	width := env.Px(1)
	yOf := func(v float32) float32 {
		return r.Y1 - width - (r.H()-width)*max(0, min(1, (v-low)/(top-low)))
	}
	columns := int(r.W() / width)
	if len(values) > columns && columns > 0 {
		prev := yOf(values[0])
		for i := range columns {
			a, b := i*len(values)/columns, (i+1)*len(values)/columns
			lo, hi := prev, prev
			for _, v := range values[a:b] {
				y := yOf(v)
				lo, hi = min(lo, y), max(hi, y)
			}
			x := r.X0 + float32(i)*width
			l.Rect(draw.Rect{X0: x, Y0: lo, X1: x + width, Y1: hi + width}, c)
			prev = yOf(values[b-1])
		}
		return
	}
	step := r.W() / float32(max(1, len(values)-1))
	for i := 1; i < len(values); i++ {
		x := r.X0 + float32(i)*step
		l.Line(x-step, yOf(values[i-1])+width/2, x, yOf(values[i])+width/2, width, c)
	}
	if len(values) == 1 {
		l.HLine(r.X0, r.X1, yOf(values[0]), width, c)
	}
}

// SparkBars draws values as little columns, one of them (mark, -1 none) in a color of its own, those above
// a limit (0: there is none) in that of what is too long; scaled like Sparkline.
func SparkBars(l *draw.List, env *Env, r draw.Rect, values []float32, top, limit float32, mark int, marked draw.Color) {
	if len(values) == 0 || r.Empty() {
		return
	}
	top = sparkTop(values, top)
	step := r.W() / float32(len(values))
	gap := float32(0)
	if step >= env.Px(3) {
		gap = env.Px(1)
	}
	for i, v := range values {
		color := draw.Color(env.Theme.FrameBar)
		switch {
		case i == mark:
			color = marked
		case limit > 0 && v > limit:
			color = draw.Color(env.Theme.Over)
		}
		x0, x1 := Snap(r.X0+float32(i)*step), Snap(r.X0+float32(i+1)*step)
		h := max(env.Px(1), r.H()*max(0, min(1, v/top)))
		l.Rect(draw.Rect{X0: x0, Y0: r.Y1 - Snap(h), X1: max(x0+1, x1-gap), Y1: r.Y1}, color)
	}
}

// Snap rounds a position to a whole pixel.
func Snap(px float32) float32 {
	if px < 0 {
		return -float32(int(0.5 - px))
	}
	return float32(int(px + 0.5))
}
