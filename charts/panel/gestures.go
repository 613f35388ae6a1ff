package panel

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/model"
)

// Gesture constants; pixels are for scale 1.
const (
	WheelZoom      = 1.25        // per notch
	WheelZoomFine  = 1.05        // per notch, with ctrl
	WheelPanPx     = 60          // per notch
	WheelRowPx     = 38          // per notch: two lanes
	DragPx         = 4           // movement that makes a press a drag
	axisLockNs     = 120_000_000 // silence after which a wheel gesture may change its axis
	historyQuietNs = 800_000_000 // silence after which a zoom or pan is a new step of the history
	throwMinPxPerS = 260         // slowest drag that throws
	throwDecay     = 6.0         // 1/s
)

// TimeAxis is the axis that gestures move: the view's time (view.Steering), or an axis of a chart's
// own (format.Axis).
type TimeAxis interface {
	Now() format.Window
	SetWidthPx(px float32)
	Grab()
	Stop()
	PanPx(dxPx, widthPx float64)
	ZoomAt(timeNs, factor float64)
	ZoomBy(timeNs, factor float64, animate bool, nowNs int64)
	Set(beginNs, endNs float64, animate bool, nowNs int64)
}

// Gestures turns the input of a chart with a time axis into movement of the axis, by the same rules
// in every panel: wheel zooms at the cursor (ctrl: finely), shift + wheel or the horizontal wheel
// pans, left and right drag pan with a throw, shift + left drag selects a range, ctrl + left drag
// or middle drag zooms to one, W S A D zoom and pan while held. The result returns other input
// (clicks, rows, menus). The zero value is ready.
type Gestures struct {
	// NoRange turns range gestures off (for axes other than session time): shift and ctrl drags pan.
	NoRange bool
	// Plane: the chart can be moved up and down as freely as along its axis, and be thrown so.
	Plane bool

	Drag         DragKind
	lastX, lastY float32
	downNs       float64 // time at the press
	moved        bool

	velX, velY     float32 // px/s of the drag, smoothed
	throw, throwUp float32 // px/s of the running throw

	lockUntilNs int64
	lockPan     bool
	lastMoveNs  int64
	keyZoom     float32 // speed of held keys, steps/s
	keyPan      float32
}

type DragKind uint8

const (
	DragNone DragKind = iota
	DragPan
	DragRange
	dragZoom
	DragMenu // right button: menu unless it moves
)

// GestureResult is the result of a tick's input, besides the movement of the axis.
type GestureResult struct {
	Click, DoubleClick, Menu, MiddleClick bool    // at X, Y
	X, Y                                  float32 // of the release, or the mouse now
	ScrollPx                              float32 // rows move up by so much
	// Ranging: a range is being dragged from RangeA to RangeB (RangeA <= RangeB); RangeDone: released
	// in this tick. Zooming means that the range is for a zoom, already done when RangeDone is set;
	// otherwise it is for the selection.
	Ranging, RangeDone, Zooming bool
	RangeA, RangeB              int64
	// Moved means that the user moved or zoomed the axis in this tick.
	Moved, Panned bool
	Busy          bool // a drag is under way: no hover, no tooltip
}

// Busy reports whether a drag that began in this chart is under way.
func (g *Gestures) Busy() bool { return g.Drag != DragNone && g.moved }

// Update handles a tick. plot is the rectangle of the axis, where gestures begin; a drag goes on
// outside it.
func (g *Gestures) Update(env *Env, axis TimeAxis, plot draw.Rect, in *Input) GestureResult {
	res := GestureResult{X: in.X, Y: in.Y}
	axis.SetWidthPx(plot.W())
	over := in.Over && plot.Contains(in.X, in.Y)
	if over && in.DoubleClick {
		// The rest of this press, its release too, means nothing any more: the axis is about to jump
		// away under it.
		g.Drag, g.moved, res.DoubleClick = DragNone, false, true
	} else {
		g.begin(axis, plot, in, over)
	}
	g.dragged(env, axis, plot, in, &res)
	if over {
		g.wheel(env, axis, plot, in, &res)
	}
	g.keys(env, axis, plot, in, over, &res)
	g.thrown(axis, plot, in, &res)
	res.Busy = g.Busy()
	if res.Moved {
		g.lastMoveNs = env.NowNs
	}
	return res
}

// begin starts a drag when a button went down.
func (g *Gestures) begin(axis TimeAxis, plot draw.Rect, in *Input, over bool) {
	if !over || g.Drag != DragNone {
		return
	}
	switch {
	case in.Left.Pressed && in.Ctrl && !g.NoRange, in.Middle.Pressed && !g.NoRange:
		g.Drag = dragZoom
	case in.Left.Pressed && in.Shift && !g.NoRange:
		g.Drag = DragRange
	case in.Left.Pressed:
		g.Drag = DragPan
	case in.Right.Pressed:
		g.Drag = DragMenu
	default:
		return
	}
	g.lastX, g.lastY, g.moved, g.velX, g.velY, g.throw, g.throwUp = in.X, in.Y, false, 0, 0, 0, 0
	axis.Grab()
	g.downNs = axis.Now().ToTimeF(plot, float64(in.X))
}

// dragged moves a drag on and ends it.
func (g *Gestures) dragged(env *Env, axis TimeAxis, plot draw.Rect, in *Input, res *GestureResult) {
	if g.Drag == DragNone {
		return
	}
	b := in.Held(g.Drag == DragMenu, g.Drag == dragZoom)
	if !g.moved && (b.Dragging || Distance(in.X-g.lastX, in.Y-g.lastY) > DragPx*env.Scale) {
		g.moved = true
		if g.Drag == DragPan || g.Drag == DragMenu {
			push(axis)
		}
	}
	released := b.Released || !b.Down
	switch g.Drag {
	case DragPan, DragMenu:
		if g.moved {
			g.pan(axis, plot, in, res)
		}
		if released {
			res.Click = !g.moved && g.Drag == DragPan && b.Released
			res.Menu = !g.moved && g.Drag == DragMenu && b.Released
			if g.moved && env.Animate && Distance(g.velX, g.velY) > throwMinPxPerS*env.Scale {
				g.throw, g.throwUp = g.velX, g.velY
			}
		}
	default:
		a, z := g.downNs, axis.Now().ToTimeF(plot, float64(min(max(in.X, plot.X0), plot.X1)))
		if a > z {
			a, z = z, a
		}
		res.RangeA, res.RangeB = int64(math.Round(a)), int64(math.Round(z))
		res.Ranging, res.Zooming = g.moved, g.Drag == dragZoom
		if released {
			switch {
			case !g.moved:
				res.MiddleClick = in.Middle.Released
				res.Click = in.Left.Released
			case res.RangeB > res.RangeA:
				res.RangeDone = true
				if res.Zooming {
					push(axis)
					folds := axis.Now().Folds
					axis.Set(float64(folds.Short(res.RangeA)), float64(folds.Short(res.RangeB)), env.Animate, env.NowNs)
					res.Moved, res.Panned = true, true
				}
			}
			res.Ranging = false
		}
	}
	g.lastX, g.lastY = in.X, in.Y
	if released {
		g.Drag, g.moved = DragNone, false
	}
}

func (g *Gestures) pan(axis TimeAxis, plot draw.Rect, in *Input, res *GestureResult) {
	dx, dy := in.X-g.lastX, in.Y-g.lastY
	if dx != 0 {
		axis.PanPx(float64(-dx), float64(plot.W()))
		res.Moved, res.Panned = true, true
	}
	res.ScrollPx += -dy
	if in.DtNs > 0 {
		dt := float32(in.DtNs) / 1e9
		g.velX += (-dx/dt - g.velX) * 0.35
		if g.Plane {
			g.velY += (-dy/dt - g.velY) * 0.35
		}
	}
}

// wheel zooms, pans or scrolls.
func (g *Gestures) wheel(env *Env, axis TimeAxis, plot draw.Rect, in *Input, res *GestureResult) {
	dx, dy := in.WheelX, in.WheelY
	if dx == 0 && dy == 0 {
		return
	}
	g.throw, g.throwUp = 0, 0
	switch {
	case in.Alt:
		res.ScrollPx += -dy * WheelRowPx * env.Scale
		return
	case in.Shift && dx == 0:
		dx, dy = -dy, 0
	default:
		// One gesture, one axis: the first dominant motion holds until a pause.
		if env.NowNs >= g.lockUntilNs {
			g.lockPan = Abs32(dx) > Abs32(dy)
		}
		g.lockUntilNs = env.NowNs + axisLockNs
		if g.lockPan {
			dy = 0
		} else {
			dx = 0
		}
	}
	g.remember(env, axis)
	if dx != 0 {
		axis.Stop()
		axis.PanPx(float64(dx*WheelPanPx*env.Scale), float64(plot.W()))
		res.Moved, res.Panned = true, true
	}
	if dy != 0 {
		per := format.Pick(in.Ctrl, WheelZoomFine, WheelZoom)
		axis.ZoomBy(axis.Now().At(plot, float64(in.X)), math.Pow(per, float64(dy)), env.Animate, env.NowNs)
		res.Moved = true
	}
}

// remember makes the present range a step of the history when the movement before is some time ago.
func (g *Gestures) remember(env *Env, axis TimeAxis) {
	if env.NowNs-g.lastMoveNs > historyQuietNs || g.lastMoveNs == 0 {
		push(axis)
	}
}

// push makes the present range a step of the history, where the axis has one: that of the view.
func push(axis TimeAxis) {
	if h, ok := axis.(interface{ Push() }); ok {
		h.Push()
	}
}

// keys moves by W S A D, faster the longer they are held.
func (g *Gestures) keys(env *Env, axis TimeAxis, plot draw.Rect, in *Input, over bool, res *GestureResult) {
	dt := float32(min(in.DtNs, 100_000_000)) / 1e9
	g.keyZoom = keySpeed(g.keyZoom, in.Over && in.ZoomIn, in.Over && in.ZoomOut, dt)
	g.keyPan = keySpeed(g.keyPan, in.Over && in.PanRight, in.Over && in.PanLeft, dt)
	if g.keyZoom == 0 && g.keyPan == 0 || dt <= 0 {
		return
	}
	g.throw, g.throwUp = 0, 0
	g.remember(env, axis)
	axis.Stop()
	if g.keyZoom != 0 {
		at := (axis.Now().BeginNs + axis.Now().EndNs) / 2
		if over {
			at = axis.Now().At(plot, float64(in.X))
		}
		axis.ZoomAt(at, math.Pow(2, float64(g.keyZoom*dt)))
		res.Moved = true
	}
	if g.keyPan != 0 {
		axis.PanPx(float64(g.keyPan*240*env.Scale*dt), float64(plot.W()))
		res.Moved, res.Panned = true, true
	}
}

// keySpeed returns the speed after dt seconds more with a pair of keys held or not, in steps/s.
func keySpeed(v float32, up, down bool, dt float32) float32 {
	const start, grow, most = 1.5, 4.0, 9.0
	switch {
	case up == down:
		return 0
	case up:
		if v <= 0 {
			return start
		}
		return min(v+grow*dt, most)
	}
	if v >= 0 {
		return -start
	}
	return max(v-grow*dt, -most)
}

// thrown lets a thrown axis glide out.
func (g *Gestures) thrown(axis TimeAxis, plot draw.Rect, in *Input, res *GestureResult) {
	if g.throw == 0 && g.throwUp == 0 {
		return
	}
	dt := float32(min(in.DtNs, 100_000_000)) / 1e9
	axis.PanPx(float64(g.throw*dt), float64(plot.W()))
	res.ScrollPx += g.throwUp * dt
	res.Moved, res.Panned = true, true
	k := float32(math.Exp(-throwDecay * float64(dt)))
	g.throw, g.throwUp = g.throw*k, g.throwUp*k
	if Distance(g.throw, g.throwUp) < 12 || in.Over && (in.Left.Pressed || in.Right.Pressed || in.Middle.Pressed) {
		g.throw, g.throwUp = 0, 0
	}
}

// WheelStretch returns by how much the wheel stretches a scale of values: a notch up makes it less.
func WheelStretch(wheelY float32) float64 {
	notches := math.Floor(float64(min(Abs32(wheelY)+0.5, 8)))
	return math.Pow(1.25, math.Copysign(notches, -float64(wheelY)))
}

func Abs32(v float32) float32 { return max(v, -v) }

func Distance(dx, dy float32) float32 { return float32(math.Hypot(float64(dx), float64(dy))) }

// DoubleGuard keeps the clicks of a double click from acting as single clicks: it takes back the
// first one's effect on following live data, and swallows the second.
type DoubleGuard struct {
	live    bool // the view was live before the last single click
	swallow bool
}

// Single notes a single click and reports whether it counts. Call it before the click has an effect.
func (d *DoubleGuard) Single(v *view.View) bool {
	if d.swallow {
		d.swallow = false
		return false
	}
	d.live = v.Live()
	return true
}

// Doubled notes a double click.
func (d *DoubleGuard) Doubled(v *view.View, in *Input) {
	if d.live && !v.Live() {
		v.Follow(true)
	}
	d.live = false
	d.swallow = in.Left.Down // its release is still to come
}

// HoverReport is the item that a chart found under the mouse in a tick, published to all panels
// through the view.
type HoverReport struct {
	on        bool
	collector model.CollectorID
	timeNs    int64
	hasTime   bool
}

// Begin forgets the tick before.
func (h *HoverReport) Begin() { *h = HoverReport{collector: model.NoCollector} }

// AtCollector notes the collector under the mouse.
func (h *HoverReport) AtCollector(c model.CollectorID) { h.on, h.collector = true, c }

// AtTime notes the time under the mouse.
func (h *HoverReport) AtTime(timeNs int64) { h.on, h.timeNs, h.hasTime = true, timeNs, true }

// Report publishes the report to the view; owner is the chart.
func (h *HoverReport) Report(v *view.View, owner any) {
	if h.on {
		v.Pointer().Set(owner, h.collector, h.timeNs, h.hasTime)
	} else {
		v.Pointer().Clear(owner)
	}
}
