package tables

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/store"
)

// Dashboard is the source of the table of threads by what they use: when they were heard of last,
// processor share with its course, processor time, samples, spans. It is about the selected range,
// else about what the timeline shows, so that it follows live data. Columns of which no thread has
// anything stay empty.
type Dashboard struct {
	rows     []dashRow
	load     subject.ThreadLoad
	t0, t1   int64
	busy     bool // no thread has a series of its load
	loads    []table.Column[dashRow]
	spans    []table.Column[dashRow] // while busy
	fresh    panel.Refresher
	revision uint64
}

// dashRow is a thread; NaN is what is not known of it.
type dashRow struct {
	id      model.TrackID
	heardNs int64
	heard   bool
	share   float64
	samples float64
	cpuNs   float64
	spans   int64
	line    []float32
	lineOf  uint64 // the revision that the line belongs to
}

const (
	dashLinePoints = 130
	dashManyRows   = 64            // from so many rows on the numbers change at most four times a second
	dashSilentNs   = 1_000_000_000 // a thread that was heard of within that is there
)

// NewDashboardTable returns the source.
func NewDashboardTable() *Dashboard {
	t := &Dashboard{}
	t.loads, t.spans = t.columns("CPU"), t.columns("busy")
	return t
}

// columns returns the columns. Where no thread says what it takes of a processor, load is what
// spans cover.
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
			ID: "heard", Title: "heard of", Unit: "ns", Kind: table.Number, Width: 100, Drop: 3, Quiet: true, Cell: heard,
			Value: func(_ *panel.Env, r *dashRow) float64 { return known(float64(r.heardNs), r.heard) },
		},
	}
}

// unknown is the value of what is not known.
var unknown = math.NaN()

// known returns v, or NaN where it is not known.
func known(v float64, ok bool) float64 {
	if !ok {
		return unknown
	}
	return v
}

// threadColumn returns the column of the names of threads; a click on the square hides one.
func threadColumn[R any](of func(*R) model.TrackID) table.Column[R] {
	return table.Column[R]{
		ID: "thread", Title: "thread",
		Text: func(env *panel.Env, r *R) string { return env.View.Session().Track(of(r)).Title() },
		Cell: func(env *panel.Env, r *R, c *table.Cell) {
			c.Swatch, c.Hollow = threadFill(env, of(r)), env.View.Look().TrackHidden(of(r))
		},
		Swatch: func(env *panel.Env, r *R) { env.View.Look().SetTrackHidden(of(r), !env.View.Look().TrackHidden(of(r))) },
	}
}

// NewDashboard returns the table of threads by what they use, the busiest first, and its source.
func NewDashboard() (*table.Table, *Dashboard) {
	src := NewDashboardTable()
	t := table.New("Dashboard", src)
	t.SortBy("load", true)
	return t, src
}

// Columns implements table.Source.
func (t *Dashboard) Columns() []table.Column[dashRow] {
	if t.busy {
		return t.spans
	}
	return t.loads
}

// At implements table.Source.
func (t *Dashboard) At(i int) *dashRow { return &t.rows[i] }

// Empty implements table.Source.
func (t *Dashboard) Empty(filtered bool) string {
	if filtered {
		return panel.NoMatch
	}
	return "The program's threads, and what they use.\n" + panel.NoData
}

// Rows implements table.Source.
func (t *Dashboard) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	if s == nil {
		t.rows, t.fresh.Done = t.rows[:0], false
		return 0, t.revision
	}
	_, ended := s.Ended()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: !ended || len(t.rows) > dashManyRows}
	key.T0, key.T1 = subject.ThreadRange(v)
	if t.fresh.Due(env, key) {
		t.t0, t.t1 = key.T0, key.T1
		t.fill(s)
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *Dashboard) fill(s *store.Session) {
	old := t.rows[:cap(t.rows)]
	t.rows = t.rows[:0]
	t.busy = true
	for id := range model.TrackID(s.NumTracks()) {
		track := s.Track(id)
		if track == nil || !track.Def.Kind.Calls() || track.NumSpans() == 0 && track.NumFrames() == 0 && track.Def.Name == "" {
			continue
		}
		row := dashRow{id: id, spans: track.NumSpans()}
		if n := len(t.rows); n < len(old) {
			row.line = old[n].line[:0] // keeps the memory
		}
		t.busy = t.busy && subject.LoadSeries(s, id) == model.NoSeries
		row.heardNs, row.heard = subject.LastHeard(s, id)
		row.share = known(t.load.Share(s, id, t.t0, t.t1))
		n, ok := t.load.Samples(s, id, t.t0, t.t1)
		row.samples = known(float64(n), ok)
		ns, ok := s.Spans().CPUTime(id, t.t0, t.t1)
		row.cpuNs = known(ns, ok)
		t.rows = append(t.rows, row)
	}
}

// line describes the course of the load.
func (t *Dashboard) line(env *panel.Env, r *dashRow, c *table.Cell) {
	s := env.View.Session()
	if r.lineOf != t.revision {
		r.line, r.lineOf = t.load.Line(s, r.id, t.t0, t.t1, dashLinePoints, r.line[:0]), t.revision
	}
	if r.share == r.share {
		c.Series, c.SeriesMax, c.FromZero, c.Color = r.line, 1, true, threadFill(env, r.id)
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
	v := env.View
	return table.RowInfo{Selected: r.id == v.Track(), Dim: v.Look().TrackHidden(r.id), Hit: threadHit(r.id)}
}

func threadHit(id model.TrackID) panel.Hit {
	return panel.Hit{Kind: panel.HitLabel, Collector: model.NoCollector, Track: id, Frame: -1}
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
	if r.heard {
		l.Text("heard of last\t").Clock(r.heardNs).End()
	}
	shareTip(s, r.id, r.share, l)
	l.Text("in\t").Duration(t.t1 - t.t0).End()
	l.Add("click: this thread in all panels · double click: flame graph")
}

// shareTip tells what a thread took of a processor, or which part of the time its spans cover; NaN:
// not known.
func shareTip(s *store.Session, id model.TrackID, share float64, l *panel.TipLines) {
	if share != share {
		return
	}
	name := "busy\t"
	if subject.LoadSeries(s, id) != model.NoSeries {
		name = "CPU\t"
	}
	l.Text(name).Percent(share).End()
}

// Key implements table.Keyed.
func (t *Dashboard) Key(r *dashRow) uint64 { return uint64(r.id) }
