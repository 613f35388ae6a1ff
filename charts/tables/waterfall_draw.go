package tables

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/spans"
)

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
