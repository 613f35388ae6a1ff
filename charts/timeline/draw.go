package timeline

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
)

// drawBase makes the base list: everything but cursors, outlines and the range under construction.
func (t *Timeline) drawBase(env *panel.Env, empty bool) {
	l, th, v := t.list, env.Theme, env.View
	l.Reset(t.rect)
	t.rows, t.bars, t.gapPx, t.counterPx = t.rows[:0], t.bars[:0], t.gapPx[:0], t.counterPx[:0]
	t.cores.runs, t.cores.shares, t.cores.px = t.cores.runs[:0], t.cores.shares[:0], t.cores.px[:0]
	t.flags.px, t.flags.done = t.flags.px[:0], false
	l.Rect(t.rect, draw.Color(th.Panel))
	if empty {
		t.drawEmpty(env)
		return
	}
	begin, end := v.Time().Visible()
	t.stepNs = v.Session().Info().Clock.Step(end)
	t.minNs = max(t.twoPixels(), t.stepNs)

	l.PushClip(t.plot)
	t.drawSelectedRange(env)
	t.drawGrid(env)
	for i := range t.blocks {
		b := &t.blocks[i]
		_, y1, seen := t.bandY(b.band)
		if !seen {
			continue
		}
		t.drawGaps(env, b, begin, end)
		from, to := t.visibleLanes(env, b)
		for lane := from; lane < to; lane++ {
			t.drawLane(env, i, lane, begin, end)
		}
		t.drawFlags(env, i, begin, end)
		t.drawCores(env, i, begin, end)
		t.drawCounters(env, i, begin, end)
		l.HLine(t.plot.X0, t.plot.X1, y1, env.Scale, draw.Color(th.Separator))
	}
	t.drawLocks(env, begin, end)
	l.PopClip()
	t.drawGutter(env)
	t.drawRuler(env)
}

func (t *Timeline) drawEmpty(env *panel.Env) {
	l, th := t.list, env.Theme
	title, hint := "Nothing to show yet", "Each thread gets a row of bars here as soon as its first frame has arrived."
	if v := env.View; v.Session() != nil && v.Session().NumTracks() > 0 && v.HidesTracks() && len(t.blocks) == 0 {
		title, hint = "All threads are hidden", "Show one in the list of threads, or press Shift+H to show all."
	}
	mid := (t.rect.Y0 + t.rect.Y1) / 2
	h := env.Px(20)
	l.TextIn(draw.Medium, draw.Rect{X0: t.rect.X0, Y0: mid - h, X1: t.rect.X1, Y1: mid}, draw.Center, title, draw.Color(th.Text2))
	l.TextIn(draw.Regular, draw.Rect{X0: t.rect.X0, Y0: mid, X1: t.rect.X1, Y1: mid + h}, draw.Center, hint, draw.Color(th.TextDim))
}

// drawSelectedRange shades the selected frames or range behind the bars.
func (t *Timeline) drawSelectedRange(env *panel.Env) {
	v := env.View
	if v.RangeB() <= v.RangeA() || v.Live() {
		return
	}
	x0, x1 := t.pxOf(v.RangeA(), env), t.pxOf(v.RangeB(), env)
	if x1 <= t.plot.X0 || x0 >= t.plot.X1 {
		return
	}
	t.list.Rect(draw.Rect{X0: x0, Y0: t.plot.Y0, X1: max(x1, x0+1), Y1: t.plot.Y1}, draw.Color(env.Theme.Selection).WithAlpha(34))
}

// pxOf returns the whole-pixel position of a time, bounded to just outside the plot.
func (t *Timeline) pxOf(timeNs int64, env *panel.Env) float32 {
	x := env.View.Time().ToPx(t.plot, timeNs)
	return float32(math.Round(min(max(x, float64(t.plot.X0)-8), float64(t.plot.X1)+8)))
}

// drawGaps hatches the intervals of a block of which nothing was received.
func (t *Timeline) drawGaps(env *panel.Env, b *timelineBlock, begin, end int64) {
	l, th, v := t.list, env.Theme, env.View
	tr := v.Session().Track(b.track)
	t.gaps = tr.Gaps(begin-b.offset, end-b.offset, t.gaps[:0])
	y0, y1 := t.screenY(b.y), t.screenY(b.y+b.h)
	first := len(t.gapPx)
	if from, _, ok := tr.Bounds(); ok && tr.Evicted() > 0 && from+b.offset > begin {
		x1 := t.pxOf(from+b.offset, env)
		g := model.Gap{Begin: begin, End: from + b.offset}
		t.gapPx = append(t.gapPx, drawnGap{gap: g, track: b.track, r: draw.Rect{X0: t.plot.X0, Y0: y0, X1: x1, Y1: y1}, merged: 1, left: tr.Evicted()})
		first++
		g1 := &t.gapPx[len(t.gapPx)-1]
		l.Hatch(g1.r, draw.Color(th.Hatch).WithAlpha(th.Hatch.A/2))
		t.buf = subject.AppendLeft(t.buf[:0], g1.left)
		t.gapWords(env, g1.r, "")
	}
	for _, g := range t.gaps {
		g.Begin, g.End = g.Begin+b.offset, g.End+b.offset
		x0, x1 := t.pxOf(g.Begin, env), t.pxOf(g.End, env)
		x1 = max(x1, x0+env.Px(2))
		if n := len(t.gapPx); n > first && x0 <= t.gapPx[n-1].r.X1 {
			last := &t.gapPx[n-1]
			last.r.X1 = max(last.r.X1, x1)
			last.merged++
			last.gap.LastNumber, last.gap.End = g.LastNumber, g.End
			continue
		}
		t.gapPx = append(t.gapPx, drawnGap{gap: g, track: b.track, r: draw.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1}, merged: 1})
	}
	for i := first; i < len(t.gapPx); i++ {
		g := &t.gapPx[i]
		l.Hatch(g.r, draw.Color(th.Hatch))
		if g.merged > 1 || g.r.W() < env.Px(60) {
			continue
		}
		var short [32]byte
		t.buf = format.AppendCount(t.buf[:0], g.gap.Count())
		if g.gap.Count() == 1 {
			t.buf = append(t.buf, " frame missing"...)
		} else {
			t.buf = append(t.buf, " frames missing"...)
		}
		t.gapWords(env, g.r, panel.ScratchText(append(format.AppendCount(short[:0], g.gap.Count()), " missing"...)))
	}
}

// gapWords writes what is in t.buf in the middle of the visible part of a hatched rectangle, or the shorter text, or nothing, as there is room.
func (t *Timeline) gapWords(env *panel.Env, r draw.Rect, short string) {
	l, th := t.list, env.Theme
	vis := r.Intersect(t.plot)
	text := panel.ScratchText(t.buf)
	w := env.Atlas.Measure(draw.Regular, text) + env.Px(12)
	if w > vis.W() {
		text = short
		if w = env.Atlas.Measure(draw.Regular, text) + env.Px(12); w > vis.W() || text == "" {
			return
		}
	}
	mid, h := (vis.X0+vis.X1)/2, min(env.Px(laneH), r.H())
	cy := (r.Y0 + r.Y1) / 2
	back := draw.Rect{X0: mid - w/2, Y0: cy - h/2, X1: mid + w/2, Y1: cy + h/2}
	l.Rect(back, draw.Color(th.Panel))
	l.TextIn(draw.Regular, back, draw.Center, text, draw.Color(th.Text2))
}

// drawLane queries and draws the bars of one lane.
func (t *Timeline) drawLane(env *panel.Env, block, lane int, begin, end int64) {
	v := env.View
	b := &t.blocks[block]
	y0, y1 := t.laneY(env, b, lane)
	t.scratch = v.Session().VisibleSpans(b.track, lane, begin-b.offset, end-b.offset, t.minNs, t.scratch[:0])
	row := timelineRow{track: b.track, block: block, lane: lane, y0: y0, y1: y1, from: len(t.bars), offset: b.offset, foldedView: b.folded || b.dense}
	base := int64(v.Time().BeginNs)
	frac := v.Time().BeginNs - float64(base)
	perNs := float64(t.plot.W()) / v.Time().Width()
	left, right := float64(t.plot.X0), float64(t.plot.X1)
	space := max(1, float32(int(env.Scale)))
	someHidden := v.HidesCollectors()
	drawn := t.plot.X0 - 1 // right edge of what is drawn already
	for i := range t.scratch {
		bar := &t.scratch[i]
		if someHidden && v.Hidden(bar.Collector) {
			continue
		}
		begin, end := bar.Begin+b.offset, bar.End+b.offset
		fx0 := left + (float64(begin-base)-frac)*perNs
		fx1 := left + (float64(end-base)-frac)*perNs
		if fx1 < left || fx0 > right {
			continue
		}
		x0 := wholePx(max(fx0, left-1))
		x1 := wholePx(min(fx1, right+1))
		x0 = max(x0, drawn)
		x1 = max(x1, x0+1)
		if x0 >= t.plot.X1 || fx1 < float64(drawn) { // outside, or within the pixel that was drawn last
			continue
		}
		drawn = x1
		n := len(t.bars)
		if n == cap(t.bars) {
			t.bars = slices.Grow(t.bars, 1)
		}
		t.bars = t.bars[:n+1]
		d := &t.bars[n] // filled in place: a copy of what was just written waits for the writes
		d.bar = *bar
		d.bar.Begin, d.bar.End, d.x0, d.x1 = begin, end, x0, x1
		t.drawBar(env, d, y0, y1, space, &row)
	}
	row.to = len(t.bars)
	t.rows = append(t.rows, row)
}

// drawBar draws one bar with its label.
func (t *Timeline) drawBar(env *panel.Env, d *drawnBar, y0, y1, space float32, row *timelineRow) {
	l := t.list
	fill, text := env.View.BarColor(d.bar.Collector)
	root := row.lane == 0 && t.blocks[row.block].root
	if root && d.bar.Collector == 0 {
		fill = t.frameFill(env, d, row)
	}
	r := draw.Rect{X0: d.x0, Y0: y0, X1: d.x1, Y1: y1}
	if r.W() > 2*space { // a pixel of ground parts neighbours
		r.X1 -= space
	}
	if d.bar.Count > 1 {
		// Merged: as much colour as spans cover of it. It never fades so far that it can't be seen.
		busy := min(max(d.bar.Busy, 0), 1)
		l.Rect(r, draw.Mix(draw.Color(env.Theme.Panel), fill, uint8(84+171*busy)))
		return
	}
	if d.bar.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 && r.W() >= env.Px(10) && !row.foldedView && !root {
		r = t.tornEdges(env, r, d, fill)
	} else {
		l.Rect(r, fill)
	}
	if d.bar.Flags&model.SpanUncertain != 0 {
		t.drawUncertain(env, r, d)
	}
	if row.foldedView || root {
		return
	}
	if v := env.View; d.bar.Collector == v.Collector() && v.Collector() != model.NoCollector {
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y1 - env.Px(2), X1: r.X1, Y1: r.Y1}, draw.Color(env.Theme.Text))
	}
	if r.W() < env.Px(15) {
		return
	}
	pad := env.Px(5)
	inner := draw.Rect{X0: max(d.x0, t.plot.X0) + pad, Y0: y0, X1: min(d.x1, t.plot.X1) - env.Px(3), Y1: y1}
	if inner.W() < env.Px(9) {
		inner.X0 -= env.Px(2)
	}
	t.label(env, d, inner, text, row)
}

// drawUncertain hatches the part of a sampled span in which it ended: from the last look at the stack that saw it to the first that did not, one step of the clock before its end. What
// follows it began somewhere in there, too. A part narrower than 3 px is left plain, and where the step is not known nothing of the span is certain.
func (t *Timeline) drawUncertain(env *panel.Env, r draw.Rect, d *drawnBar) {
	if t.stepNs > 1 {
		if float64(t.stepNs) < 3*float64(env.Scale)*t.nsPerPx {
			return
		}
		r.X0 = max(r.X0, t.pxOf(d.bar.End-t.stepNs, env))
	}
	if r.X0 < r.X1 {
		t.list.Hatch(r, draw.Color(env.Theme.Panel).WithAlpha(110))
	}
}

// frameFill returns the colour of the bar of a whole frame: by budget on the view's track, muted elsewhere. Merged frames have that of the longest, as in the frame strip.
func (t *Timeline) frameFill(env *panel.Env, d *drawnBar, row *timelineRow) draw.Color {
	v := env.View
	c := draw.Color(env.Theme.FrameBar)
	if row.track == v.Track() {
		longest := d.bar.End - d.bar.Begin
		if d.bar.Count > 1 {
			longest = t.longestFrame(v, d, row)
		}
		c = subject.FrameColor(env.Theme, longest, v.FrameBudgetNs())
	}
	c = draw.Mix(c, draw.Color(env.Theme.Panel), 90)
	if v.HoverCollector() == d.bar.Collector {
		c = draw.Highlight(c)
	}
	return c
}

// wholePx rounds a position near the window to whole pixels, upwards from the middle; math.Round costs several times as much.
func wholePx(x float64) float32 {
	const far = 1 << 20 // makes it positive
	return float32(int64(x+(far+0.5)) - far)
}

// mergedFrames is what a bar of merged frames stands for, and the longest of them.
type mergedFrames struct {
	session    *model.Session
	track      model.TrackID
	begin, end int64
	count      int32
	busy       float32
	longestNs  int64
}

// longestFrame returns the length of the longest of merged frames. Bars stay where they are while the picture pans, so answers are kept, in a place that follows from the bar's begin.
func (t *Timeline) longestFrame(v *view.View, d *drawnBar, row *timelineRow) int64 {
	if len(t.merged) == 0 {
		t.merged = make([]mergedFrames, 2048)
	}
	want := mergedFrames{session: v.Session(), track: row.track, begin: d.bar.Begin - row.offset, end: d.bar.End - row.offset, count: d.bar.Count, busy: d.bar.Busy}
	kept := &t.merged[uint64(want.begin)*0x9e3779b97f4a7c15>>53]
	want.longestNs = kept.longestNs
	if *kept == want {
		return kept.longestNs
	}
	want.longestNs = 0
	if tr := v.Shown(); tr != nil {
		t.frameBars = v.Session().FrameBars(row.track, max(tr.FrameAt(want.begin), 0), int(want.count), 1, t.frameBars[:0])
		for i := range t.frameBars {
			want.longestNs = t.frameBars[i].WorstNs
		}
	}
	*kept = want
	return want.longestNs
}

// tornEdges draws a bar of which nothing is known beyond its begin or end: that edge is torn. It returns the whole part.
func (t *Timeline) tornEdges(env *panel.Env, r draw.Rect, d *drawnBar, fill draw.Color) draw.Rect {
	l := t.list
	const teeth = 3
	depth := env.Px(5)
	whole := r
	if d.bar.Flags&model.SpanOpenBegin != 0 && d.x0 > t.plot.X0 {
		whole.X0 += depth
	}
	if d.bar.Flags&model.SpanOpenEnd != 0 && d.x1 <= t.plot.X1 {
		whole.X1 -= depth
	}
	l.Rect(whole, fill)
	th := r.H() / teeth
	for i := range teeth {
		ya := r.Y0 + float32(i)*th
		if whole.X0 != r.X0 {
			l.Triangle(whole.X0, ya, whole.X0, ya+th, r.X0, ya+th/2, fill)
		}
		if whole.X1 != r.X1 {
			l.Triangle(whole.X1, ya, whole.X1, ya+th, r.X1, ya+th/2, fill)
		}
	}
	return whole
}

// label writes the name of a bar inside its visible part: "Parent:Name" where it has room and the bar does not lie in its parent anyway (pstats-viewer section 11.6), else the name, cut
// where it is too long; and the duration behind it where there is room for all of it.
func (t *Timeline) label(env *panel.Env, d *drawnBar, inner draw.Rect, text draw.Color, row *timelineRow) {
	l, s := t.list, env.View.Session()
	c := s.Collector(d.bar.Collector)
	if c == nil || inner.W() <= 0 {
		return
	}
	room := inner.W()
	name := c.Name
	if isFrameRoot(c) {
		tr := s.Track(row.track)
		if i := tr.FrameAt(d.bar.Begin - row.offset); i >= 0 {
			t.buf = format.AppendCount(append(t.buf[:0], "Frame "...), tr.Frame(i).Number)
			name = panel.ScratchText(t.buf)
		}
	} else if room >= env.Px(32) && c.Parent > 0 {
		parentPath, _ := s.Path(d.bar.Path)
		_, inside := s.Path(parentPath)
		if inside != c.Parent {
			if p := s.Collector(c.Parent); p != nil {
				t.buf = append(append(append(t.buf[:0], p.Name...), ':'), c.Name...)
				if env.Atlas.Measure(draw.Regular, panel.ScratchText(t.buf)) <= room {
					name = panel.ScratchText(t.buf)
				}
			}
		}
	}
	w := env.Atlas.Measure(draw.Regular, name)
	if w > room && room < env.Px(20) {
		return // two letters say nothing
	}
	if w > room { // cut at the bar's edge: that shows more of the name than an ellipsis leaves
		l.PushClip(inner)
		l.TextIn(draw.Regular, draw.Rect{X0: inner.X0, Y0: inner.Y0, X1: inner.X0 + w + 1, Y1: inner.Y1}, draw.Left, name, text)
		l.PopClip()
		return
	}
	l.TextFit(draw.Regular, inner, draw.Left, name, text)
	var buf [32]byte
	b := buf[:0]
	if d.bar.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 {
		b = append(b, "≥ "...)
	}
	b = format.AppendDuration(b, d.bar.End-d.bar.Begin)
	inner.X0 += w + env.Px(8)
	if inner.W() > env.Px(24) {
		l.TextFit(draw.Regular, inner, draw.Left, panel.ScratchText(b), text.WithAlpha(165))
	}
}

// isFrameRoot tells whether a collector is the root that stands for the whole frame.
func isFrameRoot(c *model.Collector) bool { return c.ID == 0 && c.Name == "Frame" }

// drawGutter draws the tracks' names and fold arrows.
func (t *Timeline) drawGutter(env *panel.Env) {
	l, th, v := t.list, env.Theme, env.View
	l.PushClip(t.gutter)
	for i := range t.blocks {
		b := &t.blocks[i]
		y0, y1, seen := t.bandY(b.band)
		if !seen {
			continue
		}
		tr := v.Session().Track(b.track)
		row := draw.Rect{X0: t.gutter.X0 + env.Px(20), Y0: y0 + env.Px(3), X1: t.gutter.X1 - env.Px(4), Y1: y0 + env.Px(3) + env.Px(laneH)}
		if b.folded {
			row.Y0, row.Y1 = y0, y1
		}
		cx, cy := t.gutter.X0+env.Px(12), (row.Y0+row.Y1)/2
		d := env.Px(4)
		arrow := draw.Color(th.Text2)
		if b.folded {
			l.Triangle(cx-d/2, cy-d, cx+d/2+1, cy, cx-d/2, cy+d, arrow)
		} else {
			l.Triangle(cx-d, cy-d/2, cx+d, cy-d/2, cx, cy+d/2+1, arrow)
		}
		col := draw.Color(th.Text)
		if !tr.Alive {
			col = draw.Color(th.Text2)
		}
		l.TextIn(draw.Medium, row, draw.Left, tr.Title(), col)
		l.HLine(t.gutter.X0, t.gutter.X1, y1, env.Scale, draw.Color(th.Separator))
	}
	t.drawCounterNames(env)
	l.PopClip()
	t.drawGutterEdge(env)
}
