package charts

import (
	"framescope/charts/draw"
	"framescope/model"
)

// spikeRows is the number of frames listed, spikeAround the number of neighbours drawn at each side.
const (
	spikeRows   = 24
	spikeAround = 9
)

// SpikeTable is the source of the list of spikes of the view's track (model.Session.Spikes), the
// slowest first, each with its neighbours. A click goes there.
type SpikeTable struct {
	rows     []spikeRow
	found    []int
	unframed bool // the rows are spans, not frames
	spans    []model.Bar
	row      int // of the thread, that the spans are of; -1 those of a collector
	typical  model.Typical
	buf      []byte
	fresh    refresher
	words    cachedText
	revision uint64
}

type spikeRow struct {
	index  int
	number int64
	ns     int64
	near   [2*spikeAround + 1]float32
	n      int
	mark   int
}

var spikeColumns = []Column{
	{Kind: ColumnBars, Width: 84},
	{Title: "frame", Kind: ColumnText},
	{Title: "took", Kind: ColumnNumber, Width: 76},
}

// NewSpikeTable returns the source.
func NewSpikeTable() *SpikeTable { return &SpikeTable{} }

// Columns implements TableSource.
func (t *SpikeTable) Columns() []Column {
	if t.unframed {
		return spikeSpanColumns
	}
	return spikeColumns
}

// Empty implements TableSource.
func (t *SpikeTable) Empty() string {
	if t.unframed {
		return t.emptySpans()
	}
	if t.typical.N == 0 {
		return "The slowest frames.\n" + noData
	}
	buf := AppendDuration(append(t.buf[:0], "No frame stands out.\nMedian "...), t.typical.MedianNs)
	t.buf = AppendDuration(append(buf, ", none over "...), t.typical.SpikeNs())
	return t.words.set(t.buf)
}

// Sort implements TableSource.
func (t *SpikeTable) Sort(int, bool) {}

// Prepare implements TableSource.
func (t *SpikeTable) Prepare(env *Env) (rows int, revision uint64) {
	v := env.View
	if t.unframed = v.Unframed(); t.unframed {
		return t.prepareSpans(env)
	}
	s, track := v.Session(), v.Shown()
	if s == nil || track == nil || track.NumFrames() == 0 {
		t.rows, t.typical = t.rows[:0], model.Typical{}
		t.fresh.done = false
		return 0, t.revision
	}
	first, last := 0, track.NumFrames()-1
	if v.FrameB() > v.FrameA() && v.FrameA() >= 0 && v.FrameB() <= last {
		first, last = v.FrameA(), v.FrameB()
	}
	key := rangeKey{session: s, revision: s.Revision(), track: v.Track(), first: first, last: last, live: v.Live()}
	if t.fresh.due(env, key) {
		t.fill(s, track, v.Track(), first, last)
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *SpikeTable) fill(s *model.Session, track *model.Track, id model.TrackID, first, last int) {
	t.found = s.Spikes(id, first, last, spikeRows, t.found[:0])
	t.typical = s.TypicalFrame(id)
	t.rows = t.rows[:0]
	for _, i := range t.found {
		f := track.Frame(i)
		r := spikeRow{index: i, number: f.Number, ns: f.End - f.Begin}
		for j := max(0, i-spikeAround); j <= min(track.NumFrames()-1, i+spikeAround); j++ {
			if j == i {
				r.mark = r.n
			}
			g := track.Frame(j)
			r.near[r.n] = float32(g.End - g.Begin)
			r.n++
		}
		t.rows = append(t.rows, r)
	}
}

// Cell implements TableSource.
func (t *SpikeTable) Cell(env *Env, row, col int, c *Cell) {
	if t.unframed {
		t.spanCell(env, row, col, c)
		return
	}
	r := &t.rows[row]
	color := FrameColor(env.Theme, r.ns, budget(env))
	switch col {
	case 0:
		c.Series, c.Mark, c.Color = r.near[:r.n], r.mark, color
	case 1:
		c.Buf = AppendCount(append(c.Buf, '#'), r.number)
	case 2:
		c.Buf = AppendDuration(c.Buf, r.ns)
		if r.ns > budget(env) {
			c.Color = color
		} else {
			c.Color = draw.Color(env.Theme.Text2)
		}
	}
}

// Row implements TableSource.
func (t *SpikeTable) Row(env *Env, row int) RowInfo {
	v := env.View
	if t.unframed {
		b := &t.spans[row]
		return RowInfo{Selected: v.HasSpan() && v.Span().Ref == b.Ref, Lit: b.Collector == v.HoverCollector(), Hit: Hit{Kind: HitSpan, Collector: b.Collector, Track: b.Ref.Track, Bar: *b, Frame: -1, TimeNs: b.Begin}}
	}
	i := t.rows[row].index
	return RowInfo{Selected: !v.Live() && v.FrameA() <= i && i <= v.FrameB(), Hit: Hit{Kind: HitFrame, Collector: model.NoCollector, Track: v.Track(), Frame: i}}
}

// Click implements TableSource.
func (t *SpikeTable) Click(env *Env, row, _ int, _ CellPart, _ *Input) Action {
	if t.unframed {
		env.View.SelectSpan(t.spans[row])
		return Action{}
	}
	i := t.rows[row].index
	env.View.SelectFrames(i, i)
	return Action{}
}
