package timeline

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

const (
	counterH      = 40 // height of a counter's row, in scale-1 pixels
	counterColumn = 2  // width of its columns
	counterLinePx = 1.5
	counterBand   = 84 // opacity of the band of a column's values
	counterTextH  = 14 // of a value above its step
	counterAxisW  = 64 // of the least and the greatest value at its right end
	blockPadEnd   = 6  // below the lanes of a track
	mostByRoom    = 8  // counters that are shown because there is room
	leastCounters = 2  // that are shown without it, above the tracks,
	countersShare = .2 // if they take no more of the height
)

// counterLane draws counters, each a block of its own.
type counterLane struct {
	known   map[view.Counter]*counterRow
	pinned  []view.Counter // see pick
	others  []view.Counter
	firm    int
	session *store.Session
	px      []drawnCounter
	colors  subject.SeriesColors
	bands   []frames.Band
	bins    []spans.SeriesBin
	next    []model.Sample
	buf     []byte
}

// counterRow is a counter: the sum of a top-level counter and all below it, or a series, against time.
type counterRow struct {
	of    view.Counter
	name  string // with its thread, where others report the same
	strip frames.Strip
	cols  []counterCol
}

// counterCol is a column of a row: the mean of the frames in it, or the last value of a series, and the extremes.
type counterCol struct {
	state         frames.ColumnState
	value, lo, hi float64
}

// drawnCounter is a drawn row. r is its part of the plot.
type drawnCounter struct {
	row    *counterRow
	offset int64
	r      draw.Rect
	lo, hi float64 // in view; lo > hi: none
	labels bool    // values stand above the steps
}

func (c *counterLane) reset() { c.px = c.px[:0] }

// row returns the row of a counter, the same as long as the session is shown.
func (c *counterLane) row(s *store.Session, of view.Counter) *counterRow {
	if c.session != s || c.known == nil {
		c.session, c.known = s, map[view.Counter]*counterRow{}
	}
	r := c.known[of]
	if r == nil {
		r = &counterRow{of: of}
		c.known[of] = r
	}
	return r
}

// pick chooses the counters that have a row: those that the user pinned, and the others, first those that
// he marked or chose, behind these, from firm on, those that are there as long as there is room.
func (c *counterLane) pick(look *view.Look) {
	c.pinned, c.others = c.pinned[:0], c.others[:0]
	n, changing := look.Counters()
	choice := look.CounterChoice()
	for i := range n {
		switch of := look.CounterAt(i); {
		case look.CounterMarked(view.CounterHidden, of):
		case look.CounterMarked(view.CounterPinned, of):
			c.pinned = append(c.pinned, of)
		case look.CounterMarked(view.CounterShown, of), choice == view.CountersAll,
			choice == view.CountersChanging && i < changing:
			c.others = append(c.others, of)
		}
	}
	c.firm = len(c.others)
	for i := 0; i < changing && choice == view.CountersFit && len(c.others)-c.firm < mostByRoom; i++ {
		of := look.CounterAt(i)
		if !look.CounterMarked(view.CounterHidden, of) && !look.CounterMarked(view.CounterPinned, of) &&
			!look.CounterMarked(view.CounterShown, of) {
			c.others = append(c.others, of)
		}
	}
}

// rowPx is how far apart rows of counters are.
func (c *counterLane) rowPx(env *panel.Env) float32 { return env.Px(counterH) + timepane.One(env) }

// addCounter adds the block of a counter.
func (t *Timeline) addCounter(env *panel.Env, c view.Counter) {
	s := env.View.Session()
	b := block{track: env.View.Track(), counter: t.counters.row(s, c)}
	if b.counter.name == "" {
		b.counter.name = c.Name(s)
	}
	if c.Series == model.NoSeries {
		twin := func(o view.Counter) bool { return o.Level == c.Level && o != c }
		if slices.ContainsFunc(t.counters.others, twin) || slices.ContainsFunc(t.counters.pinned, twin) {
			b.counter.name = c.Name(s) + " · " + s.Track(c.Track).Title()
		}
		if b.track = c.Track; s.Track(c.Track).Def.OwnClock {
			b.offset = t.alignment(env.View, c.Track, s.Track(c.Track))
		}
	}
	t.stack.Add(b)
	t.gutterW = max(t.gutterW, env.Px(gutterWords), env.Atlas.Measure(draw.Small, b.counter.name)+env.Px(28))
}

// Layout implements timepane.Lane.
func (c *counterLane) Layout(env *panel.Env, b *block, _ float32) float32 {
	switch {
	case b.counter != nil:
		return env.Px(counterH)
	case b.folded:
		return 0
	}
	return env.Px(blockPadEnd)
}

// Draw implements timepane.Lane.
func (c *counterLane) Draw(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	if b.counter == nil {
		return
	}
	plot := p.Plot()
	d := drawnCounter{row: b.counter, offset: b.offset, lo: math.Inf(1), hi: math.Inf(-1)}
	d.r = draw.Rect{X0: plot.X0, Y0: at.Y + env.Px(3), X1: plot.X1, Y1: at.Y + env.Px(counterH) - env.Px(3)}
	columns := int(d.r.W() / env.Px(counterColumn))
	if columns <= 0 {
		return
	}
	begin, end := env.View.Time().Visible()
	if of := b.counter.of; of.Series != model.NoSeries {
		c.askSeries(env.View.Session().Series().ByID(of.Series), b.counter, begin, end, columns)
	} else {
		b.counter.askLevel(env.View.Session(), begin-b.offset, end-b.offset, columns)
	}
	c.drawRow(p, env, &d)
	c.px = append(c.px, d)
}

// askLevel gets the columns of what the frames of a thread report.
func (r *counterRow) askLevel(s *store.Session, begin, end int64, columns int) {
	q := frames.StripQuery{Track: r.of.Track, Focus: r.of.Level, Levels: true, T0: begin, T1: end, Columns: columns}
	if tr := s.Track(q.Track); tr.FrameAt(q.T1)-tr.FrameAt(q.T0) > columns {
		q.Mode = frames.StripMax
	}
	s.Frames().Strip(q, &r.strip)
	r.cols = r.cols[:0]
	for i := range r.strip.Columns {
		k := &r.strip.Columns[i]
		col := counterCol{k.State, float64(k.Net), float64(k.Net), float64(k.Net)}
		if q.Mode == frames.StripMax && k.Frames > 0 {
			col.value, col.lo = float64(k.Mean), float64(k.Least)
		}
		if col.value != col.value || math.IsInf(col.value, 0) {
			col.state = frames.ColumnEmpty
		}
		r.cols = append(r.cols, col)
	}
}

// askSeries gets the columns of a series; of a running total its growth per second.
func (c *counterLane) askSeries(x *spans.Series, r *counterRow, begin, end int64, columns int) {
	c.bins = x.Bins(begin, end, columns, c.bins[:0])
	_, last, _ := x.Bounds()
	r.cols = r.cols[:0]
	for i := range c.bins {
		b := &c.bins[i]
		col := counterCol{frames.ColumnData, b.Last, b.Min, b.Max}
		switch {
		case b.N > 0:
		case b.HasBefore && b.Gaps == 0 && b.Begin <= last:
			col.value, col.lo, col.hi = b.Before, b.Before, b.Before
		default:
			col.state = frames.ColumnEmpty
		}
		if x.Def.Kind == model.SeriesCounter && col.state == frames.ColumnData {
			rate, known := c.rateAt(x, b.End-1)
			if col.value, col.lo, col.hi = rate, rate, rate; !known {
				col.state = frames.ColumnEmpty
			}
		}
		r.cols = append(r.cols, col)
	}
}

// rateAt returns how fast a running total grew, per second, between the samples around a time.
func (c *counterLane) rateAt(x *spans.Series, timeNs int64) (rate float64, known bool) {
	was, ok := x.At(timeNs)
	if c.next = x.Samples(timeNs+1, math.MaxInt64, 1, c.next[:0]); !ok || len(c.next) == 0 {
		return 0, false
	}
	now := &c.next[0]
	if !(now.Value >= was.Value) || now.Time <= was.Time { // a gap, or the program began anew
		return 0, false
	}
	return (now.Value - was.Value) * 1e9 / float64(now.Time-was.Time), true
}

// drawRow draws one counter as a line of steps between the least and the greatest value in view,
// on a pale band from the least to the greatest value of each column, with values where there is room. In gaps it is
// interpolated and fainter, or not drawn.
func (c *counterLane) drawRow(p *timepane.Pane, env *panel.Env, d *drawnCounter) {
	l, v, r, cols := p.List(), env.View, d.r, d.row.cols
	one, least := max(env.Px(counterLinePx), 1), math.Inf(1)
	plot := r
	plot.Y0 += env.Px(counterTextH)
	for i := range cols {
		if k := &cols[i]; k.state == frames.ColumnData {
			d.lo, d.hi = min(d.lo, k.lo), max(d.hi, k.hi)
			if k.lo > 0 {
				least = min(least, k.lo)
			}
		}
	}
	scale := format.Scale{Lo: d.lo, Hi: d.hi, Set: true}
	if v.Look().CounterMarked(view.CounterLog, d.row.of) && least < d.hi {
		scale.Lo, scale.Log = least, true
	}
	yOf := func(value float64) float32 {
		share := 0.5
		if d.lo < d.hi {
			share = scale.Share(value)
		}
		return plot.Y1 - one - float32(math.Round(share*float64(plot.H()-one)))
	}
	at := func(i int) float32 {
		return float32(math.Round(float64(r.X0 + r.W()*float32(i)/float32(len(cols)))))
	}
	selected := timepane.SelectedTime(env)
	was, known := float32(0), false // where the line ends that is drawn already
	for i := 0; i < len(cols); {
		k, y := &cols[i], yOf(cols[i].value)
		outside := selected.Leaves(p.TimeAt(env, at(i)), p.TimeAt(env, at(i+1)))
		j := i + 1
		for j < len(cols) && cols[j] == *k && outside == selected.Leaves(p.TimeAt(env, at(j)), p.TimeAt(env, at(j+1))) {
			j++
		}
		x0, x1 := at(i), at(j)
		i = j
		fill := c.fill(env, d.row.of, outside)
		switch {
		case k.state == frames.ColumnMissing && v.Look().ShowInterpolated():
			fill = fill.WithAlpha(90)
		case k.state != frames.ColumnData:
			known = false
			continue
		}
		if k.lo < k.hi {
			l.Rect(draw.Rect{X0: x0, Y0: yOf(k.hi), X1: x1, Y1: yOf(k.lo) + one}, fill.WithAlpha(counterBand))
		}
		if known && was != y {
			l.Rect(draw.Rect{X0: x0, Y0: min(y, was), X1: x0 + one, Y1: max(y, was) + one}, fill)
		}
		l.Rect(draw.Rect{X0: x0, Y0: y, X1: x1, Y1: y + one}, fill)
		was, known = y, true
		if k.state == frames.ColumnData && k.lo == k.hi {
			room := draw.Rect{X0: max(x0, r.X0) + env.Px(4), Y0: y - env.Px(counterTextH), X1: x1, Y1: y}
			if c.label(l, env, d.row.of, room, k.value, outside) {
				d.labels = true
			}
		}
	}
	c.drawAxis(p, env, d, plot)
}

// fill returns the color of a counter, of time that is not selected a faint one.
func (c *counterLane) fill(env *panel.Env, of view.Counter, outside bool) draw.Color {
	if of.Series == model.NoSeries {
		return env.Palette().Drawn(of.Level, outside).Fill
	}
	fill := c.colors.Of(env, of.Series)
	if outside {
		fill = draw.Mix(fill, draw.Color(env.Theme.Panel), 140)
	}
	return fill
}

// appendValue appends a value of a counter in its unit.
func (c *counterLane) appendValue(s *store.Session, of view.Counter, value float64) []byte {
	if of.Series == model.NoSeries {
		return format.AppendShort(c.buf[:0], value, s.Collector(of.Level).Unit)
	}
	return format.UnitOfCurve(&s.Series().ByID(of.Series).Def, false).Append(c.buf[:0], value)
}

// label writes a value above its step where that has room for it; false: it has none.
func (c *counterLane) label(
	l *draw.List, env *panel.Env, of view.Counter, r draw.Rect, value float64, outside bool,
) bool {
	if r.W() < env.Px(12) {
		return false
	}
	c.buf = c.appendValue(env.View.Session(), of, value)
	text := panel.ScratchText(c.buf)
	if env.Atlas.Measure(draw.Small, text)+env.Px(4) > r.W() {
		return false
	}
	col := draw.Color(format.Pick(outside, env.Theme.TextDim, env.Theme.Text2))
	l.TextIn(draw.Small, r, draw.Left, text, col)
	return true
}

// drawAxis writes the greatest and the least value in view at the right end of a row without values at its
// steps.
func (c *counterLane) drawAxis(p *timepane.Pane, env *panel.Env, d *drawnCounter, r draw.Rect) {
	if !(d.lo <= d.hi) {
		p.List().TextFit(draw.Small, p.Inside(d.r, env.Px(6), 0), draw.Left, "no value here", draw.Color(env.Theme.TextDim))
	}
	if d.labels || !(d.lo <= d.hi) || r.W() < 4*env.Px(counterAxisW) {
		return
	}
	l, h := p.List(), env.Px(counterTextH)
	write := func(value float64, y float32) {
		c.buf = c.appendValue(env.View.Session(), d.row.of, value)
		text := panel.ScratchText(c.buf)
		plate := draw.Rect{X0: r.X1 - env.Atlas.Measure(draw.Small, text) - env.Px(8), Y0: y, X1: r.X1, Y1: y + h}
		l.Rect(plate, draw.Color(env.Theme.Panel))
		l.TextIn(draw.Small, plate, draw.Center, text, draw.Color(env.Theme.TextDim))
	}
	if write(d.hi, d.r.Y0); d.lo < d.hi {
		write(d.lo, d.r.Y1-h)
	}
}

// Label implements timepane.Lane: the name of the counter.
func (c *counterLane) Label(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	if b.counter == nil {
		return
	}
	of, v := b.counter.of, env.View
	r := p.Beside(at.Y+env.Px(4), at.Y+env.Px(4+counterTextH), env.Px(20), env.Px(5))
	col := draw.Color(env.Theme.Text)
	if of.Series != model.NoSeries && v.Thing() == view.Series(of.Series) ||
		of.Series == model.NoSeries && v.Selects(of.Level) {
		col = draw.Color(env.Theme.Accent)
	}
	p.Name(timepane.RowNames, draw.Small, r, b.counter.name, col)
}

// drawValues writes the counters' values at the time under the mouse, else at the playhead, under the names.
func (c *counterLane) drawValues(p *timepane.Pane, env *panel.Env) {
	v, s := env.View, env.View.Session()
	at := v.Playhead()
	if v.Pointer().HasTime() {
		at = v.Pointer().Time()
	}
	for i := range c.px {
		d := &c.px[i]
		value, ok := c.valueAt(s, d, at)
		if !ok {
			continue
		}
		r := p.Beside(d.r.Y0+env.Px(counterTextH+1), d.r.Y1, env.Px(20), env.Px(5))
		c.buf = c.appendValue(s, d.row.of, value)
		p.List().TextFit(draw.Small, r, draw.Left, panel.ScratchText(c.buf), draw.Color(env.Theme.Text2))
	}
}

// valueAt returns the value of a counter at a time; of a running total its growth per second.
func (c *counterLane) valueAt(s *store.Session, d *drawnCounter, timeNs int64) (value float64, ok bool) {
	of := d.row.of
	if of.Series == model.NoSeries {
		f := s.Track(of.Track).FrameCovering(timeNs - d.offset)
		if f < 0 {
			return 0, false
		}
		c.bands, value = s.Frames().OpenBands(of.Track, f, of.Level, 0, true, c.bands[:0])
		return value, true
	}
	x := s.Series().ByID(of.Series)
	if x.Def.Kind == model.SeriesCounter {
		return c.rateAt(x, timeNs)
	}
	sample, ok := x.At(timeNs)
	_, last, _ := x.Bounds()
	return sample.Value, ok && timeNs <= last
}

// at returns the counter that was drawn at a height of the plot, nil where none was.
func (c *counterLane) at(pxY float32) *drawnCounter {
	for i := range c.px {
		if d := &c.px[i]; pxY >= d.r.Y0 && pxY < d.r.Y1 {
			return d
		}
	}
	return nil
}

// choose selects the counter at a height; false: there is none.
func (c *counterLane) choose(v *view.View, pxY float32) bool {
	d := c.at(pxY)
	switch {
	case d == nil:
		return false
	case d.row.of.Series != model.NoSeries:
		v.Select(view.Series(d.row.of.Series))
	default:
		v.SelectCollector(d.row.of.Level)
	}
	return true
}

// Hit implements timepane.Lane.
func (c *counterLane) Hit(p *timepane.Pane, env *panel.Env, _ *block, at timepane.Spot, hit *panel.Hit) bool {
	d := c.at(at.PxY)
	if d == nil {
		return false
	}
	hit.Kind, hit.Rect = panel.HitBand, d.r
	if of := d.row.of; of.Series != model.NoSeries {
		hit.Thing, hit.Track = view.Series(of.Series), model.NoTrack
		c.addSeriesTip(p.Tip(), env.View, of.Series, hit.TimeNs)
	} else {
		hit.Collector, hit.Track = of.Level, of.Track
		c.addLevelTip(p.Tip(), env.View, d, hit.Frame)
	}
	return true
}

// addSeriesTip describes a series: its value at a time, and the extremes in view.
func (c *counterLane) addSeriesTip(tip *panel.TipLines, v *view.View, id model.SeriesID, timeNs int64) {
	x := v.Session().Series().ByID(id)
	unit := format.UnitOfValues(&x.Def)
	if tip.Add(x.Def.Name); x.Def.Group != "" && x.Def.Group != x.Def.Name {
		tip.Add(x.Def.Group)
	}
	line := func(name string, value float64) {
		tip.Buf = unit.Append(append(tip.Buf, name...), value)
		tip.End()
	}
	if sample, ok := x.At(timeNs); ok {
		line("value\t", sample.Value)
		tip.Text("time\t").Clock(sample.Time).End()
	}
	begin, end := v.Time().Visible()
	c.bins = x.Bins(begin, end, 1, c.bins[:0])
	if len(c.bins) > 0 && c.bins[0].N > 0 {
		line("least in view\t", c.bins[0].Min)
		line("greatest in view\t", c.bins[0].Max)
	}
}

// addLevelTip describes what a frame of a thread reports: the value as it is drawn, and the parts of it.
func (c *counterLane) addLevelTip(tip *panel.TipLines, v *view.View, d *drawnCounter, frame int) {
	s, of := v.Session(), d.row.of
	counter := s.Collector(of.Level)
	tip.Text(counter.Title()).End()
	value := func(x float64) {
		tip.Buf = format.AppendValue(tip.Buf, x, counter.Unit)
		tip.End()
	}
	if frame >= 0 {
		var sum float64
		c.bands, sum = s.Frames().OpenBands(of.Track, frame, of.Level, 0, true, c.bands[:0])
		tip.Text("value\t")
		value(sum)
		if sent := s.Frames().Stats(of.Track, of.Level, true, frame, frame).Mean; sent != sum {
			tip.Text("reported without its parts\t")
			value(sent)
		}
		tip.Text("frame\t").Count(s.Track(of.Track).Frame(frame).Number).End()
		if len(c.bands) > 1 {
			for _, b := range c.bands {
				tip.Text(s.Collector(b.Collector).Name).Text("\t")
				value(b.Value)
			}
		}
	}
}
