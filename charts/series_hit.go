package charts

import (
	"math"

	"framescope/model"
)

// HitTest returns what is known of the series under a point. The summary in its lines is of the very column that is drawn there.
func (c *SeriesChart) HitTest(env *Env, pxX, pxY float32) Hit {
	h := Hit{Collector: model.NoCollector, Frame: -1, Track: env.View.Track()}
	s := env.View.Session()
	if s == nil || len(c.pick.items) == 0 || len(c.plots) == 0 {
		return h
	}
	if i := c.labelAt(env, pxX, pxY); i >= 0 && i < len(c.pick.items) {
		return c.hitLabel(env, i)
	}
	if c.Distribution {
		return c.dist.hit(env, c, pxX, pxY)
	}
	if c.regions.values.Contains(pxX, pxY) {
		h.Kind, h.Rect = HitAxis, c.regions.values
		c.tip.begin()
		c.tip.add("Wheel: stretch the scale, double click: automatic")
		h.Lines = c.tip.all()
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
	x := s.Series(c.pick.items[ln.item].id)
	h.Kind, h.Rect = HitBand, c.columnRect(ln, col)
	if x.Def.Track != model.NoTrack {
		h.Track = x.Def.Track
	}
	c.describe(x, ln, col, h.TimeNs)
	h.Lines = c.tip.all()
	return h
}

// SeriesAt returns the series whose label or curve is at a point, as of the last Update.
func (c *SeriesChart) SeriesAt(env *Env, pxX, pxY float32) (id model.SeriesID, ok bool) {
	item := c.labelAt(env, pxX, pxY)
	if item < 0 && !c.Distribution && c.regions.plot.Contains(pxX, pxY) {
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
func (c *SeriesChart) hitAll(env *Env, h Hit, pxX float32) Hit {
	if !c.overlaid() || c.plotAt(c.regions.plot.Y0) < 0 {
		return h
	}
	t := &c.tip
	t.begin()
	t.clock(h.TimeNs).end()
	for k := range c.lines {
		ln := &c.lines[k]
		it := &c.pick.items[ln.item]
		col := c.grid(ln).at(pxX)
		if col < 0 || col >= ln.n {
			continue
		}
		t.text(env.View.Session().Series(it.id).Def.Name).text("\t")
		if v := &c.cols(ln)[col]; v.known() {
			t.buf = it.curve.append(t.buf, v.mid)
		} else {
			t.text("–")
		}
		t.end()
	}
	if rest := len(c.pick.items) - len(c.lines); rest > 0 {
		t.text("and ").count(int64(rest)).text(" more").end()
	}
	h.Kind, h.Lines = HitAxis, t.all()
	return h
}

// describe writes what a column shows: its time, the value or the summary of several, and what the series is.
func (c *SeriesChart) describe(x *model.Series, ln *seriesLine, col int, timeNs int64) {
	t, g, it := &c.tip, c.grid(ln), &c.pick.items[ln.item]
	t.begin()
	t.text(x.Def.Name).end()
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
		t.text("before the first value").end()
	case state == colGap && b.N == 0 && (!b.HasBefore || b.Gaps > 0): // of a counter the total may be known where the rate is not
		c.describeGap(x, b, timeNs)
	case x.Def.Kind == model.SeriesEvent:
		c.describeEvents(it, b)
	case x.Def.Kind == model.SeriesCounter:
		c.describeCounter(x, it, b, &c.cols(ln)[col])
	case x.Def.Kind == model.SeriesState:
		c.describeState(x, b, state)
	case b.N > 1:
		t.text("time\t").clock(b.Begin).end()
		c.line("mean\t", it.value, b.Sum/float64(b.N))
		c.line("min\t", it.value, b.Min)
		c.line("max\t", it.value, b.Max)
		t.text("samples\t").count(b.N).text(" in ").duration(b.End - b.Begin).end()
	default:
		at := b.Begin
		if b.N == 1 {
			at = b.End - 1
		}
		if sample, ok := x.At(at); ok {
			c.line("value\t", it.value, sample.Value)
			t.text("time\t").clock(sample.Time).end()
		} else if b.N == 1 { // a gap began right after it
			c.line("value\t", it.value, b.Last)
			t.text("time\t").clock(b.Begin).end()
		}
	}
	if b.N > 0 && b.Gaps > 0 {
		t.text("a gap begins here").end()
	}
	c.describeSeries(&x.Def)
}

// line adds a line with a number.
func (c *SeriesChart) line(name string, u seriesUnit, v float64) {
	c.tip.text(name)
	c.tip.buf = u.append(c.tip.buf, v)
	c.tip.end()
}

// describeSeries adds what the source says about a series.
func (c *SeriesChart) describeSeries(d *model.SeriesDef) {
	if d.Description != "" {
		c.tip.text(d.Description).end()
	}
}

func (c *SeriesChart) describeAfter(x *model.Series, it *seriesItem) {
	t := &c.tip
	t.text("after the last value").end()
	_, end, ok := x.Bounds()
	if !ok {
		return
	}
	if sample, ok := x.At(end); ok {
		c.line("last value\t", it.value, sample.Value)
		t.text("at\t").clock(sample.Time).end()
	}
}

func (c *SeriesChart) describeGap(x *model.Series, b *model.SeriesBin, timeNs int64) {
	t := &c.tip
	t.text("no data: the source has no value here").end()
	if sample, ok := x.At(max(timeNs, b.Begin)); !ok && sample.Time <= timeNs && sample.Time != 0 {
		t.text("since\t").clock(sample.Time).end()
	}
}

func (c *SeriesChart) describeEvents(it *seriesItem, b *model.SeriesBin) {
	t := &c.tip
	t.text("from\t").clock(b.Begin).end()
	t.text("events\t").count(b.N).text(" in ").duration(b.End - b.Begin).end()
	perSecond := 1e9 / float64(max(b.End-b.Begin, 1))
	c.line("rate\t", seriesUnit{factor: 1, per: true}, float64(b.N)*perSecond)
	if b.N == 0 || b.Min == b.Max && b.Max == 1 {
		return
	}
	c.line("sum\t", it.value, b.Sum)
	c.line("per second\t", it.value.rate(), b.Sum*perSecond)
	c.line("mean\t", it.value, b.Sum/float64(b.N))
	if b.N > 1 {
		c.line("min\t", it.value, b.Min)
		c.line("max\t", it.value, b.Max)
	}
}

func (c *SeriesChart) describeCounter(x *model.Series, it *seriesItem, b *model.SeriesBin, col *seriesCol) {
	t := &c.tip
	t.text("time\t").clock(b.Begin).end()
	if sample, ok := x.At(b.End - 1); ok {
		c.line("total\t", it.value, sample.Value)
	}
	if col.known() {
		c.line("rate\t", it.curve, col.mid)
	} else {
		t.text("the rate is not known here").end()
	}
	if b.N > 1 {
		t.text("samples\t").count(b.N).text(" in ").duration(b.End - b.Begin).end()
	}
}

func (c *SeriesChart) describeState(x *model.Series, b *model.SeriesBin, state seriesColState) {
	t := &c.tip
	sample, ok := x.At(b.End - 1)
	if !ok {
		t.text("not known").end()
		return
	}
	t.text("state\t")
	t.buf = appendState(t.buf, &x.Def, sample.Value)
	t.end()
	if b.N > 1 {
		t.text("changes\t").count(b.N).text(" in ").duration(b.End - b.Begin).end()
	}
	t.text("since\t").clock(sample.Time).end()
	if state == colLast {
		t.text("nothing was heard of it since").end()
		return
	}
	c.sample = x.Samples(sample.Time+1, math.MaxInt64, 1, c.sample[:0])
	if len(c.sample) > 0 {
		t.text("for\t").duration(c.sample[0].Time - sample.Time).end()
	}
}

// hitLabel describes a series by its statistics over the range.
func (c *SeriesChart) hitLabel(env *Env, item int) Hit {
	it := &c.pick.items[item]
	x := env.View.Session().Series(it.id)
	h := Hit{Kind: HitLabel, Collector: model.NoCollector, Frame: -1, Track: x.Def.Track, TimeNs: c.refTime(env)}
	if c.overlaid() {
		h.Rect = c.legendRow(env, item)
	} else {
		for i := range c.plots {
			if c.plots[i].item == item {
				h.Rect = c.plots[i].row
				h.Rect.X1 = c.regions.labels.X1
			}
		}
	}
	t := &c.tip
	t.begin()
	t.text(x.Def.Name).end()
	if x.Def.Group != "" {
		t.text(x.Def.Group).end()
	}
	c.describeSeries(&x.Def)
	c.tipStats.update(env, it, c.statsRange(env))
	if c.tipStats.st.N > 0 {
		var room [12]seriesFigure
		for _, f := range c.tipStats.figures(room[:0], x.Def.Kind, it.value) {
			t.text(f.name).text("\t")
			t.buf = f.unit.append(t.buf, f.value)
			t.end()
		}
	} else {
		t.text("no samples in this range").end()
	}
	if len(c.pick.items) > 1 {
		t.add("Double click: this one alone")
	} else if len(c.IDs) == 1 && x.Def.Group != "" {
		t.add("Double click: the whole group")
	}
	h.Lines = t.all()
	return h
}

// Title returns the panel's title: "Series: latency".
func (c *SeriesChart) Title(env *Env) string {
	b := append(c.buf[:0], "Series"...)
	if s := env.View.Session(); s != nil && s == c.session && len(c.pick.items) > 0 {
		d := &s.Series(c.focused().id).Def
		name := d.Group
		if name == "" || len(c.IDs) == 1 {
			name = d.Name
		}
		b = append(append(b, ": "...), name...)
	}
	c.buf = b
	return c.title.set(b)
}

// Mode returns what is visible: "24 series · 2.50 s / screen".
func (c *SeriesChart) Mode(env *Env) string {
	b := c.buf[:0]
	if s := env.View.Session(); s != nil && s == c.session && len(c.pick.items) > 0 && env.View.Time().Valid() {
		if n := len(c.pick.items); n > 1 {
			b = append(AppendCount(b, int64(n)), " series · "...)
		}
		b = append(AppendDuration(b, int64(env.View.Time().Width())), " / screen"...)
	}
	c.buf = b
	return c.mode.set(b)
}
