package format

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/draw"
)

// plotRect draws a panel rectangle.
func plotRect(t *rapid.T) draw.Rect {
	x := float32(rapid.IntRange(0, 2000).Draw(t, "x0"))
	return draw.Rect{X0: x, Y0: 10, X1: x + float32(rapid.IntRange(40, 4000).Draw(t, "w")), Y1: 300}
}

// axisAt draws an axis that shows something of a long session.
func axisAt(t *rapid.T) *Axis {
	var a Axis
	begin := rapid.Int64Range(0, 1<<50).Draw(t, "begin")
	width := int64(math.Pow(10, rapid.Float64Range(3, 12).Draw(t, "log width")))
	a.Fit(begin, begin+width)
	return &a
}

func TestZoomKeepsTheTimeUnderTheCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, r := axisAt(t), plotRect(t)
		x := float64(r.X0) + rapid.Float64Range(0, 1).Draw(t, "cursor")*float64(r.W())
		for range rapid.IntRange(1, 30).Draw(t, "notches") {
			at := a.ToTimeF(r, x)
			ulp := math.Nextafter(a.EndNs, math.Inf(1)) - a.EndNs
			a.ZoomAt(at, rapid.Float64Range(0.5, 2).Draw(t, "factor"))
			if d := math.Abs(a.ToTimeF(r, x) - at); d > 8*ulp+1e-9*a.Width() {
				t.Fatalf("the time under the cursor moved by %g ns at a width of %g ns", d, a.Width())
			}
		}
	})
}

func TestZoomInAndOutReturns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, r := axisAt(t), plotRect(t)
		b0, e0 := a.BeginNs, a.EndNs
		x := float64(r.X0) + rapid.Float64Range(0, 1).Draw(t, "cursor")*float64(r.W())
		n := rapid.IntRange(1, 12).Draw(t, "notches")
		f := rapid.SampledFrom([]float64{1.25, 1.05}).Draw(t, "factor")
		for range n {
			a.ZoomAt(a.ToTimeF(r, x), f)
		}
		if a.Width() == MinNs {
			return // reached the limit: the way back is longer than the way in
		}
		for range n {
			a.ZoomAt(a.ToTimeF(r, x), 1/f)
		}
		perPx := (e0 - b0) / float64(r.W())
		ulp := math.Nextafter(e0, math.Inf(1)) - e0
		if d := max(math.Abs(a.BeginNs-b0), math.Abs(a.EndNs-e0)); d > 1e-6*perPx+16*ulp*math.Pow(f, float64(n)) {
			t.Fatalf("zoomed in and out by %d notches: off by %g px", n, d/perPx)
		}
	})
}

func TestAnimatedZoomKeepsTheCursorAllTheWay(t *testing.T) {
	r := draw.Rect{X0: 100, X1: 1100, Y1: 10}
	var a Axis
	a.Fit(1e9, 2e9)
	x := 412.0
	at := a.ToTimeF(r, x)
	now := int64(5)
	for i := range 40 {
		if i%3 == 0 && i < 20 { // several notches while it moves
			a.ZoomBy(a.ToTimeF(r, x), 1.25, true, now)
		}
		now += 16_000_000
		a.Step(now)
		if d := math.Abs(a.ToTimeF(r, x) - at); d > 1e-3 {
			t.Fatalf("step %d: the time under the cursor moved by %g ns", i, d)
		}
	}
	if a.Animating() {
		t.Fatal("still moving after the animation's time")
	}
	if want := 1e9 / math.Pow(1.25, 7); math.Abs(a.Width()-want) > 1e-3 {
		t.Fatalf("seven notches gave a width of %g ns, want %g", a.Width(), want)
	}
}

func TestToPxAndBackAtGreatTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		begin := rapid.Int64Range(-1<<52, 1<<52).Draw(t, "begin")
		width := rapid.Int64Range(MinNs, 1<<40).Draw(t, "width")
		r := plotRect(t)
		var a Axis
		a.Fit(begin, begin+width)
		at := begin + rapid.Int64Range(0, width).Draw(t, "at")
		back := a.ToTime(r, a.ToPx(r, at))
		if d := back - at; d < -1 || d > 1 {
			t.Fatalf("%d became %d", at, back)
		}
	})
}

func TestPanMovesWholePixels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, r := axisAt(t), plotRect(t)
		b0, perPx := a.BeginNs, a.NsPerPx(r)
		sum := 0.0
		for range rapid.IntRange(1, 40).Draw(t, "moves") {
			dx := rapid.Float64Range(-7, 7).Draw(t, "dx")
			sum += dx
			a.PanPx(dx, float64(r.W()))
			moved := (a.BeginNs - b0) / perPx
			ulp := (math.Nextafter(a.EndNs, math.Inf(1)) - a.EndNs) / perPx
			if d := math.Abs(moved - math.Round(moved)); d > 1e-6+64*ulp {
				t.Fatalf("moved by %g px", moved)
			}
			if math.Abs(moved-sum) > 1+1e-6+64*ulp {
				t.Fatalf("moved by %g px after drags of %g px", moved, sum)
			}
		}
	})
}

func TestLimits(t *testing.T) {
	var a Axis
	a.SetLimits(0, 1e9)
	a.Fit(0, 1e9)
	a.ZoomAt(5e8, 1e12)
	if a.Width() != MinNs {
		t.Errorf("narrowest %g ns, want %d", a.Width(), MinNs)
	}
	a.ZoomAt(5e8, 1e-12)
	if a.Width() != 2e9 {
		t.Errorf("widest %g ns, want twice the session", a.Width())
	}
	a.Set(5e12, 5e12+1e6, false, 0)
	if a.BeginNs > 1e9 || a.EndNs < 1e9 {
		t.Errorf("[%g, %g] shows nothing of the session", a.BeginNs, a.EndNs)
	}
	a.Set(math.NaN(), math.Inf(1), false, 0)
	if a.BeginNs != 0 || a.EndNs != 1e9 {
		t.Errorf("a range that is none gave [%g, %g]", a.BeginNs, a.EndNs)
	}
	a.ZoomAt(0, math.NaN())
	a.ZoomAt(0, 0)
	a.ZoomAt(0, math.Inf(1))
	if a.BeginNs != 0 || a.EndNs != 1e9 {
		t.Errorf("factors that are none gave [%g, %g]", a.BeginNs, a.EndNs)
	}
}

// TestZoomingOutStopsAtAll zooms out anywhere: no more than the margin is ever empty, and in the end all
// is shown in the middle; what is zoomed in and out again within it returns.
func TestZoomingOutStopsAtAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a Axis
		begin := rapid.Int64Range(0, 1<<50).Draw(t, "begin")
		length := rapid.Int64Range(2_000_000, 1<<42).Draw(t, "length")
		a.SetLimits(begin, begin+length)
		a.StopAtAll(true)
		margin := float64(length) * Margin
		at := float64(begin) + rapid.Float64Range(0, 1).Draw(t, "at")*float64(length)
		a.Set(at-rapid.Float64Range(0, 2e6).Draw(t, "before"), at+1e6, false, 0)
		share := rapid.Float64Range(0, 1).Draw(t, "cursor")
		for n := 0; n < 200; n++ {
			a.ZoomBy(a.BeginNs+share*a.Width(), 0.8, rapid.Bool().Draw(t, "animated"), int64(n))
			if b, e := a.Target(); b < float64(begin)-margin-1 || e > float64(begin+length)+margin+1 {
				t.Fatalf("[%g, %g] of [%d, %d]: more than %g is empty", b, e, begin, begin+length, margin)
			}
		}
		a.Step(1 << 40)
		left, right := float64(begin)-a.BeginNs, a.EndNs-float64(begin+length)
		if math.Abs(left-margin) > 1+1e-6*margin || math.Abs(right-margin) > 1+1e-6*margin {
			t.Fatalf("all zoomed out, %g and %g ns are empty, want %g", left, right, margin)
		}
	})
}
