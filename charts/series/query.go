package series

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// seriesGrid divides the visible time into columns; one more edge than columns.
type seriesGrid struct {
	times []int64
	xs    []float32
}

func (g *seriesGrid) len() int { return max(0, len(g.times)-1) }

// at returns the column at an x position, -1 none.
func (g *seriesGrid) at(pxX float32) int {
	return column(g.xs, pxX)
}

// column returns between which of some edges a place is, -1 where it is beyond them.
func column[T int64 | float32](edges []T, at T) int {
	if i := panel.LastUpTo(edges, at); i < len(edges)-1 {
		return i
	}
	return -1
}

// seriesColState is the state of the data of a column.
type seriesColState uint8

const (
	colNothing seriesColState = iota // before the first sample or after the last one
	colGap                           // reported as unknown by the source
	colHold                          // no sample, the one before still holds
	colData                          // samples
	colLast                          // after the last sample of a state: its last known value
)

// seriesCol is one column of one series.
type seriesCol struct {
	state seriesColState
	many  bool // several samples: lo and hi may differ, a state may have changed more than once
	// mid is the value of the line: the mean, of gauges and states the last one, of counters and
	// events the rate. NaN: none.
	lo, hi, mid float64
}

// seriesLine is one series in one plot.
type seriesLine struct {
	item, plot int
	from, n    int // its columns
	coarse     bool
	sparse     bool  // few samples: points
	samples    int64 // in view
	begin, end int64 // of its samples
}

func (c *Chart) grid(ln *seriesLine) *seriesGrid {
	if ln.coarse {
		return &c.coarse
	}
	return &c.fine
}

// cols returns the columns of a line.
func (c *Chart) cols(ln *seriesLine) []seriesCol { return c.columns[ln.from : ln.from+ln.n] }

// seriesQueryKey is the inputs of the columns.
type seriesQueryKey struct {
	session        *store.Session
	revision, pick uint64
	begin, end     float64
	plot           draw.Rect
	rows           int
	rowH, scrollY  float32
	overlaid       bool
	settings       Settings
}

// seriesScaleKey is the inputs that restart the automatic scales when they change.
type seriesScaleKey struct {
	session                     *store.Session
	group                       string
	ids                         int
	first                       model.SeriesID
	log, weight, overlaid, same bool
}

// ask brings the columns and the scales on screen up to date.
func (c *Chart) ask(env *panel.Env) {
	v, s := env.View, env.View.Session()
	key := seriesQueryKey{
		session: s, revision: s.Revision(), pick: c.pick.edition, begin: v.Time().BeginNs, end: v.Time().EndNs,
		plot: c.regions.plot, rows: len(c.plots), rowH: c.rowH,
		scrollY: c.scrollY, overlaid: c.overlaid(), settings: c.Settings,
	}
	if key == c.query {
		return
	}
	c.query = key
	c.lines, c.columns = c.lines[:0], c.columns[:0]
	if v.Time().Valid() && c.regions.plot.W() >= 1 {
		c.divide(env)
		for i := range c.plots {
			from, to := c.itemsOf(&c.plots[i])
			for k := from; k < to; k++ {
				c.askSeries(s, i, k)
			}
		}
	}
	c.rescale(s)
}

// divide makes the columns of the visible time. They begin at multiples of their width, so that
// scrolling does not change which samples share one.
func (c *Chart) divide(env *panel.Env) {
	a, plot := env.View.Time(), c.regions.plot
	series := 0
	for i := range c.plots {
		from, to := c.itemsOf(&c.plots[i])
		series += to - from
	}
	colPx := env.Px(1)
	for float32(series)*plot.W()/colPx > maxSeriesCells && colPx < 8*env.Scale {
		colPx++
	}
	perCol := max(a.NsPerPx(plot)*float64(colPx), 1)
	t0 := math.Floor(a.BeginNs/perCol) * perCol
	n := max(1, int(math.Ceil((a.EndNs-t0)/perCol)))
	c.fine.divide(a, plot, int64(t0), int64(t0+float64(n)*perCol), n)

	// Events are counted over round times, so that columns mean something: events in 10 ms.
	width := format.NiceStep(a.NsPerPx(plot) * float64(env.Px(eventColumnPx)))
	b0 := format.FloorDiv(int64(math.Floor(a.BeginNs)), width) * width
	n = int((int64(math.Ceil(a.EndNs)) - b0 + width - 1) / width)
	c.coarse.divide(a, plot, b0, b0+int64(n)*width, n)
}

func (g *seriesGrid) divide(a format.Window, plot draw.Rect, t0, t1 int64, n int) {
	g.times, g.xs = g.times[:0], g.xs[:0]
	whole, rest := (t1-t0)/int64(n), (t1-t0)%int64(n)
	for i := range int64(n) + 1 {
		t := t0 + whole*i + rest*i/int64(n) // as store.Series.Bins divides
		g.times = append(g.times, t)
		g.xs = append(g.xs, min(max(panel.Snap(float32(a.ToPx(plot, t))), plot.X0), plot.X1))
	}
}

// askSeries adds the columns of one series.
func (c *Chart) askSeries(s *store.Session, plot, item int) {
	x := s.Series().ByID(c.pick.items[item].id)
	ln := seriesLine{item: item, plot: plot, from: len(c.columns), coarse: x.Def.Kind == model.SeriesEvent}
	g := c.grid(&ln)
	ln.n = g.len()
	ok := false
	if ln.begin, ln.end, ok = x.Bounds(); !ok {
		ln.begin, ln.end = math.MaxInt64, math.MinInt64
	}
	_, endNs, _ := s.Bounds()
	c.bins = x.Bins(g.times[0], g.times[ln.n], ln.n, c.bins[:0])
	filled := int64(0)
	for i := range ln.n {
		if i >= len(c.bins) {
			c.columns = append(c.columns, seriesCol{})
			continue
		}
		b := &c.bins[i]
		b.Begin, b.End = g.times[i], g.times[i+1]
		ln.samples += b.N
		if b.N > 0 {
			filled++
		}
		c.columns = append(c.columns, c.column(x.Def.Kind, b, &ln, endNs))
	}
	ln.sparse = ln.samples*6 <= int64(ln.n) && ln.samples == filled || ln.samples*16 <= int64(ln.n)
	if x.Def.Kind == model.SeriesCounter {
		c.rates(x, &ln)
	}
	c.lines = append(c.lines, ln)
}

// column returns the column of a bin, of a session that goes to endNs. For counters it is the
// total; rates makes rates of it.
func (c *Chart) column(kind model.SeriesKind, b *spans.SeriesBin, ln *seriesLine, endNs int64) seriesCol {
	inside := b.End > ln.begin && b.Begin <= ln.end
	col := seriesCol{mid: math.NaN()}
	switch {
	case !inside:
		if kind == model.SeriesState && b.HasBefore && b.Begin > ln.end && b.Begin <= endNs {
			col.state, col.lo, col.hi, col.mid = colLast, b.Before, b.Before, b.Before
		}
		return col
	case b.N == 0 && (b.Gaps > 0 || !b.HasBefore):
		if b.Begin >= ln.begin {
			col.state = colGap
		}
		return col
	case kind == model.SeriesEvent:
		col.state = colData
		sum := float64(b.N)
		if c.Weight {
			sum = b.Sum
		}
		col.mid = sum * 1e9 / float64(max(b.End-b.Begin, 1))
		col.lo, col.hi = col.mid, col.mid
		return col
	case b.N == 0:
		col.state, col.lo, col.hi, col.mid = colHold, b.Before, b.Before, b.Before
		return col
	}
	if b.N == 1 { // where it lies, whatever was in force before
		col.state, col.lo, col.hi, col.mid = colData, b.Last, b.Last, b.Last
		return col
	}
	col.state, col.lo, col.hi, col.many = colData, b.Min, b.Max, true
	switch kind {
	case model.SeriesValue:
		col.mid = b.Mean
	case model.SeriesState:
		// Two samples make a column "many", too, when the state before them was a third one.
		col.mid, col.lo, col.hi = b.Last, b.First, b.Last
		col.many = b.N > 1 && b.Min != b.Max
	default:
		col.mid = b.Last
	}
	return col
}

// rates turns the columns of a counter from totals into rates: between two samples the total grew
// evenly, as far as anybody knows, so the rate holds over the whole time between them. Where the
// total became less the program began anew, and the time between is not known.
func (c *Chart) rates(x *spans.Series, ln *seriesLine) {
	g, cols := c.grid(ln), c.cols(ln)
	if len(cols) == 0 {
		return
	}
	prev, known := x.At(g.times[0] - 1)
	next := 0 // first column without a rate yet
	fill := func(to int, now model.Sample, ok bool) {
		rate, state := math.NaN(), colGap
		if ok && known && now.Time > prev.Time && now.Value >= prev.Value {
			rate, state = (now.Value-prev.Value)*1e9/float64(now.Time-prev.Time), colData
		}
		for ; next < to; next++ {
			col := &cols[next]
			if col.state == colGap || col.state == colNothing {
				continue
			}
			if col.state = state; !known {
				col.state = colNothing // nothing is known of how it came to the first sample
			}
			col.lo, col.hi, col.mid, col.many = rate, rate, rate, false
		}
	}
	for i := range cols {
		switch cols[i].state {
		case colGap:
			fill(i, model.Sample{}, false)
			known, next = false, i+1
		case colData:
			now, ok := x.At(g.times[i+1] - 1)
			fill(i+1, now, ok)
			prev, known = now, ok
		}
	}
	// The line goes on to the first sample after the panel.
	c.sample = x.Samples(g.times[len(cols)], math.MaxInt64, 1, c.sample[:0])
	now, ok := model.Sample{}, false
	if len(c.sample) > 0 {
		now, ok = c.sample[0], !math.IsNaN(c.sample[0].Value)
	}
	if len(c.sample) == 0 { // after the last one nothing is known
		for ; next < len(cols); next++ {
			cols[next] = seriesCol{mid: math.NaN()}
		}
	}
	fill(len(cols), now, ok)
}

// oneScale reports whether all plots share one scale.
func (c *Chart) oneScale() bool { return c.overlaid() || c.SameScale && c.pick.same }

// rescale fits the scales to the visible values.
func (c *Chart) rescale(s *store.Session) {
	key := seriesScaleKey{
		session: s, group: c.Group, ids: len(c.IDs), log: c.Log, weight: c.Weight, overlaid: c.overlaid(), same: c.SameScale,
	}
	if len(c.IDs) > 0 {
		key.first = c.IDs[0]
	}
	if key != c.scaleOf {
		c.scaleOf = key
		clear(c.scales)
	}
	lo, hi, least := math.Inf(1), math.Inf(-1), math.Inf(1)
	one := c.oneScale()
	for k := range c.lines {
		ln := &c.lines[k]
		if !one {
			lo, hi, least = math.Inf(1), math.Inf(-1), math.Inf(1)
		}
		for _, col := range c.cols(ln) {
			if col.state != colNothing && col.state != colGap && !math.IsNaN(col.mid) {
				lo, hi = min(lo, col.lo), max(hi, col.hi)
				if col.lo > 0 {
					least = min(least, col.lo)
				} else if col.hi > 0 {
					least = min(least, col.hi)
				}
			}
		}
		if !one {
			c.fitScale(s, &c.plots[ln.plot], lo, hi, least)
		}
	}
	if one && len(c.plots) > 0 {
		c.fitScale(s, &c.plots[0], lo, hi, least)
	}
	c.restoreScales()
}

// fitScale makes the scale of a plot suit. Events and rates begin at 0: a column must stand on
// something.
func (c *Chart) fitScale(s *store.Session, p *seriesPlot, lo, hi, least float64) {
	sc := c.scaleFor(p.item)
	if c.FixedScale && sc.Set {
		return
	}
	log := c.Log && (p.kind == model.SeriesValue || p.kind == model.SeriesGauge)
	d := &s.Series().ByID(c.pick.items[p.item].id).Def
	if format.HasUsableRange(d) && !log {
		if slack := (d.Max - d.Min) / 50; lo >= d.Min-slack && hi <= d.Max+slack || !(hi >= lo) {
			*sc = format.Scale{Lo: d.Min, Hi: d.Max, Set: true}
			return
		}
		lo, hi = min(lo, d.Min), max(hi, d.Max) // it exceeds its declared range
	}
	if p.kind == model.SeriesEvent || p.kind == model.SeriesCounter {
		lo = min(lo, 0)
	}
	sc.Fit(p.unit, lo, hi, least, log)
}

// scaleFor returns the kept scale of an item.
func (c *Chart) scaleFor(item int) *format.Scale {
	id := c.pick.items[item].id
	if c.oneScale() {
		id = model.NoSeries
	}
	sc := c.scales[id]
	if sc == nil {
		sc = &format.Scale{}
		c.scales[id] = sc
	}
	return sc
}

// restoreScales gives the plots, which are laid out anew every tick, their scales.
func (c *Chart) restoreScales() {
	for i := range c.plots {
		c.plots[i].scale = *c.scaleFor(c.plots[i].item)
	}
}
