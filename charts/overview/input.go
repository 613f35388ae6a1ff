package overview

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
)

// Sizes of handles, at scale 1.
const (
	overviewGrip    = 9  // height of the bar by which the window is moved
	overviewEdge    = 5  // reach of an edge to either side
	overviewGripMin = 22 // least width of the bar
)

// window returns where the timeline's window lies; ok is false while the timeline shows nothing.
func (o *Overview) window(env *panel.Env) (r draw.Rect, ok bool) {
	t := env.View.Time()
	if !t.Valid() {
		return draw.Rect{}, false
	}
	b, e := t.Visible()
	x0, x1 := float32(o.view.ToPx(o.rect, b)), float32(o.view.ToPx(o.rect, e))
	x0 = panel.Snap(min(max(x0, o.rect.X0), o.rect.X1-1))
	x1 = panel.Snap(max(min(x1, o.rect.X1), x0+env.Px(2)))
	return draw.Rect{X0: x0, Y0: o.rect.Y0, X1: min(x1, o.rect.X1), Y1: o.rect.Y1}, true
}

// grip returns the bar by which the window is moved: as wide as the window, but never too narrow
// for the mouse.
func (o *Overview) grip(env *panel.Env, w draw.Rect) draw.Rect {
	if room := env.Px(overviewGripMin) - w.W(); room > 0 {
		w.X0, w.X1 = w.X0-room/2, w.X1+room/2
		if d := o.rect.X0 - w.X0; d > 0 {
			w.X0, w.X1 = w.X0+d, w.X1+d
		}
		if d := w.X1 - o.rect.X1; d > 0 {
			w.X0, w.X1 = w.X0-d, w.X1-d
		}
	}
	w.Y1 = w.Y0 + env.Px(overviewGrip)
	return w
}

// zone returns the drag that would begin at a point.
func (o *Overview) zone(env *panel.Env, x, y float32) drag {
	w, ok := o.window(env)
	if !ok || !o.rect.Contains(x, y) {
		return dragBrush
	}
	if g := o.grip(env, w); g.Contains(x, y) {
		return dragMove
	}
	reach := env.Px(overviewEdge)
	inner := min(reach, w.W()/3) // a narrow window keeps an inside
	switch {
	case x >= w.X0-reach && x < w.X0+inner:
		return dragLeft
	case x >= w.X1-inner && x < w.X1+reach:
		return dragRight
	}
	return dragBrush
}

// timeAt returns the time at x, within the session.
func (o *Overview) timeAt(x float32) int64 {
	t := o.view.ToTime(o.rect, float64(min(max(x, o.rect.X0), o.rect.X1)))
	return min(max(t, o.data.from), o.data.end)
}

// input handles a tick's mouse: click moves the playhead, left drag selects a range, shift extends
// it, ctrl + left drag or middle drag zooms to one; the window's bar and edges move and resize it,
// right drag and shift + wheel move it, the wheel zooms, a double click centres it.
func (o *Overview) input(env *panel.Env, in *panel.Input) panel.Action {
	v := env.View
	over := in.Over && o.rect.Contains(in.X, in.Y)
	if over && o.drag == dragNone && !in.DoubleClick {
		o.begin(env, in)
	}
	act := o.dragged(env, in)
	if over {
		o.wheel(env, in)
		if in.DoubleClick {
			at, w := float64(o.timeAt(in.X)), v.Time().Width()
			o.moveTo(env, at-w/2, at+w/2, env.Animate)
		}
	}
	if over && o.drag == dragNone {
		v.Pointer().Set(o, model.NoCollector, o.timeAt(in.X), true)
	} else {
		v.Pointer().Clear(o)
	}
	return act
}

func (o *Overview) begin(env *panel.Env, in *panel.Input) {
	v, at := env.View, o.timeAt(in.X)
	if !o.hand.begin(in) {
		return
	}
	if o.drag == dragBrush && o.flags.Press(env, in.X, in.Y) {
		o.hand = hand{}
		return
	}
	o.anchor = at
	switch {
	case o.drag == dragBrush:
		o.drag = o.zone(env, in.X, in.Y)
	case o.drag != dragExtend:
	case v.RangeB() <= v.RangeA():
		o.anchor = v.Playhead()
	case at < v.RangeA():
		o.anchor = v.RangeB()
	default:
		o.anchor = v.RangeA()
	}
	o.downB, o.downE = v.Steer().Target()
}

func (o *Overview) dragged(env *panel.Env, in *panel.Input) (act panel.Action) {
	v := env.View
	if o.drag == dragNone {
		return act
	}
	rested := !o.moved
	b, up := o.hold(env, in)
	if rested && o.moved && o.drag >= dragPan { // the timeline's window moves
		v.Steer().Push()
	}
	d := float64(in.X-o.x) * o.view.NsPerPx(o.rect)
	switch {
	case o.drag == dragExtend:
		v.Brush(o.anchor, o.timeAt(in.X))
	case !o.moved:
		if b.Released {
			act = o.clicked(env, in)
		}
	case o.drag == dragBrush, o.drag == dragZoom:
		v.Brush(o.anchor, o.timeAt(in.X))
		v.PlacePlayhead(v.RangeA())
		if up && o.drag == dragZoom && v.RangeB() > v.RangeA() {
			v.Steer().ZoomTo(v.RangeA(), v.RangeB())
		}
	case o.drag == dragMove, o.drag == dragPan:
		o.moveTo(env, o.downB+d, o.downE+d, false)
	case o.drag == dragLeft:
		o.moveTo(env, min(o.downB+d, o.downE-format.MinNs), o.downE, false)
	case o.drag == dragRight:
		o.moveTo(env, o.downB, max(o.downE+d, o.downB+format.MinNs), false)
	}
	if up {
		o.hand = hand{}
	}
	return act
}

// clicked handles a press without movement.
func (o *Overview) clicked(env *panel.Env, in *panel.Input) panel.Action {
	if o.drag == dragPan {
		return panel.MenuOf(o.HitTest(env, in.X, in.Y), in.X, in.Y)
	}
	env.View.SetPlayhead(o.anchor)
	return panel.Action{}
}

// moveTo shows a range in the timeline.
func (o *Overview) moveTo(env *panel.Env, begin, end float64, animate bool) {
	env.View.Steer().Set(begin, end, animate, env.NowNs)
}

func (o *Overview) wheel(env *panel.Env, in *panel.Input) {
	v := env.View
	dx, dy := in.WheelX, in.WheelY
	if in.Shift && dx == 0 {
		dx, dy = -dy, 0
	}
	b, e := v.Steer().Target()
	switch {
	case !v.Time().Valid():
	case dx != 0 && panel.Abs32(dx) > panel.Abs32(dy):
		d := float64(dx*panel.WheelPanPx*env.Scale) * o.view.NsPerPx(o.rect)
		o.moveTo(env, b+d, e+d, false)
	case dy != 0:
		factor := format.Pick(in.Ctrl, panel.WheelZoomFine, panel.WheelZoom)
		at := o.view.ToTimeF(o.rect, float64(in.X))
		if at < b || at > e {
			at = (b + e) / 2 // a point outside the window has no place in it to keep
		}
		v.Steer().ZoomBy(at, math.Pow(factor, float64(dy)), env.Animate, env.NowNs)
	}
}

// drag is the kind of a drag in a strip.
type drag uint8

const (
	dragNone   drag = iota
	dragBrush       // moves the playhead; over time it selects a range
	dragExtend      // with shift: the selection grows to the mouse
	dragZoom        // with ctrl, or the middle button: shows the drawn range
	dragPan         // with the right button: pans, or opens the menu
	dragMove        // moves the timeline's window by its bar
	dragLeft        // moves one of its edges
	dragRight
)

// hand is a drag under way; the zero value is none.
type hand struct {
	drag  drag
	moved bool
	x     float32 // where it began; of a strip of frames where it was last
}

// begin begins the drag of a button that went down in this tick, and reports whether one did.
func (h *hand) begin(in *panel.Input) bool {
	h.moved, h.x = false, in.X
	switch {
	case in.Left.Pressed && in.Shift:
		h.drag = dragExtend
	case in.Left.Pressed && in.Ctrl, in.Middle.Pressed:
		h.drag = dragZoom
	case in.Left.Pressed:
		h.drag = dragBrush
	case in.Right.Pressed:
		h.drag = dragPan
	}
	return h.drag != dragNone
}

// hold notes how far the mouse came. up means that the button is up, and b is the button.
func (h *hand) hold(env *panel.Env, in *panel.Input) (b panel.Button, up bool) {
	b = in.Held(h.drag == dragPan, h.drag == dragZoom)
	h.moved = h.moved || b.Dragging || panel.Abs32(in.X-h.x) > panel.DragPx*env.Scale
	return b, b.Released || !b.Down
}
