// The panel on the path of one thing through a program, part after part: a buffer in the elements
// of a pipeline.

package tables

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/spans"
	"framescope/model/store"
)

// Waterfall shows the paths through a program, with a buffer on each, and below them the elements that
// had the one on the shown path, and for how long; if all fit, the elements of each path stand below it.
// On the path of the selected span that is the selected buffer; on the others the one nearest to the
// median of the selected range, else of the whole session. A mark shows the median of each element, as
// this buffer need not be usual there. A click on a path shows it, one on a row selects that stop in all
// panels.
type Waterfall struct {
	panel.Layers[baseKey, overKey]
	rect    draw.Rect
	ways    []flow.Way
	search  flow.Ways
	spread  [][]flow.Figures // of the stops of each path, in the range
	shown   int              // of ways, -1 none
	fresh   panel.Refresher
	rev     uint64
	scrollY float32
	height  float32        // of the rows
	rows    []waterfallRow // as drawn
	mode    panel.CachedText
	buf     []byte
	tip     panel.TipLines
}

// waterfallRow is a line of the picture: a path, or where the buffer of the shown path was.
type waterfallRow struct {
	r, bar draw.Rect
	way    int
	stop   int // -1: the path
}

type baseKey struct {
	view, rev uint64
	scrollY   float32
}

type overKey struct {
	x, y float32
	over bool
}

// NewWaterfall returns the panel.
func NewWaterfall() *Waterfall { return &Waterfall{shown: -1} }

// Title implements panel.Panel.
func (w *Waterfall) Title(*panel.Env) string { return "Latency waterfall" }

// Mode implements panel.Panel: which buffer it is.
func (w *Waterfall) Mode(env *panel.Env) string {
	b := w.buf[:0]
	if w.shown >= 0 && w.shown < len(w.ways) {
		b = appendWhich(b, &w.ways[w.shown])
	}
	w.buf = b
	return w.mode.Set(b)
}

// appendWhich names the shown buffer of a path, which is one of them, not a mean of all.
func appendWhich(b []byte, x *flow.Way) []byte {
	if x.N == 0 {
		return format.AppendCount(append(b, "the selected buffer, number "...), x.Passage.Number)
	}
	b = format.AppendCount(append(b, "buffer "...), x.Passage.Number)
	b = format.AppendPlural(append(b, ", nearest to the median of "...), x.N, "buffer", "buffers")
	if x.Cut {
		b = append(b, " in the middle"...)
	}
	return b
}

// Update implements panel.Panel.
func (w *Waterfall) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	w.rect = rect
	w.find(env)
	act := w.input(env, in)
	w.find(env)
	if w.BeginBase(env, rect, baseKey{env.View.Stamp(), w.rev, w.scrollY}) {
		w.draw(env)
	}
	over := overKey{}
	if in.Over {
		over = overKey{in.X, in.Y, true}
	}
	if w.BeginOver(over) && in.Over {
		if r := w.at(in.X, in.Y); r != nil {
			w.List().Outline(r.r, max(1, env.Scale), draw.Color(env.Theme.Text).WithAlpha(60))
		}
	}
	return act
}

// find brings the paths and their buffers up to date.
func (w *Waterfall) find(env *panel.Env) {
	v := env.View
	s := v.Session()
	ref := uint64(0)
	if v.HasSpan() {
		r := v.Span().Ref
		ref = uint64(r.Track)<<48 ^ uint64(r.Lane)<<40 ^ uint64(r.Index) + 1
	}
	key := panel.RangeKey{
		Session: s, Revision: s.Revision(), Track: v.Track(), Live: v.Live(), T0: v.RangeA(), T1: v.RangeB(), Calls: true, Extra: ref,
	}
	if !w.fresh.Due(env, key) {
		return
	}
	w.rev++
	t0, t1 := v.RangeA(), v.RangeB()
	if t1 <= t0 {
		t0, t1, _ = s.Bounds()
		t1++
	}
	was := model.NoTrack
	if w.shown >= 0 && w.shown < len(w.ways) {
		was = w.ways[w.shown].Track
	}
	w.collect(s, v, t0, t1)
	w.shown = slices.IndexFunc(w.ways, func(x flow.Way) bool { return x.N == 0 })
	for _, id := range [...]model.TrackID{v.Track(), was} {
		if w.shown < 0 {
			w.shown = slices.IndexFunc(w.ways, func(x flow.Way) bool { return x.Track == id })
		}
	}
	if w.shown < 0 && len(w.ways) > 0 {
		w.shown = 0
	}
	index := v.Causes().Flow()
	for len(w.spread) < len(w.ways) {
		w.spread = append(w.spread, nil)
	}
	for k := range w.ways {
		w.spread[k] = w.spread[k][:0]
		for i := range w.ways[k].Passage.Stops {
			b := &w.ways[k].Passage.Stops[i]
			w.spread[k] = append(w.spread[k], index.Passed(s.Track(b.Ref.Track).Def.Object, s.Collector(b.Collector).Name, t0, t1))
		}
	}
}

// collect finds the paths, those that take longest first, and a buffer on each.
func (w *Waterfall) collect(s *store.Session, v *view.View, t0, t1 int64) {
	var chosen spans.Passage
	if v.HasSpan() && !s.Track(v.Span().Ref.Track).Def.Kind.Calls() {
		s.Spans().Passage(v.Span().Ref, &chosen)
	}
	w.ways = w.search.Find(s, t0, t1, &chosen, w.ways[:0])
}

// input scrolls, and handles clicks.
func (w *Waterfall) input(env *panel.Env, in *panel.Input) panel.Action {
	if !in.Over {
		return panel.Action{}
	}
	if in.WheelY != 0 {
		w.scrollY -= in.WheelY * panel.WheelRowPx * env.Scale
	}
	w.scrollY = float32(int(min(max(w.scrollY, 0), max(w.height-w.rect.H(), 0))))
	r := w.at(in.X, in.Y)
	switch {
	case r == nil:
	case in.Right.Released && !in.Right.Dragging:
		return panel.MenuOf(w.HitTest(env, in.X, in.Y), in.X, in.Y)
	case !in.Left.Released || in.Left.Dragging:
	case r.stop >= 0:
		env.View.SelectSpan(w.ways[r.way].Passage.Stops[r.stop])
	case w.ways[r.way].N == 0:
	default:
		env.View.ClearThing()
		env.View.SetTrack(w.ways[r.way].Track)
	}
	return panel.Action{}
}

// at returns the row drawn at a point, or nil.
func (w *Waterfall) at(pxX, pxY float32) *waterfallRow {
	for i := range w.rows {
		if r := &w.rows[i]; r.r.Contains(pxX, pxY) && w.rect.Contains(pxX, pxY) {
			return r
		}
	}
	return nil
}

// HitTest implements panel.Panel.
func (w *Waterfall) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	hit := panel.NoHit()
	r := w.at(pxX, pxY)
	if r == nil {
		return hit
	}
	x := &w.ways[r.way]
	p := &x.Passage
	b := p.Way
	if r.stop >= 0 {
		b = p.Stops[r.stop]
	}
	hit.Kind, hit.Track, hit.Rect, hit.Bar = panel.HitLabel, b.Ref.Track, r.r, b
	w.tip.Begin()
	w.tip.Add(env.View.Session().Track(b.Ref.Track).Title())
	w.tip.Text("duration\t").Duration(b.End - b.Begin).End()
	if r.stop >= 0 {
		hit.Kind, hit.Collector, hit.TimeNs = panel.HitSpan, b.Collector, b.Begin
		w.tip.Text("begins\t").Text("+").Duration(b.Begin - p.Way.Begin).End()
		if n := x.Length(); n > 0 {
			w.tip.Text("of the way\t").Percent(float64(b.End-b.Begin) / float64(n)).End()
		}
		if f := &w.spread[r.way][r.stop]; f.N > 1 {
			w.tip.Text("median in it\t").Duration(int64(f.MedianNs)).Text(" of ").Count(f.N).End()
			w.tip.Text("p99 in it\t").Duration(int64(f.P99Ns)).End()
		}
		w.tip.Add("Click: select it in all panels")
	} else {
		w.tip.Text("number\t").Count(p.Number).Text(" of ").Count(p.Of).End()
		w.tip.If(x.N > 0).Text("nearest to the median of\t").Count(x.N).Text(" buffers").End()
		w.tip.If(!p.Whole).Add("Its path after the last stop was not traced.")
		w.tip.Add("Click: show this path")
	}
	hit.Lines = w.tip.All()
	return hit
}

// Sizes in scale-1 pixels.
const (
	axisH   = 22
	rowH    = 22
	rowMost = 36 // where there is room
	gapH    = 7  // between the paths and the stops
	barPad  = 6  // above and below a bar of the least height
	nameW   = 150
	namePad = 18 // left and right of a name
	stopIn  = 12 // how far a stop's name stands in below its path
	figureW = 72
	tickPx  = 80
)

// plot is where the bars of a picture lie, and how long they are.
type plot struct {
	x0, x1 float32
	most   int64 // ns at x1
	step   int64 // of the axis
	unit   format.TimeUnit
	rowH   float32
	all    bool    // each path has its stops below it
	pad    float32 // above and below a bar
}

func (p *plot) at(ns int64) float32 {
	return p.x0 + float32(float64(p.x1-p.x0)*float64(ns)/float64(max(p.most, 1)))
}

// draw fills the base of the list.
func (w *Waterfall) draw(env *panel.Env) {
	w.rows = w.rows[:0]
	l, th := w.List(), env.Theme
	if len(w.ways) == 0 {
		panel.DrawWords(l, env, w.rect, "Where a buffer spends its time, element after element.\n"+
			"No buffer was traced on its way from a source to a sink in this range.")
		return
	}
	p := plot{x1: w.rect.X1 - env.Px(figureW)}
	every := 0
	for i := range w.ways {
		p.most = max(p.most, w.ways[i].Length())
		every += w.rowsOf(i)
	}
	rows, gaps := float32(len(w.ways)-1+w.rowsOf(w.shown)), float32(gapH)
	if all := gapH * float32(len(w.ways)); env.Px(axisH+all)+float32(every)*env.Px(rowH) <= w.rect.H() {
		p.all, rows, gaps = true, float32(every), all
	}
	p.x0 = w.rect.X0 + w.namesPx(env, p.all)
	for i := range w.ways {
		if p.all || i == w.shown {
			p.most = max(p.most, w.farthest(i))
		}
	}
	p.rowH = panel.Snap(min(max((w.rect.H()-env.Px(axisH+gaps))/rows, env.Px(rowH)), env.Px(rowMost)))
	p.pad = panel.Snap(env.Px(barPad) * p.rowH / env.Px(rowH))
	p.unit = format.TimeUnitOf(float64(p.most), format.TimeUnit{})
	l.PushClip(w.rect)
	p.step = stepOf(env, &p)
	for ns := int64(0); ns <= p.most; ns += p.step {
		l.VLine(panel.Snap(p.at(ns)), w.rect.Y0, w.rect.Y1, env.Scale, draw.Color(th.Grid))
	}
	y := w.rect.Y0 + env.Px(axisH) - w.scrollY
	top := y
	for i := range w.ways {
		w.drawWay(env, &p, i, y)
		if y += p.rowH; p.all {
			y = w.drawStops(env, &p, i, y)
			if i+1 < len(w.ways) {
				l.HLine(w.rect.X0, w.rect.X1, y+env.Px(gapH/2), env.Scale, draw.Color(th.Separator))
			}
			y += env.Px(gapH)
		}
	}
	if !p.all {
		l.HLine(w.rect.X0, w.rect.X1, y+env.Px(gapH/2), env.Scale, draw.Color(th.Separator))
		y = w.drawStops(env, &p, w.shown, y+env.Px(gapH))
	}
	w.height = y - top + env.Px(axisH)
	w.drawAxis(env, &p)
	l.PopClip()
}

// rowsOf returns how many rows a path has with its stops.
func (w *Waterfall) rowsOf(way int) int {
	n := 1 + len(w.ways[way].Passage.Stops)
	if !w.ways[way].Passage.Whole {
		n++
	}
	return n
}

// drawStops draws the elements that had the buffer of a path, from y on, and returns the end.
func (w *Waterfall) drawStops(env *panel.Env, p *plot, way int, y float32) float32 {
	x := &w.ways[way]
	for i := range x.Passage.Stops {
		w.drawStop(env, p, way, i, y)
		y += p.rowH
	}
	if !x.Passage.Whole {
		w.drawUnknown(env, p, x, y)
		y += p.rowH
	}
	return y
}

// namesPx is how wide the names of the rows are: as wide as the widest needs, within two fifths of the
// panel, but where that is less than usual.
func (w *Waterfall) namesPx(env *panel.Env, all bool) float32 {
	widest := float32(0)
	measure := func(id model.TrackID) {
		widest = max(widest, env.Atlas.Measure(draw.Regular, env.View.Session().Track(id).Title()))
	}
	for i := range w.ways {
		measure(w.ways[i].Track)
		for k := range w.ways[i].Passage.Stops {
			if all || i == w.shown {
				measure(w.ways[i].Passage.Stops[k].Ref.Track)
			}
		}
	}
	usual := min(env.Px(nameW), w.rect.W()/3)
	return panel.Snap(min(max(widest+env.Px(namePad), usual), max(w.rect.W()*0.4, usual)))
}

// drawAxis draws the times since the buffer left its source, over the scrolled rows.
func (w *Waterfall) drawAxis(env *panel.Env, p *plot) {
	l, th := w.List(), env.Theme
	head := draw.Rect{X0: w.rect.X0, Y0: w.rect.Y0, X1: w.rect.X1, Y1: w.rect.Y0 + env.Px(axisH)}
	l.Rect(head, draw.Color(th.Panel))
	name := draw.Rect{X0: head.X0 + env.Px(10), Y0: head.Y0, X1: p.x0 - env.Px(6), Y1: head.Y1}
	const since, marks = " since its source", ", mark at the median, line to p99"
	for _, words := range [...]string{since + marks, marks, since} {
		w.buf = append(append(w.buf[:0], p.unit.Name...), words...)
		if l.TextFit(draw.Small, name, draw.Left, panel.ScratchText(w.buf), draw.Color(th.TextDim)) {
			break
		}
	}
	for ns := int64(0); ns <= p.most; ns += p.step {
		x := panel.Snap(p.at(ns))
		l.VLine(x, head.Y1-env.Px(4), head.Y1, env.Scale, draw.Color(th.Grid))
		if w.buf = p.unit.Append(w.buf[:0], float64(ns)); ns == 0 {
			w.buf = append(w.buf[:0], '0')
		}
		at := draw.Rect{X0: x - env.Px(tickPx/2), Y0: head.Y0, X1: x + env.Px(tickPx/2), Y1: head.Y1 - env.Px(3)}
		l.TextIn(draw.Small, at, draw.Center, panel.ScratchText(w.buf), draw.Color(th.Text2))
	}
}

// stepOf returns the distance of the times on the axis, ns: 1, 2 or 5 of a power of ten.
func stepOf(env *panel.Env, p *plot) int64 {
	for base := int64(1); ; base *= 10 {
		for _, n := range [...]int64{1, 2, 5} {
			if p.at(n*base)-p.x0 >= env.Px(tickPx) || n*base > p.most {
				return n * base
			}
		}
	}
}

// line begins a row: its ground, its name, and its figure at the right.
func (w *Waterfall) line(env *panel.Env, p *plot, y float32, name string, ns int64, chosen, stop bool) draw.Rect {
	l, th := w.List(), env.Theme
	r := draw.Rect{X0: w.rect.X0, Y0: y, X1: w.rect.X1, Y1: y + p.rowH}
	col := draw.Color(th.Text)
	if chosen {
		l.Rect(r, draw.Color(th.Chosen))
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + env.Px(2), Y1: r.Y1}, draw.Color(th.Accent))
	}
	at := r
	at.X0, at.X1 = r.X0+env.Px(10), p.x0-env.Px(6)
	if stop && p.all { // of the path above it
		at.X0 += env.Px(stopIn)
	}
	l.NameIn(draw.Regular, at, draw.Left, name, col)
	at.X0, at.X1 = p.x1+env.Px(6), r.X1-env.Px(12)
	w.buf = p.unit.Append(w.buf[:0], float64(ns))
	l.TextIn(draw.Regular, at, draw.Right, panel.ScratchText(w.buf), col)
	return r
}

// bar draws a part of a row.
func (w *Waterfall) bar(env *panel.Env, p *plot, r draw.Rect, fromNs, toNs int64, b *spans.Bar) draw.Rect {
	bar := draw.Rect{X0: panel.Snap(p.at(fromNs)), Y0: r.Y0 + p.pad, X1: panel.Snap(p.at(toNs)), Y1: r.Y1 - p.pad}
	bar.X1 = max(bar.X1, bar.X0+max(1, env.Scale))
	w.List().Rect(bar, env.Palette().DrawnBar(b, false).Fill)
	return bar
}

// drawWay draws a path in one row: the way of its buffer.
func (w *Waterfall) drawWay(env *panel.Env, p *plot, i int, y float32) {
	x := &w.ways[i]
	r := w.line(env, p, y, env.View.Session().Track(x.Track).Title(), x.Length(), i == w.shown, false)
	begin := x.Passage.Way.Begin
	end := begin
	for k := range x.Passage.Stops {
		b := &x.Passage.Stops[k]
		w.bar(env, p, r, b.Begin-begin, b.End-begin, b)
		end = b.End
	}
	if !x.Passage.Whole {
		w.hatch(env, p, r, end-begin, x.Length())
	}
	if p.all { // beside the bar, or before a spinner
		w.buf = appendWhich(w.buf[:0], x)
		at := draw.Rect{X0: p.at(x.Length()) + env.Px(8), Y0: r.Y0, X1: p.x1, Y1: r.Y1}
		w.List().TextFit(draw.Small, at, draw.Left, panel.ScratchText(w.buf), draw.Color(env.Theme.Text2))
	}
	w.rows = append(w.rows, waterfallRow{r: r, way: i, stop: -1})
}

// hatch marks a part of a way without a known element.
func (w *Waterfall) hatch(env *panel.Env, p *plot, r draw.Rect, fromNs, toNs int64) draw.Rect {
	bar := draw.Rect{X0: panel.Snap(p.at(fromNs)), Y0: r.Y0 + p.pad, X1: panel.Snap(p.at(toNs)), Y1: r.Y1 - p.pad}
	w.List().Hatch(bar, draw.Color(env.Theme.Hatch))
	return bar
}

// drawStop draws the element that had the buffer of the shown path, when and for how long, joined
// to the stop before.
func (w *Waterfall) drawStop(env *panel.Env, p *plot, way, i int, y float32) {
	x := &w.ways[way]
	v, b, begin := env.View, &x.Passage.Stops[i], x.Passage.Way.Begin
	chosen := v.HasSpan() && v.Span().Ref == b.Ref
	r := w.line(env, p, y, v.Session().Track(b.Ref.Track).Title(), b.End-b.Begin, chosen, true)
	bar := w.bar(env, p, r, b.Begin-begin, b.End-begin, b)
	if i > 0 {
		w.List().VLine(bar.X0, r.Y0-p.pad, bar.Y0, max(1, env.Scale), draw.Color(env.Theme.TextDim))
	}
	if chosen {
		w.List().Outline(bar.Inset(-1), env.Px(2), draw.Color(env.Theme.Accent))
	}
	if c := v.Session().Collector(b.Collector); c != nil && c.Waits {
		at := bar
		at.X0, at.Y0, at.Y1 = at.X0+env.Px(5), r.Y0, r.Y1
		if !w.List().TextFit(draw.Small, at, draw.Left, "waiting in the queue", draw.Color(env.Theme.WaitText)) {
			w.List().TextFit(draw.Small, at, draw.Left, "waiting", draw.Color(env.Theme.WaitText))
		}
	}
	if i < len(w.spread[way]) {
		w.drawSpread(env, p, &w.spread[way][i], bar, b.Begin-begin)
	}
	w.rows = append(w.rows, waterfallRow{r: r, bar: bar, way: way, stop: i})
}

// farthest is up to when of a way the picture reaches, ns, so that all but one in a hundred buffers in
// each element are in it; where these are far longer, half as far again as the way.
func (w *Waterfall) farthest(way int) (ns int64) {
	x := &w.ways[way]
	for i := range w.spread[way] {
		if f := &w.spread[way][i]; i < len(x.Passage.Stops) && f.N > 0 {
			ns = max(ns, x.Passage.Stops[i].Begin-x.Passage.Way.Begin+int64(f.P99Ns))
		}
	}
	return min(ns, x.Length()*3/2)
}

// drawSpread draws a mark at the median of the times of the range's buffers in the element, and a line
// from the end of the bar to their 99th percentile, as if each had come to it when the shown one did.
func (w *Waterfall) drawSpread(env *panel.Env, p *plot, f *flow.Figures, bar draw.Rect, fromNs int64) {
	if f.N < 2 {
		return
	}
	l, c := w.List(), draw.Color(env.Theme.Text2)
	if mid := fromNs + int64(f.MedianNs); mid <= p.most {
		x, over := panel.Snap(p.at(mid)), env.Px(2)
		l.Rect(draw.Rect{X0: x, Y0: bar.Y0 - over, X1: x + env.Px(2), Y1: bar.Y1 + over}, draw.Color(env.Theme.Text))
	}
	to := fromNs + int64(f.P99Ns)
	x1, y := panel.Snap(min(p.at(to), p.x1)), panel.Snap((bar.Y0+bar.Y1)/2)
	if x1 <= bar.X1 {
		return
	}
	l.HLine(bar.X1, x1, y, env.Px(1), c)
	if cap := env.Px(3); to <= p.most {
		l.VLine(x1, y-cap, y+cap+env.Px(1), env.Px(1), c)
	}
}

// drawUnknown draws the end of a way that is not known.
func (w *Waterfall) drawUnknown(env *panel.Env, p *plot, x *flow.Way, y float32) {
	begin := x.Passage.Way.Begin
	end := begin
	if n := len(x.Passage.Stops); n > 0 {
		end = x.Passage.Stops[n-1].End
	}
	r := w.line(env, p, y, "not traced", x.Length()-(end-begin), false, true)
	w.hatch(env, p, r, end-begin, x.Length())
}
