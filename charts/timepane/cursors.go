package timepane

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// endOver ends the overlay, with the hover line, the playhead, the range and the scroll bar.
func (p *Pane) endOver(env *panel.Env, in *panel.Input) {
	p.drawHoverTime(env)
	p.drawPlayhead(env)
	p.drawRange(env, in)
	p.drawScrollBar(env)
}

// OutlineHovered outlines the hovered item, inside the plot.
func (p *Pane) OutlineHovered(env *panel.Env, r draw.Rect) {
	p.List().PushClip(p.plot)
	p.List().Outline(r, One(env), draw.Color(env.Theme.Text).WithAlpha(150))
	p.List().PopClip()
}

// OutlineSelected outlines the selected item, inside the plot: wide enough to be visible, however
// narrow that is.
func (p *Pane) OutlineSelected(env *panel.Env, r draw.Rect) {
	if least := env.Px(5); r.W() < least {
		mid := (r.X0 + r.X1) / 2
		r.X0, r.X1 = panel.Snap(mid-least/2), panel.Snap(mid+least/2)
	}
	p.List().PushClip(p.plot)
	p.List().Outline(r.Inset(-1), env.Px(2), draw.Color(env.Theme.Accent))
	p.List().PopClip()
}

// MarkHit points at the one of the hits of a search that is selected: each of them is outlined.
func (p *Pane) MarkHit(env *panel.Env, r draw.Rect) {
	l, a := p.List(), draw.Color(env.Theme.Accent)
	mid, h := panel.Snap((r.X0+r.X1)/2), env.Px(7)
	l.PushClip(p.plot)
	l.Triangle(mid-h, r.Y1+h+env.Px(3), mid+h, r.Y1+h+env.Px(3), mid, r.Y1+env.Px(3), a)
	l.PopClip()
}

// drawHoverTime draws a line at the time under the mouse, in whatever panel that is, and labels it
// on the ruler; the ruler's own label there gives way.
func (p *Pane) drawHoverTime(env *panel.Env) {
	v, l := env.View, p.List()
	x := v.Time().ToPx(p.plot, v.Pointer().Time())
	if !v.Pointer().HasTime() || x < float64(p.plot.X0) || x >= float64(p.plot.X1) {
		return
	}
	px := float32(int(x + 0.5))
	line := draw.Rect{X0: px, Y0: p.ruler.Y0, X1: px + One(env), Y1: p.plot.Y1}
	l.Rect(line, draw.Color(env.Theme.Text).WithAlpha(70))
	if p.shape.Ruler.Bare {
		return
	}
	p.buf = p.appendTime(p.buf[:0], v.Pointer().Time())
	text := panel.ScratchText(p.buf)
	w := env.Atlas.Measure(draw.Small, text) + env.Px(8)
	r := draw.Rect{
		X0: px + env.Px(3), Y0: p.ruler.Y0 + 1, X1: px + env.Px(3) + w, Y1: p.ruler.Y0 + p.tickH(env) - 1,
	}
	if r.X1 > p.plot.X1 {
		r.X0, r.X1 = px-env.Px(2)-w, px-env.Px(2)
	}
	l.Rect(r, draw.Color(env.Theme.PanelTitle))
	for _, label := range p.labels { // which it would cut give way whole
		if label.Y0, label.Y1 = r.Y0, r.Y1; !label.Intersect(r).Empty() {
			l.Rect(label, draw.Color(env.Theme.PanelTitle))
		}
	}
	l.TextIn(draw.Small, r, draw.Center, text, draw.Color(env.Theme.Text))
}

// appendTime appends a time as the ruler counts: from where it begins to, or as a clock.
func (p *Pane) appendTime(dst []byte, ns int64) []byte {
	if !p.relative {
		return format.AppendClock(dst, ns-p.tickFrom, max(1, int64(p.nsPerPx)))
	}
	if ns -= p.tickFrom; ns < 0 {
		return format.AppendDuration(append(dst, "−"...), -ns)
	}
	return format.AppendDuration(append(dst, '+'), ns)
}

func (p *Pane) drawPlayhead(env *panel.Env) {
	v, l := env.View, p.List()
	x := v.Time().ToPx(p.plot, v.Playhead())
	if x < float64(p.plot.X0)-1 || x > float64(p.plot.X1) {
		return
	}
	px := min(max(float32(int(x+0.5)), p.plot.X0), p.plot.X1-1)
	c, w := draw.Color(env.Theme.Text), One(env)
	d, y := env.Px(5), p.ruler.Y0+p.tickH(env)
	l.Rect(draw.Rect{X0: px, Y0: p.ruler.Y1, X1: px + w, Y1: p.plot.Y1}, c.WithAlpha(210)) // below the frames' words
	l.PushClip(p.ruler)
	l.Triangle(px+w/2-d, y-d*1.3, px+w/2+d, y-d*1.3, px+w/2, y, c)
	l.PopClip()
}

func (p *Pane) drawScrollBar(env *panel.Env) {
	x := p.plot.X1 - env.Px(2)
	col := draw.Color(env.Theme.Text).WithAlpha(80)
	panel.DrawScrollBar(p.List(), p.plot, x-env.Px(5), x, p.shape.ContentH, p.scrollY, env.Px(18), col)
}

// drawSelectedRange shades the selected frames or range behind the content.
func (p *Pane) drawSelectedRange(env *panel.Env) {
	v := env.View
	if v.RangeB() <= v.RangeA() || v.Live() {
		return
	}
	x0, x1 := p.PxOf(env, v.RangeA()), p.PxOf(env, v.RangeB())
	if x1 <= p.plot.X0 || x0 >= p.plot.X1 {
		return
	}
	r := draw.Rect{X0: x0, Y0: p.plot.Y0, X1: max(x1, x0+1), Y1: p.plot.Y1}
	p.List().Rect(r, draw.Color(env.Theme.Chosen))
}

// SelectedTime returns the selected time, so that the rest steps back: for a range and several frames
// wherever they are; for one frame, which also follows the playhead, while it is in view. It ignores a
// time below a sliver of the width: nothing would be left to see.
func SelectedTime(env *panel.Env) Selected {
	const sliver = 0.04
	v, w := env.View, env.View.Time()
	if !v.HasRange() || v.Live() {
		return Selected{}
	}
	begin, end := v.RangeA(), v.RangeB()
	wide := float64(end - begin)
	if v.RangeIsFrames() && v.FrameA() == v.FrameB() {
		wide = min(float64(end), w.EndNs) - max(float64(begin), w.BeginNs)
	}
	return Selected{begin: begin, end: end, on: wide >= sliver*w.Width()}
}

// Selected is the selected time, or none.
type Selected struct {
	begin, end int64
	on         bool
}

// Leaves reports whether a time is selected that something is not in.
func (s *Selected) Leaves(beginNs, endNs int64) bool {
	return s.on && (endNs <= s.begin || beginNs >= s.end)
}

// Cut returns the selected part of a time; false: all of it is selected, or none.
func (s *Selected) Cut(beginNs, endNs int64) (fromNs, toNs int64, ok bool) {
	fromNs, toNs = max(beginNs, s.begin), min(endNs, s.end)
	return fromNs, toNs, s.on && fromNs < toNs && toNs-fromNs < endNs-beginNs
}

// IsShort reports whether less than so many ns are selected.
func (s *Selected) IsShort(ns int64) bool { return s.on && s.end-s.begin < ns }

// drawRange draws the range under construction with its readout, or the edges and the duration of a
// selected range that is not a run of frames.
func (p *Pane) drawRange(env *panel.Env, in *panel.Input) {
	l, th, v, pulled := p.List(), env.Theme, env.View, &p.pulled
	a, b := v.RangeA(), v.RangeB()
	if pulled.on {
		a, b = pulled.a, pulled.b
	} else if v.Live() || b <= a || v.RangeIsFrames() {
		return
	}
	x0, x1 := p.PxOf(env, a), p.PxOf(env, b)
	if x1 < p.plot.X0 || x0 > p.plot.X1 {
		return
	}
	zoom, one, col := pulled.on && pulled.zoom, One(env), draw.Color(th.Accent)
	l.PushClip(p.plot)
	if zoom { // a range to select is selected, and shaded, as it is drawn
		col = draw.Color(th.Accent)
		l.Rect(draw.Rect{X0: x0, Y0: p.plot.Y0, X1: x1, Y1: p.plot.Y1}, col.WithAlpha(50))
	}
	wa, wb := one, one
	edge := p.edge
	if edge == edgeNone && !pulled.on && !p.gestures.Busy() {
		edge = p.edgeAt(env, in)
	}
	switch edge {
	case edgeA:
		wa = 3 * one
	case edgeB:
		wb = 3 * one
	}
	l.Rect(draw.Rect{X0: x0 - wa + one, Y0: p.plot.Y0, X1: x0 + wa, Y1: p.plot.Y1}, col)
	l.Rect(draw.Rect{X0: x1 - wb, Y0: p.plot.Y0, X1: x1 + wb - one, Y1: p.plot.Y1}, col)
	l.PopClip()
	if zoom {
		p.buf = format.AppendDuration(append(p.buf[:0], "zoom to "...), b-a)
		p.rangeBadge(env, x0, x1, col)
		return
	}
	p.readout.update(env, p.shape.Threads, a, b)
	if pulled.on {
		p.readout.draw(env, l, p.plot, x0, x1, a, b)
		return
	}
	p.buf = p.readout.headline(p.buf[:0], a, b)
	p.rangeBadge(env, x0, x1, col)
}

// rangeBadge writes the text of p.buf at the top of a range.
func (p *Pane) rangeBadge(env *panel.Env, x0, x1 float32, c draw.Color) {
	text := panel.ScratchText(p.buf)
	w := env.Atlas.Measure(draw.Small, text) + env.Px(12)
	mid := (max(x0, p.plot.X0) + min(x1, p.plot.X1)) / 2
	left := min(max(mid-w/2, p.plot.X0), p.plot.X1-w)
	r := draw.Rect{X0: left, Y0: p.plot.Y0 + 1, X1: left + w, Y1: p.plot.Y0 + env.Px(17)}
	p.List().Rect(r, draw.Color(env.Theme.Tooltip))
	p.List().Outline(r, 1, c)
	p.List().TextIn(draw.Small, r, draw.Center, text, draw.Color(env.Theme.Text))
}

const (
	snapPx = 6 // how near an edge draws a range's end
	grabPx = 4 // how near the mouse grabs a range's edge
)

// rangeEdge is an edge of the selected range that is being dragged.
type rangeEdge uint8

const (
	edgeNone rangeEdge = iota
	edgeA
	edgeB
)

// pulledRange is a range under construction.
type pulledRange struct {
	on, zoom bool
	fromNs   int64 // where it was begun
	a, b     int64
}

// pullRange selects a range as it is drawn, so that all panels show it while the mouse moves. Both
// its ends snap to times near them, unless alt is held or it is for a zoom.
func (p *Pane) pullRange(env *panel.Env, in *panel.Input, res *panel.GestureResult, snap Snapper) {
	r := &p.pulled
	if p.gestures.Drag == panel.DragRange && in.Left.Pressed {
		r.fromNs = p.snapTime(env, in.X, in.Y, in.Alt, snap)
	}
	r.on, r.zoom, r.a, r.b = res.Ranging, res.Zooming, res.RangeA, res.RangeB
	if res.Zooming || !res.Ranging && !res.RangeDone {
		return
	}
	to := p.snapTime(env, min(max(in.X, p.plot.X0), p.plot.X1), in.Y, in.Alt, snap)
	r.a, r.b = min(r.fromNs, to), max(r.fromNs, to)
	env.View.Brush(r.a, r.b)
}

// snapTime returns the time at a point, or that of the nearest begin or end within six pixels: of a
// frame of the view's track, or from snap.
func (p *Pane) snapTime(env *panel.Env, pxX, pxY float32, free bool, snap Snapper) int64 {
	at := p.TimeAt(env, pxX)
	if free {
		return at
	}
	p.edges = p.edges[:0]
	if tr := env.View.Shown(); tr != nil {
		i := tr.FrameCovering(at)
		if i < 0 {
			i = tr.FrameAt(at)
		}
		for j := max(i-1, 0); j <= i+1 && j < tr.NumFrames(); j++ {
			p.edges = append(p.edges, tr.Frame(j).Begin, tr.Frame(j).End)
		}
	}
	if snap != nil && pxY >= p.plot.Y0 && pxY < p.plot.Y1 {
		p.edges = snap.Edges(pxX, pxY, p.edges)
	}
	best, near := at, float64(snapPx*env.Scale)*p.nsPerPx
	for _, edgeNs := range p.edges {
		if d := math.Abs(float64(edgeNs - at)); d <= near {
			best, near = edgeNs, d
		}
	}
	return best
}

// edgeAt returns the edge of the selected range under the mouse. The edges of selected frames are
// where the frames are.
func (p *Pane) edgeAt(env *panel.Env, in *panel.Input) rangeEdge {
	v := env.View
	if !in.Over || !p.plot.Contains(in.X, in.Y) || v.Live() || v.RangeB() <= v.RangeA() || v.RangeIsFrames() {
		return edgeNone
	}
	reach := float64(grabPx * env.Scale)
	a := math.Abs(v.Time().ToPx(p.plot, v.RangeA()) - float64(in.X))
	b := math.Abs(v.Time().ToPx(p.plot, v.RangeB()) - float64(in.X))
	switch {
	case b <= reach && b <= a:
		return edgeB
	case a <= reach:
		return edgeA
	}
	return edgeNone
}

// inputEdge drags an edge of the selected range, with snapping unless alt is held. done means that
// it does.
func (p *Pane) inputEdge(env *panel.Env, in *panel.Input, snap Snapper) (done bool) {
	v := env.View
	if p.edge == edgeNone {
		if !in.Left.Pressed || in.Shift || in.Ctrl || p.gestures.Drag != panel.DragNone {
			return false
		}
		if p.edge = p.edgeAt(env, in); p.edge == edgeNone {
			return false
		}
		p.lastX = in.X
	}
	if in.X != p.lastX {
		p.lastX = in.X
		at := p.snapTime(env, min(max(in.X, p.plot.X0), p.plot.X1), in.Y, in.Alt, snap)
		other := v.RangeB()
		if p.edge == edgeB {
			other = v.RangeA()
		}
		if (at < other) != (p.edge == edgeA) && at != other { // past the other edge: now it is that one
			p.edge = edgeA + edgeB - p.edge
		}
		if at != other {
			v.SelectRange(at, other)
		}
	}
	if in.Left.Released || !in.Left.Down {
		p.edge = edgeNone
	}
	return true
}
