package compare

import (
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model/compare"
)

// times shows the frame times of both sides above the differences: their figures, and two histograms over each
// other, A filled and B a line. It is empty without several frames on both sides, and where there is no room.
type times struct {
	hist     compare.Histogram
	state    *view.Comparing // its frame times are drawn
	revision uint64
	top      float64 // share at the upper edge
	short    bool    // in a low panel: of the figures there are the median and the 99th percentile
	rect     draw.Rect
	plot     draw.Rect
	tip      panel.TipLines
	buf      []byte
}

// Sizes of the frame times, at scale 1.
const (
	timesRowPx     = 18
	timesPx        = 9*timesRowPx + 6 // title, seven figures, verdict
	timesShortPx   = 4*timesRowPx + 6 // title, two figures, verdict
	timesFiguresPx = 236
	timesRestPx    = 66  // of the table below them, at least
	timesRoomPx    = 112 // of it, for all figures
	bins           = 48  // at most
)

// frames returns the frame times of both sides; nil where there are none, or a single frame on each side.
func frames(env *panel.Env) *compare.FrameTimes {
	if r := env.Comparing.Result(); r != nil && !r.Single() {
		return r.Frames
	}
	return nil
}

// height returns how much of a panel of a height the frame times take.
func (c *times) height(env *panel.Env, room float32) float32 {
	c.fill(env)
	c.short = room < env.Px(timesPx+timesRoomPx)
	switch {
	case c.columns() == 0 || room < env.Px(timesShortPx+timesRestPx):
		return 0
	case c.short:
		return env.Px(timesShortPx)
	}
	return env.Px(timesPx)
}

// place puts the frame times to the top of a panel, and returns the rest.
func (c *times) place(env *panel.Env, r draw.Rect) (rest draw.Rect) {
	c.rect, rest = r, r
	c.rect.Y1 = r.Y0 + c.height(env, r.H())
	rest.Y0 = c.rect.Y1
	c.plot = draw.Rect{
		X0: r.X0 + env.Px(timesFiguresPx+16), Y0: r.Y0 + env.Px(16), X1: max(r.X1-env.Px(12), r.X0),
		Y1: c.rect.Y1 - env.Px(20),
	}
	return rest
}

// fill makes the bins when the comparison is another.
func (c *times) fill(env *panel.Env) {
	if c.state == env.Comparing && c.revision == env.Comparing.Revision() {
		return
	}
	c.state, c.revision, c.hist, c.top = env.Comparing, env.Comparing.Revision(), compare.Histogram{}, 1e-6
	f := frames(env)
	if f == nil {
		return
	}
	c.hist = f.Histogram(bins)
	for side := range f.Sides {
		for k := range c.columns() {
			c.top = max(c.top, c.share(f, side, k))
		}
	}
	c.top = format.RoundUp(c.top, 1e-9, 1, 1.5, 2, 3, 4, 5, 6, 8)
}

// columns returns the number of columns: the bins, and one for longer frames.
func (c *times) columns() int {
	if c.hist.StepNs == 0 {
		return 0
	}
	return len(c.hist.Counts[0]) + 1
}

// count returns how many frames of a side are in a column.
func (c *times) count(side, k int) int64 {
	if k == len(c.hist.Counts[side]) {
		return c.hist.Above[side]
	}
	return c.hist.Counts[side][k]
}

// share returns the part of a side's frames in a column.
func (c *times) share(f *compare.FrameTimes, side, k int) float64 {
	return float64(c.count(side, k)) / float64(max(f.Sides[side].Received, 1))
}

// columnRect returns the rectangle of a column for a share.
func (c *times) columnRect(k int, share float64) draw.Rect {
	w := c.plot.W() / float32(c.columns())
	return draw.Rect{
		X0: c.plot.X0 + panel.Snap(float32(k)*w), Y0: c.plot.Y1 - panel.Snap(c.plot.H()*float32(share/c.top)),
		X1: c.plot.X0 + panel.Snap(float32(k+1)*w), Y1: c.plot.Y1,
	}
}

// hit describes the column at a point.
func (c *times) hit(env *panel.Env, x, y float32) panel.Hit {
	hit, f := panel.NoHit(), frames(env)
	if f == nil || !c.plot.Contains(x, y) || c.revision != env.Comparing.Revision() {
		return hit
	}
	k := min(int((x-c.plot.X0)/c.plot.W()*float32(c.columns())), c.columns()-1)
	l := &c.tip
	l.Begin()
	if from := c.hist.FromNs + int64(k)*c.hist.StepNs; k == c.columns()-1 {
		l.Duration(from).Text(" and longer").End()
	} else {
		l.Duration(from).Text(" to ").Duration(from + c.hist.StepNs).End()
	}
	for side, name := range [...]string{"A\t", "B\t"} {
		l.Text(name).Count(c.count(side, k)).Text(" of ").Count(f.Sides[side].Received).Text(" frames, ")
		l.Percent(c.share(f, side, k)).End()
	}
	hit.Kind, hit.Lines, hit.Rect = panel.HitAxis, l.All(), c.columnRect(k, c.top)
	return hit
}

// draw draws figures and histogram.
func (c *times) draw(env *panel.Env, l *draw.List) {
	f := frames(env)
	if f == nil || c.rect.Empty() {
		return
	}
	c.drawFigures(env, l, f)
	if c.plot.W() > env.Px(100) {
		c.drawColumns(env, l, f)
		c.drawAxes(env, l, f)
	}
	l.HLine(c.rect.X0, c.rect.X1, c.rect.Y1-env.Px(1), env.Px(1), draw.Color(env.Theme.Separator))
}

// drawColumns draws the histograms.
func (c *times) drawColumns(env *panel.Env, l *draw.List, f *compare.FrameTimes) {
	for k := range c.columns() {
		r := c.columnRect(k, c.share(f, view.SideA, k))
		r.X1 = max(r.X1-1, r.X0)
		l.Rect(r, draw.Color(env.Theme.FrameBar))
	}
	line, before := env.Px(2), c.plot.Y1
	for k := range c.columns() {
		r := c.columnRect(k, c.share(f, view.SideB, k))
		l.HLine(r.X0, r.X1, r.Y0-line/2, line, draw.Color(env.Theme.Accent))
		if r.Y0 != before {
			l.VLine(r.X0, min(before, r.Y0)-line/2, max(before, r.Y0)+line/2, line, draw.Color(env.Theme.Accent))
		}
		before = r.Y0
	}
}

// drawAxes writes the ends of the scales, and marks both medians and the budget.
func (c *times) drawAxes(env *panel.Env, l *draw.List, f *compare.FrameTimes) {
	th := env.Theme
	l.HLine(c.plot.X0, c.plot.X1, c.plot.Y1, env.Px(1), draw.Color(th.Grid))
	c.mark(env, l, f.Sides[view.SideA].Median, draw.Color(th.Text2))
	c.mark(env, l, f.Sides[view.SideB].Median, draw.Color(th.Accent))
	if x, ok := c.xOf(float64(subject.Budget(env))); ok {
		l.DashedV(x, c.plot.Y0, c.plot.Y1, env.Px(1), env.Px(5), env.Px(4), draw.Color(th.Target))
	}
	dim := draw.Color(th.Text2)
	top := draw.Rect{X0: c.plot.X0, Y0: c.rect.Y0, X1: c.plot.X1, Y1: c.plot.Y0}
	foot := draw.Rect{X0: c.plot.X0, Y0: c.plot.Y1 + env.Px(2), X1: c.plot.X1, Y1: c.rect.Y1}
	c.buf = append(format.AppendPercent(c.buf[:0], c.top), " of frames in every "...)
	l.TextIn(draw.Small, top, draw.Left, string(format.AppendRoundDuration(c.buf, c.hist.StepNs)), dim)
	l.TextIn(draw.Small, foot, draw.Left, string(format.AppendRoundDuration(nil, c.hist.FromNs)), dim)
	last := c.hist.FromNs + int64(c.columns()-1)*c.hist.StepNs
	l.TextIn(draw.Small, foot, draw.Right, "≥ "+string(format.AppendRoundDuration(nil, last)), dim)
}

// mark draws a line at a frame time.
func (c *times) mark(env *panel.Env, l *draw.List, ns float64, color draw.Color) {
	if x, ok := c.xOf(ns); ok {
		l.VLine(x, c.plot.Y0, c.plot.Y1, env.Px(1), color)
	}
}

// xOf returns where a frame time lies, false outside the bins.
func (c *times) xOf(ns float64) (float32, bool) {
	k := (ns - float64(c.hist.FromNs)) / float64(c.hist.StepNs)
	return c.plot.X0 + panel.Snap(float32(k)*c.plot.W()/float32(c.columns())), k >= 0 && k <= float64(c.columns()-1)
}

// drawFigures writes the figures of both sides, and the verdict.
func (c *times) drawFigures(env *panel.Env, l *draw.List, f *compare.FrameTimes) {
	th, y := env.Theme, c.rect.Y0
	text, dim := draw.Color(th.Text), draw.Color(th.Text2)
	row := func(name, a, b, delta string, colors [3]draw.Color) {
		r := draw.Rect{X0: c.rect.X0 + env.Px(9), Y0: y, X1: c.rect.X0 + env.Px(90), Y1: y + env.Px(timesRowPx)}
		l.TextIn(draw.Regular, r, draw.Left, name, dim)
		for i, cell := range [...]string{a, b, delta} {
			r.X0, r.X1 = r.X1, r.X1+env.Px((timesFiguresPx-90)/3)
			l.TextIn(draw.Regular, r, draw.Right, cell, colors[i])
		}
		y += env.Px(timesRowPx)
	}
	a, b := &f.Sides[view.SideA], &f.Sides[view.SideB]
	row("ms", "A", "B", "B − A", [3]draw.Color{dim, draw.Color(th.Accent), dim})
	plain := [3]draw.Color{text, text, dim}
	ms := func(name string, a, b float64) {
		row(name, string(subject.AppendMs(nil, a)), string(subject.AppendMs(nil, b)), string(subject.AppendDelta(nil, b-a)),
			plain)
	}
	ms("median", a.Median, b.Median)
	if !c.short {
		ms("p95", a.P95, b.P95)
	}
	ms("p99", a.P99, b.P99)
	if !c.short {
		ms("longest", a.Longest, b.Longest)
		row("over budget", string(format.AppendPercent(nil, a.Share())), string(format.AppendPercent(nil, b.Share())), "",
			plain)
		row("hitches", string(format.AppendCount(nil, a.Hitches)), string(format.AppendCount(nil, b.Hitches)),
			oftener(&f.Hitches),
			[3]draw.Color{text, text, subject.DeltaColor(env, &f.Hitches)})
		rate := func(share float64) string { return string(format.AppendValue(nil, 1000*share, "")) }
		row("per 1000", rate(f.Hitches.A), rate(f.Hitches.B), "", plain)
	}
	r := draw.Rect{X0: c.rect.X0 + env.Px(9), Y0: y, X1: c.rect.X0 + env.Px(timesFiguresPx), Y1: y + env.Px(timesRowPx)}
	l.TextIn(draw.Medium, r, draw.Left, string(appendVerdict(c.buf[:0], &f.Mean)), subject.DeltaColor(env, &f.Mean))
}

// oftener describes which side has more hitches.
func oftener(f *compare.Figure) string {
	switch f.Verdict {
	case compare.Slower, compare.New:
		return "more"
	case compare.Faster, compare.Gone:
		return "fewer"
	case compare.Noise, compare.Identical:
		return f.Verdict.String()
	}
	return ""
}

// appendVerdict appends whether frames changed.
func appendVerdict(dst []byte, m *compare.Figure) []byte {
	switch {
	case m.Verdict == compare.Identical:
		return append(dst, "identical, frame by frame"...)
	case m.Verdict.Changed():
		dst = append(append(dst, m.Verdict.String()...), ": "...)
		dst = append(subject.AppendDelta(dst, m.Delta()), " ± "...)
		return append(subject.AppendSpread(dst, m.Half, m.Delta()), " ms"...)
	case m.Verdict != compare.Untested:
		return append(dst, "within noise"...)
	}
	dst = append(dst, format.Pick(m.Lack == compare.LacksIndependent, "too alike to tell", "too few to tell")...)
	if m.Needs > 0 {
		dst = append(strconv.AppendInt(append(dst, "; ≈ "...), int64(m.Needs), 10), " needed"...)
	}
	return dst
}
