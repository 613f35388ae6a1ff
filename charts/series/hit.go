package series

import (
	"math"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
)

// HitTest describes the series under a point. Its lines summarise the very column drawn there.
func (c *Chart) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	h := panel.Hit{Collector: model.NoCollector, Frame: -1, Track: env.View.Track()}
	s := env.View.Session()
	if len(c.pick.items) == 0 || len(c.plots) == 0 {
		return h
	}
	if i := c.labelAt(env, pxX, pxY); i >= 0 && i < len(c.pick.items) {
		return c.hitLabel(env, i)
	}
	if c.regions.values.Contains(pxX, pxY) {
		h.Kind, h.Rect = panel.HitAxis, c.regions.values
		c.tip.Begin()
		c.tip.Add("Wheel: stretch the scale, double click: automatic")
		h.Lines = c.tip.All()
		return h
	}
	if !c.regions.plot.Contains(pxX, pxY) {
		return h
	}
	h.TimeNs = env.View.Time().ToTime(c.regions.plot, float64(pxX))
	k := c.lineAt(env, pxX, pxY)
	if k < 0 {
		return c.hitAll(env, h, pxX)
	}
	ln := &c.lines[k]
	col := c.grid(ln).at(pxX)
	if col < 0 || col >= ln.n {
		return h
	}
	x := s.Series().ByID(c.pick.items[ln.item].id)
	h.Kind, h.Rect, h.Thing = panel.HitBand, c.columnRect(ln, col), view.Series(x.Def.ID)
	if x.Def.Track != model.NoTrack {
		h.Track = x.Def.Track
	}
	h.From, h.Until = c.grid(ln).times[col], c.grid(ln).times[col+1]
	c.describe(x, ln, col, h.TimeNs)
	subject.LimitTip(&c.tip, env.Limits.Series(x.Def.ID))
	h.Lines = c.tip.All()
	return h
}

// SeriesAt returns the series with its label or curve at a point, as of the last Update.
func (c *Chart) SeriesAt(env *panel.Env, pxX, pxY float32) (id model.SeriesID, ok bool) {
	item := c.labelAt(env, pxX, pxY)
	if item < 0 && c.regions.plot.Contains(pxX, pxY) {
		if k := c.lineAt(env, pxX, pxY); k >= 0 {
			item = c.lines[k].item
		}
	}
	if item < 0 || item >= len(c.pick.items) {
		return model.NoSeries, false
	}
	return c.pick.items[item].id, true
}

// hitAll lists the values of all series of an overlay at a time.
func (c *Chart) hitAll(env *panel.Env, h panel.Hit, pxX float32) panel.Hit {
	if !c.overlaid() || c.plotAt(c.regions.plot.Y0) < 0 {
		return h
	}
	t := &c.tip
	t.Begin()
	t.Clock(h.TimeNs).End()
	for k := range c.lines {
		ln := &c.lines[k]
		it := &c.pick.items[ln.item]
		col := c.grid(ln).at(pxX)
		if col < 0 || col >= ln.n {
			continue
		}
		t.Text(env.View.Session().Series().ByID(it.id).Def.Name)
		if v := &c.cols(ln)[col]; v.known() {
			c.line("\t", it.curve, v.mid)
		} else {
			t.Text("\t–").End()
		}
	}
	if rest := len(c.pick.items) - len(c.lines); rest > 0 {
		t.Text("and ").Count(int64(rest)).Text(" more").End()
	}
	h.Kind, h.Lines = panel.HitAxis, t.All()
	return h
}

// describe describes a column: its time, the value or the summary of several, and the series.
func (c *Chart) describe(x *spans.Series, ln *seriesLine, col int, timeNs int64) {
	t, g, it := &c.tip, c.grid(ln), &c.pick.items[ln.item]
	t.Begin()
	t.Text(x.Def.Name).End()
	c.one = x.Bins(g.times[col], g.times[col+1], 1, c.one[:0])
	state := c.cols(ln)[col].state
	if len(c.one) == 0 {
		return
	}
	b := &c.one[0]
	switch {
	case state == colNothing && b.N == 0 && timeNs > ln.end:
		c.describeAfter(x, it)
	case state == colNothing && b.N == 0:
		t.Text("before the first value").End()
	// of a counter the total may be known where the rate is not
	case state == colGap && b.N == 0 && (!b.HasBefore || b.Gaps > 0):
		c.describeGap(x, b, timeNs)
	case x.Def.Kind == model.SeriesEvent:
		c.describeEvents(it, b)
	case x.Def.Kind == model.SeriesCounter:
		c.describeCounter(x, it, b, &c.cols(ln)[col])
	case x.Def.Kind == model.SeriesState:
		c.describeState(x, b, state)
	case b.N > 1:
		t.Text("time\t").Clock(b.Begin).End()
		c.tip.Text(format.MeanOf(&x.Def))
		c.line("\t", it.value, b.Mean)
		c.line("min\t", it.value, b.Min)
		c.line("max\t", it.value, b.Max)
		t.Text("samples\t").Count(b.N).Text(" in ").Duration(b.End - b.Begin).End()
	default:
		at := b.Begin
		if b.N == 1 {
			at = b.End - 1
		}
		if sample, ok := x.At(at); ok {
			c.line("value\t", it.value, sample.Value)
			t.Text("time\t").Clock(sample.Time).End()
		} else if b.N == 1 { // a gap began right after it
			c.line("value\t", it.value, b.Last)
			if c.sample = x.Samples(b.Begin, b.End, 1, c.sample[:0]); len(c.sample) > 0 {
				t.Text("time\t").Clock(c.sample[0].Time).End()
			}
		}
	}
	if b.N > 0 && b.Gaps > 0 {
		t.Text("a gap begins here").End()
	}
	c.describeSeries(&x.Def)
}

// line adds a line with a number.
func (c *Chart) line(name string, u format.Unit, v float64) {
	c.tip.Text(name)
	c.tip.With(u.Append(c.tip.Buf, v)).End()
}

// describeSeries adds the source's description of a series.
func (c *Chart) describeSeries(d *model.SeriesDef) {
	c.tip.If(d.Description != "").Text(d.Description).End()
}

func (c *Chart) describeAfter(x *spans.Series, it *seriesItem) {
	t := &c.tip
	t.Text("after the last value").End()
	_, end, ok := x.Bounds()
	if !ok {
		return
	}
	if sample, ok := x.At(end); ok {
		c.line("last value\t", it.value, sample.Value)
		t.Text("at\t").Clock(sample.Time).End()
	}
}

func (c *Chart) describeGap(x *spans.Series, b *spans.SeriesBin, timeNs int64) {
	t := &c.tip
	t.Text("no data: the source has no value here").End()
	if sample, ok := x.At(max(timeNs, b.Begin)); !ok && sample.Time <= timeNs && sample.Time != 0 {
		t.Text("since\t").Clock(sample.Time).End()
	}
}

func (c *Chart) describeEvents(it *seriesItem, b *spans.SeriesBin) {
	t := &c.tip
	t.Text("from\t").Clock(b.Begin).End()
	t.Text("events\t").Count(b.N).Text(" in ").Duration(b.End - b.Begin).End()
	perSecond := 1e9 / float64(max(b.End-b.Begin, 1))
	c.line("rate\t", format.Unit{Factor: 1, Per: true}, float64(b.N)*perSecond)
	if b.N == 0 || b.Min == b.Max && b.Max == 1 {
		return
	}
	c.line("sum\t", it.value, b.Sum)
	c.line("per second\t", it.value.Rate(), b.Sum*perSecond)
	c.line("mean\t", it.value, b.Mean)
	if b.N > 1 {
		c.line("min\t", it.value, b.Min)
		c.line("max\t", it.value, b.Max)
	}
}

func (c *Chart) describeCounter(x *spans.Series, it *seriesItem, b *spans.SeriesBin, col *seriesCol) {
	t := &c.tip
	t.Text("time\t").Clock(b.Begin).End()
	if sample, ok := x.At(b.End - 1); ok {
		c.line("total\t", it.value, sample.Value)
	}
	if col.known() {
		c.line("rate\t", it.curve, col.mid)
	} else {
		t.Text("the rate is not known here").End()
	}
	if b.N > 1 {
		t.Text("samples\t").Count(b.N).Text(" in ").Duration(b.End - b.Begin).End()
	}
}

func (c *Chart) describeState(x *spans.Series, b *spans.SeriesBin, state seriesColState) {
	t := &c.tip
	sample, ok := x.At(b.End - 1)
	if !ok {
		t.Text("not known").End()
		return
	}
	t.Text("state\t")
	t.With(subject.AppendState(t.Buf, &x.Def, sample.Value)).End()
	if b.N > 1 {
		t.Text("changes\t").Count(b.N).Text(" in ").Duration(b.End - b.Begin).End()
	}
	t.Text("since\t").Clock(sample.Time).End()
	if state == colLast {
		t.Text("nothing came of it since").End()
		return
	}
	c.sample = x.Samples(sample.Time+1, math.MaxInt64, 1, c.sample[:0])
	if len(c.sample) > 0 {
		t.Text("for\t").Duration(c.sample[0].Time - sample.Time).End()
	}
}

// hitLabel describes a series by its statistics over the range.
func (c *Chart) hitLabel(env *panel.Env, item int) panel.Hit {
	it := &c.pick.items[item]
	x := env.View.Session().Series().ByID(it.id)
	h := panel.Hit{Kind: panel.HitLabel, Collector: model.NoCollector, Frame: -1, Track: x.Def.Track,
		TimeNs: c.refTime(env), Thing: view.Series(it.id)}
	if c.overlaid() {
		h.Rect = c.legendRow(env, item)
	} else {
		h.Rect = c.plots[item-c.plots[0].item].row // labels are those of rows on screen
		h.Rect.X1 = c.regions.labels.X1
	}
	t := &c.tip
	t.Begin()
	t.Text(x.Def.Name).End()
	if x.Def.Group != "" {
		t.Text(x.Def.Group).End()
	}
	c.describeSeries(&x.Def)
	c.tipStats.update(env, it, c.statsRange(env))
	if c.tipStats.st.N > 0 {
		var room [12]seriesFigure
		for _, f := range c.tipStats.figures(room[:0], &x.Def, it.value) {
			t.Text(f.name)
			c.line("\t", f.unit, f.value)
		}
	} else {
		t.Text("no samples in this range").End()
	}
	if len(c.pick.items) > 1 {
		t.Add("Double click: this one alone")
	} else if len(c.IDs) == 1 && x.Def.Group != "" {
		t.Add("Double click: the whole group")
	}
	h.Lines = t.All()
	return h
}

// Title returns the panel's title: "Series: latency".
func (c *Chart) Title(env *panel.Env) string {
	b := append(c.title.New(), "Series"...)
	if s := env.View.Session(); s == c.session && len(c.pick.items) > 0 {
		d := &s.Series().ByID(c.focused(env).id).Def
		name := d.Group
		if name == "" || len(c.IDs) == 1 {
			name = d.Name
		}
		b = append(append(b, ": "...), name...)
	}
	return c.title.Set(b)
}

// Mode describes the visible part: "24 series · 2.50 s / screen".
func (c *Chart) Mode(env *panel.Env) string {
	b := c.mode.New()
	if s := env.View.Session(); s == c.session && len(c.pick.items) > 0 && env.View.Time().Valid() {
		if n := len(c.pick.items); n > 1 {
			b = append(format.AppendCount(b, int64(n)), " series · "...)
		}
		b = append(format.AppendDuration(b, int64(env.View.Time().Width())), " / screen"...)
	}
	return c.mode.Set(b)
}
