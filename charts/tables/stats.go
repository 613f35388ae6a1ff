// Package tables holds the tables of a session: collectors, threads, statistics, spikes, losses,
// leaks; each as a source of package table, and as a panel.
package tables

import (
	"cmp"
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/measured"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// Stats is the source of the table of statistics: for every collector with data in the live or
// selected frames how often it started, and mean, median, p95, p99 and greatest value of its time
// in a frame; without frames, of the calls of each collector in the selected range.
type Stats struct {
	perUnit[statRow, source[statRow]]
	frames frameStats
	calls  callsStats
}

// statRow is a collector with its statistics: of frames, or of calls.
type statRow struct {
	collector model.CollectorID
	frames    *frames.Stats
	total     float64 // of frames: the mean time inside, ns; not a number where no call was recorded
	calls     *spans.Stat
}

// statRows are the rows of a list of statistics.
type statRows struct {
	table.List[statRow]
	columns measured.Columns[statRow]
	base    measured.Baseline
}

// frameStats are the statistics of frames.
type frameStats struct {
	statRows
	one    bool // they cover one frame
	ofOne  measured.Columns[statRow]
	all    []frames.Stats
	tree   spans.Tree
	inside []spans.Inside
	none   []frames.Stats // of collectors without self time
}

// callsStats are the statistics of calls.
type callsStats struct {
	statRows
	stats  callStats
	ofRuns measured.Columns[statRow] // the columns where stacks are sampled
}

// NewStats returns the source, the greatest mean or total first.
func NewStats() *Stats {
	t := &Stats{}
	t.frames.makeColumns()
	t.calls.makeColumns()
	t.perUnit = over[statRow, source[statRow]](&t.frames, &t.calls)
	return t
}

// Settled implements table.Settled.
func (t *Stats) Settled() {}

func (t *frameStats) makeColumns() {
	name := nameColumn(func(r *statRow) model.CollectorID { return r.collector })
	lead, median, p95, p99 := figureOfFrames("mean", 0, func(st *frames.Stats) float64 { return st.Mean }),
		figureOfFrames("median", 4, func(st *frames.Stats) float64 { return st.Median }),
		figureOfFrames("p95", 2, func(st *frames.Stats) float64 { return st.P95 }),
		figureOfFrames("p99", 5, func(st *frames.Stats) float64 { return st.P99 })
	lead.Lead, lead.Title = true, "net"
	most := figureOfFrames("max", 0, func(st *frames.Stats) float64 { return st.Max })
	most.Click = t.clickMost
	most.Cell = func(env *panel.Env, r *statRow, c *table.Cell) {
		if st := r.frames; st.Max > 4*st.Median && st.Max*1e9 > float64(subject.Budget(env))/10 {
			c.Color = draw.Color(env.Theme.Over) // a spike
		}
	}
	for _, c := range [...]*table.Column[statRow]{&median, &p95, &p99} {
		value := c.Value
		c.Cell = func(env *panel.Env, r *statRow, c *table.Cell) { // 0 is exact
			c.About(r.frames.Estimated && value(env, r) != 0)
		}
	}
	columns := []table.Column[statRow]{
		name,
		{
			ID: "starts", Title: "starts", Kind: table.Number, Width: 64, Drop: 6, Quiet: true, Format: table.Count,
			Value: func(_ *panel.Env, r *statRow) float64 { return float64(r.frames.Count) },
		},
		{
			ID: "total", Title: "total", Unit: "ns", Kind: table.Number, Width: 72, Drop: 3, Time: true,
			Value: func(_ *panel.Env, r *statRow) float64 { return r.total },
		},
		{
			ID: "self", Title: "self", Unit: "ns", Kind: table.Number, Width: 72, Drop: 3, Time: true, As: "total",
			Value: func(_ *panel.Env, r *statRow) float64 { return r.self() },
		},
		lead,
	}
	ofRow := func(env *panel.Env, r *statRow) subject.Measured { return t.base.InFrame(env, r.collector, r.total) }
	t.ofOne = measured.With(slices.Clone(columns), ofRow)
	columns = append(columns, median, p95, p99, most, table.Column[statRow]{
		ID: "frame", Title: "max in frame", Kind: table.Number, Width: 92, Drop: 1, Quiet: true, Click: t.clickMost,
		Value:  func(_ *panel.Env, r *statRow) float64 { return float64(r.frames.MaxFrame) },
		Format: func(dst []byte, v float64) []byte { return table.Count(append(dst, '#'), v) },
	})
	t.columns = measured.With(columns, ofRow)
}

// self is the mean self time in a frame; NaN for collectors that never ran themselves.
func (r *statRow) self() float64 {
	return table.Known(r.frames.SelfMean*1e9, r.frames.Count != 0 || r.frames.SelfMean != 0)
}

func (t *callsStats) makeColumns() {
	name := nameColumn(func(r *statRow) model.CollectorID { return r.collector })
	name.Least = 150
	columns, ofRuns := callColumns([]table.Column[statRow]{name}, []table.Column[statRow]{
		{ID: "total", Width: 72, Lead: true},
		{ID: "self", Width: 72, Drop: 2},
		{ID: "calls", Width: 64, Drop: 3, Quiet: true},
		{ID: "uncertainty", Width: 72, Drop: 1, Quiet: true},
		{ID: "samples", Width: 64, Drop: 3, Quiet: true},
		{ID: "runs", Width: 64, Drop: 5, Quiet: true},
		{ID: "mean", Width: 72, Drop: 4},
		{ID: "min", Width: 72, Drop: 6, Quiet: true},
		{ID: "max", Width: 72, Drop: 1, Click: t.clickLongest},
		{ID: "share", Width: 64, Drop: 5, Quiet: true},
	}, &t.stats, func(r *statRow) *spans.Stat { return r.calls })
	ofRow := func(env *panel.Env, r *statRow) subject.Measured { return ofCalls(&t.base, env, r.calls, &t.stats) }
	t.columns, t.ofRuns = measured.With(columns, ofRow), measured.With(ofRuns, ofRow)
}

// nameColumn returns the column of the full names of collectors; a click on the square hides one.
func nameColumn[R any](of func(*R) model.CollectorID) table.Column[R] {
	return table.Column[R]{
		ID: "collector", Title: "collector",
		Text: func(env *panel.Env, r *R) string {
			return env.View.Session().Collector(of(r)).Title()
		},
		Cell: func(env *panel.Env, r *R, c *table.Cell) {
			c.Swatch, c.Hollow = env.Palette().Fill(of(r)), env.View.Look().Hidden(of(r))
			c.Found, c.Badge = env.Palette().Found(of(r)), limitBadge(env, of(r))
		},
		Swatch: func(env *panel.Env, r *R) {
			v, id := env.View, of(r)
			v.SelectCollector(id)
			v.Look().SetHidden(id, !v.Look().Hidden(id))
		},
	}
}

// figureOfFrames returns the column of a figure of frames, which is in seconds.
func figureOfFrames(id string, drop int, of func(*frames.Stats) float64) table.Column[statRow] {
	return table.Column[statRow]{
		ID: id, Title: id, Unit: "ns", Kind: table.Number, Width: 72, Drop: drop, Time: true,
		Value: func(_ *panel.Env, r *statRow) float64 { return of(r.frames) * 1e9 },
	}
}

// Columns implements table.Source.
func (t *statRows) Columns() []table.Column[statRow] { return t.columns.All(t.base.Against != nil) }

// Columns implements table.Source.
func (t *callsStats) Columns() []table.Column[statRow] {
	if t.stats.runs {
		return t.ofRuns.All(t.base.Against != nil)
	}
	return t.columns.All(t.base.Against != nil)
}

// Columns implements table.Source: a single frame has no distribution of values.
func (t *frameStats) Columns() []table.Column[statRow] {
	if t.one {
		return t.ofOne.All(t.base.Against != nil)
	}
	return t.statRows.Columns()
}

// Empty implements table.Source.
func (t *frameStats) Empty(filtered bool) string {
	return panel.WhyEmpty(filtered, "Statistics of every collector over the selected frames.\n"+panel.NoFrame)
}

// Empty implements table.Source.
func (t *callsStats) Empty(filtered bool) string {
	return panel.WhyEmpty(filtered, "Statistics over the selected range.\nNothing ran on this thread.")
}

// Rows implements table.Source.
func (t *frameStats) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	_, first, last, ok := panel.FrameRange(env)
	if t.base.Follow(env) {
		t.Revision++
	}
	if !ok {
		return t.None()
	}
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Track: v.Track(), First: first, Last: last, Live: v.Live()}
	if t.Due(env, key) {
		t.all = s.Frames().AllStats(v.Track(), false, first, last, t.all[:0])
		t.All, t.one = t.All[:0], first == last
		for i := range t.all {
			t.All = append(t.All, statRow{collector: t.all[i].Collector, frames: &t.all[i], total: math.NaN()})
		}
		t.totals(s, v.Track(), first, last)
	}
	return t.Listed()
}

// totals sets the times with callees; collectors without self time get a row, too. Rows and
// collectors are both ascending.
func (t *frameStats) totals(s *store.Session, track model.TrackID, first, last int) {
	t.inside = s.FrameTotals(track, first, last, &t.tree, t.inside[:0])
	n := s.Track(track).CountedFrames(first, last)
	t.none = slices.Grow(t.none[:0], len(t.inside)) // rows point into it
	for k := range t.inside {
		x := &t.inside[k]
		i, known := slices.BinarySearchFunc(t.All, x.Collector, func(r statRow, c model.CollectorID) int {
			return cmp.Compare(r.collector, c)
		})
		if !known {
			none := frames.Stats{Collector: x.Collector, Frames: n, MaxFrame: s.Track(track).Frame(first).Number}
			t.none = append(t.none, none)
			t.All = slices.Insert(t.All, i, statRow{collector: x.Collector, frames: &t.none[len(t.none)-1]})
		}
		t.All[i].total = float64(x.Total) / float64(n)
	}
}

// Rows implements table.Source.
func (t *callsStats) Rows(env *panel.Env) (n int, revision uint64) {
	key, ok := callKey(env)
	if t.base.Follow(env) {
		t.Revision++
	}
	if of := &t.Fresh.Key; !ok || of.Session != key.Session || of.Track != key.Track {
		t.All = t.All[:0] // of another thread: its collectors may have no meaning here
	}
	if ok && callsReady(env) && t.Due(env, key) {
		t.stats.read(key)
		t.All = t.All[:0]
		for i := range t.stats.all {
			t.All = append(t.All, statRow{collector: t.stats.all[i].Collector, calls: &t.stats.all[i]})
		}
	}
	return t.Listed()
}

// Match implements table.Matcher.
func (t *Stats) Match(env *panel.Env, r *statRow, text string) bool {
	return format.ContainsFold(env.View.Session().Collector(r.collector).Title(), text)
}

// Row implements table.Describer.
func (t *statRows) Row(env *panel.Env, r *statRow) table.RowInfo {
	return collectorRow(env.View, r.collector)
}

// Click implements table.Clicker: a click selects the collector.
func (t *callsStats) Click(env *panel.Env, r *statRow, _ *panel.Input) panel.Action {
	env.View.SelectCollector(r.collector)
	return panel.Action{}
}

// Click implements table.Clicker: a click selects the collector, a double click opens its chart.
func (t *frameStats) Click(env *panel.Env, r *statRow, in *panel.Input) panel.Action {
	v := env.View
	v.SelectCollector(r.collector)
	if !in.DoubleClick {
		return panel.Action{}
	}
	return panel.Action{Kind: panel.ActionOpenStrip, Track: v.Track(), Collector: r.collector, Frame: -1, X: in.X, Y: in.Y}
}

// clickMost is a click on the greatest value: it goes to its frame.
func (t *frameStats) clickMost(env *panel.Env, r *statRow, in *panel.Input) panel.Action {
	act := t.Click(env, r, in)
	if track := env.View.Shown(); track != nil && !in.DoubleClick {
		if i, ok := track.FrameByNumber(r.frames.MaxFrame); ok {
			env.View.GoToFrame(i)
		}
	}
	return act
}

// clickLongest is a click on the longest call: it goes there.
func (t *callsStats) clickLongest(env *panel.Env, r *statRow, in *panel.Input) panel.Action {
	act := t.Click(env, r, in)
	if b, ok := env.View.Session().Spans().ByRef(r.calls.Longest); ok {
		env.View.SelectSpan(b)
	}
	return act
}

// Tip implements table.Tips.
func (t *callsStats) Tip(env *panel.Env, r *statRow, l *panel.TipLines) {
	l.Add(env.View.Session().Collector(r.collector).Title())
	subject.LimitTip(l, env.Limits.Of(env.View.Track(), r.collector))
	callTip(l, r.calls, &t.stats)
	if t.base.Against != nil {
		m := ofCalls(&t.base, env, r.calls, &t.stats)
		m.Tip(l)
	}
	l.Add("click its longest time: go there")
}

// Tip implements table.Tips.
func (t *frameStats) Tip(env *panel.Env, r *statRow, l *panel.TipLines) {
	l.Add(env.View.Session().Collector(r.collector).Title())
	subject.LimitTip(l, env.Limits.Of(env.View.Track(), r.collector))
	st := r.frames
	l.Text("in ").Count(st.Present).Text(" of ").Count(st.Frames).Text(" frames").End()
	l.If(r.total == r.total).Text("total, with callees\t").Duration(int64(r.total + 0.5)).End()
	l.Text("self, without callees\t").Duration(int64(st.SelfMean*1e9 + 0.5)).End()
	l.Text("net, by name\t").Duration(int64(st.Mean*1e9 + 0.5)).End()
	if t.base.Against != nil {
		m := t.base.InFrame(env, r.collector, r.total)
		m.Tip(l)
	}
	l.If(st.Estimated).Add("≈: from a histogram, within 1 %")
	l.Text("max in frame ").Count(st.MaxFrame).Text("; click the number to go there").End()
}

// Key implements table.Keyed.
func (t *statRows) Key(r *statRow) uint64 { return uint64(r.collector) }

// ofCalls measures the mean of the calls of a collector, of sampled stacks the part of the time.
func ofCalls(b *measured.Baseline, env *panel.Env, st *spans.Stat, of *callStats) subject.Measured {
	if b.Against == nil || st == nil {
		return subject.Measured{}
	}
	e, known := b.Collector(env.View.Track(), st.Collector)
	if !st.Sampled {
		return subject.MeasuredBy(e, known, subject.CallOf, st.MeanNs)
	}
	if !b.ByTime() {
		return subject.Measured{}
	}
	m := subject.MeasuredBy(e, known, subject.TotalOf, of.share(st.TotalNs)*1e9)
	m.Share = true
	return m
}
