package tables

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/spans"
	"framescope/model/store"
)

// ThreadPanel is the list of threads. Where there are no frames it has a header by which it is
// sorted.
type ThreadPanel struct{ *table.Table }

// withoutHeader is true where the list of threads has no header.
var withoutHeader = view.PerUnit[bool]{Frames: true}

// NewThreadPanel returns the list of threads.
func NewThreadPanel() *ThreadPanel {
	words := new(spanWords)
	t := table.New("Threads", NewThreads())
	t.Words = func(env *panel.Env) string { return words.shown(env) }
	return &ThreadPanel{t}
}

// Update implements panel.Panel.
func (t *ThreadPanel) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	t.NoHeader = withoutHeader.Of(env.View)
	return t.Table.Update(env, rect, in)
}

// shown returns the number of shown threads, what their figures are, and of which frames.
func (w *spanWords) shown(env *panel.Env) string {
	shown, all := env.View.Look().CallTracks()
	b := strconv.AppendInt(w.whose.New(), int64(shown), 10)
	if shown != all {
		b = strconv.AppendInt(append(b, " of "...), int64(all), 10)
	}
	v := env.View
	words := view.PerUnit[func(*spanWords, *view.View) string]{Frames: (*spanWords).frames, Spans: (*spanWords).inView}
	of := words.Of(v)(w, v)
	if of != "" {
		measure := &busyWords
		if v.Look().ShowWall() {
			measure = &wallWords
		}
		b = append(append(append(b, " · "...), measure.Of(v)...), of...)
	}
	return w.whose.Set(b)
}

// NewCollectorPanel returns the tree of collectors.
func NewCollectorPanel() *table.Table {
	t := table.New("Collectors", NewCollectorTree())
	t.Words, t.Foot = new(spanWords).unit, new(outside).foot
	return t
}

// busyWords and wallWords name the times of threads.
var (
	busyWords = view.PerUnit[string]{Frames: "busy, "}
	wallWords = view.PerUnit[string]{Frames: "from begin to end, "}
)

// spanWords caches words about a range of time and its thread until its length changes.
type spanWords struct {
	ns          int64
	text        string
	whose, mean panel.CachedText
}

// textFor returns "in 2.41 s" for the selected range.
func (w *spanWords) textFor(v *view.View) string {
	if ns := v.RangeB() - v.RangeA(); ns != w.ns || w.text == "" {
		w.ns, w.text = ns, "in "+string(format.AppendDuration(nil, ns))
	}
	return w.text
}

// inView names the part of a session that the figures of threads cover.
func (w *spanWords) inView(v *view.View) string {
	if v.RangeB() > v.RangeA() {
		return w.textFor(v)
	}
	if v.Session().Info().Sampling.Timeless {
		return "" // it has no times
	}
	if v.AsOpened() {
		return "whole session"
	}
	return "in view"
}

// unit names the thread of figures, and the frames of means or the range of time of statistics.
func (w *spanWords) unit(env *panel.Env) string {
	v := env.View
	words := view.PerUnit[func(*spanWords, *view.View) string]{Frames: (*spanWords).frames, Spans: (*spanWords).session}
	of := words.Of(v)(w, v)
	if t := v.Shown(); t != nil {
		return w.whose.Set(append(append(append(w.whose.New(), t.Title()...), " · "...), of...))
	}
	return of
}

// session names the range of time of statistics.
func (w *spanWords) session(v *view.View) string {
	if v.RangeB() > v.RangeA() {
		return w.textFor(v)
	}
	return subject.Whole(v.Session())
}

// frames names the frames of means.
func (w *spanWords) frames(v *view.View) string {
	first, last := panel.FramesOf(v, v.Track())
	switch all := !v.Live() && v.FrameA() < 0 && !v.HasRange(); {
	case all && (v.Shown() == nil || v.Shown().Evicted() == 0):
		return "mean of all"
	case last > first:
		return w.mean.Set(panel.AppendMeanOf(w.mean.New(), v.Session().Track(v.Track()).CountedFrames(first, last)))
	case last == first:
		return panel.OneFrame(v)
	}
	return "no frame"
}

// Matches appends the collectors with data that match an expression by name, ascending by id.
func Matches(s *store.Session, e *find.Expr, out []model.CollectorID) []model.CollectorID {
	if e == nil || e.Empty() {
		return out
	}
	for id := model.CollectorID(1); int(id) < s.Collectors().Len(); id++ {
		if c := s.Collector(id); c != nil && (c.HasTime || c.HasLevel) && e.Collector(c) {
			out = append(out, id)
		}
	}
	return out
}

// NewStatisticsPanel returns the table of statistics of all collectors.
func NewStatisticsPanel() *table.Table {
	t := table.New("Statistics", NewStats())
	t.Words, t.Foot, t.RowHeight = new(spanWords).unit, new(outside).foot, 20
	return t
}

// NewSpikePanel returns the list of the frames that stand out.
func NewSpikePanel() *table.Table {
	src := NewSpikes()
	t := table.New("Spikes", src)
	t.Words, t.NoHeader, t.RowHeight = src.Words, true, 24
	return t
}

// outside is the line below tables of figures of frames: the time on the thread outside all
// received frames, which is in none of these figures. It covers all stored data, as the report's
// outside_frames.
type outside struct {
	fresh panel.Refresher
	tree  spans.Tree
	all   []store.Outside
	line  *table.Foot
	of    model.TrackID // its track
}

// outsideNamed is how many collectors the tooltip of the line names.
const outsideNamed = 8

// foot implements table.Table.Foot.
func (o *outside) foot(env *panel.Env) *table.Foot {
	v := env.View
	s := v.Session()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Track: v.Track(), Live: v.Live()}
	if o.fresh.Due(env, key) {
		before := o.all
		o.all = s.OutsideFrames(v.Track(), &o.tree, nil)
		slices.SortFunc(o.all, func(a, b store.Outside) int {
			return cmp.Or(cmp.Compare(b.SelfNs, a.SelfNs), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Collector, b.Collector))
		})
		if len(o.all) > 0 && (o.line == nil || o.of != v.Track() || !slices.Equal(before, o.all)) {
			o.of = v.Track()
			o.line = o.describe(s, v.Track())
		}
	}
	if len(o.all) == 0 {
		return nil
	}
	return o.line
}

func (o *outside) describe(s *store.Session, id model.TrackID) *table.Foot {
	var sum store.Outside
	for _, x := range o.all {
		sum.Calls, sum.SelfNs = model.AddSat(sum.Calls, x.Calls), model.AddSat(sum.SelfNs, x.SelfNs)
	}
	calls, self := format.AppendCount(nil, sum.Calls), format.AppendDuration(nil, sum.SelfNs)
	var l panel.TipLines
	l.Begin()
	l.Text("Outside of frames on ").Text(s.Track(id).Title()).Text(", ").Text(subject.Whole(s)).End()
	l.Text("calls\t").Count(sum.Calls).End()
	l.Text("self, without callees\t").Duration(sum.SelfNs).End()
	if all := s.Ledger().Unframed; all > sum.Calls {
		l.Text("received in all threads\t").Count(all).Text(" calls").End()
	}
	for i, x := range o.all {
		if i == outsideNamed {
			l.Text("and ").Count(int64(len(o.all) - i)).Text(" more").End()
			break
		}
		l.Text(s.Collector(x.Collector).Title()).Text("\t").Count(x.Calls).Text(" · ").Duration(x.SelfNs).End()
	}
	l.Add("It ran on this thread outside of all received frames:")
	l.Add("timeline and call trees show it, the figures above do not count it.")
	tip := slices.Clone(l.All())
	for i := range tip {
		tip[i] = strings.Clone(tip[i])
	}
	return &table.Foot{
		Words: "outside of frames", Sum: string(calls) + " calls · " + string(self), Tip: tip,
		Facts: []panel.Fact{
			{Measure: "calls", Header: "calls", Value: float64(sum.Calls), Text: string(calls)},
			{Measure: "self", Header: "self", Value: float64(sum.SelfNs), Unit: "ns", Text: string(self)},
		},
	}
}

// collectorRow returns the highlight of a collector's row, and its item.
func collectorRow(v *view.View, c model.CollectorID) table.RowInfo {
	return table.RowInfo{
		Selected: c == v.Collector(), Lit: c == v.Pointer().Collector(), Dim: v.Look().Hidden(c),
		Hit: panel.Hit{Kind: panel.HitCollector, Collector: c, Track: v.Track(), Frame: -1},
	}
}

// limitBadge returns the color of the dot of a collector with budgets: whether it keeps them.
func limitBadge(env *panel.Env, c model.CollectorID) draw.Color {
	list := env.Limits.Of(env.View.Track(), c)
	if len(list) == 0 {
		return draw.Color{}
	}
	return subject.LimitColor(env, view.Broken(list))
}

// rangeOrAll returns the selected range, without one all of the session, its last instant included.
func rangeOrAll(v *view.View, s *store.Session) (t0, t1 int64) {
	if t0, t1 = v.RangeA(), v.RangeB(); t1 > t0 {
		return t0, t1
	}
	t0, t1, _ = s.Bounds()
	return t0, t1 + 1
}

// source is the content of a table with frames, or with spans.
type source[R any] interface {
	table.Source[*R]
	table.Describer[*R]
	table.Clicker[*R]
	table.Tips[*R]
	table.Keyed[*R]
}

// perUnit is the source of a table that has one for each unit of time.
type perUnit[R any, S interface {
	source[R]
	comparable
}] struct {
	view.PerUnit[S]
	now          S // that the rows are from
	revision, of uint64
}

// over returns a source that is one of two, by the unit of time of the view.
func over[R any, S interface {
	source[R]
	comparable
}](frames, spans S) perUnit[R, S] {
	return perUnit[R, S]{PerUnit: view.PerUnit[S]{Frames: frames, Spans: spans}, now: frames}
}

// Rows implements table.Source.
func (p *perUnit[R, S]) Rows(env *panel.Env) (n int, revision uint64) {
	now := p.Of(env.View)
	n, of := now.Rows(env)
	if now != p.now || of != p.of {
		p.now, p.of = now, of
		p.revision++
	}
	return n, p.revision
}

// Columns implements table.Source.
func (p *perUnit[R, S]) Columns() []table.Column[R] { return p.now.Columns() }

// At implements table.Source.
func (p *perUnit[R, S]) At(i int) *R { return p.now.At(i) }

// Empty implements table.Source.
func (p *perUnit[R, S]) Empty(filtered bool) string { return p.now.Empty(filtered) }

// Row implements table.Describer.
func (p *perUnit[R, S]) Row(env *panel.Env, r *R) table.RowInfo { return p.now.Row(env, r) }

// Click implements table.Clicker.
func (p *perUnit[R, S]) Click(env *panel.Env, r *R, in *panel.Input) panel.Action {
	return p.now.Click(env, r, in)
}

// Tip implements table.Tips.
func (p *perUnit[R, S]) Tip(env *panel.Env, r *R, l *panel.TipLines) { p.now.Tip(env, r, l) }

// Key implements table.Keyed.
func (p *perUnit[R, S]) Key(r *R) uint64 { return p.now.Key(r) }
