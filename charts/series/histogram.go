package series

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/measure"
	"framescope/model/spans"
)

// distributionSamples bounds the samples read for a distribution; of more, equal parts of the range
// give equal numbers, and the panel shows that.
const distributionSamples = 1 << 16

// distLabelPx is the height of a line of labels above the columns.
const distLabelPx = 13

// seriesDistribution shows how the values of one series are spread over a range: of values and
// gauges the values, of counters the rates between samples, of events their weights, or the times
// between them while events are counted; of states how long each lasted.
type seriesDistribution struct {
	h       spread
	fresh   panel.Refresher
	look    distLook
	edition uint64
	over    int // bin under the mouse, -1 none
	unit    format.Unit
	log     bool
	all     int64 // samples in the range
	times   []int64
	samples []model.Sample
	states  []spans.StateTime
	total   int64 // ns in known states
	kind    model.SeriesKind
	between bool // it is the distribution of the differences between samples
	stats   spans.SeriesStats
}

// distLook is the inputs of the columns besides the samples.
type distLook struct {
	plot        draw.Rect
	log, weight bool
}

// update brings the distribution up to date and handles clicks: one on a column goes to the next
// sample in it.
func (d *seriesDistribution) update(env *panel.Env, c *Chart, in *panel.Input) {
	it := c.focused(env)
	x := env.View.Session().Series().ByID(it.id)
	span := c.statsRange(env)
	d.h.plot = c.regions.plot
	d.h.plot.Y0 = min(d.h.plot.Y0+2*env.Px(distLabelPx), d.h.plot.Y1)
	if c.regions.ruler.Empty() {
		d.h.plot.Y1 = max(d.h.plot.Y0, d.h.plot.Y1-env.Px(14))
	}
	if look := (distLook{d.h.plot, c.Log, c.Weight}); look != d.look {
		d.look, d.fresh.Done = look, false
	}
	if d.fresh.Due(env, keyOf(env, it.id, span)) {
		d.edition++
		d.gather(x, it, span, c)
		if d.h.bins = d.h.bins[:0]; len(d.h.values) > 0 {
			d.h.count(max(4, min(80, int(d.h.plot.W()/env.Px(5)))))
		}
	}
	d.over = -1
	if in.Over && d.kind != model.SeriesState {
		if d.over = d.h.binAt(in.X, in.Y); d.over >= 0 && in.Left.Released && !in.Left.Dragging {
			d.next(env, d.over)
		}
	}
}

// next moves the playhead to the next sample in a bin.
func (d *seriesDistribution) next(env *panel.Env, bin int) {
	from, _ := slices.BinarySearch(d.times, env.View.Playhead()+1)
	if k := d.h.next(from, bin); k >= 0 {
		env.View.SetPlayhead(d.times[k])
	}
}

// gather gets the numbers.
func (d *seriesDistribution) gather(x *spans.Series, it *seriesItem, span statsSpan, c *Chart) {
	d.kind, d.unit, d.log = x.Def.Kind, it.value, false
	d.h.values, d.times, d.states, d.total = d.h.values[:0], d.times[:0], d.states[:0], 0
	d.fetch(x, span)
	between := d.kind == model.SeriesCounter || d.kind == model.SeriesEvent && !c.Weight
	d.between = between
	switch {
	case d.kind == model.SeriesState:
		d.states, d.total = x.States(span.a, span.b, d.samples, d.states)
		return
	case d.kind == model.SeriesCounter:
		d.unit = it.value.Rate()
	case between:
		d.unit = format.Unit{Kind: format.UnitTime, Factor: 1}
	default:
		d.stats = x.Stats(span.a, span.b)
	}
	for i, sm := range d.samples {
		v := sm.Value
		if math.IsNaN(v) {
			continue
		}
		if between {
			if i == 0 || math.IsNaN(d.samples[i-1].Value) {
				continue
			}
			before := d.samples[i-1]
			v = float64(sm.Time - before.Time)
			if d.kind == model.SeriesCounter {
				if v = (sm.Value - before.Value) * 1e9 / v; !(v >= 0) || math.IsInf(v, 0) {
					continue
				}
			}
		}
		d.h.values = append(d.h.values, float32(v))
		d.times = append(d.times, sm.Time)
	}
	if c.Log && len(d.h.values) > 0 && slices.Min(d.h.values) > 0 {
		d.log = true
		for i, v := range d.h.values {
			d.h.values[i] = float32(math.Log10(float64(v)))
		}
	}
}

// fetch gets the samples of the range, thinned out where they are too many.
func (d *seriesDistribution) fetch(x *spans.Series, span statsSpan) {
	d.samples, d.all = d.samples[:0], 0
	var one [1]spans.SeriesBin
	for _, b := range x.Bins(span.a, span.b, 1, one[:0]) {
		d.all = b.N
	}
	if d.all <= distributionSamples {
		d.samples = x.Samples(span.a, span.b, 0, d.samples)
		return
	}
	const parts = 64
	for i := range int64(parts) {
		a, b := span.a+(span.b-span.a)/parts*i, span.a+(span.b-span.a)/parts*(i+1)
		d.samples = x.Samples(a, b, distributionSamples/parts, d.samples)
	}
}

// percentile is one that is marked.
type percentile struct {
	value float64
	place float64 // on the axis
	about bool    // it is estimated
}

// percentile returns a percentile: of values as in tables and reports, by time if they hold; for
// differences between samples, of those read.
func (d *seriesDistribution) percentile(percent int64) (p percentile) {
	if d.between {
		p.place = float64(d.h.sorted[measure.Rank(int64(len(d.h.sorted)), percent)])
		if p.value = p.place; d.log {
			p.value = math.Pow(10, p.place)
		}
		p.about = d.all > distributionSamples
		return p
	}
	st := &d.stats
	p.value = map[int64]float64{50: st.P50, 90: st.P90, 99: st.P99}[percent]
	if p.place, p.about = p.value, st.Estimated; d.log {
		p.place = math.Log10(p.value)
	}
	return p
}

// draw draws the columns, the percentiles and the ends of the axis.
func (d *seriesDistribution) draw(env *panel.Env, c *Chart) {
	l, th, h := c.List(), env.Theme, &d.h
	if !c.regions.labels.Empty() {
		l.VLine(c.regions.labels.X1+env.Px(3), c.regions.plot.Y0, c.regions.body.Y1, env.Px(1), draw.Color(th.Separator))
	}
	if d.kind == model.SeriesState {
		d.drawStates(env, c)
		return
	}
	if len(h.bins) == 0 || h.plot.Empty() {
		panel.DrawWords(l, env, c.regions.plot, "No samples in this range.")
		return
	}
	color := c.focused(env).color
	for i := range h.bins {
		l.Rect(h.bar(env, i), color)
	}
	l.HLine(h.plot.X0, h.plot.X1, h.plot.Y1, env.Px(1), draw.Color(th.Separator))
	var free [2]float32 // right edges of the labels of the two lines above the columns
	for _, q := range [...]struct {
		percent int64
		name    string
	}{{50, "p50 "}, {90, "p90 "}, {99, "p99 "}} {
		p := d.percentile(q.percent)
		if !(p.place >= h.lo && p.place <= h.hi) {
			continue
		}
		x := panel.Snap(h.plot.X0 + h.plot.W()*float32((p.place-h.lo)/(h.hi-h.lo)))
		if c.buf = append(c.buf[:0], q.name...); p.about && p.value != 0 {
			c.buf = append(c.buf, "≈ "...)
		}
		c.buf = d.unit.Append(c.buf, p.value)
		w := env.Atlas.Measure(draw.Small, panel.ScratchText(c.buf)) + env.Px(6)
		left := x + env.Px(1)
		if left+w > h.plot.X1 {
			left = x - w
		}
		top := h.plot.Y0
		for line := range free {
			if left >= free[line] {
				free[line] = left + w
				top -= env.Px(distLabelPx) * float32(len(free)-line)
				l.Text(draw.Small, left+env.Px(3), top, panel.ScratchText(c.buf), draw.Color(th.Text2))
				break
			}
		}
		l.DashedV(x, top, h.plot.Y1, env.Px(1), env.Px(3), env.Px(3), draw.Color(th.Target))
	}
	d.drawFoot(env, c)
}

// drawFoot writes the values at the ends and in the middle of the axis, and at the right the count
// of the highest column.
func (d *seriesDistribution) drawFoot(env *panel.Env, c *Chart) {
	l, th, h := c.List(), env.Theme, &d.h
	foot := draw.Rect{X0: h.plot.X0, Y0: h.plot.Y1 + env.Px(2), X1: h.plot.X1, Y1: h.plot.Y1 + env.Px(16)}
	c.buf = d.append(c.buf[:0], h.lo)
	l.TextFit(draw.Small, foot, draw.Left, panel.ScratchText(c.buf), draw.Color(th.Text2))
	if c.buf = c.buf[:0]; h.beyond() {
		c.buf = append(c.buf, "≥ "...)
	}
	c.buf = d.append(c.buf, h.hi)
	l.TextFit(draw.Small, foot, draw.Right, panel.ScratchText(c.buf), draw.Color(th.Text2))
	if h.plot.W() >= env.Px(280) {
		c.buf = d.append(c.buf[:0], (h.lo+h.hi)/2)
		l.TextFit(draw.Small, foot, draw.Center, panel.ScratchText(c.buf), draw.Color(th.Text2))
	}
	if r := c.regions.values; !r.Empty() {
		box := draw.Rect{X0: r.X0 + env.Px(5), Y0: h.plot.Y0 - env.Px(7), X1: r.X1 - env.Px(4), Y1: h.plot.Y0 + env.Px(7)}
		c.buf = format.AppendSI(c.buf[:0], float64(h.most))
		l.TextFit(draw.Small, box, draw.Left, panel.ScratchText(c.buf), draw.Color(th.Text2))
		box.Y0, box.Y1 = h.plot.Y1-env.Px(7), h.plot.Y1+env.Px(7)
		l.TextFit(draw.Small, box, draw.Left, "0", draw.Color(th.Text2))
		if d.all > int64(len(h.values))+1 && d.all > distributionSamples {
			mid := draw.Rect{X0: box.X0, Y0: (h.plot.Y0 + h.plot.Y1) / 2, X1: box.X1, Y1: (h.plot.Y0+h.plot.Y1)/2 + env.Px(14)}
			c.buf = format.AppendPercent(append(c.buf[:0], "of "...), float64(len(h.values))/float64(d.all))
			l.TextFit(draw.Small, mid, draw.Left, panel.ScratchText(c.buf), draw.Color(th.TextDim))
		}
	}
}

// append appends the value at a place of the axis.
func (d *seriesDistribution) append(dst []byte, v float64) []byte {
	if d.log {
		v = math.Pow(10, v)
	}
	return d.unit.Append(dst, v)
}

// drawStates draws one bar for each state: its share of the time.
func (d *seriesDistribution) drawStates(env *panel.Env, c *Chart) {
	l, th, r := c.List(), env.Theme, c.regions.plot
	if len(d.states) == 0 || d.total <= 0 {
		panel.DrawWords(l, env, r, "No state is known in this range.")
		return
	}
	def := &env.View.Session().Series().ByID(c.focused(env).id).Def
	rowH := env.Px(22)
	c.buf = append(append(c.buf[:0], "time that is known of "...), def.Name...)
	l.TextIn(draw.Small, draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: r.Y0 + env.Px(18)}, draw.Left,
		panel.ScratchText(c.buf), draw.Color(th.TextDim))
	r.Y0 += env.Px(18)
	nameW := min(env.Px(110), r.W()*0.3)
	for i, st := range d.states {
		y := r.Y0 + float32(i)*rowH
		if y+rowH > r.Y1 {
			return
		}
		row := draw.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + rowH}
		fill := c.stateColor(env, def, st.Value)
		c.buf = subject.AppendState(c.buf[:0], def, st.Value)
		l.TextIn(draw.Regular, draw.Rect{X0: row.X0, Y0: row.Y0, X1: row.X0 + nameW - env.Px(6), Y1: row.Y1}, draw.Left,
			panel.ScratchText(c.buf), draw.Color(th.Text))
		share := float64(st.Ns) / float64(d.total)
		c.buf = format.AppendPercent(c.buf[:0], share)
		c.buf = format.AppendDuration(append(c.buf, " · "...), st.Ns)
		figW := min(env.Px(112), r.W()*0.35)
		bar := draw.Rect{X0: row.X0 + nameW, Y0: row.Y0 + env.Px(4), X1: row.X1 - figW, Y1: row.Y1 - env.Px(4)}
		l.Rect(bar, draw.Color(th.Hover))
		bar.X1 = max(bar.X0+env.Px(1), bar.X0+panel.Snap(bar.W()*float32(share)))
		l.Rect(bar, fill)
		l.TextIn(draw.Small, draw.Rect{X0: row.X1 - figW + env.Px(4), Y0: row.Y0, X1: row.X1, Y1: row.Y1}, draw.Right,
			panel.ScratchText(c.buf), draw.Color(th.Text2))
	}
}

// drawOver lights the column under the mouse and draws the labels.
func (d *seriesDistribution) drawOver(env *panel.Env, c *Chart) {
	if d.over >= 0 && d.over < len(d.h.bins) {
		c.List().Rect(d.h.column(d.over), draw.Color(env.Theme.Hover))
	}
	c.drawLabels(env)
}

// hit describes the column under a point.
func (d *seriesDistribution) hit(env *panel.Env, c *Chart, pxX, pxY float32) panel.Hit {
	hit := panel.Hit{Collector: model.NoCollector, Frame: -1, Track: env.View.Track()}
	if d.kind == model.SeriesState || len(d.h.bins) == 0 {
		return hit
	}
	i := d.h.binAt(pxX, pxY)
	if i < 0 {
		return hit
	}
	h, t := &d.h, &c.tip
	hit.Kind, hit.Rect = panel.HitAxis, h.column(i)
	t.Begin()
	t.With(h.appendRange(t.Buf, i, d.append)).End()
	t.Count(int64(h.bins[i])).Text(" of ").Count(int64(len(h.values)))
	switch {
	case d.kind == model.SeriesCounter:
		t.Text(" steps · ")
	case d.kind == model.SeriesEvent && !d.look.weight:
		t.Text(" pauses between events · ")
	default:
		t.Text(" samples · ")
	}
	t.Percent(float64(h.bins[i]) / float64(len(h.values))).End()
	if h.bins[i] > 0 {
		t.Add("Click: go to the next one")
	}
	hit.Lines = t.All()
	return hit
}
