package details

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// scale chooses the range of the histogram by the known values; false: all are alike.
func (p *Panel) scale(one, many string) bool {
	p.one, p.many, p.all, p.looked = one, many, 0, 0
	p.lo, p.hi, p.at, p.most = 0, p.stats.P99*1.25, -1, 0
	p.hi = max(p.hi, p.stats.P95*1.25, p.stats.Median*1.5)
	if p.stats.Max < p.hi {
		p.hi = p.stats.Max
	}
	if p.stats.Min > 0 {
		p.lo = p.stats.Min
	}
	if !(p.hi > p.lo) {
		return false
	}
	p.counts = append(p.counts[:0], make([]int32, histogramBins)...)
	return true
}

// binned is a counted value, and its time, or the index of its frame.
type binned struct {
	value float64
	at    int64
}

// count counts a value.
func (p *Panel) count(v float64, at int64) {
	p.values = append(p.values, binned{v, at})
	p.looked++
	k := p.bin(v)
	p.counts[k]++
	p.most = max(p.most, p.counts[k])
}

// histogram counts the collector's value in each frame. The strip chart's query gives the value of
// each frame once there are enough columns; of a longer session it shows a sample of equal
// distances in time, which keeps the cost bounded.
func (p *Panel) histogram(t *store.Track, of subjectOf, several bool) {
	if !p.scale("frame", "frames") {
		return
	}
	first, last := t.Frame(of.first), t.Frame(of.last)
	p.all = int64(of.last - of.first + 1)
	const columns = 2048
	of.session.Frames().Strip(frames.StripQuery{Track: of.track, Focus: of.collector, Levels: of.level, T0: first.Begin,
		T1: last.End, Columns: columns, Mode: frames.StripHold}, &p.strip)
	seen := int32(-1)
	for _, c := range p.strip.Columns {
		if c.State != frames.ColumnData || c.Frame == seen || c.Frame < 0 {
			continue
		}
		seen = c.Frame
		p.count(float64(c.Net), int64(c.Frame))
	}
	if p.here.Frames > 0 && !several {
		p.at = p.bin(p.here.Mean)
	}
}

func (p *Panel) bin(v float64) int {
	return min(max(int((v-p.lo)/(p.hi-p.lo)*histogramBins), 0), histogramBins-1)
}

// binAt returns the bar at x.
func (p *Panel) binAt(pxX float32) int {
	return min(int((pxX-p.bins.X0)/p.bins.W()*histogramBins), histogramBins-1)
}

// beyond reports whether the last bar includes the values above the upper edge.
func (p *Panel) beyond() bool { return p.stats.Max > p.hi*1.0001 }

// lengths names the values of a bar.
func (p *Panel) lengths(bin int) string {
	w := (p.hi - p.lo) / histogramBins
	from := p.value(p.of, p.lo+float64(bin)*w)
	if bin == histogramBins-1 && p.beyond() {
		return from + " and more"
	}
	return from + " – " + p.value(p.of, p.lo+float64(bin+1)*w)
}

// counted returns how many frames, or other things, a bar stands for, and of how many if not all were
// read.
func (p *Panel) counted(bin int) string {
	b := format.AppendPlural(nil, int64(p.counts[bin]), p.one, p.many)
	if p.looked < p.all {
		b = append(format.AppendCount(append(b, " of "...), p.looked), " looked at"...)
	}
	return string(b)
}

// drawHistogram paints the distribution in the rest of the room, at most so high at scale 1.
func (p *Panel) drawHistogram(env *panel.Env, of subjectOf, y, height float32, hover int) {
	t, l := env.Theme, p.Out
	axis := env.Px(16)
	r := draw.Rect{X0: p.rect.X0 + env.Px(10), Y0: y, X1: p.rect.X1 - env.Px(10), Y1: min(p.rect.Y1-env.Px(5),
		y+env.Px(height))}
	if r.H() < env.Px(34) || len(p.counts) == 0 || p.most == 0 {
		return
	}
	plot := r
	plot.Y1 -= axis
	p.bins = plot
	step := plot.W() / histogramBins
	for i, n := range p.counts {
		x0, x1 := plot.X0+float32(int(float32(i)*step)), plot.X0+float32(int(float32(i+1)*step))
		if i == hover {
			l.Rect(draw.Rect{X0: x0, Y0: plot.Y0, X1: x1, Y1: plot.Y1}, draw.Color(t.Hover))
		}
		if n == 0 {
			continue
		}
		h := max(env.Px(1), plot.H()*format.LogShare(int64(n), int64(p.most)))
		c := format.Pick(i == p.at, t.Accent, t.FrameBar)
		l.Rect(draw.Rect{X0: x0, Y0: plot.Y1 - h, X1: max(x0+1, x1-env.Px(1)), Y1: plot.Y1}, draw.Color(c))
	}
	l.HLine(plot.X0, plot.X1, plot.Y1, 1, draw.Color(t.Separator))
	foot := draw.Rect{X0: r.X0, Y0: plot.Y1, X1: r.X1, Y1: r.Y1}
	l.TextFit(draw.Small, foot, draw.Left, p.value(of, p.lo), draw.Color(t.TextDim))
	right := p.value(of, p.hi)
	if p.beyond() {
		right = "≥ " + right
	}
	l.TextFit(draw.Small, foot, draw.Right, right, draw.Color(t.TextDim))
	if env.Atlas.Measure(draw.Small, right)*2+env.Px(70) < foot.W() {
		l.TextFit(draw.Small, foot, draw.Center, p.many+", log", draw.Color(t.TextDim))
	}
}

// clickBin goes to the next frame, call or buffer with a value in the clicked bar of the histogram, after
// the last one to the first again.
func (p *Panel) clickBin(env *panel.Env, of subjectOf, in *panel.Input) {
	v := env.View
	if len(p.counts) == 0 || !in.Over || !in.Left.Released || in.Left.Dragging || !p.bins.Contains(in.X, in.Y) {
		return
	}
	after, frames := v.Playhead(), of.about == model.NoObject && !of.calls
	if frames {
		after = int64(v.FrameA())
	}
	at, ok := p.nextIn(p.binAt(in.X), after)
	switch c := of.collector; {
	case !ok:
	case of.about != model.NoObject:
		p.goToLatency(env, of, at)
	case of.calls:
		v.SetPlayhead(at.at)
		v.SelectCollector(c)
		v.Steer().Reveal(at.at)
	case of.track == v.Track():
		c = v.Collector()
		v.GoToFrame(int(at.at))
		v.SelectCollector(c) // of a span of another frame it is left
	}
}

// nextIn returns the first value of a bar after a time or frame, else the first of all.
func (p *Panel) nextIn(bin int, after int64) (next binned, ok bool) {
	later := false
	for _, x := range p.values {
		if p.bin(x.value) != bin || later && x.at <= after {
			continue
		}
		if !ok || x.at < next.at || x.at > after && !later {
			next, ok = x, true
		}
		later = later || x.at > after
	}
	return next, ok
}

// Details without times: the weights of samples of the shown threads, in all and of the chosen method.

// sumRows writes the sums of all that was sampled, or of the chosen method.
func (p *Panel) sumRows(env *panel.Env, of subjectOf) {
	x, t := &p.sums, env.Theme
	chosen := of.collector != model.NoCollector
	r := rows{p: p, env: env, y: p.rect.Y0 + env.Px(6)}
	if p.title, p.mode = "All samples", ""; chosen {
		p.fullTitle(of)
		r = p.stripe(env, of.collector)
	}
	where := subject.AllThreads(env.View)
	if len(x.Tracks) == 1 {
		where = of.session.Track(x.Tracks[0]).Title()
	}
	r.add("of", where, t.Text)
	r.If(len(x.Rows) == 0 && p.waits).note(panel.Building)
	for _, row := range x.Rows {
		name := subject.MeasureName(of.session, row.Measure)
		text := func(v int64) string { return subject.MeasuredBeside(of.session, row.Measure, v) }
		if !chosen {
			r.add(name, text(row.Of), t.Text)
			continue
		}
		r.add(name+", total", text(row.Total)+share(row.Total, row.Of), t.Text)
		r.add(name+", self", text(row.Self)+share(row.Self, row.Of), t.Text)
	}
	if len(x.Callers) == 0 {
		return
	}
	r.head("called from, " + subject.MeasureName(of.session, x.Measure))
	for _, by := range x.Callers[:min(len(x.Callers), mostListed)] {
		r.caller(of, by, string(subject.AppendMeasured(nil, of.session, x.Measure, by.Samples)))
	}
}

// caller writes a caller of the chosen method, and its value.
func (r *rows) caller(of subjectOf, by spans.Caller, value string) {
	name, color := "the thread itself", draw.Color(r.env.Theme.TextDim)
	if by.Collector != model.NoCollector {
		name, color = of.session.Collector(by.Collector).Title(), r.env.Palette().Fill(by.Collector)
	}
	r.marked(color, name, "from "+name, value)
}

// callers writes from where the chosen method was called.
func (r *rows) callers(of subjectOf) {
	list := r.p.calls.callers
	if len(list) == 0 {
		return
	}
	r.head("called from, samples on " + subject.ThreadName(of.session, of.track))
	for _, by := range list[:min(len(list), mostListed)] {
		r.caller(of, by, string(format.AppendCount(nil, by.Samples)))
	}
}
