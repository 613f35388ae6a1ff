package timepane

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/spans"
)

// rangeReadout describes the content of a range: its duration, frames and rate, and the five
// collectors with most self time.
type rangeReadout struct {
	a, b       int64
	sessionRev uint64
	tracks     []model.TrackID
	self       []int64 // by collector
	top        [5]model.CollectorID
	topNs      [5]int64
	n          int
	gap        bool    // there are threads with calls, and none of them runs
	frames     int64   // that the range selects
	rate       float64 // of these, 1/s
	buf        []byte
	tree       spans.Tree
}

// update fills the readout for [a, b), if it is not filled for it already.
func (o *rangeReadout) update(env *panel.Env, threads []Thread, a, b int64) {
	s, v := env.View.Session(), env.View
	if o.a == a && o.b == b && o.sessionRev == s.Revision() {
		return
	}
	o.a, o.b, o.sessionRev = a, b, s.Revision()
	o.self = panel.Zeros(o.self, s.Collectors().Len())
	called, runs := false, false
	for _, t := range threads { // one by one: clocks may differ
		if !s.Track(t.Track).Def.Kind.Calls() {
			continue // asynchronous spans have no self time
		}
		called = called || s.Track(t.Track).NumSpans() > 0
		o.tracks = append(o.tracks[:0], t.Track)
		s.Spans().Tree(o.tracks, a-t.OffsetNs, b-t.OffsetNs, &o.tree)
		for _, n := range o.tree.Nodes {
			runs = runs || n.Self > 0
			if int(n.Collector) < len(o.self) && n.Collector >= 0 {
				o.self[n.Collector] += n.Self
			}
		}
	}
	o.gap = called && !runs
	o.frames, o.rate = 0, 0
	if first, last, ok := v.FramesIn(a, b); ok {
		o.frames, o.rate = int64(last-first+1), v.Shown().FrameRateOf(first, last)
	}
	o.n = 0
	for c, ns := range o.self {
		if ns <= 0 || s.Collector(model.CollectorID(c)).IsFrameRoot() {
			continue
		}
		i := o.n
		for i > 0 && o.topNs[i-1] < ns {
			i--
		}
		if i >= len(o.top) {
			continue
		}
		o.n = min(o.n+1, len(o.top))
		copy(o.top[i+1:o.n], o.top[i:o.n-1])
		copy(o.topNs[i+1:o.n], o.topNs[i:o.n-1])
		o.top[i], o.topNs[i] = model.CollectorID(c), ns
	}
}

// headline appends "33.2 ms · 2 frames · 60.2 Hz", or "1.20 ms · gap, nothing runs".
func (o *rangeReadout) headline(dst []byte, a, b int64) []byte {
	dst = format.AppendDuration(dst, b-a)
	if o.gap {
		return append(dst, " · gap, nothing runs"...)
	}
	if o.frames > 0 {
		dst = format.AppendPlural(append(dst, " · "...), o.frames, "frame", "frames")
		if o.frames > 1 && o.rate > 0 {
			dst = format.AppendHertz(append(dst, " · "...), o.rate)
		}
	}
	return dst
}

// draw draws the readout as a box inside the plot, near the range.
func (o *rangeReadout) draw(env *panel.Env, l *draw.List, plot draw.Rect, x0, x1 float32, a, b int64) {
	th, s := env.Theme, env.View.Session()
	o.buf = o.headline(o.buf[:0], a, b)
	pad, lh := env.Px(8), env.Px(17)
	w := max(env.Px(216), env.Atlas.Measure(draw.Medium, panel.ScratchText(o.buf))+2*pad)
	h := env.Px(26) + float32(o.n)*lh
	left := x1 + env.Px(8)
	if left+w > plot.X1 {
		left = x0 - env.Px(8) - w
	}
	left = float32(int(min(max(left, plot.X0), plot.X1-w)))
	r := draw.Rect{X0: left, Y0: plot.Y0 + env.Px(6), X1: left + w, Y1: plot.Y0 + env.Px(6) + h}
	l.Rect(r, draw.Color(th.Tooltip))
	l.Outline(r, 1, draw.Color(th.Accent))
	y := r.Y0 + env.Px(3)
	line := draw.Rect{X0: r.X0 + pad, Y0: y, X1: r.X1 - pad, Y1: y + lh}
	l.TextIn(draw.Medium, line, draw.Left, panel.ScratchText(o.buf), draw.Color(th.Text))
	y += lh + env.Px(2)
	unit := format.TimeUnitOf(float64(o.topNs[0]), format.TimeUnit{}) // of all rows
	for i := range o.n {
		row := draw.Rect{X0: r.X0 + pad, Y0: y, X1: r.X1 - pad, Y1: y + lh}
		y += lh
		side := env.Px(9)
		cy := row.Y0 + float32(int(lh-side)/2)
		l.Rect(draw.Rect{X0: row.X0, Y0: cy, X1: row.X0 + side, Y1: cy + side}, env.Palette().Fill(o.top[i]))
		row.X0 += env.Px(15)
		o.buf = append(append(unit.Append(o.buf[:0], float64(o.topNs[i])), ' '), unit.Name...)
		tw := env.Atlas.Measure(draw.Regular, panel.ScratchText(o.buf))
		l.TextIn(draw.Regular, row, draw.Right, panel.ScratchText(o.buf), draw.Color(th.Text))
		row.X1 -= tw + env.Px(8)
		l.NameIn(draw.Regular, row, draw.Left, s.Collector(o.top[i]).Title(), draw.Color(th.Text2))
	}
}

// Curves is a plot along time for a chart of values, which divides its own panel: a plot with its
// ruler below it, gestures, the selected range and cursors. Its axis need not be the session's. It
// draws into the list of its chart. The zero value is ready.
type Curves struct {
	plot, ruler draw.Rect
	gestures    panel.Gestures
	zoom        ZoomRange
	ticks       []int64
	taken       []draw.Rect // where words of the ruler lie
	buf         []byte
}

// ZoomRange is a range to zoom to that is being drawn; the zero value while none is.
type ZoomRange struct {
	On             bool
	BeginNs, EndNs int64
}

// Place sets where plot and ruler lie; the ruler is empty where there is no room for it.
func (c *Curves) Place(plot, ruler draw.Rect) { c.plot, c.ruler, c.taken = plot, ruler, c.taken[:0] }

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
	x0 := x - wide/2
	room := draw.Rect{X0: x0 - env.Px(6), Y0: r.Y0, X1: x0 + wide, Y1: r.Y1}
	taken := slices.ContainsFunc(c.taken, func(t draw.Rect) bool { return !t.Intersect(room).Empty() })
	if !taken && x0 >= r.X0 && x0+wide <= l.Clip().X1 {
		c.taken = append(c.taken, room)
		l.Text(draw.Small, x0, r.Y0+env.Px(3), text, draw.Color(env.Theme.Text2))
	}
}
