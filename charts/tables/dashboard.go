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

// Dashboard is the source of the table of threads by usage: last seen, processor share with its
// course, processor time, samples, spans; for sampled stacks also states and the hottest method. It
// covers the selected range, else the range in the timeline's view, so that it follows live data.
// Columns without data for any thread stay empty.
type Dashboard struct {
	table.List[dashRow]
	load    subject.ThreadLoad
	t0, t1  int64
	busy    bool // no thread has a series of its load
	sampled bool // stacks are
	loads   []table.Column[dashRow]
	spans   []table.Column[dashRow] // while busy
	stacks  []table.Column[dashRow] // while sampled
	legend  []table.Part
	way     []spans.Step
}

// dashRow is a thread; NaN marks unknown values.
type dashRow struct {
	id                    model.TrackID
	heardNs               int64
	heard                 bool
	share, samples, cpuNs float64
	spans                 int64
	line                  []float32
	lineOf                uint64 // the revision that the line belongs to
	did                   spans.Activity
	known                 bool // its states are known
	hottest               spans.Hottest
	burns                 bool // there is one
}

const (
	dashLinePoints = 130
	dashManyRows   = 64            // from so many rows on the numbers change at most four times a second
	dashSilentNs   = 1_000_000_000 // a thread that was heard of within that is there
)

// NewDashboardTable returns the source.
func NewDashboardTable() *Dashboard {
	t := &Dashboard{}
	t.loads, t.spans, t.stacks = t.columns("CPU"), t.columns("busy"), t.stackColumns()
	return t
}

// stackColumns returns the columns where stacks are sampled.
func (t *Dashboard) stackColumns() []table.Column[dashRow] {
	type column = table.Column[dashRow]
	share := func(_ *panel.Env, r *dashRow) float64 { return r.share }
	name := threadColumn(func(r *dashRow) model.TrackID { return r.id })
	name.Least = 130
	return []column{
		name,
		{ID: "load", Title: "CPU", Kind: table.Number, Width: 64, Share: true, Value: share},
		{
			ID: "states", Title: "states", Kind: table.Stack, Width: 344, Drop: 2, Cell: t.states, Legend: t.stateLegend,
			Value: func(_ *panel.Env, r *dashRow) float64 { return table.Known(1-r.did.Share(spans.StateWaiting), r.known) },
		},
		{ID: "line", Title: "CPU over time", Kind: table.Bars, Least: 120, Drop: 1, Cell: t.line, Value: share},
		{
			ID: "hottest", Title: "top method by own samples", Least: 170, Drop: 3, Text: t.hottest, Click: t.clickHottest,
			Cell: func(env *panel.Env, r *dashRow, c *table.Cell) {
				if c.Text == "" {
					c.Unknown(env)
					return
				}
				c.Swatch, c.Found = env.Palette().Fill(r.hottest.Collector), env.Palette().Found(r.hottest.Collector)
			},
		},
		{
			ID: "own_share", Title: "own", Kind: table.Number, Width: 64, Drop: 3, Share: true,
			Value: func(_ *panel.Env, r *dashRow) float64 { return table.Known(r.hottest.Share(), r.burns) },
		},
		{
			ID: "samples", Title: "samples", Kind: table.Number, Width: 74, Drop: 4, Quiet: true,
			Value: func(_ *panel.Env, r *dashRow) float64 { return r.samples }, Format: table.Count,
		},
		{
			ID: "time", Title: "CPU time", Unit: "ns", Kind: table.Number, Width: 80, Drop: 6, Quiet: true,
			Time: true, Value: func(_ *panel.Env, r *dashRow) float64 { return r.cpuNs },
		},
		{
			ID: "heard", Title: "last data", Unit: "ns", Kind: table.Number, Width: 100, Drop: 5, Quiet: true, Cell: heard,
			Value: func(_ *panel.Env, r *dashRow) float64 { return table.Known(float64(r.heardNs), r.heard) },
		},
	}
}

// states sets the shares of a thread's states. Unknown time is hatched.
func (t *Dashboard) states(env *panel.Env, r *dashRow, c *table.Cell) {
	for s := range spans.NumStates {
		c.Parts = append(c.Parts, table.Part{Share: float32(r.did.Share(s)), Color: subject.StateColor(env.Theme, s)})
	}
}

func (t *Dashboard) stateLegend(env *panel.Env) []table.Part {
	t.legend = t.legend[:0]
	for s := range spans.StateUnknown { // it has no color
		t.legend = append(t.legend, table.Part{Name: subject.StateWord(s), Color: subject.StateColor(env.Theme, s)})
	}
	return t.legend
}

// hottest names the method that burns most of a thread.
func (t *Dashboard) hottest(env *panel.Env, r *dashRow) string {
	if !r.burns {
		return ""
	}
	return env.View.Session().Collector(r.hottest.Collector).Title()
}

// clickHottest selects the thread, and the method that burns most of it.
func (t *Dashboard) clickHottest(env *panel.Env, r *dashRow, in *panel.Input) panel.Action {
	a := clickThread(env, r.id, in)
	if r.burns && !in.DoubleClick {
		env.View.SelectCollector(r.hottest.Collector)
	}
	return a
}

// columns returns the columns. If no thread has a series of its processor usage, load is the time
// that spans cover.
func (t *Dashboard) columns(load string) []table.Column[dashRow] {
	type column = table.Column[dashRow]
	return []column{
		threadColumn(func(r *dashRow) model.TrackID { return r.id }),
		{ID: "line", Kind: table.Spark, Width: 130, Drop: 2, Cell: t.line},
		{
			ID: "load", Title: load, Kind: table.Number, Width: 64, Share: true,
			Value: func(_ *panel.Env, r *dashRow) float64 { return r.share },
		},
		{
			ID: "time", Title: "CPU time", Unit: "ns", Kind: table.Number, Width: 80, Drop: 1, Quiet: true,
			Time: true, Value: func(_ *panel.Env, r *dashRow) float64 { return r.cpuNs },
		},
		{
			ID: "samples", Title: "samples", Kind: table.Number, Width: 74, Drop: 4, Quiet: true,
			Value: func(_ *panel.Env, r *dashRow) float64 { return r.samples }, Format: table.Count,
		},
		{
			ID: "spans", Title: "spans", Kind: table.Number, Width: 74, Drop: 5, Quiet: true,
			Value: func(_ *panel.Env, r *dashRow) float64 { return float64(r.spans) }, Format: table.Count,
		},
		{
			ID: "heard", Title: "last data", Unit: "ns", Kind: table.Number, Width: 100, Drop: 3, Quiet: true, Cell: heard,
			Value: func(_ *panel.Env, r *dashRow) float64 { return table.Known(float64(r.heardNs), r.heard) },
		},
	}
}

// threadColumn returns the column of the names of threads.
func threadColumn[R any](of func(*R) model.TrackID) table.Column[R] {
	return table.Column[R]{
		ID: "thread", Title: "thread",
		Text: func(env *panel.Env, r *R) string { return env.View.Session().Track(of(r)).Title() },
	}
}

// NewDashboard returns the table of threads by usage, the busiest first, and its source.
func NewDashboard() (*table.Table, *Dashboard) {
	src := NewDashboardTable()
	t := table.New("Dashboard", src)
	t.SortBy("load", true)
	return t, src
}

// Columns implements table.Source.
func (t *Dashboard) Columns() []table.Column[dashRow] {
	switch {
	case t.sampled:
		return t.stacks
	case t.busy:
		return t.spans
	}
	return t.loads
}

// Empty implements table.Source.
func (t *Dashboard) Empty(filtered bool) string {
	return panel.WhyEmpty(filtered, "The program's threads, and what they use.\n"+panel.NoData)
}

// Rows implements table.Source.
func (t *Dashboard) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	_, ended := s.Ended()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: !ended || len(t.All) > dashManyRows}
	key.T0, key.T1 = subject.ThreadRange(v)
	if t.Due(env, key) {
		t.t0, t.t1 = key.T0, key.T1
		t.fill(s)
	}
	return t.Listed()
}

func (t *Dashboard) fill(s *store.Session) {
	old := t.All[:cap(t.All)]
	t.All = t.All[:0]
	t.busy, t.sampled = true, s.Spans().AnySampled()
	for id := range model.TrackID(s.NumTracks()) {
		track := s.Track(id)
		if track == nil || !track.Def.Kind.Calls() || track.NumSpans() == 0 && track.NumFrames() == 0 && track.Def.Name == "" {
			continue
		}
		row := dashRow{id: id, spans: track.NumSpans()}
		if n := len(t.All); n < len(old) {
			row.line = old[n].line[:0] // keeps the memory
		}
		t.busy = t.busy && subject.LoadSeries(s, id) == model.NoSeries
		row.heardNs, row.heard = subject.LastHeard(s, id)
		row.share = table.Known(t.load.Share(s, id, t.t0, t.t1))
		n, ok := subject.Samples(s, id, t.t0, t.t1)
		row.samples = table.Known(float64(n), ok)
		ns, ok := s.Spans().CPUTime(id, t.t0, t.t1)
		row.cpuNs = table.Known(ns, ok)
		if row.did, row.known = s.Spans().Activity(id, t.t0, t.t1); row.known {
			one := [1]model.TrackID{id}
			row.hottest, row.burns = s.Spans().Hottest(spans.MeasureSamples, one[:], model.NoCollector, t.t0, t.t1, t.way)
			t.way, row.hottest.Way = row.hottest.Way[:0], nil
		}
		t.All = append(t.All, row)
	}
}

// line describes the course of the load.
func (t *Dashboard) line(env *panel.Env, r *dashRow, c *table.Cell) {
	s := env.View.Session()
	if r.lineOf != t.Revision {
		r.line, r.lineOf = t.load.Line(s, r.id, t.t0, t.t1, dashLinePoints, r.line[:0]), t.Revision
	}
	if r.share == r.share {
		c.Series, c.SeriesMax, c.FromZero, c.Color = r.line, 1, true, draw.Color(env.Theme.Text2)
	}
}

// heard describes when a thread was heard of last.
func heard(env *panel.Env, r *dashRow, c *table.Cell) {
	s := env.View.Session()
	alive := s.Track(r.id).Alive
	_, end, _ := s.Bounds()
	_, over := s.Ended()
	switch ago := end - r.heardNs; {
	case !r.heard:
		c.Unknown(env)
	case ago <= dashSilentNs && alive && !over:
		c.Buf = append(c.Buf, "now"...)
		c.Color = draw.Color(env.Theme.Live)
	case ago <= dashSilentNs && (alive || over):
		c.Buf = append(c.Buf, "to the end"...)
	case !over:
		c.Buf = append(format.AppendDuration(c.Buf, ago), " ago"...)
		c.Color = draw.Color(env.Theme.Over)
	default:
		c.Buf = format.AppendClock(append(c.Buf, "until "...), r.heardNs, 1e8)
		c.Color = draw.Color(env.Theme.TextDim)
	}
}

// Match implements table.Matcher.
func (t *Dashboard) Match(env *panel.Env, r *dashRow, text string) bool {
	return format.ContainsFold(env.View.Session().Track(r.id).Title(), text)
}

// Row implements table.Describer.
func (t *Dashboard) Row(env *panel.Env, r *dashRow) table.RowInfo {
	return threadInfo(env, r.id, false)
}

// Click implements table.Clicker.
func (t *Dashboard) Click(env *panel.Env, r *dashRow, in *panel.Input) panel.Action {
	return clickThread(env, r.id, in)
}

// clickThread makes a thread the one that other panels are about; a double click opens its flame
// graph.
func clickThread(env *panel.Env, id model.TrackID, in *panel.Input) panel.Action {
	if in.DoubleClick {
		return panel.Action{
			Kind: panel.ActionOpenFlame, Track: id, Collector: model.NoCollector, Frame: -1, X: in.X, Y: in.Y,
		}
	}
	env.View.SetTrack(id)
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *Dashboard) Tip(env *panel.Env, r *dashRow, l *panel.TipLines) {
	s := env.View.Session()
	l.Add(s.Track(r.id).Title())
	l.If(r.heard).Text("last data at\t").Clock(r.heardNs).End()
	shareTip(s, r.id, r.share, l)
	subject.StateTips(l, &r.did)
	if r.burns {
		l.Text("burns most\t").Text(t.hottest(env, r)).End()
		l.Text("its own\t").Percent(r.hottest.Share()).Text(" ± ").Percent(r.hottest.Within()).Text(" (95 %) of ")
		l.Count(r.hottest.Of).Text(" samples of code").End()
	}
	l.Text("in\t").Duration(t.t1 - t.t0).End()
	l.Add("click: this thread in all panels · double click: flame graph")
}

// shareTip adds a thread's share of a processor, or the part of the time that its spans cover; NaN:
// unknown.
func shareTip(s *store.Session, id model.TrackID, share float64, l *panel.TipLines) {
	if share != share {
		return
	}
	name := format.Pick(subject.LoadSeries(s, id) != model.NoSeries, "CPU\t", "covered\t")
	l.Text(name).Percent(share).End()
}

// Key implements table.Keyed.
func (t *Dashboard) Key(r *dashRow) uint64 { return uint64(r.id) }
