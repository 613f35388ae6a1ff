package panel

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
)

// Alike reports whether two colors look alike side by side.
func Alike(a, b draw.Color) bool {
	d := func(x, y uint8) int { return (int(x) - int(y)) * (int(x) - int(y)) }
	return 2*d(a.R, b.R)+4*d(a.G, b.G)+3*d(a.B, b.B) < 9*24*24
}

// Sunken reports whether a bar blends into the panel, so that it needs an edge: a color from the
// source can be as dark. Waits, and what a search does not find, are faint on purpose.
func Sunken(env *Env, fill draw.Color, found bool) bool {
	if env.View.Look().Searching() && !found {
		return false
	}
	return Alike(fill, draw.Color(env.Theme.Panel)) && fill != draw.Color(env.Theme.Wait)
}

// EachRun calls f for every run of neighbours that are alike: those from i to before j are all k.
func EachRun[K comparable](n int, of func(i int) K, f func(k K, i, j int)) {
	for i, j := 0, 0; i < n; i = j {
		k := of(i)
		for j = i + 1; j < n && of(j) == k; {
			j++
		}
		f(k, i, j)
	}
}

// LastUpTo returns the index of the last of ascending values that is at most v, -1 where none is.
func LastUpTo[T int64 | float32](values []T, v T) int {
	lo, hi := -1, len(values)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; values[mid] <= v {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Zeros returns n zeros in the memory of s where it suffices.
func Zeros[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	clear(s[:n])
	return s[:n]
}

// DrawScrollBar draws a bar between x0 and x1 for the visible part of a content in a plot: its
// height, and how far it is scrolled. The bar is no shorter than least; nothing is drawn if all is
// visible.
func DrawScrollBar(l *draw.List, plot draw.Rect, x0, x1, contentH, scrollY, least float32, c draw.Color) {
	if contentH <= plot.H() || plot.H() <= 0 {
		return
	}
	h := max(plot.H()*plot.H()/contentH, least)
	y := plot.Y0 + (plot.H()-h)*scrollY/(contentH-plot.H())
	l.Rect(draw.Rect{X0: x0, Y0: y, X1: x1, Y1: y + h}, c)
}

// Share returns where t is between a and b, 0…1.
func Share(t, a, b int64) float32 {
	if b <= a {
		return 0
	}
	return float32(min(max(float64(t-a)/float64(b-a), 0), 1))
}

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
	if words, w := StopWords(buf[:0], env, r.W(), ns); w > 0 && r.H() >= env.Atlas.LineHeight(draw.Small) {
		l.TextIn(draw.Small, r, draw.Center, ScratchText(words), draw.Color(th.TextDim))
		return
	}
	for _, x := range [...]float32{mid - env.Px(1.5), mid + env.Px(1.5)} {
		l.Line(x-env.Px(1), (r.Y0+r.Y1)/2+rise, x+env.Px(1), (r.Y0+r.Y1)/2-rise, one, draw.Color(th.TextDim))
	}
}

// StopWords appends what stands in a stop that is room pixels wide: "stopped 14.1 s", "14.1 s", or nothing. It
// returns how wide that is with its margin.
func StopWords(dst []byte, env *Env, room float32, ns int64) (words []byte, w float32) {
	for _, add := range [...]func([]byte, int64) []byte{AppendStopped, format.AppendDuration} {
		words = add(dst, ns)
		if w = env.Atlas.Measure(draw.Small, ScratchText(words)) + env.Px(8); w <= room {
			return words, w
		}
	}
	return dst, 0
}

// AppendStopped appends "stopped 14.1 s".
func AppendStopped(dst []byte, ns int64) []byte {
	return format.AppendDuration(append(dst, "stopped "...), ns)
}

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
