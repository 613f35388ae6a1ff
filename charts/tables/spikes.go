package tables

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// spikeRows is the number of frames listed, as many as leave room for what is below, spikeAround the number of neighbours drawn at each
// side.
const (
	spikeRows   = 12
	spikeAround = 9
)

// Spikes is the source of the list of spikes of the view's track: of the slowest frames, or where
// there are none of the longest spans. A click goes there.
type Spikes struct {
	perUnit[spikeRow, spikeList]
}

// spikeList is one of the lists of spikes. Words tells what the rows are.
type spikeList interface {
	source[spikeRow]
	table.Waiter
	Words(env *panel.Env) string
}

// waits lets a list of spikes stay as it is while the mouse is over it: one that is greater than the
// others would push one out.
type waits bool

// Wait implements table.Waiter.
func (w *waits) Wait(on bool) { *w = waits(on) }

// stays tells whether a list that was made for one key stays as it is, though it is to be another
// by now. It does not where another thread, collector or range was chosen.
func (w waits) stays(made *panel.Refresher, now panel.RangeKey) bool {
	was := made.Key
	same := was.Session == now.Session && was.Track == now.Track && was.Extra == now.Extra && was.Calls == now.Calls
	ranges := was.T0 == now.T0 && was.T1 == now.T1 && was.First == now.First && was.Last == now.Last
	return bool(w) && made.Done && same && (ranges || now.Extra&chosenRange == 0)
}

// chosenRange of a key's Extra tells that the spikes are those of a range that was chosen.
const chosenRange = 1 << 63

// frameSpikes are the spikes among the frames of a track (store.Session.Spikes), the slowest first,
// each with its neighbours.
type frameSpikes struct {
	waits
	rows     []spikeRow
	found    []int
	middleNs int64 // of the frames around the last one, 0: too few
	buf      []byte
	fresh    panel.Refresher
	words    panel.CachedText
	of       panel.CachedText
	revision uint64
}

// spanSpikes are the longest spans of the chosen collector on a track, or while none is chosen
// those of one row (store.Session.SpikeRow).
type spanSpikes struct {
	waits
	rows     []spikeRow
	spans    []spans.Bar
	row      int // of the thread, that the spans are of; -1 those of a collector
	fresh    panel.Refresher
	words    panel.CachedText
	revision uint64
}

// spikeRow is a frame with its neighbours, or a span.
type spikeRow struct {
	index  int
	track  model.TrackID
	number int64
	ns     int64
	near   [2*spikeAround + 1]float32
	n      int
	mark   int
	span   spans.Bar
}

// at returns the index of the frame, which shifts when older ones leave; -1: it has left.
func (r *spikeRow) at(env *panel.Env) int {
	t := env.View.Shown()
	if t == nil {
		return -1
	}
	if r.index < t.NumFrames() && t.Frame(r.index).Number == r.number {
		return r.index
	}
	if i, ok := t.FrameByNumber(r.number); ok {
		return i
	}
	return -1
}

func spikeColor(env *panel.Env, r *spikeRow) draw.Color {
	return subject.FrameColor(env.Theme, r.ns, subject.Budget(env))
}

var spikeColumns = []table.Column[spikeRow]{
	{ID: "near", Kind: table.Bars, Width: 84, Cell: func(env *panel.Env, r *spikeRow, c *table.Cell) {
		c.Series, c.Mark, c.Color = r.near[:r.n], r.mark, spikeColor(env, r)
	}},
	{ID: "frame", Title: "frame", Least: 50, Cell: func(_ *panel.Env, r *spikeRow, c *table.Cell) {
		c.Buf = format.AppendCount(append(c.Buf, '#'), r.number)
	}},
	{
		ID: "took", Title: "took", Unit: "ns", Kind: table.Number, Width: 76, Quiet: true, Fixed: true,
		Time: true, Value: func(_ *panel.Env, r *spikeRow) float64 { return float64(r.ns) },
		Cell: func(env *panel.Env, r *spikeRow, c *table.Cell) {
			if r.ns > subject.Budget(env) {
				c.Color = spikeColor(env, r)
			}
		},
	},
}

var spikeSpanColumns = []table.Column[spikeRow]{
	{ID: "span", Title: "span", Least: 110, Cell: func(env *panel.Env, r *spikeRow, c *table.Cell) {
		v, id := env.View, r.span.Collector
		c.Text, c.Swatch, c.Hollow = v.Session().Collector(id).Name, env.Palette().Fill(id), v.Look().Hidden(id)
		c.Found = env.Palette().Found(id)
	}},
	{
		ID: "took", Title: "took", Unit: "ns", Kind: table.Number, Width: 76, Fixed: true, Time: true,
		Value: func(_ *panel.Env, r *spikeRow) float64 { return float64(r.span.End - r.span.Begin) },
		Cell:  func(_ *panel.Env, r *spikeRow, c *table.Cell) { markLength(c, &r.span) },
	},
	{
		ID: "at", Title: "at", Kind: table.Number, Width: 84, Drop: 1, Quiet: true,
		Cell: func(_ *panel.Env, r *spikeRow, c *table.Cell) {
			c.Buf = format.AppendClock(c.Buf, r.span.Begin, max((r.span.End-r.span.Begin)/10, 1_000))
		},
	},
}

// Wait implements table.Waiter.
func (t *Spikes) Wait(on bool) {
	t.Frames.Wait(on)
	t.Spans.Wait(on)
}

// NewSpikes returns the source.
func NewSpikes() *Spikes {
	return &Spikes{over[spikeRow, spikeList](&frameSpikes{}, &spanSpikes{})}
}

// Words tells what the rows are, where that is not plain.
func (t *Spikes) Words(env *panel.Env) string { return t.now.Words(env) }

// Columns implements table.Source.
func (t *frameSpikes) Columns() []table.Column[spikeRow] { return spikeColumns }

// Columns implements table.Source.
func (t *spanSpikes) Columns() []table.Column[spikeRow] { return spikeSpanColumns }

// At implements table.Source.
func (t *frameSpikes) At(i int) *spikeRow { return &t.rows[i] }

// At implements table.Source.
func (t *spanSpikes) At(i int) *spikeRow { return &t.rows[i] }

// Empty implements table.Source.
func (t *frameSpikes) Empty(bool) string {
	if t.middleNs == 0 {
		return "The slowest frames.\n" + panel.NoData
	}
	t.buf = format.AppendDuration(append(t.buf[:0], "No frame is much longer than those around it.\nTypical "...), t.middleNs)
	return t.words.Set(t.buf)
}

// Empty implements table.Source.
func (t *spanSpikes) Empty(bool) string { return "The longest spans.\nThis thread has none here." }

// Rows implements table.Source.
func (t *frameSpikes) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s, track := v.Session(), v.Shown()
	if s == nil || track == nil || track.NumFrames() == 0 {
		t.rows, t.middleNs = t.rows[:0], 0
		t.fresh.Done = false
		return 0, t.revision
	}
	first, last := 0, track.NumFrames()-1
	if v.FrameB() > v.FrameA() && v.FrameA() >= 0 && v.FrameB() <= last {
		first, last = v.FrameA(), v.FrameB()
	}
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Track: v.Track(), First: first, Last: last, Live: v.Live()}
	if v.FrameB() > v.FrameA() {
		key.Extra = chosenRange
	}
	if !t.stays(&t.fresh, key) && t.fresh.Due(env, key) {
		t.fill(s, track, v.Track(), first, last)
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *frameSpikes) fill(s *store.Session, track *store.Track, id model.TrackID, first, last int) {
	t.found = s.Frames().Spikes(id, first, last, spikeRows, t.found[:0])
	t.middleNs = s.Frames().Around(id, last).MedianNs
	t.rows = t.rows[:0]
	for _, i := range t.found {
		f := track.Frame(i)
		r := spikeRow{index: i, track: id, number: f.Number, ns: f.End - f.Begin}
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

// Rows implements table.Source.
func (t *spanSpikes) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	key, ok := callKey(env)
	if !ok || v.Shown() == nil {
		t.rows, t.spans, t.fresh.Done = t.rows[:0], t.spans[:0], false
		return 0, t.revision
	}
	key.Extra = uint64(int64(v.Chosen()))&^chosenRange + 1
	if v.ChoseRange() && !v.HasSpan() {
		key.Extra |= chosenRange
	}
	if of := &t.fresh.Key; of.Session != key.Session || of.Track != key.Track || !of.Calls {
		// Those of another thread are none of this one's, also while this one's are made ready.
		t.rows, t.spans = t.rows[:0], t.spans[:0]
	}
	if !t.stays(&t.fresh, key) && callsReady(env) && t.fresh.Due(env, key) {
		t.spans, t.row = key.Session.Spans().Spikes(key.Track, v.Chosen(), key.T0, key.T1, spikeRows, t.spans[:0])
		t.rows = t.rows[:0]
		for _, b := range t.spans {
			t.rows = append(t.rows, spikeRow{span: b})
		}
		t.revision++
	}
	return len(t.rows), t.revision
}

// Row implements table.Describer.
func (t *frameSpikes) Row(env *panel.Env, r *spikeRow) table.RowInfo {
	v, i := env.View, r.at(env)
	return table.RowInfo{
		Selected: i >= 0 && !v.Live() && v.FrameA() <= i && i <= v.FrameB(),
		Hit:      panel.Hit{Kind: panel.HitFrame, Collector: model.NoCollector, Track: v.Track(), Frame: i},
	}
}

// Row implements table.Describer.
func (t *spanSpikes) Row(env *panel.Env, r *spikeRow) table.RowInfo {
	v, b := env.View, &r.span
	return table.RowInfo{
		Selected: v.HasSpan() && v.Span().Ref == b.Ref, Lit: b.Collector == v.Pointer().Collector(),
		Hit: panel.Hit{
			Kind: panel.HitSpan, Collector: b.Collector, Track: b.Ref.Track, Bar: *b, Frame: -1, TimeNs: b.Begin,
		},
	}
}

// Click implements table.Clicker.
func (t *frameSpikes) Click(env *panel.Env, r *spikeRow, _ *panel.Input) panel.Action {
	if i := r.at(env); i >= 0 {
		env.View.SelectFrames(i, i)
	}
	return panel.Action{}
}

// Click implements table.Clicker.
func (t *spanSpikes) Click(env *panel.Env, r *spikeRow, _ *panel.Input) panel.Action {
	env.View.StepToSpan(r.span) // the list stays as it is
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *frameSpikes) Tip(_ *panel.Env, r *spikeRow, l *panel.TipLines) {
	l.Text("frame ").Count(r.number).End()
	l.Duration(r.ns).Text(" · ").Rate(r.ns).End()
}

// Tip implements table.Tips.
func (t *spanSpikes) Tip(env *panel.Env, r *spikeRow, l *panel.TipLines) {
	b, s := &r.span, env.View.Session()
	l.Add(s.Collector(b.Collector).Title())
	l.Buf = appendSpanLength(append(l.Buf, "took\t"...), b)
	l.End()
	l.Text("begins\t").Clock(b.Begin).End()
	if b.Flags&model.SpanUncertain != 0 {
		l.Text("ends known to\t± ").Duration(s.Info().Clock.Step(b.End)).End()
	}
	l.Add("click: go there")
}

// Words implements spikeList: "slowest of 25 frames": where there may be more, and where several
// are selected.
func (t *frameSpikes) Words(env *panel.Env) string {
	v := env.View
	var buf [48]byte
	b := buf[:0]
	if len(t.rows) == spikeRows {
		b = append(b, "slowest"...)
	}
	if v.FrameA() < 0 || v.FrameB() <= v.FrameA() {
		return t.of.Set(b)
	}
	if len(b) > 0 {
		b = append(b, ' ')
	}
	b = format.AppendCount(append(b, "of "...), int64(v.FrameB()-v.FrameA()+1))
	return t.of.Set(append(b, " frames"...))
}

// Words implements spikeList: "row 5", the name of the chosen collector, or that these are the
// slowest of all.
func (t *spanSpikes) Words(env *panel.Env) string {
	s := env.View.Session()
	switch {
	case len(t.spans) == 0 || s != t.fresh.Key.Session:
		return ""
	case t.row < 0 && t.spans[0].Collector == env.View.Chosen():
		return s.Collector(t.spans[0].Collector).Name
	case t.row < 0:
		return "slowest"
	}
	var buf [24]byte
	return t.words.Set(format.AppendCount(append(buf[:0], "row "...), int64(t.row+1)))
}

// openEnds tells that an end of a span is not known.
func openEnds(b *spans.Bar) bool { return b.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 }

// markLength marks how long a span took: "≥" where an end of it is not known, "≈" where its ends are
// known to a sample only.
func markLength(c *table.Cell, b *spans.Bar) {
	c.AtLeast(openEnds(b))
	c.About(!openEnds(b) && b.Flags&model.SpanUncertain != 0)
}

// appendSpanLength appends how long a span took, marked as markLength does.
func appendSpanLength(dst []byte, b *spans.Bar) []byte {
	switch {
	case openEnds(b):
		dst = append(dst, "≥ "...)
	case b.Flags&model.SpanUncertain != 0:
		dst = append(dst, "≈ "...)
	}
	return format.AppendDuration(dst, b.End-b.Begin)
}

// Key implements table.Keyed.
func (t *frameSpikes) Key(r *spikeRow) uint64 { return table.KeyOf(int64(r.track), r.number) }

// Key implements table.Keyed.
func (t *spanSpikes) Key(r *spikeRow) uint64 {
	ref := r.span.Ref
	return table.KeyOf(int64(ref.Track), int64(ref.Lane), ref.Index)
}
