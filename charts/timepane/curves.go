package timepane

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// Curves is a plot along time for a chart of values, which divides its own panel: a plot with its
// ruler below it, gestures, the selected range and cursors. Its axis need not be the session's. It
// draws into the list of its chart. The zero value is ready.
type Curves struct {
	plot, ruler draw.Rect
	gestures    panel.Gestures
	zoom        ZoomRange
	ticks       []int64
	buf         []byte
}

// ZoomRange is a range to zoom to that is being drawn; the zero value while none is.
type ZoomRange struct {
	On             bool
	BeginNs, EndNs int64
}

// Place sets where plot and ruler lie; the ruler is empty where there is no room for it.
func (c *Curves) Place(plot, ruler draw.Rect) { c.plot, c.ruler = plot, ruler }

// Busy reports whether a drag that began in the plot is under way.
func (c *Curves) Busy() bool { return c.gestures.Busy() }

// Zoom returns the range that is being drawn.
func (c *Curves) Zoom() ZoomRange { return c.zoom }

// LetGo ends the range that is being drawn, where something else has the mouse.
func (c *Curves) LetGo() { c.zoom = ZoomRange{} }

// Input moves the axis by the common gestures, and selects the drawn range. The chart handles the
// rest. over means that the mouse is over the plot and no drag is under way.
func (c *Curves) Input(env *panel.Env, axis panel.TimeAxis, in *panel.Input) (g panel.GestureResult, over bool) {
	g = c.gestures.Update(env, axis, c.plot, in)
	c.zoom = ZoomRange{}
	if g.Ranging && g.Zooming {
		c.zoom = ZoomRange{true, g.RangeA, g.RangeB}
	}
	if (g.Ranging || g.RangeDone) && !g.Zooming {
		env.View.Brush(g.RangeA, g.RangeB)
	}
	return g, in.Over && !g.Busy && c.plot.Contains(in.X, in.Y)
}

// DrawTimes draws the marks in the time that a chart shows: the selected range and the one being
// drawn, shaded, a line at the time under the mouse, in whatever panel that is, and, unless the
// view follows live data, the playhead. at, if set, draws more at the time under the mouse.
func (c *Curves) DrawTimes(l *draw.List, env *panel.Env, w format.Window, alpha uint8, at func(x float32)) {
	if !w.Valid() || c.plot.Empty() {
		return
	}
	v, th := env.View, env.Theme
	l.PushClip(c.plot)
	if v.RangeB() > v.RangeA() && !v.Live() {
		c.drawRange(l, env, w, v.RangeA(), v.RangeB(), draw.Color(th.Accent), alpha)
	}
	if c.zoom.On {
		c.drawRange(l, env, w, c.zoom.BeginNs, c.zoom.EndNs, draw.Color(th.Accent), alpha)
	}
	if v.Pointer().HasTime() {
		x := c.xOf(w, v.Pointer().Time())
		l.VLine(x, c.plot.Y0, c.plot.Y1, env.Px(1), draw.Color(th.Text).WithAlpha(70))
		if at != nil {
			at(x)
		}
	}
	if !v.Live() {
		l.VLine(c.xOf(w, v.Playhead()), c.plot.Y0, c.plot.Y1, env.Px(1), draw.Color(th.Text))
	}
	l.PopClip()
}

func (c *Curves) drawRange(l *draw.List, env *panel.Env, w format.Window, a, b int64, col draw.Color, alpha uint8) {
	x0, x1 := c.xOf(w, a), c.xOf(w, b)
	x1 = max(x1, x0+env.Px(1))
	l.Rect(draw.Rect{X0: x0, Y0: c.plot.Y0, X1: x1, Y1: c.plot.Y1}, col.WithAlpha(alpha))
	if x1-x0 > env.Px(4) {
		l.VLine(x0, c.plot.Y0, c.plot.Y1, env.Px(1), col.WithAlpha(190))
		l.VLine(x1-env.Px(1), c.plot.Y0, c.plot.Y1, env.Px(1), col.WithAlpha(190))
	}
}

func (c *Curves) xOf(w format.Window, timeNs int64) float32 {
	return panel.Snap(float32(w.ToPx(c.plot, timeNs)))
}

// DrawRuler draws the times below the plot from a time on, with marks of a length. Their origin
// stands at the left, from x on.
func (c *Curves) DrawRuler(l *draw.List, env *panel.Env, w format.Window, fromNs int64, mark, x float32) {
	var scale format.TickScale
	scale, c.ticks = format.Ticks(w, c.ruler, env.Px(72), c.ticks[:0])
	for _, at := range c.ticks {
		if at >= fromNs {
			c.buf = scale.AppendLabel(c.buf[:0], at)
			c.DrawTick(l, env, w, at, mark, panel.ScratchText(c.buf))
		}
	}
	if area := (draw.Rect{X0: x, Y0: c.ruler.Y0, X1: c.ruler.X0 - env.Px(12), Y1: c.ruler.Y1}); scale.BaseNs != 0 {
		c.buf = scale.AppendBase(c.buf[:0])
		l.TextFit(draw.Small, area, draw.Right, panel.ScratchText(c.buf), draw.Color(env.Theme.TextDim))
	}
}

// DrawTick draws a mark of a length at a time, with its text below it where the panel has room.
func (c *Curves) DrawTick(l *draw.List, env *panel.Env, w format.Window, timeNs int64, mark float32, text string) {
	r, x := c.ruler, panel.Snap(float32(w.ToPx(c.ruler, timeNs)))
	if x < r.X0 || x >= r.X1 {
		return
	}
	l.VLine(x, r.Y0, r.Y0+mark, env.Px(1), draw.Color(env.Theme.Separator))
	wide := env.Atlas.Measure(draw.Small, text)
	if x0 := x - wide/2; x0 >= r.X0 && x0+wide <= l.Clip().X1 {
		l.Text(draw.Small, x0, r.Y0+env.Px(3), text, draw.Color(env.Theme.Text2))
	}
}
