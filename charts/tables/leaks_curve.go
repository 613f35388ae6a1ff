package tables

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// leakPlot is the part of the curve's region in which the curve itself is.
func (c *LeaksPanel) leakPlot(env *panel.Env) draw.Rect {
	r := c.regions.curve
	if r.Empty() {
		return r
	}
	return draw.Rect{X0: r.X0 + env.Px(34), Y0: r.Y0 + env.Px(9), X1: r.X1 - env.Px(12), Y1: r.Y1 - env.Px(20)}
}

// placeMarks computes where the steps of the history are.
func (c *LeaksPanel) placeMarks(env *panel.Env) {
	h, plot := c.history, c.leakPlot(env)
	key := leakMarksKey{plot, h.matched}
	if key == c.marksOf {
		return
	}
	c.marksOf, c.marks = key, c.marks[:0]
	if plot.Empty() || len(h.events) == 0 {
		return
	}
	span := max(float64(h.last)-float64(h.first), 1)
	for i := range h.events {
		e := &h.events[i]
		x := plot.X0 + float32((float64(e.Time)-float64(h.first))/span)*plot.W()
		c.marks = append(c.marks, leakMark{x: panel.Snap(x), y: c.countY(plot, e.Count), event: int32(i)})
	}
}

func (c *LeaksPanel) countY(plot draw.Rect, count int64) float32 {
	share := float32(float64(count) / float64(max(c.history.most, 1)))
	return plot.Y1 - panel.Snap(max(0, min(1, share))*plot.H())
}

// curveInput finds the step under the mouse; a click brings its row into view and unfolds it.
func (c *LeaksPanel) curveInput(env *panel.Env, in *panel.Input) {
	if !in.Over || !c.regions.curve.Contains(in.X, in.Y) {
		return
	}
	c.hoverEvent = c.markAt(in.X, in.Y, env.Px(30))
	if c.hoverEvent < 0 || !in.Left.Released || in.Left.Dragging {
		return
	}
	h := c.history
	if !h.open[c.hoverEvent] && h.traceOf(c.hoverEvent) != "" {
		h.open[c.hoverEvent] = true
		h.flatten()
	}
	if row := h.rowOf(c.hoverEvent); row >= 0 {
		c.refs.ScrollTo(env, min(row+6, len(h.All)-1))
		c.refs.ScrollTo(env, row)
	}
}

// markAt returns the step nearest to a point, those that were never released first; -1 when none is
// within reach.
func (c *LeaksPanel) markAt(pxX, pxY, reach float32) int32 {
	best, at := int32(-1), reach*reach
	first, _ := slices.BinarySearchFunc(c.marks, pxX-2*reach, func(m leakMark, x float32) int { return cmp.Compare(m.x, x) })
	for i := first; i < len(c.marks) && c.marks[i].x <= pxX+2*reach; i++ {
		m := &c.marks[i]
		dx, dy := m.x-pxX, (m.y-pxY)/3
		d := dx*dx + dy*dy
		if c.history.partner[m.event] < 0 && c.history.events[m.event].Ref {
			d = d / 4
		}
		if d < at {
			best, at = m.event, d
		}
	}
	return best
}

// hitCurve returns the step under the mouse.
func (c *LeaksPanel) hitCurve() panel.Hit {
	h := panel.NoHit()
	if c.hoverEvent < 0 || int(c.hoverEvent) >= len(c.history.events) || int(c.hoverEvent) >= len(c.marks) {
		return h
	}
	m := c.marks[c.hoverEvent]
	h.Kind, h.TimeNs = panel.HitLabel, c.history.events[m.event].Time
	h.Rect = draw.Rect{X0: m.x - 4, Y0: m.y - 4, X1: m.x + 4, Y1: m.y + 4}
	c.tip.Begin()
	c.history.tipEvent(&c.tip, m.event)
	h.Lines = c.tip.All()
	return h
}

// draw fills the list: the two tables, which have their own lists, and the rest.
func (c *LeaksPanel) draw(env *panel.Env) {
	l, r, th := c.List(), &c.regions, env.Theme
	if env.View.None() {
		panel.DrawWords(l, env, r.all, "Leaked objects, and their holders.\nConnect a program or open a recording.")
		return
	}
	c.table.DrawInto(l, env)
	if r.refs.Empty() {
		return
	}
	l.Rect(r.split, draw.Color(th.Separator))
	c.drawTitle(env)
	c.drawCurve(env)
	c.refs.DrawInto(l, env)
}

// drawTitle names the chosen object.
func (c *LeaksPanel) drawTitle(env *panel.Env) {
	r, th, l := c.regions.title, env.Theme, c.List()
	o := c.object()
	r.X0, r.X1 = r.X0+env.Px(9), r.X1-env.Px(9)
	if o.RefCount >= 0 {
		c.buf = format.AppendPlural(c.buf[:0], o.RefCount, "reference", "references")
		if l.TextFit(draw.Small, r, draw.Right, panel.ScratchText(c.buf), draw.Color(th.Text2)) {
			r.X1 -= env.Atlas.Measure(draw.Small, panel.ScratchText(c.buf)) + env.Px(10)
		}
	}
	name := format.ClipName(o.Type)
	w := min(env.Atlas.Measure(draw.Medium, name), r.W())
	l.NameIn(draw.Medium, r, draw.Left, name, draw.Color(th.Text))
	r.X0 += w + env.Px(8)
	text := headLine(o.Description)
	if text == "" {
		text = format.ClipName(o.Address)
	}
	l.TextIn(draw.Regular, r, draw.Left, text, draw.Color(th.Text2))
}

// drawCurve draws the reference count over time, with a mark at each step: upwards where a
// reference was taken, downwards where one was given up. Where steps are too close for marks of
// their own, only references that were never released keep theirs.
func (c *LeaksPanel) drawCurve(env *panel.Env) {
	h, l, th := c.history, c.List(), env.Theme
	plot := c.leakPlot(env)
	if plot.Empty() || len(c.marks) == 0 {
		return
	}
	one := env.Px(1)
	l.HLine(plot.X0, plot.X1, plot.Y1, one, draw.Color(th.Separator))
	c.drawCounts(env, plot)
	color := draw.Color(th.FrameBar)
	from := h.events[0].Count + 1 // before the first step
	if h.events[0].Ref {
		from = h.events[0].Count - 1
	}
	x, y := plot.X0, c.countY(plot, from)
	columnX, lo, hi := x, y, y // steps in one column are one line: the cost is that of the columns
	flush := func() {
		if hi > lo {
			l.VLine(columnX, lo, hi+one, one, color)
		}
	}
	for i := range c.marks {
		m := &c.marks[i]
		if m.x > columnX {
			flush()
			l.HLine(columnX, m.x+one, y, one, color)
			columnX, lo, hi = m.x, y, y
		}
		y = m.y
		lo, hi = min(lo, y), max(hi, y)
	}
	flush()
	l.HLine(columnX, plot.X1+env.Px(4), y, one, color)
	c.drawMarks(env, plot)
}

// drawCounts labels the axes: the greatest and no count, the time of the first and the last step.
func (c *LeaksPanel) drawCounts(env *panel.Env, plot draw.Rect) {
	h, l, th := c.history, c.List(), env.Theme
	lineH := env.Atlas.LineHeight(draw.Small)
	label := func(count int64) {
		y := c.countY(plot, count)
		c.buf = format.AppendCount(c.buf[:0], count)
		r := draw.Rect{X0: plot.X0 - env.Px(30), Y0: y - panel.Snap(lineH/2), X1: plot.X0 - env.Px(6)}
		r.Y1 = r.Y0 + lineH
		l.TextIn(draw.Small, r, draw.Right, panel.ScratchText(c.buf), draw.Color(th.Text2))
		if count > 0 {
			l.HLine(plot.X0, plot.X1, y, env.Px(1), draw.Color(th.Grid))
		}
	}
	label(h.most)
	if h.most > 0 {
		label(0)
	}
	row := draw.Rect{X0: plot.X0, Y0: plot.Y1 + env.Px(4), X1: plot.X1, Y1: plot.Y1 + env.Px(4) + lineH}
	step := min((h.last-h.first)/100, 1e6)
	c.buf = format.AppendClock(c.buf[:0], h.first, step)
	w := env.Atlas.Measure(draw.Small, panel.ScratchText(c.buf))
	l.TextFit(draw.Small, row, draw.Left, panel.ScratchText(c.buf), draw.Color(th.Text2))
	c.buf = format.AppendClock(c.buf[:0], h.last, step)
	row.X0 += w + env.Px(10)
	l.TextFit(draw.Small, row, draw.Right, panel.ScratchText(c.buf), draw.Color(th.Text2))
}

func (c *LeaksPanel) drawMarks(env *panel.Env, plot draw.Rect) {
	h, th := c.history, env.Theme
	all := float32(len(c.marks))*env.Px(5) <= plot.W()
	for pass := range 3 { // the hovered event's partners, and references never released, above all others
		for i := range c.marks {
			m := &c.marks[i]
			e := &h.events[m.event]
			lost := e.Ref && h.partner[m.event] < 0
			hot := c.hoverEvent >= 0 && (m.event == c.hoverEvent || h.partner[m.event] == c.hoverEvent)
			at := 0
			if hot {
				at = 2
			} else if lost {
				at = 1
			}
			if at != pass || at == 0 && !all {
				continue
			}
			size, color := env.Px(3), draw.Color(format.Pick(!e.Ref, th.Text2, th.Live))
			if lost {
				size, color = env.Px(4), draw.Color(th.Bad)
			}
			if hot {
				size, color = env.Px(5), draw.Mix(color, draw.Color(th.Text), 90)
			}
			if e.Ref {
				c.List().Triangle(m.x-size, m.y+size, m.x, m.y-size, m.x+size, m.y+size, color)
			} else {
				c.List().Triangle(m.x-size, m.y-size, m.x+size, m.y-size, m.x, m.y+size, color)
			}
		}
	}
}
