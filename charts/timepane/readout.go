package timepane

import (
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
