package tables

import (
	"cmp"
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/why"
)

// spikeRows is the number of listed spans; it leaves room for the panels below.
const spikeRows = 12

// Spikes is the source of the list of spikes of the view's track: of the frames that stand out, by
// their causes, or where there are no frames of the buffers that were late, by theirs, or of the longest
// spans. A click goes there.
type Spikes struct {
	perUnit[spikeRow, spikeList]
	late *lateBuffers
}

// spikeList is one of the lists of spikes. Words describes the rows.
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

// stays reports whether a list that was made for one key stays as it is, though it is to be another
// by now. It does not where another thread, collector or range was chosen.
func (w waits) stays(made *panel.Refresher, now panel.RangeKey) bool {
	was := made.Key
	same := was.Session == now.Session && was.Track == now.Track && was.Extra == now.Extra && was.Calls == now.Calls
	ranges := was.T0 == now.T0 && was.T1 == now.T1 && was.First == now.First && was.Last == now.Last
	return bool(w) && made.Done && same && (ranges || now.Extra&chosenRange == 0)
}

// chosenRange in a key's Extra marks spikes of a chosen range.
const chosenRange = 1 << 63

// spanSpikes are the longest spans of the chosen collector on a track, or without one those of one row
// (spans.Table.SpikeRow); for sampled stacks the longest run of each method of that row, as further
// ones of the same method add nothing.
type spanSpikes struct {
	table.List[spikeRow]
	waits
	grouped bool // the rows are methods
	stats   []spans.Stat
	spans   []spans.Bar
	row     int // of the thread, with the spans; -1 for those of a collector
	words   panel.CachedText
}

// spikeRow is a frame that stands out, or several with one root cause; or a span.
type spikeRow struct {
	list  *hitches
	group *why.Group
	hitch *why.Hitch // a frame of an open group, or the worst one of the group
	fold  table.Fold // of a group of several
	depth int
	place int    // of the cause
	name  string // of the cause
	span  spans.Bar
	runs  int64 // of the span's method, where stacks are sampled
}

// runColumns are those of the longest run of each method.
var runColumns = []table.Column[spikeRow]{
	spikeSpanColumns[0],
	{
		ID: "runs", Title: "runs", Kind: table.Number, Width: 52, Fixed: true, Drop: 1, Quiet: true, Format: table.Count,
		Value: func(_ *panel.Env, r *spikeRow) float64 { return float64(r.runs) },
	},
	spikeSpanColumns[1], spikeSpanColumns[2],
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
		ID: "at", Title: "at", Kind: table.Number, Width: 84, Drop: 2, Quiet: true,
		Cell: func(_ *panel.Env, r *spikeRow, c *table.Cell) {
			c.Buf = format.AppendClock(c.Buf, r.span.Begin, max((r.span.End-r.span.Begin)/10, 1_000))
		},
	},
}

// Wait implements table.Waiter.
func (t *Spikes) Wait(on bool) {
	t.Frames.Wait(on)
	t.Spans.Wait(on)
	t.late.Wait(on)
}

// NewSpikes returns the source.
func NewSpikes() *Spikes {
	late := &lateBuffers{hitches{selects: selectsBuffer}}
	t := &Spikes{over[spikeRow, spikeList](&hitches{selects: selectsFrame}, &spanSpikes{}), late}
	t.other = func(v *view.View) (spikeList, bool) { return late, v.Causes().OfWays(v.Track()) }
	return t
}

// Group implements table.Grouper: frames stand below their causes.
func (t *Spikes) Group(r *spikeRow) int { return r.place }

// Words describes the rows if they need it.
func (t *Spikes) Words(env *panel.Env) string { return t.now.Words(env) }

// Columns implements table.Source.
func (t *spanSpikes) Columns() []table.Column[spikeRow] {
	return format.Pick(t.grouped, runColumns, spikeSpanColumns)
}

// Empty implements table.Source.
func (t *spanSpikes) Empty(bool) string {
	if len(t.spans) > 0 {
		return "The longest calls.\nNone stands out here: each takes about as long as others of its name."
	}
	return "The longest calls.\nThis thread has none here."
}

// Rows implements table.Source.
func (t *spanSpikes) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	key, ok := callKey(env)
	if !ok || v.Shown() == nil {
		t.spans = t.spans[:0]
		return t.None()
	}
	key.Extra = uint64(int64(v.Chosen()))&^chosenRange + 1
	if v.ChoseRange() && !v.HasSpan() {
		key.Extra |= chosenRange
	}
	if of := &t.Fresh.Key; of.Session != key.Session || of.Track != key.Track || !of.Calls {
		// Rows of another thread are dropped, also while this one's are being made.
		t.All, t.spans = t.All[:0], t.spans[:0]
	}
	if !t.stays(&t.Fresh, key) && callsReady(env) && t.Due(env, key) {
		t.fill(&key, v.Chosen())
	}
	return t.Listed()
}

// fill makes the rows.
func (t *spanSpikes) fill(key *panel.RangeKey, chosen model.CollectorID) {
	all := key.Session.Spans()
	t.All, t.grouped = t.All[:0], all.Sampled(key.Track)
	t.spans, t.row = all.Spikes(key.Track, chosen, key.T0, key.T1, spikesSought, t.spans[:0])
	t.grouped = t.grouped && t.row >= 0
	one := [1]model.TrackID{key.Track}
	t.stats = all.Stats(one[:], key.T0, key.T1, t.stats[:0])
	for _, b := range t.spans {
		if len(t.All) == spikeRows {
			break
		}
		k, known := slices.BinarySearchFunc(t.stats, b.Collector, func(x spans.Stat, c model.CollectorID) int {
			return cmp.Compare(x.Collector, c)
		})
		row := spikeRow{span: b}
		if known {
			row.runs = t.stats[k].Calls
		}
		listed := func(r spikeRow) bool { return r.span.Collector == b.Collector }
		if t.grouped && slices.ContainsFunc(t.All, listed) || !t.grouped && known && !standsOut(&t.stats[k], b.End-b.Begin) {
			continue
		}
		t.All = append(t.All, row)
	}
}

// standsOut reports whether a call is clearly longer than those of its name; a single one is.
func standsOut(of *spans.Stat, ns int64) bool {
	return of.Calls <= 1 || float64(ns)*float64(of.Calls) >= 1.25*float64(of.TotalNs)
}

// spikesSought is how many of the longest spans are looked at.
const spikesSought = 256

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
func (t *spanSpikes) Click(env *panel.Env, r *spikeRow, _ *panel.Input) panel.Action {
	env.View.GoToSpan(r.span) // the list stays as it is
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *spanSpikes) Tip(env *panel.Env, r *spikeRow, l *panel.TipLines) {
	b, s := &r.span, env.View.Session()
	l.Add(s.Collector(b.Collector).Title())
	l.Buf = appendSpanLength(append(l.Buf, "took\t"...), b)
	l.End()
	l.If(t.grouped).Text("runs\t").Count(r.runs).Text(", this is the longest").End()
	l.Text("begins\t").Clock(b.Begin).End()
	l.If(b.Flags&model.SpanUncertain != 0).Text("ends known to\t± ").Duration(s.Info().Clock.Step(b.End)).End()
	l.Add("click: go there")
}

// Words implements spikeList: the thread, and there the row or the chosen collector, or that these
// are the slowest of all.
func (t *spanSpikes) Words(env *panel.Env) string {
	s := env.View.Session()
	of := s.Track(t.Fresh.Key.Track)
	if len(t.spans) == 0 || s != t.Fresh.Key.Session || of == nil {
		return ""
	}
	b := append(append(t.words.New(), of.Title()...), " · "...)
	switch {
	case t.row < 0 && t.spans[0].Collector == env.View.Chosen():
		b = append(b, s.Collector(t.spans[0].Collector).Name...)
	case t.row < 0:
		b = append(b, "slowest"...)
	default:
		b = format.AppendCount(append(b, "row "...), int64(t.row+1))
	}
	return t.words.Set(b)
}

// openEnds reports whether an end of a span is unknown.
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
func (t *spanSpikes) Key(r *spikeRow) uint64 {
	ref := r.span.Ref
	return table.KeyOf(int64(ref.Track), int64(ref.Lane), ref.Index)
}
