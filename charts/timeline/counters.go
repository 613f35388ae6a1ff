package timeline

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

const (
	counterH      = 44 // height of a counter's row, in scale-1 pixels
	counterColumn = 2  // width of its columns
	counterLinePx = 1.5
	counterTextH  = 14 // of a value above its step
	blockPadEnd   = 6  // above the first
)

// counterLane draws the counters of tracks, a row each.
type counterLane struct {
	known   map[model.TrackID]*trackCounters
	session *store.Session
	px      []drawnCounter
	levels  []model.Level
	bands   []frames.Band
	runs    []frames.Run
	buf     []byte
}

// counterRow is a counter: the sum of a top-level counter and all below it, against time.
type counterRow struct {
	collector model.CollectorID
	strip     frames.Strip
}

// trackCounters are the counters seen on a track so far; rows only come, so that nothing jumps when
// a frame lacks a counter.
type trackCounters struct {
	rev    uint64
	looked bool
	rows   []*counterRow
}

// drawnCounter is a drawn row. r is its part of the plot.
type drawnCounter struct {
	row    *counterRow
	track  model.TrackID
	offset int64
	r      draw.Rect
}

func (c *counterLane) reset() { c.px = c.px[:0] }

// of returns the counters of a track, none while they are not shown.
func (c *counterLane) of(v *view.View, id model.TrackID, tr *store.Track) []*counterRow {
	if !v.Look().ShowCounters() {
		return nil
	}
	if c.session != v.Session() || c.known == nil {
		c.session, c.known = v.Session(), map[model.TrackID]*trackCounters{}
	}
	tc := c.known[id]
	if tc == nil {
		tc = &trackCounters{}
		c.known[id] = tc
	}
	if rev, n := v.Session().Revision(), tr.NumFrames(); n > 0 && (rev != tc.rev || !tc.looked) {
		c.lookAt(v.Session(), id, n-1, tc)
		if !tc.looked { // a file: some frame may lack counters that others have
			for i := range 8 {
				c.lookAt(v.Session(), id, n*i/8, tc)
			}
		}
		tc.rev, tc.looked = rev, true
	}
	return tc.rows
}

// lookAt adds the counters of a frame.
func (c *counterLane) lookAt(s *store.Session, id model.TrackID, frame int, tc *trackCounters) {
	c.levels = s.Frames().Levels(id, frame, c.levels[:0])
	for _, l := range c.levels {
		top := s.Collector(l.Collector).Top
		if !slices.ContainsFunc(tc.rows, func(r *counterRow) bool { return r.collector == top }) {
			tc.rows = append(tc.rows, &counterRow{collector: top})
		}
	}
}

// Layout implements timepane.Lane.
func (c *counterLane) Layout(env *panel.Env, b *block, _ float32) float32 {
	if b.folded {
		return 0
	}
	return env.Px(blockPadEnd) + float32(len(b.counters))*env.Px(counterH)
}

// Draw implements timepane.Lane.
func (c *counterLane) Draw(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	if b.folded {
		return
	}
	plot, y := p.Plot(), at.Y+env.Px(blockPadEnd)
	for _, row := range b.counters {
		r := draw.Rect{X0: plot.X0, Y0: y + env.Px(3), X1: plot.X1, Y1: y + env.Px(counterH) - env.Px(3)}
		y += env.Px(counterH)
		if r.Y1 <= plot.Y0 || r.Y0 >= plot.Y1 {
			continue
		}
		c.px = append(c.px, drawnCounter{row, b.track, b.offset, r})
		c.drawRow(p, env, b, row, r)
		p.List().HLine(plot.X0, plot.X1, r.Y1, 1, draw.Color(env.Theme.Grid))
	}
}

// counterLine is a counter as it is being drawn: from value lo at the lower edge of r to hi at its
// upper one.
type counterLine struct {
	r      draw.Rect
	lo, hi float64
	one    float32
}

// yOf returns the height of a value: for NaN the lower edge.
func (c *counterLine) yOf(value float32) float32 {
	share := 0.5
	if c.hi > c.lo {
		share = (float64(value) - c.lo) / (c.hi - c.lo)
	}
	if share = min(share, 1); !(share > 0) {
		share = 0
	}
	return c.r.Y1 - c.one - float32(math.Round(share*float64(c.r.H()-c.one)))
}

// drawRow draws one counter as a line of steps between the least and the greatest value in view,
// with values where there is room; in gaps, where it is interpolated, fainter, or not at all.
func (c *counterLane) drawRow(p *timepane.Pane, env *panel.Env, b *block, row *counterRow, r draw.Rect) {
	l, v := p.List(), env.View
	columns := int(r.W() / env.Px(counterColumn))
	if columns <= 0 {
		return
	}
	begin, end := v.Time().Visible()
	q := frames.StripQuery{
		Track: b.track, Focus: row.collector, Levels: true, T0: begin - b.offset, T1: end - b.offset, Columns: columns,
	}
	if tr := v.Session().Track(b.track); tr.FrameAt(q.T1)-tr.FrameAt(q.T0) > columns {
		q.Mode = frames.StripMax
	}
	v.Session().Frames().Strip(q, &row.strip)
	cols := row.strip.Columns
	line := counterLine{r: r, lo: math.Inf(1), hi: math.Inf(-1), one: max(env.Px(counterLinePx), 1)}
	line.r.Y0 += env.Px(counterTextH)
	for i := range cols {
		if net := float64(cols[i].Net); cols[i].State == frames.ColumnData && !math.IsInf(net, 0) && net == net {
			line.lo, line.hi = min(line.lo, net), max(line.hi, net)
		}
	}
	at := func(i int) float32 {
		return float32(math.Round(float64(r.X0 + r.W()*float32(i)/float32(len(cols)))))
	}
	selected, unit := timepane.SelectedTime(env), v.Session().Collector(row.collector).Unit
	was, known := float32(0), false // where the line ends that is drawn already
	for i := 0; i < len(cols); {
		state, value, y := cols[i].State, cols[i].Net, line.yOf(cols[i].Net)
		outside := selected.Leaves(p.TimeAt(env, at(i)), p.TimeAt(env, at(i+1)))
		j := i + 1
		for j < len(cols) && cols[j].State == state && cols[j].Net == value &&
			outside == selected.Leaves(p.TimeAt(env, at(j)), p.TimeAt(env, at(j+1))) {
			j++
		}
		x0, x1 := at(i), at(j)
		i = j
		fill := env.Palette().Drawn(row.collector, outside).Fill
		switch {
		case state == frames.ColumnMissing && v.Look().ShowInterpolated():
			fill = fill.WithAlpha(90)
		case state != frames.ColumnData:
			known = false
			continue
		}
		if known && was != y {
			l.Rect(draw.Rect{X0: x0, Y0: min(was, y), X1: x0 + line.one, Y1: max(was, y) + line.one}, fill)
		}
		l.Rect(draw.Rect{X0: x0, Y0: y, X1: x1, Y1: y + line.one}, fill)
		was, known = y, true
		if state == frames.ColumnData {
			c.label(l, env, draw.Rect{X0: max(x0, r.X0) + env.Px(4), Y0: y - env.Px(counterTextH), X1: x1, Y1: y}, value, unit, outside)
		}
	}
}

// label writes a value above its step where that has room for it.
func (c *counterLane) label(l *draw.List, env *panel.Env, r draw.Rect, value float32, unit string, outside bool) {
	c.buf = format.AppendShort(c.buf[:0], float64(value), unit)
	text := panel.ScratchText(c.buf)
	if env.Atlas.Measure(draw.Small, text)+env.Px(4) > r.W() {
		return
	}
	col := draw.Color(env.Theme.Text2)
	if outside {
		col = draw.Color(env.Theme.TextDim)
	}
	l.TextIn(draw.Small, r, draw.Left, text, col)
}

// Label implements timepane.Lane: the names of the counters.
func (c *counterLane) Label(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	for i := range c.px {
		d := &c.px[i]
		if d.track != b.track {
			continue
		}
		name := env.View.Session().Collector(d.row.collector).Name
		r := p.Beside(d.r.Y0, d.r.Y0+env.Px(14), env.Px(20), env.Px(5))
		p.Name(timepane.RowNames, draw.Small, r, name, draw.Color(env.Theme.Text2))
	}
}

// drawValues writes the counters' values at the playhead under the names.
func (c *counterLane) drawValues(p *timepane.Pane, env *panel.Env) {
	v, s := env.View, env.View.Session()
	for i := range c.px {
		d := &c.px[i]
		f := s.Track(d.track).FrameCovering(v.Playhead() - d.offset)
		if f < 0 {
			continue
		}
		c.bands, _ = s.Frames().Bands(d.track, f, d.row.collector, true, c.bands[:0])
		sum := 0.0
		for _, band := range c.bands {
			sum += band.Value
		}
		r := p.Beside(d.r.Y0+env.Px(13), d.r.Y1, env.Px(20), env.Px(5))
		c.buf = format.AppendShort(c.buf[:0], sum, s.Collector(d.row.collector).Unit)
		p.List().TextIn(draw.Small, r, draw.Left, panel.ScratchText(c.buf), draw.Color(env.Theme.Text))
	}
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

// Hit implements timepane.Lane.
func (c *counterLane) Hit(p *timepane.Pane, env *panel.Env, _ *block, at timepane.Spot, hit *panel.Hit) bool {
	d := c.at(at.PxY)
	if d == nil {
		return false
	}
	hit.Kind, hit.Collector, hit.Rect = panel.HitBand, d.row.collector, d.r
	s, tip := env.View.Session(), p.Tip()
	counter := s.Collector(d.row.collector)
	tip.Text(counter.Title()).End()
	value := func(v float64) {
		tip.Buf = format.AppendValue(tip.Buf, v, counter.Unit)
		tip.End()
	}
	if hit.Frame >= 0 {
		tip.Text("value\t")
		value(s.Frames().Stats(d.track, d.row.collector, true, hit.Frame, hit.Frame).Mean)
		tip.Text("frame\t").Count(s.Track(d.track).Frame(hit.Frame).Number).End()
		c.bands, _ = s.Frames().Bands(d.track, hit.Frame, d.row.collector, true, c.bands[:0])
		if len(c.bands) > 1 {
			for _, b := range c.bands {
				tip.Text(s.Collector(b.Collector).Name).Text("\t")
				value(b.Value)
			}
		}
	}
	begin, end := env.View.Time().Visible()
	c.runs = s.Track(d.track).FramesTouching(begin-d.offset, end-d.offset, c.runs[:0])
	most := math.Inf(-1)
	for _, r := range c.runs {
		most = max(most, s.Frames().Stats(d.track, d.row.collector, true, r.First, r.Last).Max)
	}
	if len(c.runs) > 0 {
		tip.Text("greatest in view\t")
		value(most)
	}
	return true
}
