package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// drawOver draws what changes with the mouse and the playhead over the base list.
func (t *Timeline) drawOver(env *panel.Env, in *panel.Input) {
	l, th := t.list, env.Theme
	one := max(1, float32(int(env.Scale)))
	t.drawFrameTimes(env)
	l.PushClip(t.plot)
	if in.Over && !t.gestures.Busy() {
		if row, d := t.barAt(in.X, in.Y); d != nil {
			l.Outline(t.barRect(row, d), one, draw.Color(th.Text).WithAlpha(150))
		}
	}
	t.drawSelectedSpan(env)
	l.PopClip()
	t.drawCursors(env, in)
}

// cursorLine draws a vertical line at a time, with the time in the ruler if asked for.
func (t *Timeline) cursorLine(env *panel.Env, timeNs int64, width float32, c draw.Color, named bool) {
	x := env.View.Time().ToPx(t.plot, timeNs)
	if x < float64(t.plot.X0) || x >= float64(t.plot.X1) {
		return
	}
	px := float32(int(x + 0.5))
	l := t.list
	l.Rect(draw.Rect{X0: px, Y0: t.ruler.Y0, X1: px + width, Y1: t.plot.Y1}, c)
	if !named {
		return
	}
	t.buf = format.AppendClock(t.buf[:0], timeNs, max(1, int64(t.nsPerPx)))
	text := panel.ScratchText(t.buf)
	w := env.Atlas.Measure(draw.SmallMono, text) + env.Px(8)
	r := draw.Rect{X0: px + env.Px(3), Y0: t.ruler.Y0 + 1, X1: px + env.Px(3) + w, Y1: t.ruler.Y0 + env.Px(rulerTickH) - 1}
	if r.X1 > t.plot.X1 {
		r.X0, r.X1 = px-env.Px(2)-w, px-env.Px(2)
	}
	l.Rect(r, draw.Color(env.Theme.PanelTitle))
	l.TextIn(draw.SmallMono, r, draw.Center, text, draw.Color(env.Theme.Text))
}

func (t *Timeline) drawPlayhead(env *panel.Env) {
	v, l := env.View, t.list
	x := v.Time().ToPx(t.plot, v.Playhead())
	if x < float64(t.plot.X0)-1 || x > float64(t.plot.X1) {
		return
	}
	px := float32(int(x + 0.5))
	px = min(max(px, t.plot.X0), t.plot.X1-1)
	c := draw.Color(env.Theme.Text)
	w := max(1, float32(int(env.Scale)))
	l.Rect(draw.Rect{X0: px, Y0: t.ruler.Y0 + env.Px(rulerTickH), X1: px + w, Y1: t.plot.Y1}, c.WithAlpha(210))
	d, y := env.Px(5), t.ruler.Y0+env.Px(rulerTickH)
	l.PushClip(t.ruler)
	l.Triangle(px+w/2-d, y, px+w/2+d, y, px+w/2, y+d*1.3, c)
	l.PopClip()
}

// drawFrameTimes writes under each track's name how long its frame at the playhead took.
func (t *Timeline) drawFrameTimes(env *panel.Env) {
	l, th, v := t.list, env.Theme, env.View
	l.PushClip(t.gutter)
	t.drawCounterValues(env)
	for i := range t.blocks {
		b := &t.blocks[i]
		if b.folded || b.h < env.Px(40) {
			continue
		}
		y := t.screenY(b.y) + env.Px(laneH)
		if y+env.Px(laneH) < t.gutter.Y0 || y > t.gutter.Y1 {
			continue
		}
		tr := v.Session().Track(b.track)
		r := draw.Rect{X0: t.gutter.X0 + env.Px(20), Y0: y, X1: t.gutter.X1 - env.Px(6), Y1: y + env.Px(laneH)}
		if below := r.Y1 + env.Px(laneH); b.deeper > 0 && below <= t.screenY(b.y+b.h) {
			t.buf = append(format.AppendCount(append(t.buf[:0], '+'), int64(b.deeper)), " deeper"...)
			l.TextIn(draw.Small, draw.Rect{X0: r.X0, Y0: r.Y1, X1: r.X1, Y1: below}, draw.Left, panel.ScratchText(t.buf), draw.Color(th.TextDim))
		}
		f := tr.FrameCovering(v.Playhead() - b.offset)
		if f < 0 {
			continue
		}
		fr := tr.Frame(f)
		b0 := t.buf[:0]
		if b.offset != 0 {
			b0 = append(b0, "≈ "...)
		}
		t.buf = format.AppendDuration(b0, fr.End-fr.Begin)
		col := draw.Color(th.Text2)
		if b.track == v.Track() && subject.OverBudget(fr.End-fr.Begin, v.FrameBudgetNs()) {
			col = subject.FrameColor(th, fr.End-fr.Begin, v.FrameBudgetNs())
		}
		l.TextIn(draw.Small, r, draw.Left, panel.ScratchText(t.buf), col)
	}
	l.PopClip()
}

// drawSelectedSpan outlines the selected span where it is drawn by itself.
func (t *Timeline) drawSelectedSpan(env *panel.Env) {
	v := env.View
	if !v.HasSpan() {
		return
	}
	for i := range t.rows {
		row := &t.rows[i]
		if row.track != v.Span().Ref.Track || row.lane != int(v.Span().Ref.Lane) {
			continue
		}
		for j := row.from; j < row.to; j++ {
			if d := &t.bars[j]; d.bar.Ref == v.Span().Ref && d.bar.Count == 1 {
				w := env.Px(2)
				r := t.barRect(row, d)
				t.list.Outline(draw.Rect{X0: r.X0 - 1, Y0: r.Y0 - 1, X1: r.X1 + 1, Y1: r.Y1 + 1}, w, draw.Color(env.Theme.Text))
				return
			}
		}
	}
}

func (t *Timeline) barRect(row *timelineRow, d *drawnBar) draw.Rect {
	return draw.Rect{X0: d.x0, Y0: row.y0, X1: max(d.x1, d.x0+1), Y1: row.y1}
}

func (t *Timeline) drawScrollBar(env *panel.Env) {
	if t.contentH <= t.plot.H() || t.plot.H() <= 0 {
		return
	}
	w := env.Px(5)
	h := max(t.plot.H()*t.plot.H()/t.contentH, env.Px(18))
	y := t.plot.Y0 + (t.plot.H()-h)*t.scrollY/(t.contentH-t.plot.H())
	t.list.Rect(draw.Rect{X0: t.plot.X1 - w - env.Px(2), Y0: y, X1: t.plot.X1 - env.Px(2), Y1: y + h}, draw.Color(env.Theme.Text).WithAlpha(80))
}

// drawRange draws the range under construction with its readout, or the edges and the duration of a selected range that is not a run of frames.
func (t *Timeline) drawRange(env *panel.Env, in *panel.Input) {
	l, th, v := t.list, env.Theme, env.View
	a, b := v.RangeA(), v.RangeB()
	if t.ranging {
		a, b = t.rangeA, t.rangeB
	} else if v.Live() || b <= a || v.RangeIsFrames() {
		return
	}
	x0, x1 := t.pxOf(a, env), t.pxOf(b, env)
	if x1 < t.plot.X0 || x0 > t.plot.X1 {
		return
	}
	col := draw.Color(th.Selection)
	if t.ranging && t.zooming {
		col = draw.Color(th.Accent)
	}
	one := max(1, float32(int(env.Scale)))
	l.PushClip(t.plot)
	if t.ranging && t.zooming { // a range to select is selected, and shaded, as it is drawn
		l.Rect(draw.Rect{X0: x0, Y0: t.plot.Y0, X1: x1, Y1: t.plot.Y1}, col.WithAlpha(50))
	}
	wa, wb := one, one
	if edge := t.edge; edge != edgeNone || !t.ranging {
		if edge == edgeNone && !t.gestures.Busy() {
			edge = t.edgeAt(env, in)
		}
		switch edge {
		case edgeA:
			wa = 3 * one
		case edgeB:
			wb = 3 * one
		}
	}
	l.Rect(draw.Rect{X0: x0 - wa + one, Y0: t.plot.Y0, X1: x0 + wa, Y1: t.plot.Y1}, col)
	l.Rect(draw.Rect{X0: x1 - wb, Y0: t.plot.Y0, X1: x1 + wb - one, Y1: t.plot.Y1}, col)
	l.PopClip()
	if t.ranging && t.zooming {
		t.buf = format.AppendDuration(append(t.buf[:0], "zoom to "...), b-a)
		t.rangeBadge(env, x0, x1, panel.ScratchText(t.buf), col)
		return
	}
	t.readout.update(env, t.blocks, a, b, &t.flame)
	if t.ranging {
		t.readout.draw(env, l, t.plot, x0, x1, a, b)
		return
	}
	t.buf = t.readout.headline(t.buf[:0], a, b)
	t.rangeBadge(env, x0, x1, panel.ScratchText(t.buf), col)
}

// rangeBadge writes a line at the top of a range.
func (t *Timeline) rangeBadge(env *panel.Env, x0, x1 float32, text string, c draw.Color) {
	w := env.Atlas.Measure(draw.Small, text) + env.Px(12)
	mid := (max(x0, t.plot.X0) + min(x1, t.plot.X1)) / 2
	left := min(max(mid-w/2, t.plot.X0), t.plot.X1-w)
	r := draw.Rect{X0: left, Y0: t.plot.Y0 + 1, X1: left + w, Y1: t.plot.Y0 + env.Px(17)}
	t.list.Rect(r, draw.Color(env.Theme.Tooltip))
	t.list.Outline(r, 1, c)
	t.list.TextIn(draw.Small, r, draw.Center, text, draw.Color(env.Theme.Text))
}

// rangeReadout says what a range holds: its duration, frames and rate, and the five collectors that took most of it by themselves.
type rangeReadout struct {
	a, b       int64
	sessionRev uint64
	tracks     []model.TrackID
	self       []int64 // by collector
	top        [5]model.CollectorID
	topNs      [5]int64
	n          int
	frames     int64
	buf        []byte
}

// update fills the readout for [a, b), if it is not filled for it already.
func (o *rangeReadout) update(env *panel.Env, blocks []timelineBlock, a, b int64, tree *model.FlameTree) {
	s, v := env.View.Session(), env.View
	if o.a == a && o.b == b && o.sessionRev == s.Revision() {
		return
	}
	o.a, o.b, o.sessionRev = a, b, s.Revision()
	o.self = o.self[:0]
	for range s.NumCollectors() {
		o.self = append(o.self, 0)
	}
	for i := range blocks { // track by track: clocks may differ
		o.tracks = append(o.tracks[:0], blocks[i].track)
		s.FlameTree(o.tracks, a-blocks[i].offset, b-blocks[i].offset, tree)
		for _, n := range tree.Nodes {
			if int(n.Collector) < len(o.self) && n.Collector >= 0 {
				o.self[n.Collector] += n.Self
			}
		}
	}
	o.frames = 0
	if tr := v.Shown(); tr != nil && tr.NumFrames() > 0 {
		o.frames = int64(tr.FrameAt(b-1) - tr.FrameAt(a-1))
	}
	o.n = 0
	for c, ns := range o.self {
		if ns <= 0 || isFrameRoot(s.Collector(model.CollectorID(c))) {
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

// headline appends "33.2 ms · 2 frames · 60.2 fps".
func (o *rangeReadout) headline(dst []byte, a, b int64) []byte {
	dst = format.AppendDuration(dst, b-a)
	if o.frames > 0 {
		dst = format.AppendCount(append(dst, " · "...), o.frames)
		if o.frames == 1 {
			dst = append(dst, " frame"...)
		} else {
			dst = append(dst, " frames · "...)
			dst = append(format.AppendDigits3(dst, min(float64(o.frames)*1e9/float64(max(b-a, 1)), 999)), " fps"...)
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
	l.Outline(r, 1, draw.Color(th.Selection))
	y := r.Y0 + env.Px(3)
	l.TextIn(draw.Medium, draw.Rect{X0: r.X0 + pad, Y0: y, X1: r.X1 - pad, Y1: y + lh}, draw.Left, panel.ScratchText(o.buf), draw.Color(th.Text))
	y += lh + env.Px(2)
	for i := range o.n {
		row := draw.Rect{X0: r.X0 + pad, Y0: y, X1: r.X1 - pad, Y1: y + lh}
		y += lh
		side := env.Px(9)
		cy := row.Y0 + float32(int(lh-side)/2)
		l.Rect(draw.Rect{X0: row.X0, Y0: cy, X1: row.X0 + side, Y1: cy + side}, env.View.Palette().Fill(o.top[i]))
		row.X0 += env.Px(15)
		o.buf = format.AppendDuration(o.buf[:0], o.topNs[i])
		tw := env.Atlas.Measure(draw.Mono, panel.ScratchText(o.buf))
		l.TextIn(draw.Mono, row, draw.Right, panel.ScratchText(o.buf), draw.Color(th.Text))
		row.X1 -= tw + env.Px(8)
		l.TextIn(draw.Regular, row, draw.Left, s.Collector(o.top[i]).FullName, draw.Color(th.Text2))
	}
}
