package timeline

import (
	"slices"
	"sort"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/frames"
	"framescope/model/spans"
)

// Sizes in scale-1 pixels.
const (
	rootLaneH   = 8 // pitch of the lane of whole frames; its bars show only their length
	foldedLaneH = 5
	foldedLanes = 3
	foldedPad   = 4
	denseLanes  = 6 // a flow of more lanes takes the room of so many
	denseLeast  = 3
	blockPadTop = 5
)

// spanLane is the lanes of nested spans of all tracks.
type spanLane struct {
	pitch  float32 // of lanes at full height
	minNs  int64   // shorter spans are merged
	stepNs int64   // step of the clock at the right edge

	pal       *view.Palette
	base      *compare.Against // baseline of the bars, nil: none
	tones     subject.Tones
	shades    draw.Shades
	selected  timepane.Selected
	searching bool
	labelled  float32 // bars have labels from this width on
	rows      []spanRow
	bars      []drawnBar
	found     []spans.Bar   // of all rows, times shifted to the session's clock
	stops     []frames.Stop // of the row that is drawn
	longest   longestFrames
	tips      timepane.SpanTips
	load      loadCurves
	buf       []byte
}

// spanRow is a lane that was drawn: bars[from:to].
type spanRow struct {
	track    model.TrackID
	lane     int
	y0, y1   float32 // of the bars, in the window
	from, to int
	offset   int64
	thin     bool // too low for labels
	root     bool // of whole frames
	measured bool // by a baseline, which knows how long calls of the thread take
}

// drawnBar is a drawn bar.
type drawnBar struct {
	bar    *spans.Bar // in found
	x0, x1 float32
}

func (d *drawnBar) rect(row *spanRow) draw.Rect {
	return draw.Rect{X0: d.x0, Y0: row.y0, X1: max(d.x1, d.x0+1), Y1: row.y1}
}

// reset begins a picture.
func (s *spanLane) reset(p *timepane.Pane, env *panel.Env) {
	s.rows, s.bars, s.found = s.rows[:0], s.bars[:0], s.found[:0]
	s.longest.reset()
	s.load.reset(env)
	s.pal, s.selected = env.Palette(), timepane.SelectedTime(env)
	s.base = subject.Baseline(env)
	s.tones.Use(env.Theme)
	s.shades.Use(draw.Color(env.Theme.Panel))
	s.searching, s.labelled = env.View.Look().Searching(), env.Px(15)
	if p.Empty() {
		return
	}
	_, end := env.View.Time().Visible()
	s.stepNs = env.View.Session().Info().Clock.Step(end)
	s.minNs = max(p.PowerOf(2), s.stepNs)
}

// Layout implements timepane.Lane.
func (s *spanLane) Layout(env *panel.Env, b *block, y float32) float32 {
	if b.counter != nil {
		return 0
	}
	lanes := max(b.lanes, 1)
	if b.room > 0 && !b.dense {
		if lanes = b.room; b.root {
			lanes++
		}
	}
	h := s.laneY(env, b, lanes)
	if b.folded {
		h = 2*env.Px(foldedPad) + float32(min(max(b.lanes, 1), foldedLanes))*env.Px(foldedLaneH)
		h = max(h, env.Px(laneH))
	}
	if b.head.key != "" {
		h = max(h, env.Px(headH))
	}
	b.spansY0, b.spansY1 = y, y+h
	return h
}

// pitchOf returns how far apart the lanes of an unfolded block are.
func (s *spanLane) pitchOf(env *panel.Env, b *block) float32 {
	if b.dense {
		room := float32(denseLanes)
		if b.room > 0 {
			room = float32(b.room)
		}
		return min(max(env.Px(denseLeast), float32(int(room*s.pitch/float32(b.lanes)))), s.pitch)
	}
	return s.pitch
}

// laneY returns how far below the first a lane begins.
func (s *spanLane) laneY(env *panel.Env, b *block, lane int) float32 {
	if b.folded {
		return env.Px(foldedPad) + float32(lane)*env.Px(foldedLaneH)
	}
	pitch := s.pitchOf(env, b)
	y := float32(lane) * pitch
	if b.root && lane > 0 {
		y += env.Px(rootLaneH) - pitch
	}
	low := max(0, min(lane-(b.lanes-b.low), b.low)) + min(lane, b.constant)
	return y - float32(low)*(pitch-env.Px(foldedLaneH))
}

// visibleLanes returns the lanes of a block that are inside the plot. y is the top of the first.
func (s *spanLane) visibleLanes(plot draw.Rect, env *panel.Env, b *block, y float32) (from, to int) {
	if b.folded {
		return 0, min(b.lanes, foldedLanes)
	}
	from = sort.Search(b.lanes, func(lane int) bool { return y+s.laneY(env, b, lane+1) > plot.Y0 })
	to = sort.Search(b.lanes, func(lane int) bool { return y+s.laneY(env, b, lane) >= plot.Y1 })
	return from, max(from, to)
}

// Draw implements timepane.Lane.
func (s *spanLane) Draw(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	switch {
	case b.counter != nil:
		return
	case b.many != nil:
		s.drawMany(p, env, b, at)
		return
	case b.head.key != "":
		s.drawHead(p, env, b, at)
		return
	}
	from, to := s.visibleLanes(p.Plot(), env, b, at.Y)
	first := format.Pick(b.root, 1, 0)
	b.loadY0, b.loadY1 = at.Y+s.laneY(env, b, first), at.Y+s.laneY(env, b, max(b.lanes, 1))-timepane.One(env)
	unit := s.loadUnit(p, env, b)
	gone := s.loadShare(env, b, unit)
	if gone == 1 && s.load.draw(p, env, s, b, unit, gone) {
		to = min(to, first)
	}
	for lane := from; lane < to; lane++ {
		y0, y1 := at.Y+s.laneY(env, b, lane), at.Y+s.laneY(env, b, lane+1)-timepane.One(env)
		if b.folded {
			y1 = y0 + env.Px(foldedLaneH) - 1
		}
		if plot := p.Plot(); (y0 < plot.Y0 || y1 > plot.Y1) && y1-y0 < plot.H() {
			continue // half a lane is useless
		}
		row := spanRow{
			track: b.track, lane: lane, y0: y0, y1: y1, from: len(s.bars), offset: b.offset,
			thin: b.folded || b.dense || lane >= b.lanes-b.low || lane < b.constant, root: b.root && lane == 0,
			measured: s.measures(env, b.track),
		}
		s.drawRow(p, env, &row)
		row.to = len(s.bars)
		s.rows = append(s.rows, row)
	}
	if gone > 0 && gone < 1 {
		s.load.draw(p, env, s, b, unit, gone)
	}
}

// drawRow queries and draws the bars of one lane.
func (s *spanLane) drawRow(p *timepane.Pane, env *panel.Env, row *spanRow) {
	v, plot := env.View, p.Plot()
	begin, end := v.Time().Visible()
	at := len(s.found)
	s.found = v.Session().Spans().Visible(row.track, row.lane, begin-row.offset, end-row.offset, s.minNs, s.found)
	found := s.found[at:]
	s.stops = v.Session().Track(row.track).StopsTouching(begin-row.offset, end-row.offset, s.stops[:0])
	if row.offset != 0 {
		for i := range found {
			found[i].Begin, found[i].End = found[i].Begin+row.offset, found[i].End+row.offset
		}
	}
	s.bars = slices.Grow(s.bars, len(found))
	base := int64(v.Time().BeginNs)
	frac := v.Time().BeginNs - float64(base)
	perNs := float64(plot.W()) / v.Time().Width()
	left, right := float64(plot.X0), float64(plot.X1)
	from, to := draw.PxInt(left-1), draw.PxInt(right+1)
	space := int(timepane.One(env))
	someHidden := v.Look().HidesCollectors()
	drawn := int(plot.X0) - 1 // right edge of the pixels drawn so far
	px := p.List().Row(row.y0, row.y1)
	plain := !s.searching && !row.measured && !row.root // merged bars are but a color: most of a picture
	colors, lit := s.pal.Plain()
	for i := range found {
		bar := &found[i]
		if someHidden && v.Look().Hidden(bar.Collector) {
			continue
		}
		fx0 := left + (float64(bar.Begin-base)-frac)*perNs
		fx1 := left + (float64(bar.End-base)-frac)*perNs
		if fx1 < left || fx0 > right {
			continue
		}
		x0, x1 := from, to // compared by hand: min and max handle NaN
		if fx0 > left-1 {
			x0 = draw.PxInt(fx0)
		}
		if fx1 < right+1 {
			x1 = draw.PxInt(fx1)
		}
		x0 = max(x0, drawn)
		x1 = max(x1, x0+1)
		if float32(x0) >= plot.X1 || fx1 < float64(drawn) { // outside, or within the pixel that was drawn last
			continue
		}
		drawn = x1
		n := len(s.bars)
		s.bars = s.bars[:n+1]
		d := &s.bars[n]
		d.bar, d.x0, d.x1 = bar, float32(x0), float32(x1)
		if !plain || bar.Count == 1 {
			s.drawBar(p, env, d, float32(space), row, &px)
			continue
		}
		if x1-x0 > 2*space {
			x1 -= space
		}
		var fill draw.Color
		c, outside := bar.Collector, s.selected.Leaves(bar.Begin, bar.End)
		if uint(c) < uint(len(colors)) && c != lit && !outside { // most of them
			fill = colors[c].Fill
		} else {
			fill = s.pal.Drawn(c, outside).Fill
		}
		px.Bar(float32(x0), float32(x1), s.shades.Mixed(fill, timepane.MergedShare(bar.Busy)))
	}
}

// drawBar draws one bar with its label.
func (s *spanLane) drawBar(p *timepane.Pane, env *panel.Env, d *drawnBar, space float32, row *spanRow, px *draw.Row) {
	l := p.List()
	outside := s.selected.Leaves(d.bar.Begin, d.bar.End)
	fill, text := s.pal.DrawnBar(d.bar, outside).Both()
	if row.measured {
		m := s.measured(row.track, d.bar)
		fill, text = s.pal.Toned(d.bar, outside, s.tones.Of(&m)).Both()
	} else if row.root && d.bar.Collector == 0 {
		fill = s.frameFill(env, d, row)
	}
	r := draw.Rect{X0: d.x0, Y0: row.y0, X1: d.x1, Y1: row.y1}
	if r.W() > 2*space { // a pixel of ground parts neighbours
		r.X1 -= space
	}
	if d.bar.Count > 1 {
		px.Bar(r.X0, r.X1, s.shades.Mixed(fill, timepane.MergedShare(d.bar.Busy)))
		if s.searching {
			s.markFound(l, env, r, d)
		}
		return
	}
	const open = model.SpanOpenBegin | model.SpanOpenEnd
	labelled := draw.Rect{X0: d.x0, Y0: row.y0, X1: d.x1, Y1: row.y1}
	stopped := s.isStop(d.bar, row.offset)
	switch {
	case stopped: // its name lies on the ground of the stop, left of the words there
		text = draw.Color(env.Theme.TextDim)
		in := p.Inside(labelled, 0, 0)
		_, words := panel.StopWords(s.buf[:0], env, in.W(), d.bar.End-d.bar.Begin)
		labelled.X1 = (in.X0 + in.X1 - words) / 2
	case d.bar.Flags&open != 0 && r.W() >= env.Px(10) && !row.thin && !row.root:
		r = s.tornEdges(p, env, r, d, fill)
	default:
		px.Bar(r.X0, r.X1, s.shades.Plain(fill))
	}
	if from, to, ok := s.selected.Cut(d.bar.Begin, d.bar.End); ok && !stopped && !row.root && !row.measured {
		text = s.drawCut(p, env, d, &labelled, [2]float32{p.PxOf(env, from), p.PxOf(env, to)}, text, px)
	}
	if d.bar.Flags&model.SpanUncertain != 0 {
		s.drawUncertain(p, env, r, d)
	}
	if s.searching {
		s.markFound(l, env, r, d)
	}
	if row.thin || row.root {
		return
	}
	if v := env.View; v.Selects(d.bar.Collector) {
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y1 - env.Px(2), X1: r.X1, Y1: r.Y1}, draw.Color(env.Theme.Text))
	}
	if r.W() >= s.labelled {
		s.label(p, env, d, labelled, text, row)
	}
}

// isStop reports whether a bar is a stop: each covers most of the other. A shorter span in a stop is work.
func (s *spanLane) isStop(b *spans.Bar, offset int64) bool {
	return slices.ContainsFunc(s.stops, func(x frames.Stop) bool {
		both := min(x.End+offset, b.End) - max(x.Begin+offset, b.Begin)
		return both > max(x.End-x.Begin, b.End-b.Begin)/2
	})
}

// drawCut draws the parts of a bar beside the selected part, so that these step back. It limits the room for
// the label to the widest part, and returns the color of its text.
func (s *spanLane) drawCut(
	p *timepane.Pane, env *panel.Env, d *drawnBar, room *draw.Rect, cut [2]float32, text draw.Color, px *draw.Row,
) draw.Color {
	x0, x1 := min(max(cut[0], d.x0), d.x1), min(max(cut[1], d.x0), d.x1)
	fill, dim := s.pal.DrawnBar(d.bar, true).Both()
	visible := p.Inside(*room, 0, 0)
	wide := min(x1, visible.X1) - max(x0, visible.X0)
	room.X0, room.X1 = x0, x1
	for _, part := range [...][2]float32{{d.x0, x0}, {x1, d.x1 - timepane.One(env)}} {
		if part[1] <= part[0] {
			continue
		}
		px.Bar(part[0], part[1], s.shades.Plain(fill))
		if w := min(part[1], visible.X1) - max(part[0], visible.X0); w > wide {
			wide, room.X0, room.X1, text = w, part[0], part[1], dim
		}
	}
	return text
}

// measures reports whether bars of a thread are measured: the baseline has the thread, and its bars are
// calls, not runs of samples. Others keep their colors.
func (s *spanLane) measures(env *panel.Env, track model.TrackID) bool {
	return s.base != nil && s.base.Knows(track) && !env.View.Session().Spans().Sampled(track)
}

// measured compares the length of a bar with the baseline. Merged bars, and bars with a lost begin or
// end, have no result.
func (s *spanLane) measured(track model.TrackID, b *spans.Bar) subject.Measured {
	const open = model.SpanOpenBegin | model.SpanOpenEnd
	if b.Count > 1 || b.Flags&open != 0 {
		return subject.Measured{}
	}
	e, known := s.base.Path(track, b.Path)
	return subject.MeasuredBy(e, known, subject.CallOf, float64(b.End-b.Begin))
}

// markFound outlines spans that the search finds.
func (s *spanLane) markFound(l *draw.List, env *panel.Env, r draw.Rect, d *drawnBar) {
	if s.pal.FoundBar(d.bar) {
		l.Outline(r, timepane.One(env), draw.Color(env.Theme.Accent))
	}
}

// drawUncertain hatches the part of a sampled span in which it ended: from the last sample of the
// stack with it to the first without, one step of the clock before its end. The next span began
// somewhere in there, too. A part narrower than 3 px is left plain, and if the step is unknown the
// whole span is uncertain.
func (s *spanLane) drawUncertain(p *timepane.Pane, env *panel.Env, r draw.Rect, d *drawnBar) {
	if s.stepNs > 1 {
		if float64(s.stepNs) < 3*float64(env.Scale)*p.NsPerPx() {
			return
		}
		r.X0 = max(r.X0, p.PxOf(env, d.bar.End-s.stepNs))
	}
	if r.X0 < r.X1 {
		p.List().Hatch(r, draw.Color(env.Theme.Panel).WithAlpha(110))
	}
}

// tornEdges draws a bar with unknown time beyond its begin or end: that edge is torn. It returns
// the whole part.
func (s *spanLane) tornEdges(
	p *timepane.Pane, env *panel.Env, r draw.Rect, d *drawnBar, fill draw.Color,
) draw.Rect {
	const teeth = 3
	l, plot, depth, whole := p.List(), p.Plot(), env.Px(5), r
	if d.bar.Flags&model.SpanOpenBegin != 0 && d.x0 > plot.X0 {
		whole.X0 += depth
	}
	if d.bar.Flags&model.SpanOpenEnd != 0 && d.x1 <= plot.X1 {
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

// frameFill returns the color of the bar of a whole frame: by budget on the view's track, muted
// elsewhere. Merged frames have that of the longest, as in the frame strip.
func (s *spanLane) frameFill(env *panel.Env, d *drawnBar, row *spanRow) draw.Color {
	v := env.View
	c := draw.Color(env.Theme.FrameBar)
	if row.track == v.Track() {
		longest := d.bar.End - d.bar.Begin
		if d.bar.Count > 1 {
			longest = s.longest.longestIn(v, d.bar, row)
		}
		c = subject.FrameColor(env.Theme, longest, v.Look().FrameBudgetNs())
	}
	c = draw.Mix(c, draw.Color(env.Theme.Panel), 90)
	if v.Pointer().Collector() == d.bar.Collector {
		c = draw.Highlight(c, env.Theme)
	}
	return c
}

// rowAt returns the lane that was drawn at a height, nil where none was. It reaches into the pixel
// between lanes, so that moving down a stack does not flicker.
func (s *spanLane) rowAt(pxY float32) *spanRow {
	for i := range s.rows {
		if row := &s.rows[i]; pxY >= row.y0 && pxY < row.y1+1 {
			return row
		}
	}
	return nil
}

// barAt returns the bar that was drawn at a point of the plot, nil where none was. One of a pixel
// or two is hard to meet: the nearest within two pixels counts.
func (s *spanLane) barAt(pxX, pxY float32) (*spanRow, *drawnBar) {
	const slop = 2
	var row *spanRow
	for k := range s.rows { // several where threads share a row
		if r := &s.rows[k]; pxY >= r.y0 && pxY < r.y1+1 {
			row = r
			i := s.barIndex(row, pxX)
			if i < row.to && s.bars[i].x0-pxX <= slop {
				return row, &s.bars[i]
			}
			if i > row.from && pxX-s.bars[i-1].x1 < slop {
				return row, &s.bars[i-1]
			}
		}
	}
	return row, nil
}

// barIndex returns the index of the first bar of a row that ends right of a position, row.to if
// none does.
func (s *spanLane) barIndex(row *spanRow, pxX float32) int {
	lo, hi := row.from, row.to
	for lo < hi {
		if mid := (lo + hi) / 2; s.bars[mid].x1 <= pxX {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// drawn returns the bar of a span where it was drawn by itself, nil where it was not.
func (s *spanLane) drawn(ref spans.Ref) (*spanRow, *drawnBar) {
	for i := range s.rows {
		row := &s.rows[i]
		if row.track != ref.Track || row.lane != int(ref.Lane) {
			continue
		}
		for j := row.from; j < row.to; j++ {
			if d := &s.bars[j]; d.bar.Ref == ref && d.bar.Count == 1 {
				return row, d
			}
		}
	}
	return nil, nil
}

// selectedAt returns where the selected span is, also where it was drawn as a part of one bar with others.
func (s *spanLane) selectedAt(p *timepane.Pane, v *view.View) (r draw.Rect, ok bool) {
	b := v.Span()
	if row, d := s.drawn(b.Ref); d != nil {
		return d.rect(row), true
	}
	for i := range s.rows {
		if row := &s.rows[i]; row.track == b.Ref.Track && row.lane == int(b.Ref.Lane) {
			x0, x1 := v.Time().ToPx(p.Plot(), b.Begin+row.offset), v.Time().ToPx(p.Plot(), b.End+row.offset)
			r = draw.Rect{X0: float32(x0), Y0: row.y0, X1: float32(max(x1, x0+1)), Y1: row.y1}
			return r, x1 >= float64(p.Plot().X0) && x0 <= float64(p.Plot().X1)
		}
	}
	return r, false
}

// Edges implements timepane.Snapper with the bars in the lane at a point.
func (s *spanLane) Edges(pxX, pxY float32, out []int64) []int64 {
	row := s.rowAt(pxY)
	if row == nil {
		return out
	}
	i := s.barIndex(row, pxX)
	for j := max(i-1, row.from); j <= i+1 && j < row.to; j++ {
		if bar := s.bars[j].bar; bar.Count == 1 {
			out = append(out, bar.Begin, bar.End)
		}
	}
	return out
}

// hitLoad reports whether a curve of load is at a point, and describes it.
func (s *spanLane) hitLoad(p *timepane.Pane, env *panel.Env, at timepane.Spot, hit *panel.Hit) bool {
	d, col := s.load.at(at.PxY, p.TimeAt(env, at.PxX))
	if col == nil {
		return false
	}
	hit.Kind, hit.Track, hit.Collector = panel.HitLoad, d.track, d.collectorAt(col, at.PxY)
	hit.Bar.Begin, hit.Bar.End = d.span(col)
	x0, x1, _ := p.PxRange(env, hit.Bar.Begin, hit.Bar.End)
	hit.Rect = draw.Rect{X0: x0, Y0: d.y0, X1: x1, Y1: d.y1}
	d.tip(env, p.Tip(), col)
	return true
}

// Hit implements timepane.Lane.
func (s *spanLane) Hit(p *timepane.Pane, env *panel.Env, b *block, at timepane.Spot, hit *panel.Hit) bool {
	row, d := s.barAt(at.PxX, at.PxY)
	if d == nil {
		return s.hitLoad(p, env, at, hit)
	}
	hit.Collector, hit.Bar, hit.Rect = d.bar.Collector, *d.bar, d.rect(row)
	hit.Track = row.track
	hit.Frame = env.View.Session().Track(row.track).FrameOf(d.bar.Ref, d.bar.Begin-b.offset)
	if d.bar.Count > 1 {
		hit.Kind = panel.HitMerged
		timepane.MergedTip(env, p.Tip(), d.bar, s.minNs)
		return true
	}
	hit.Kind = panel.HitSpan
	s.tips.Span(env, p.Tip(), row.track, d.bar, b.offset)
	if row.measured {
		m := s.measured(row.track, d.bar)
		m.Tip(p.Tip())
	}
	return true
}
