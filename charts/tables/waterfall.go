// The panel on the path of one thing through a program, part after part: a buffer in the elements
// of a pipeline.

package tables

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/spans"
)

// waterfall is the source of a table of the paths through a program, with a buffer on each, and below each
// the elements that had the buffer, when and for how long. On the path of the selected span that is the
// selected buffer; on the others the one nearest to the median of the selected range, else of the whole
// session. Beside it are the figures of all buffers in an element, as this one need not be usual there. A
// click on a path shows it, one on a stop selects that in all panels.
type waterfall struct {
	table.List[waterfallRow]
	ways    []flow.Way
	search  flow.Ways
	shown   int   // of ways, -1 none
	longest int64 // of ways, ns
	columns []table.Column[waterfallRow]
	mode    panel.CachedText
	parts   []table.Part
}

// waterfallRow is a path, or where its buffer was.
type waterfallRow struct {
	way  int
	bar  spans.Bar
	stop bool
	in   flow.Figures // of the range's buffers in the element
}

// NewWaterfall returns the panel.
func NewWaterfall() *table.Table { return waterfallPanel(&waterfall{shown: -1}) }

func waterfallPanel(w *waterfall) *table.Table {
	w.columns = []table.Column[waterfallRow]{
		{ID: "element", Title: "element", Text: w.name, Cell: w.nameCell, Fixed: true},
		{ID: "bar", Kind: table.Stack, Cell: w.bar, Least: 80, Fixed: true},
		w.time("duration", 0, func(r *waterfallRow) float64 { return float64(r.bar.End - r.bar.Begin) }),
		w.time("median", 2, func(r *waterfallRow) float64 { return table.Known(r.in.MedianNs, r.in.N > 1) }),
		w.time("p99", 3, func(r *waterfallRow) float64 { return table.Known(r.in.P99Ns, r.in.N > 1) }),
	}
	t := table.New("Latency waterfall", w)
	t.Words = w.which
	return t
}

// time returns a column of times, in the unit of the durations.
func (w *waterfall) time(id string, drop int, value func(r *waterfallRow) float64) table.Column[waterfallRow] {
	return table.Column[waterfallRow]{
		ID: id, Title: id, Unit: "ns", Kind: table.Number, Width: 66, Drop: drop, Time: true, As: "duration", Fixed: true,
		Quiet: id != "duration", Value: func(_ *panel.Env, r *waterfallRow) float64 { return value(r) },
		Cell: func(_ *panel.Env, r *waterfallRow, c *table.Cell) {
			if !r.stop && id != "duration" { // only elements have it
				c.Buf = c.Buf[:0]
			}
		},
	}
}

// which names the shown buffer of the shown path, which is one of them, not a mean of all.
func (w *waterfall) which(*panel.Env) string {
	b := w.mode.New()
	if w.shown < 0 || w.shown >= len(w.ways) {
		return w.mode.Set(b)
	}
	x := &w.ways[w.shown]
	if x.N == 0 {
		return w.mode.Set(format.AppendCount(append(b, "the selected buffer, number "...), x.Passage.Number))
	}
	b = format.AppendCount(append(b, "buffer "...), x.Passage.Number)
	b = format.AppendPlural(append(b, ", nearest to the median of "...), x.N, "buffer", "buffers")
	if x.Cut {
		b = append(b, " in the middle"...)
	}
	return w.mode.Set(b)
}

// Columns implements table.Source.
func (w *waterfall) Columns() []table.Column[waterfallRow] { return w.columns }

// Empty implements table.Source.
func (w *waterfall) Empty(filtered bool) string {
	return panel.WhyEmpty(filtered, "Where a buffer spends its time, element after element.\n"+
		"No buffer was traced on its way from a source to a sink in this range.")
}

// Rows implements table.Source.
func (w *waterfall) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Track: v.Track(), Live: v.Live(), T0: v.RangeA(),
		T1: v.RangeB(), Calls: true}
	if v.HasSpan() {
		r := v.Span().Ref
		key.Extra = uint64(r.Track)<<48 ^ uint64(r.Lane)<<40 ^ uint64(r.Index) + 1
	}
	if w.Due(env, key) {
		w.find(v)
	}
	return w.Listed()
}

// find brings the paths, those that take longest first, and their buffers up to date.
func (w *waterfall) find(v *view.View) {
	s := v.Session()
	t0, t1 := rangeOrAll(v, s)
	tracks := [...]model.TrackID{v.Track(), model.NoTrack}
	if w.shown >= 0 && w.shown < len(w.ways) {
		tracks[1] = w.ways[w.shown].Track
	}
	var chosen spans.Passage
	if v.HasSpan() && !s.Track(v.Span().Ref.Track).Def.Kind.Calls() {
		s.Spans().Passage(v.Span().Ref, &chosen)
	}
	w.ways = w.search.Find(s, t0, t1, &chosen, w.ways[:0])
	w.shown = slices.IndexFunc(w.ways, func(x flow.Way) bool { return x.N == 0 })
	for _, id := range tracks {
		if w.shown < 0 {
			w.shown = slices.IndexFunc(w.ways, func(x flow.Way) bool { return x.Track == id })
		}
	}
	if w.shown < 0 && len(w.ways) > 0 {
		w.shown = 0
	}
	w.All, w.longest = w.All[:0], 1
	for i := range w.ways {
		x := &w.ways[i]
		w.longest = max(w.longest, x.Length())
		w.All = append(w.All, waterfallRow{way: i, bar: x.Passage.Way})
		for _, b := range x.Passage.Stops {
			in := v.Causes().Flow().Passed(s.Track(b.Ref.Track).Def.Object, s.Collector(b.Collector).Name, t0, t1)
			w.All = append(w.All, waterfallRow{way: i, bar: b, stop: true, in: in})
		}
	}
}

// name returns the title of a path or an element.
func (w *waterfall) name(env *panel.Env, r *waterfallRow) string {
	return env.View.Session().Track(r.bar.Ref.Track).Title()
}

func (w *waterfall) nameCell(env *panel.Env, r *waterfallRow, c *table.Cell) {
	if r.stop {
		c.Depth, c.Swatch = 1, colorOf(env, &r.bar)
	}
}

// colorOf returns the color of a stop: also of a wait, which other panels have in grey, that of the element.
func colorOf(env *panel.Env, b *spans.Bar) draw.Color {
	s := env.View.Session()
	if c := s.Collector(b.Collector); c != nil && c.Waits {
		return subject.ElementColor(env, s.Track(b.Ref.Track).Def.Object)
	}
	return env.Palette().DrawnBar(b, false).Fill
}

// bar describes where a stop lies in the way of its buffer, or all stops of a path.
func (w *waterfall) bar(env *panel.Env, r *waterfallRow, c *table.Cell) {
	way := &w.ways[r.way].Passage
	stops := way.Stops
	if r.stop {
		stops = []spans.Bar{r.bar}
	}
	at := way.Way.Begin
	w.parts = w.parts[:0]
	add := func(toNs int64, color draw.Color) {
		w.parts = append(w.parts, table.Part{Share: float32(float64(toNs-at) / float64(w.longest)), Color: color})
		at = toNs
	}
	for i := range stops {
		add(stops[i].Begin, draw.Color{R: 1}) // nothing is drawn
		add(stops[i].End, colorOf(env, &stops[i]))
	}
	if !r.stop && !way.Whole {
		add(way.Way.End, draw.Color{})
	}
	c.Parts = w.parts
}

// Row implements table.Describer.
func (w *waterfall) Row(env *panel.Env, r *waterfallRow) table.RowInfo {
	v, hit := env.View, panel.NoHit()
	hit.Kind, hit.Track, hit.Bar = panel.HitLabel, r.bar.Ref.Track, r.bar
	info := table.RowInfo{Selected: r.way == w.shown}
	if r.stop {
		hit.Kind, hit.Collector, hit.TimeNs = panel.HitSpan, r.bar.Collector, r.bar.Begin
		info.Selected = v.HasSpan() && v.Span().Ref == r.bar.Ref
	}
	info.Hit = hit
	return info
}

// Click implements table.Clicker.
func (w *waterfall) Click(env *panel.Env, r *waterfallRow, _ *panel.Input) panel.Action {
	switch {
	case r.stop:
		env.View.SelectSpan(r.bar)
	case w.ways[r.way].N > 0:
		env.View.ClearThing()
		env.View.SetTrack(w.ways[r.way].Track)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (w *waterfall) Tip(env *panel.Env, r *waterfallRow, l *panel.TipLines) {
	x, s, b := &w.ways[r.way], env.View.Session(), &r.bar
	p := &x.Passage
	l.Add(s.Track(b.Ref.Track).Title())
	l.Text("duration\t").Duration(b.End - b.Begin).End()
	if !r.stop {
		l.Text("number\t").Count(p.Number).Text(" of ").Count(p.Of).End()
		l.If(x.N > 0).Text("nearest to the median of\t").Count(x.N).Text(" buffers").End()
		l.If(!p.Whole).Add("Its path after the last stop was not traced.")
		l.Add("Click: show this path")
		return
	}
	l.Text("begins\t").Text("+").Duration(b.Begin - p.Way.Begin).End()
	if n := x.Length(); n > 0 {
		l.Text("of the way\t").Percent(float64(b.End-b.Begin) / float64(n)).End()
	}
	if r.in.N > 1 {
		l.Text("median in it\t").Duration(int64(r.in.MedianNs)).Text(" of ").Count(r.in.N).End()
		l.Text("p99 in it\t").Duration(int64(r.in.P99Ns)).End()
	}
	if c := s.Collector(b.Collector); c != nil && c.Waits {
		l.Add("Waiting in the queue")
	}
	l.Add("Click: select it in all panels")
}
