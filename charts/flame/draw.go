package flame

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/spans"
)

// flameDrawKey is the extra inputs of the picture that the view's stamp does not cover.
type flameDrawKey struct {
	view                    uint64
	begin, end              float64
	tree                    flameTreeKey
	source                  flameSource
	scrollY                 float32
	hover, crumb            int
	head, flip, all, locked bool
	mean, zoomed, depth     int
}

// rowHeight is the height of a bar with its separator.
func (f *Graph) rowHeight(env *panel.Env) float32 { return env.Px(20) }

// drawKey returns the present inputs of the picture.
func (f *Graph) drawKey(env *panel.Env) flameDrawKey {
	return flameDrawKey{
		view: env.View.Stamp(), begin: f.axis.BeginNs, end: f.axis.EndNs, tree: f.treeKey, source: f.source,
		scrollY: f.scrollY, hover: f.hoverAt, crumb: f.crumbs.Hover, head: !f.regions.head.Empty(), flip: f.Flip,
		all: f.all(env), locked: f.Locked, mean: f.MeanFrames, zoomed: f.found, depth: len(f.zoom),
	}
}

// pane returns the place of the rows, and the visible part of the axis.
func (f *Graph) pane(env *panel.Env) pane {
	plot := f.regions.plot
	p := pane{
		plot: plot, y: plot.Y0 - f.scrollY, row: f.rowHeight(env), line: env.Px(1), up: f.Flip,
		begin: f.axis.BeginNs, end: f.axis.EndNs, rows: math.MaxInt32,
	}
	if p.up {
		p.y = plot.Y1 + f.scrollY
	}
	return p
}

// placeKey is the inputs of the bars on the screen.
type placeKey struct {
	tree         flameTreeKey
	nodes        int
	plot         draw.Rect
	begin, end   float64
	scrollY, row float32
	flip         bool
}

// placeKey returns the present inputs of the bars.
func (f *Graph) placeKey(env *panel.Env) placeKey {
	return placeKey{f.treeKey, len(f.nodes), f.regions.plot, f.axis.BeginNs, f.axis.EndNs, f.scrollY, f.rowHeight(env),
		f.Flip}
}

// place computes the bars on the screen.
func (f *Graph) place(env *panel.Env) {
	plot := f.regions.plot
	if f.placed == f.placeKey(env) {
		return
	}
	defer func() { f.placed = f.placeKey(env) }()
	f.bars = f.bars[:0]
	if f.total <= 0 || !f.axis.Valid() || plot.W() < 2 {
		f.scrollY = 0
		return
	}
	p := f.pane(env)
	f.bars, f.deep = p.bars(&f.forest, f.bars), 0
	for i := range f.bars {
		f.deep = max(f.deep, int(f.nodes[f.bars[i].node].Depth)+1)
	}
	scrolled := f.scrollY
	f.scrollY = max(0, min(scrolled, f.over(env)))
	if up := scrolled - f.scrollY; up != 0 {
		if f.Flip {
			up = -up
		}
		for i := range f.bars {
			r := &f.bars[i].rect
			r.Y0, r.Y1 = r.Y0+up, r.Y1+up
		}
	}
}

// over is how much higher the rows with bars in view are than the room for them, px.
func (f *Graph) over(env *panel.Env) float32 {
	return float32(f.deep)*f.rowHeight(env) - f.regions.plot.H()
}

// barAt returns the index of the bar under a point, -1 none.
func (f *Graph) barAt(pxX, pxY float32) int {
	if !f.regions.plot.Contains(pxX, pxY) {
		return -1
	}
	return slices.IndexFunc(f.bars, func(b flameBar) bool { return b.rect.Contains(pxX, pxY) })
}

func (f *Graph) draw(env *panel.Env) {
	l := f.List()
	if head := f.regions.head; !head.Empty() {
		head.X0, head.X1 = head.X0+env.Px(9), head.X1-env.Px(9)
		f.crumbs.Draw(l, env, head)
	}
	if f.drawWords(env) {
		return
	}
	f.drawRuler(env)
	l.PushClip(f.regions.plot)
	f.pal = env.Palette()
	for i := range f.bars {
		f.drawSelf(env, &f.bars[i])
	}
	for i := range f.bars {
		f.drawBar(env, i)
	}
	f.drawTypical(env)
	f.drawTarget(env)
	l.PopClip()
	f.drawEdge(env)
}

// drawWords explains why there is no graph; false when there is one.
func (f *Graph) drawWords(env *panel.Env) bool {
	l, plot := f.List(), f.regions.plot
	switch {
	case env.View.None():
		panel.DrawWords(l, env, plot, "Calls inside calls, and their time.\nConnect a game or open a recording.")
	case f.shared.Waits() && f.shared.Tree() == nil:
		panel.DrawWords(l, env, plot, panel.Building)
	case f.source.kind == subject.SourceEmpty:
		panel.DrawWords(l, env, plot, "Calls inside calls, and their time.\n"+panel.NoFrame)
	case f.source.kind == subject.SourceMissing:
		l.Hatch(plot, draw.Color(env.Theme.Hatch))
		f.buf = subject.AppendMissingFrames(f.buf[:0], f.source.first, f.source.last)
		f.buf[0] -= 'f' - 'F'
		f.buf = append(f.buf, ".\nStep with the arrow keys to the frames before and after."...)
		w := env.Px(330)
		mid, midY := (plot.X0+plot.X1)/2, (plot.Y0+plot.Y1)/2
		box := draw.Rect{X0: mid - w/2, Y0: midY - env.Px(26), X1: mid + w/2, Y1: midY + env.Px(26)}.Intersect(plot)
		l.Rect(box, draw.Color(env.Theme.Panel).WithAlpha(235))
		panel.DrawWords(l, env, box, panel.ScratchText(f.buf))
	case f.total <= 0 && f.Focus != model.NoCollector:
		f.buf = append(append(f.buf[:0], env.View.Session().Collector(f.Focus).Title()...), " did not run here."...)
		panel.DrawWords(l, env, plot, panel.ScratchText(f.buf))
	case f.total <= 0:
		panel.DrawWords(l, env, plot, "Nothing ran here.")
	default:
		return false
	}
	return true
}

// layHead names the way back.
func (f *Graph) layHead(env *panel.Env) {
	r := &f.crumbs
	r.Begin()
	defer r.End()
	s := env.View.Session()
	first := "All threads"
	if !f.all(env) {
		first = "Thread"
		if t := s.Track(f.track(env)); t != nil {
			first = t.Title()
		}
	}
	if f.Focus != model.NoCollector {
		first = s.Collector(f.Focus).Name
	}
	r.Add(panel.Crumb{Text: first, Key: 0})
	if f.found < 0 && f.focused() != model.NoCollector { // everything is shown
		words := append(append(f.away.New(), s.Collector(f.focused()).Name...), " did not run here"...)
		r.Add(panel.Crumb{Text: f.away.Set(words), Collector: f.focused(), Key: len(f.zoom)})
		return
	}
	for i, c := range f.zoom {
		r.Add(panel.Crumb{Text: s.Collector(c).Name, Collector: c, Key: i + 1})
	}
}

// focused returns the collector of the bar zoomed to, NoCollector of the whole graph.
func (f *Graph) focused() model.CollectorID { return f.focus.Last() }

// drawRuler draws a scale of durations from the left edge of the zoomed bar, and moves with it:
// bars have no place in time.
func (f *Graph) drawRuler(env *panel.Env) {
	r, l := f.regions.ruler, f.List()
	if r.Empty() {
		return
	}
	for _, m := range f.markRuler(env) {
		x := m.x
		l.VLine(x, r.Y1-env.Px(3), f.regions.plot.Y1, env.Px(1), draw.Color(env.Theme.Grid))
		f.buf = f.appendTick(f.buf[:0], m.ns)
		w := env.Atlas.Measure(draw.Small, panel.ScratchText(f.buf))
		x0 := max(x-w/2, r.X0)
		if x0+w <= r.X1 {
			l.Text(draw.Small, x0, r.Y0, panel.ScratchText(f.buf), draw.Color(env.Theme.Text2))
		}
	}
}

// rulerMark is a duration that the ruler marks, and where.
type rulerMark struct {
	ns int64
	x  float32
}

// markRuler returns the marks of the ruler.
func (f *Graph) markRuler(env *panel.Env) []rulerMark {
	r := f.regions.ruler
	perPx := f.axis.NsPerPx(r)
	step := format.NiceStep(perPx * float64(env.Px(84)))
	switch f.unit.Kind {
	case format.UnitPlain: // counts have no fractions
		step = max(step, int64(subject.UnitsOf(f.unit)))
	case format.UnitBytes:
		step = max(int64(f.unit.Step(int(r.W()/env.Px(84)), f.axis.Width())), 1)
	}
	f.marks = f.marks[:0]
	left := f.axis.BeginNs - f.originNs()
	for t := max(0, int64(math.Ceil(left/float64(max(step, 1))))*step); float64(t) <= left+f.axis.Width() && step > 0 &&
		len(f.marks) < 1000; t += step {
		f.marks = append(f.marks, rulerMark{t, r.X0 + panel.Snap(float32((float64(t)-left)/perPx))})
	}
	return f.marks
}

// drawTarget marks the frame budget, where the whole graph is shown and it is in view.
func (f *Graph) drawTarget(env *panel.Env) {
	plot := f.regions.plot
	if f.found >= 0 || f.Focus != model.NoCollector || f.source.partial || f.all(env) ||
		f.measure != spans.MeasureDuration {
		return
	}
	b := float64(subject.Budget(env))
	if b <= f.axis.BeginNs || b >= f.axis.EndNs {
		return
	}
	x := plot.X0 + panel.Snap(float32((b-f.axis.BeginNs)/f.axis.NsPerPx(plot)))
	top := plot.Y0 // top of the part of the line below the words, which it does not cross
	line := func(y1 float32) {
		f.List().DashedV(x, top, y1, env.Px(1), env.Px(5), env.Px(4), draw.Color(env.Theme.Target))
	}
	words := f.typical.words
	if !words.Empty() && x >= words.X0-env.Px(2) && x <= words.X0+f.measureTypical(env)+env.Px(2) {
		line(words.Y0)
		top = words.Y1
	}
	line(plot.Y1)
	f.buf = format.AppendRate(f.buf[:0], subject.Budget(env))
	w := env.Atlas.Measure(draw.Small, panel.ScratchText(f.buf))
	r := draw.Rect{X0: min(x+env.Px(4), plot.X1-w), Y0: plot.Y1 - env.Px(16), Y1: plot.Y1}
	r.X1 = r.X0 + w
	for _, bars := range [...][]flameBar{f.bars, f.typical.bars} { // the ruler has it, too
		for i := range bars {
			if !bars[i].rect.Intersect(r).Empty() {
				return
			}
		}
	}
	if !words.Intersect(r).Empty() {
		return
	}
	f.List().Text(draw.Small, r.X0, r.Y0, panel.ScratchText(f.buf), draw.Color(env.Theme.Text2))
}

// drawSelf tints, in the row of a bar's children, the part that is the bar's self time.
func (f *Graph) drawSelf(env *panel.Env, b *flameBar) {
	n := f.node(b.node)
	if b.merged > 1 || n.self <= 0 || n.next == b.node+1 {
		return
	}
	perPx := f.axis.NsPerPx(f.regions.plot)
	w := panel.Snap(float32(n.self / perPx))
	if w < 2 {
		return
	}
	p := f.pane(env)
	r := p.rect(n.depth+1, b.rect.X1-w, b.rect.X1)
	fill := f.pal.Fill(n.collector)
	if f.against.base != nil {
		fill = draw.Color(env.Theme.Even)
	}
	f.List().Rect(r, fill.WithAlpha(34))
}

func (f *Graph) drawBar(env *panel.Env, i int) {
	b := &f.bars[i]
	plot, v, l, th := f.regions.plot, env.View, f.List(), env.Theme
	if b.rect.Y1 <= plot.Y0 || b.rect.Y0 >= plot.Y1 {
		return
	}
	n := f.node(b.node)
	r := b.rect
	if r.W() >= 3 {
		r.X1 -= env.Px(1)
	}
	if b.merged > 1 {
		c := draw.Color(format.Pick(i == f.hoverAt, th.Text2, th.TextDim))
		l.Rect(r, c)
		return
	}
	fill, text := f.pal.Drawn(n.collector, false).Both()
	var m subject.Measured
	if f.against.nodes.Known {
		m = f.measuredBy(b.node)
		fill, text = f.pal.Tone(n.collector, f.against.tones.Of(&m)).Both()
	}
	if v.Look().Hidden(n.collector) {
		fill, text = draw.Dim(fill, th.Panel), draw.Color(th.TextDim)
	}
	l.Rect(r, fill)
	if panel.Sunken(env, fill, f.pal.Found(n.collector)) {
		l.Outline(r, env.Px(1), draw.Color(th.TextDim))
	}
	if f.pal.Found(n.collector) {
		l.Outline(r, env.Px(1), draw.Color(th.Accent))
	}
	if v.Selects(n.collector) && r.W() >= 4 {
		l.Outline(r, env.Px(2), draw.Color(th.Accent))
	} else if i == f.hoverAt && r.W() >= 4 {
		l.Outline(r, env.Px(1), draw.Color(th.Text).WithAlpha(150))
	}
	f.drawBarText(env, &f.forest, &n, r, text, &m)
}

// drawBarText writes a bar's name and duration, or the difference to the baseline, if they fit, else the name
// alone, else nothing.
func (f *Graph) drawBarText(
	env *panel.Env, of *forest, n *flameNode, r draw.Rect, text draw.Color, m *subject.Measured,
) {
	l, s := f.List(), env.View.Session()
	box := r.Intersect(f.regions.plot)
	box.X0 += env.Px(5)
	box.X1 -= env.Px(3)
	if box.W() < env.Px(12) {
		return
	}
	d := s.Collector(n.collector)
	own := draw.WithoutAddress(d.Name)
	f.buf = append(f.buf[:0], own...)
	w := env.Atlas.Measure(draw.Regular, own)
	// The static parent is named where it is not the bar's caller (VIEWER.md section 10.2).
	if d.Parent > 0 && d.Parent != d.ID && (n.parent < 0 || of.nodes[n.parent].Collector != d.Parent) {
		f.buf = append(append(append(f.buf[:0], s.Collector(d.Parent).Name...), ':'), own...)
		if long := env.Atlas.Measure(draw.Regular, panel.ScratchText(f.buf)); long <= box.W() {
			w = long
		} else {
			f.buf = append(f.buf[:0], own...)
		}
	}
	if name := len(f.buf); w <= box.W() {
		l.TextFit(draw.Regular, box, draw.Left, panel.ScratchText(f.buf), text)
		if m.Known {
			f.buf = m.AppendDelta(f.buf)
		} else {
			f.buf = f.append(f.buf, n.total)
		}
		box.X0 += w + env.Px(8)
		l.TextFit(draw.Regular, box, draw.Left, panel.ScratchText(f.buf[name:]), text)
		return
	}
	l.NameIn(draw.Regular, box, draw.Left, panel.ScratchText(f.buf), text)
}

// drawEdge shades the edge beyond which there are more rows.
func (f *Graph) drawEdge(env *panel.Env) {
	plot := f.regions.plot
	over, h := f.over(env), env.Px(10)
	shade, none := draw.Color(env.Theme.Panel).WithAlpha(220), draw.Color(env.Theme.Panel).WithAlpha(0)
	far, near := f.scrollY < over-1, f.scrollY > 1
	if f.Flip {
		far, near = near, far
	}
	if far {
		f.List().Gradient(draw.Rect{X0: plot.X0, Y0: plot.Y1 - h, X1: plot.X1, Y1: plot.Y1}, none, shade)
	}
	if near {
		f.List().Gradient(draw.Rect{X0: plot.X0, Y0: plot.Y0, X1: plot.X1, Y1: plot.Y0 + h}, shade, none)
	}
}

// append appends a width on the axis as a figure of the graph's measure.
func (f *Graph) append(dst []byte, units float64) []byte {
	return subject.AppendMeasured(dst, f.treeKey.session, f.measure, int64(units/subject.UnitsOf(f.unit)+0.5))
}

// appendTick appends a tick of the ruler.
func (f *Graph) appendTick(dst []byte, units int64) []byte {
	switch {
	case units == 0:
		return append(dst, '0')
	case f.unit.Kind != format.UnitTime:
		return f.unit.Round(dst, float64(units)/subject.UnitsOf(f.unit))
	}
	return format.AppendRoundDuration(dst, units)
}
