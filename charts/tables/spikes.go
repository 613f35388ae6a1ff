package tables

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
)

// spikeRows is the number of frames listed, spikeAround the number of neighbours drawn at each side.
const (
	spikeRows   = 24
	spikeAround = 9
)

// Spikes is the source of the list of spikes of the view's track (model.Session.Spikes), the
// slowest first, each with its neighbours. A click goes there.
type Spikes struct {
	rows     []spikeRow
	found    []int
	unframed bool // the rows are spans, not frames
	spans    []model.Bar
	row      int // of the thread, that the spans are of; -1 those of a collector
	typical  model.Typical
	buf      []byte
	fresh    panel.Refresher
	words    panel.CachedText
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

var spikeColumns = []table.Column{
	{Kind: table.ColumnBars, Width: 84},
	{Title: "frame", Kind: table.ColumnText},
	{Title: "took", Kind: table.ColumnNumber, Width: 76},
}

// NewSpikes returns the source.
func NewSpikes() *Spikes { return &Spikes{} }

// Columns implements Source.
func (t *Spikes) Columns() []table.Column {
	if t.unframed {
		return spikeSpanColumns
	}
	return spikeColumns
}

// Empty implements Source.
func (t *Spikes) Empty() string {
	if t.unframed {
		return t.emptySpans()
	}
	if t.typical.N == 0 {
		return "The slowest frames.\n" + panel.NoData
	}
	buf := format.AppendDuration(append(t.buf[:0], "No frame stands out.\nMedian "...), t.typical.MedianNs)
	t.buf = format.AppendDuration(append(buf, ", none over "...), t.typical.SpikeNs())
	return t.words.Set(t.buf)
}

// Sort implements Source.
func (t *Spikes) Sort(int, bool) {}

// Prepare implements Source.
func (t *Spikes) Prepare(env *panel.Env) (rows int, revision uint64) {
	v := env.View
	if t.unframed = v.Unframed(); t.unframed {
		return t.prepareSpans(env)
	}
	s, track := v.Session(), v.Shown()
	if s == nil || track == nil || track.NumFrames() == 0 {
		t.rows, t.typical = t.rows[:0], model.Typical{}
		t.fresh.Done = false
		return 0, t.revision
	}
	first, last := 0, track.NumFrames()-1
	if v.FrameB() > v.FrameA() && v.FrameA() >= 0 && v.FrameB() <= last {
		first, last = v.FrameA(), v.FrameB()
	}
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Track: v.Track(), First: first, Last: last, Live: v.Live()}
	if t.fresh.Due(env, key) {
		t.fill(s, track, v.Track(), first, last)
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *Spikes) fill(s *model.Session, track *model.Track, id model.TrackID, first, last int) {
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

// Cell implements Source.
func (t *Spikes) Cell(env *panel.Env, row, col int, c *table.Cell) {
	if t.unframed {
		t.spanCell(env, row, col, c)
		return
	}
	r := &t.rows[row]
	color := subject.FrameColor(env.Theme, r.ns, subject.Budget(env))
	switch col {
	case 0:
		c.Series, c.Mark, c.Color = r.near[:r.n], r.mark, color
	case 1:
		c.Buf = format.AppendCount(append(c.Buf, '#'), r.number)
	case 2:
		c.Buf = format.AppendDuration(c.Buf, r.ns)
		if r.ns > subject.Budget(env) {
			c.Color = color
		} else {
			c.Color = draw.Color(env.Theme.Text2)
		}
	}
}

// Row implements Source.
func (t *Spikes) Row(env *panel.Env, row int) table.RowInfo {
	v := env.View
	if t.unframed {
		b := &t.spans[row]
		return table.RowInfo{Selected: v.HasSpan() && v.Span().Ref == b.Ref, Lit: b.Collector == v.HoverCollector(), Hit: panel.Hit{Kind: panel.HitSpan, Collector: b.Collector, Track: b.Ref.Track, Bar: *b, Frame: -1, TimeNs: b.Begin}}
	}
	i := t.rows[row].index
	return table.RowInfo{Selected: !v.Live() && v.FrameA() <= i && i <= v.FrameB(), Hit: panel.Hit{Kind: panel.HitFrame, Collector: model.NoCollector, Track: v.Track(), Frame: i}}
}

// Click implements Source.
func (t *Spikes) Click(env *panel.Env, row, _ int, _ table.CellPart, _ *panel.Input) panel.Action {
	if t.unframed {
		env.View.SelectSpan(t.spans[row])
		return panel.Action{}
	}
	i := t.rows[row].index
	env.View.SelectFrames(i, i)
	return panel.Action{}
}
