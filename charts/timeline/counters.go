package timeline

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

const (
	counterH      = 32 // height of a counter's row, in scale-1 pixels
	counterColumn = 2  // width of its columns
)

// counterRow is a counter drawn below the lanes of its track: the sum of a top-level counter and all below it, against time.
type counterRow struct {
	collector model.CollectorID
	strip     model.Strip
	top       float64 // value at the upper edge
}

// trackCounters are the counters seen on a track so far; rows only come, so that nothing jumps when a frame lacks a counter.
type trackCounters struct {
	rev    uint64
	looked bool
	rows   []*counterRow
}

// drawnCounter is a row as it was drawn.
type drawnCounter struct {
	row   *counterRow
	block int
	r     draw.Rect // the plot's part
}

// countersOf returns the counters of a track, none while they are not shown.
func (t *Timeline) countersOf(v *view.View, id model.TrackID, tr *model.Track) []*counterRow {
	if !v.ShowCounters() {
		return nil
	}
	if t.counterSession != v.Session() {
		t.counterSession = v.Session()
		clear(t.counters)
	}
	tc := t.counters[id]
	if tc == nil {
		if t.counters == nil {
			t.counters = map[model.TrackID]*trackCounters{}
		}
		tc = &trackCounters{}
		t.counters[id] = tc
	}
	if rev, n := v.Session().Revision(), tr.NumFrames(); n > 0 && (rev != tc.rev || !tc.looked) {
		t.lookForCounters(v.Session(), id, n-1, tc)
		if !tc.looked { // a file: some frame may lack what others have
			for i := range 8 {
				t.lookForCounters(v.Session(), id, n*i/8, tc)
			}
		}
		tc.rev, tc.looked = rev, true
	}
	return tc.rows
}

func (t *Timeline) lookForCounters(s *model.Session, id model.TrackID, frame int, tc *trackCounters) {
	t.levels = s.FrameLevels(id, frame, t.levels[:0])
	for _, l := range t.levels {
		c := topLevel(s, l.Collector)
		if !slices.ContainsFunc(tc.rows, func(r *counterRow) bool { return r.collector == c }) {
			tc.rows = append(tc.rows, &counterRow{collector: c})
		}
	}
}

// topLevel returns the ancestor of a collector that is right below the root.
func topLevel(s *model.Session, c model.CollectorID) model.CollectorID {
	for range 256 { // hierarchies are bounded; a loop in a hostile one ends here
		p := s.Collector(c).Parent
		if p <= 0 || p == c {
			break
		}
		c = p
	}
	return c
}

// drawCounters draws the counters of a block.
func (t *Timeline) drawCounters(env *panel.Env, block int, begin, end int64) {
	b := &t.blocks[block]
	if b.folded {
		return
	}
	l, th := t.list, env.Theme
	y := t.screenY(b.y+b.h) - float32(len(b.counters))*env.Px(counterH)
	for _, row := range b.counters {
		r := draw.Rect{X0: t.plot.X0, Y0: y + env.Px(3), X1: t.plot.X1, Y1: y + env.Px(counterH) - env.Px(3)}
		y += env.Px(counterH)
		if r.Y1 <= t.plot.Y0 || r.Y0 >= t.plot.Y1 {
			continue
		}
		t.counterPx = append(t.counterPx, drawnCounter{row, block, r})
		t.drawCounter(env, b, row, r, begin, end)
		l.HLine(t.plot.X0, t.plot.X1, r.Y1, 1, draw.Color(th.Grid))
	}
}

// drawCounter draws one counter as an area with a line on top; in gaps, where it is interpolated, fainter and without line, or not at all.
func (t *Timeline) drawCounter(env *panel.Env, b *timelineBlock, row *counterRow, r draw.Rect, begin, end int64) {
	l, v := t.list, env.View
	columns := int(r.W() / env.Px(counterColumn))
	if columns <= 0 {
		return
	}
	tr := v.Session().Track(b.track)
	q := model.StripQuery{Track: b.track, Focus: row.collector, Levels: true, T0: begin - b.offset, T1: end - b.offset, Columns: columns}
	if tr.FrameAt(q.T1)-tr.FrameAt(q.T0) > columns {
		q.Mode = model.StripMax
	}
	v.Session().StripChart(q, &row.strip)
	if row.top = row.strip.Max * 1.06; !(row.top > 1e-12) || math.IsInf(row.top, 0) {
		row.top = 1e-12
	}
	fill, _ := v.BarColor(row.collector)
	one := max(1, float32(int(env.Scale)))
	cols := row.strip.Columns
	at := func(i int) float32 { return float32(math.Round(float64(r.X0 + r.W()*float32(i)/float32(len(cols))))) }
	yOf := func(net float32) float32 {
		share := float64(net) / row.top
		if share = min(share, 1); !(share > 0) { // negative, or not a number
			share = 0
		}
		return r.Y1 - float32(math.Round(share*float64(r.H())))
	}
	for i := 0; i < len(cols); {
		state, y := cols[i].State, yOf(cols[i].Net)
		j := i + 1
		for j < len(cols) && cols[j].State == state && yOf(cols[j].Net) == y {
			j++
		}
		x0, x1 := at(i), at(j)
		i = j
		switch {
		case state == model.ColumnData:
			l.Rect(draw.Rect{X0: x0, Y0: y, X1: x1, Y1: r.Y1}, fill.WithAlpha(70))
			l.Rect(draw.Rect{X0: x0, Y0: min(y, r.Y1-one), X1: x1, Y1: min(y, r.Y1-one) + one}, fill)
		case state == model.ColumnMissing && v.ShowInterpolated():
			l.Rect(draw.Rect{X0: x0, Y0: y, X1: x1, Y1: r.Y1}, fill.WithAlpha(28))
		}
	}
}

// drawCounterNames writes the names of the counters in the gutter.
func (t *Timeline) drawCounterNames(env *panel.Env) {
	l, th, v := t.list, env.Theme, env.View
	for i := range t.counterPx {
		d := &t.counterPx[i]
		r := draw.Rect{X0: t.gutter.X0 + env.Px(20), Y0: d.r.Y0, X1: t.gutter.X1 - env.Px(5), Y1: d.r.Y0 + env.Px(14)}
		l.TextIn(draw.Small, r, draw.Left, v.Session().Collector(d.row.collector).Name, draw.Color(th.Text2))
	}
}

// drawCounterValues writes under the names what the counters are at the playhead.
func (t *Timeline) drawCounterValues(env *panel.Env) {
	l, th, v := t.list, env.Theme, env.View
	for i := range t.counterPx {
		d := &t.counterPx[i]
		b := &t.blocks[d.block]
		f := v.Session().Track(b.track).FrameCovering(v.Playhead() - b.offset)
		if f < 0 {
			continue
		}
		t.bands, _ = v.Session().FrameStrip(b.track, f, d.row.collector, true, t.bands[:0])
		r := draw.Rect{X0: t.gutter.X0 + env.Px(20), Y0: d.r.Y0 + env.Px(13), X1: t.gutter.X1 - env.Px(5), Y1: d.r.Y1}
		t.buf = format.AppendShort(t.buf[:0], bandSum(t.bands), v.Session().Collector(d.row.collector).Unit)
		l.TextIn(draw.Small, r, draw.Left, panel.ScratchText(t.buf), draw.Color(th.Text))
	}
}

func bandSum(bands []model.Band) float64 {
	sum := 0.0
	for _, b := range bands {
		sum += b.Value
	}
	return sum
}

// counterAt returns the counter that was drawn at a point, nil where none was.
func (t *Timeline) counterAt(pxX, pxY float32) *drawnCounter {
	if !t.plot.Contains(pxX, pxY) {
		return nil
	}
	for i := range t.counterPx {
		if d := &t.counterPx[i]; pxY >= d.r.Y0 && pxY < d.r.Y1 {
			return d
		}
	}
	return nil
}

// counterTip describes a counter at a time of its track.
func (t *Timeline) counterTip(env *panel.Env, d *drawnCounter, tr *model.Track, frame int) {
	v, tip := env.View, &t.tip
	c := v.Session().Collector(d.row.collector)
	tip.Text(c.FullName).End()
	if frame >= 0 {
		var net float64
		t.bands, net = v.Session().FrameStrip(d.trackOf(t), frame, d.row.collector, true, t.bands[:0])
		tip.Text("value\t")
		tip.Buf = format.AppendValue(tip.Buf, net, c.Unit)
		tip.End()
		tip.Text("frame\t").Count(tr.Frame(frame).Number).End()
		if len(t.bands) > 1 {
			for _, b := range t.bands {
				tip.Text(v.Session().Collector(b.Collector).Name).Text("\t")
				tip.Buf = format.AppendValue(tip.Buf, b.Value, c.Unit)
				tip.End()
			}
		}
	}
	tip.Text("greatest in view\t")
	tip.Buf = format.AppendValue(tip.Buf, row32(d.row.strip.Max), c.Unit)
	tip.End()
}

func (d *drawnCounter) trackOf(t *Timeline) model.TrackID { return t.blocks[d.block].track }

// row32 takes away the digits that a 32-bit float does not have.
func row32(v float64) float64 {
	if v == math.Trunc(v) || math.IsNaN(v) || math.Abs(v) < 1e-30 {
		return v
	}
	p := math.Pow(10, 6-math.Ceil(math.Log10(math.Abs(v))))
	return math.Round(v*p) / p
}
