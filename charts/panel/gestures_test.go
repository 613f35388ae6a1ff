package panel

import (
	"math"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/format"
)

var gestureRect = draw.Rect{X0: 100, Y0: 50, X1: 1100, Y1: 550}

// steppedAxis is an axis that remembers its steps.
type steppedAxis struct {
	format.Axis
	steps []format.Window
}

func (a *steppedAxis) Push() { a.steps = append(a.steps, a.Window) }

// gesturer plays inputs to gestures over an axis of one second.
type gesturer struct {
	g    Gestures
	axis steppedAxis
	env  *Env
}

func newGesturer() *gesturer {
	p := &gesturer{env: &Env{Scale: 1, NowNs: 1e9}}
	p.axis.SetLimits(0, 10e9)
	p.axis.Fit(4e9, 5e9)
	return p
}

func (p *gesturer) do(x, y float32, set func(in *Input)) GestureResult {
	in := &Input{X: x, Y: y, Over: true, DtNs: 16_000_000}
	if set != nil {
		set(in)
	}
	p.env.NowNs += 16_000_000
	return p.g.Update(p.env, &p.axis, gestureRect, in)
}

func TestWheelZoom(t *testing.T) {
	for _, c := range []struct {
		name  string
		set   func(in *Input)
		width float64
	}{
		{"a notch", func(in *Input) { in.WheelY = 1 }, 1e9 / 1.25},
		{"three notches at once", func(in *Input) { in.WheelY = 3 }, 1e9 / 1.25 / 1.25 / 1.25},
		{"out", func(in *Input) { in.WheelY = -1 }, 1e9 * 1.25},
		{"fine", func(in *Input) { in.WheelY, in.Ctrl = 1, true }, 1e9 / 1.05},
		{"shift pans", func(in *Input) { in.WheelY, in.Shift = 1, true }, 1e9},
		{"alt scrolls rows", func(in *Input) { in.WheelY, in.Alt = 1, true }, 1e9},
	} {
		p := newGesturer()
		at := p.axis.ToTimeF(gestureRect, 300)
		res := p.do(300, 300, c.set)
		if math.Abs(p.axis.Width()-c.width) > 1 {
			t.Errorf("%s: width %g, want %g", c.name, p.axis.Width(), c.width)
		}
		if c.width != 1e9 && math.Abs(p.axis.ToTimeF(gestureRect, 300)-at) > 1e-3 {
			t.Errorf("%s: the time under the cursor moved", c.name)
		}
		if c.name == "shift pans" && p.axis.BeginNs != 4e9-60e6 {
			t.Errorf("shift + wheel: begin %g", p.axis.BeginNs)
		}
		if c.name == "alt scrolls rows" && (res.ScrollPx >= 0 || p.axis.BeginNs != 4e9) {
			t.Errorf("alt + wheel: rows by %g, begin %g", res.ScrollPx, p.axis.BeginNs)
		}
	}
}

func TestWheelLocksItsAxis(t *testing.T) {
	p := newGesturer()
	p.do(300, 300, func(in *Input) { in.WheelX, in.WheelY = 3, 1 })
	if p.axis.Width() != 1e9 || p.axis.BeginNs == 4e9 {
		t.Fatalf("a mostly horizontal move: [%g, %g]", p.axis.BeginNs, p.axis.EndNs)
	}
	p.do(300, 300, func(in *Input) { in.WheelY = 5 }) // the same gesture: still a pan, of nothing
	if p.axis.Width() != 1e9 {
		t.Error("the gesture changed its axis on the way")
	}
	p.env.NowNs += axisLockNs
	p.do(300, 300, func(in *Input) { in.WheelY = 1 })
	if p.axis.Width() == 1e9 {
		t.Error("after a pause the wheel does not zoom")
	}
}

func left(down, pressed, released, dragging bool) Button {
	return Button{Down: down, Pressed: pressed, Released: released, Dragging: dragging}
}

func TestDragPansBothWays(t *testing.T) {
	p := newGesturer()
	p.do(500, 300, func(in *Input) { in.Left = left(true, true, false, false) })
	if r := p.do(503, 300, func(in *Input) { in.Left = left(true, false, false, false) }); r.Moved {
		t.Error("three pixels are no drag")
	}
	r := p.do(450, 280, func(in *Input) { in.Left = left(true, false, false, true) })
	if p.axis.BeginNs != 4e9+53e6 && p.axis.BeginNs != 4e9+50e6 || r.ScrollPx <= 0 || !r.Panned || !r.Busy {
		t.Errorf("begin %g, rows by %g", p.axis.BeginNs, r.ScrollPx)
	}
	r = p.do(450, 280, func(in *Input) { in.Left = left(false, false, true, true) })
	if r.Click || r.Menu {
		t.Error("a drag ended as a click")
	}
	if len(p.axis.steps) != 1 {
		t.Error("a drag leaves no step in the history")
	}
}

func TestClickMenuAndRanges(t *testing.T) {
	p := newGesturer()
	p.do(500, 300, func(in *Input) { in.Left = left(true, true, false, false) })
	if r := p.do(501, 301, func(in *Input) { in.Left = left(false, false, true, false) }); !r.Click {
		t.Error("no click")
	}
	p.do(500, 300, func(in *Input) { in.Right = left(true, true, false, false) })
	if r := p.do(500, 300, func(in *Input) { in.Right = left(false, false, true, false) }); !r.Menu {
		t.Error("no menu")
	}
	p.do(700, 300, func(in *Input) { in.Shift, in.Left = true, left(true, true, false, false) })
	r := p.do(300, 300, func(in *Input) { in.Shift, in.Left = true, left(true, false, false, true) })
	if !r.Ranging || r.Zooming || r.RangeA != 4_200_000_000 || r.RangeB != 4_600_000_000 {
		t.Errorf("range under construction: %+v", r)
	}
	r = p.do(300, 300, func(in *Input) { in.Left = left(false, false, true, true) }) // shift is let go first
	if !r.RangeDone || r.Ranging || r.RangeA != 4_200_000_000 {
		t.Errorf("range done: %+v", r)
	}
	if p.axis.BeginNs != 4e9 {
		t.Error("selecting a range moved the axis")
	}
	p.do(300, 300, func(in *Input) { in.Middle = left(true, true, false, false) })
	p.do(400, 300, func(in *Input) { in.Middle = left(true, false, false, true) })
	p.do(400, 300, func(in *Input) { in.Middle = left(false, false, true, true) })
	if p.axis.BeginNs != 4.2e9 || p.axis.EndNs != 4.3e9 {
		t.Errorf("middle drag zoomed to [%g, %g]", p.axis.BeginNs, p.axis.EndNs)
	}
	if n := len(p.axis.steps); n != 1 || p.axis.steps[0].BeginNs != 4e9 {
		t.Errorf("%d steps, want the window before the zoom", n)
	}
}

func TestHeldKeysAccelerate(t *testing.T) {
	p := newGesturer()
	at := p.axis.ToTimeF(gestureRect, 700)
	var factors []float64
	for range 20 {
		w := p.axis.Width()
		p.do(700, 300, func(in *Input) { in.ZoomIn = true })
		factors = append(factors, w/p.axis.Width())
	}
	if factors[0] <= 1 || factors[19] <= factors[0] {
		t.Errorf("zoom factors %v", factors)
	}
	if math.Abs(p.axis.ToTimeF(gestureRect, 700)-at) > 1e-3 {
		t.Error("the time under the cursor moved")
	}
	if p.do(700, 300, nil); p.g.keyZoom != 0 {
		t.Error("the key was let go")
	}
	b := p.axis.BeginNs
	p.do(700, 300, func(in *Input) { in.PanLeft = true })
	p.do(700, 300, func(in *Input) { in.PanLeft = true })
	if p.axis.BeginNs >= b {
		t.Error("A does not pan left")
	}
	w := p.axis.Width()
	p.do(700, 300, func(in *Input) { in.Over, in.ZoomIn = false, true })
	if p.axis.Width() != w {
		t.Error("keys worked without the mouse over the chart")
	}
}

func TestThrowGlidesAndStops(t *testing.T) {
	p := newGesturer()
	p.env.Animate = true
	p.do(800, 300, func(in *Input) { in.Left = left(true, true, false, false) })
	for x := float32(780); x >= 600; x -= 20 {
		p.do(x, 300, func(in *Input) { in.Left = left(true, false, false, true) })
	}
	p.do(600, 300, func(in *Input) { in.Left = left(false, false, true, true) })
	b := p.axis.BeginNs
	n := 0
	for p.g.throw != 0 && n < 1000 {
		p.do(600, 300, nil)
		n++
	}
	if p.axis.BeginNs <= b || n == 0 || n > 200 {
		t.Errorf("thrown from %g to %g in %d ticks", b, p.axis.BeginNs, n)
	}
}
