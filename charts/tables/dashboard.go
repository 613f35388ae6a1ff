package tables

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
)

// Dashboard is the source of the table of threads by what they use: when they were heard of last, processor share with its course, processor time, samples, spans. It is about the
// selected range, else about what the timeline shows, so that it follows live data. Columns of which no thread has anything stay empty.
type Dashboard struct {
	// Filter keeps only threads whose name contains it, in any case.
	panel.NameFilter

	all      []dashRow
	rows     []int32 // into all, in order of display
	load     subject.ThreadLoad
	t0, t1   int64
	busy     bool // no thread has a series of its load
	sortCol  int
	sortDown bool
	fresh    panel.Refresher
	order    dashOrder
	numbers  uint64
	revision uint64
}

type dashRow struct {
	id         model.TrackID
	heardNs    int64
	heard      bool
	share      float64
	shareKnown bool
	samples    int64
	sampled    bool
	cpuNs      float64
	timed      bool
	spans      int64
	line       []float32
	lineOf     uint64 // the numbers that the line belongs to
}

type dashOrder struct {
	numbers  uint64
	filter   string
	sortCol  int
	sortDown bool
}

// Columns of the dashboard.
const (
	dashName = iota
	dashLine
	dashLoad
	dashTime
	dashSamples
	dashSpans
	dashHeard
)

var dashColumns = []table.Column{
	{Title: "thread", Kind: table.ColumnText, Sortable: true},
	{Kind: table.ColumnSpark, Width: 130, Drop: 2},
	{Title: "CPU", Kind: table.ColumnNumber, Width: 64, Sortable: true},
	{Title: "CPU time", Kind: table.ColumnNumber, Width: 80, Sortable: true, Drop: 1},
	{Title: "samples", Kind: table.ColumnNumber, Width: 74, Sortable: true, Drop: 4},
	{Title: "spans", Kind: table.ColumnNumber, Width: 74, Sortable: true, Drop: 5},
	{Title: "heard of", Kind: table.ColumnNumber, Width: 100, Sortable: true, Drop: 3},
}

// dashBusyColumns are those where no thread says what it takes of a processor: busy is what spans cover.
var dashBusyColumns = func() []table.Column {
	cols := slices.Clone(dashColumns)
	cols[dashLoad].Title = "busy"
	return cols
}()

const (
	dashLinePoints = 130
	dashManyRows   = 64            // from so many rows on the numbers change at most four times a second
	dashSilentNs   = 1_000_000_000 // a thread that was heard of within that is there
)

// NewDashboardTable returns the source, the busiest thread first.
func NewDashboardTable() *Dashboard {
	return &Dashboard{sortCol: dashLoad, sortDown: true}
}

// NewDashboard returns the table of threads by what they use, and its source.
func NewDashboard() (*table.Table, *Dashboard) {
	src := NewDashboardTable()
	t := table.New("Dashboard", src)
	t.SortColumn, t.Descending = dashLoad, true
	return t, src
}

// Columns implements Source.
func (t *Dashboard) Columns() []table.Column {
	if t.busy {
		return dashBusyColumns
	}
	return dashColumns
}

// Empty implements Source.
func (t *Dashboard) Empty() string {
	if t.Filter != "" {
		return "No thread is called like that."
	}
	return "The program's threads, and what they use.\n" + panel.NoData
}

// Sort implements Source; the name column a third time gives the order of the session.
func (t *Dashboard) Sort(col int, descending bool) { t.sortCol, t.sortDown = col, descending }

// Prepare implements Source.
func (t *Dashboard) Prepare(env *panel.Env) (rows int, revision uint64) {
	v := env.View
	s := v.Session()
	if s == nil {
		t.all, t.rows = t.all[:0], t.rows[:0]
		t.fresh.Done = false
		return 0, t.revision
	}
	_, ended := s.Ended()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: !ended || len(t.all) > dashManyRows}
	key.T0, key.T1 = subject.ThreadRange(v)
	if t.fresh.Due(env, key) {
		t.t0, t.t1 = key.T0, key.T1
		t.fill(s)
		t.numbers++
	}
	if o := (dashOrder{t.numbers, t.Filter, t.sortCol, t.sortDown}); o != t.order {
		t.order = o
		t.arrange(s)
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *Dashboard) fill(s *model.Session) {
	old := t.all[:cap(t.all)]
	t.all = t.all[:0]
	t.busy = true
	for id := range model.TrackID(s.NumTracks()) {
		track := s.Track(id)
		if track == nil || track.NumSpans() == 0 && track.NumFrames() == 0 && track.Def.Name == "" {
			continue
		}
		row := dashRow{id: id, spans: track.NumSpans()}
		if n := len(t.all); n < len(old) {
			row.line = old[n].line[:0] // keeps the memory
		}
		t.busy = t.busy && subject.LoadSeries(s, id) == model.NoSeries
		row.heardNs, row.heard = subject.LastHeard(s, id)
		row.share, row.shareKnown = t.load.Share(s, id, t.t0, t.t1)
		row.samples, _, row.sampled = t.load.RoleCount(s, id, model.RoleStack, t.t0, t.t1)
		_, row.cpuNs, row.timed = t.load.RoleCount(s, id, model.RoleCPUTime, t.t0, t.t1)
		t.all = append(t.all, row)
	}
}

// arrange filters and sorts the rows.
func (t *Dashboard) arrange(s *model.Session) {
	name := func(i int32) string { return s.Track(t.all[i].id).Title() }
	t.rows = table.ArrangeRows(t.rows, len(t.all), t.Filter, t.sortDown, name, func(i, j int32) int {
		if t.sortCol == dashName {
			return cmp.Compare(name(i), name(j))
		}
		return cmp.Compare(t.all[i].value(t.sortCol), t.all[j].value(t.sortCol))
	})
}

// value returns what a column is sorted by; what is not known is less than nothing.
func (r *dashRow) value(col int) float64 {
	v, known := 0.0, true
	switch col {
	case dashHeard:
		v, known = float64(r.heardNs), r.heard
	case dashLoad:
		v, known = r.share, r.shareKnown
	case dashTime:
		v, known = r.cpuNs, r.timed
	case dashSamples:
		v, known = float64(r.samples), r.sampled
	case dashSpans:
		v = float64(r.spans)
	}
	if !known {
		return -1
	}
	return v
}

// Cell implements Source.
func (t *Dashboard) Cell(env *panel.Env, row, col int, c *table.Cell) {
	r := &t.all[t.rows[row]]
	v := env.View
	s := v.Session()
	track := s.Track(r.id)
	unknown := func() {
		c.Buf = append(c.Buf, "–"...)
		c.Color = draw.Color(env.Theme.TextDim)
	}
	color := draw.RGB(subject.TrackColor(track))
	switch col {
	case dashName:
		c.Text = track.Title()
		c.Swatch, c.Hollow = color, v.TrackHidden(r.id)
	case dashHeard:
		c.Color = draw.Color(env.Theme.Text2)
		_, end, _ := s.Bounds()
		_, over := s.Ended()
		switch ago := end - r.heardNs; {
		case !r.heard:
			unknown()
		case ago <= dashSilentNs && track.Alive && !over:
			c.Buf = append(c.Buf, "now"...)
			c.Color = draw.Color(env.Theme.Live)
		case ago <= dashSilentNs && (track.Alive || over):
			c.Buf = append(c.Buf, "to the end"...)
		case !over:
			c.Buf = append(format.AppendDuration(c.Buf, ago), " ago"...)
			c.Color = draw.Color(env.Theme.Over)
		default:
			c.Buf = format.AppendClock(append(c.Buf, "until "...), r.heardNs, 1e8)
			c.Color = draw.Color(env.Theme.TextDim)
		}
	case dashLoad:
		if !r.shareKnown {
			unknown()
			return
		}
		c.Buf = format.AppendPercent(c.Buf, r.share)
	case dashLine:
		if r.lineOf != t.numbers {
			r.line, r.lineOf = t.load.Line(s, r.id, t.t0, t.t1, dashLinePoints, r.line[:0]), t.numbers
		}
		if r.shareKnown {
			c.Series, c.SeriesMax, c.FromZero, c.Color = r.line, 1, true, color
		}
	case dashTime:
		if !r.timed {
			unknown()
			return
		}
		c.Buf = format.AppendDuration(c.Buf, int64(r.cpuNs))
		c.Color = draw.Color(env.Theme.Text2)
	case dashSamples:
		if !r.sampled {
			unknown()
			return
		}
		c.Buf = format.AppendCount(c.Buf, r.samples)
		c.Color = draw.Color(env.Theme.Text2)
	case dashSpans:
		c.Buf = format.AppendCount(c.Buf, r.spans)
		c.Color = draw.Color(env.Theme.Text2)
	}
}

// Row implements Source.
func (t *Dashboard) Row(env *panel.Env, row int) table.RowInfo {
	r := &t.all[t.rows[row]]
	v := env.View
	return table.RowInfo{Selected: r.id == v.Track(), Dim: v.TrackHidden(r.id), Hit: panel.Hit{Kind: panel.HitLabel, Collector: model.NoCollector, Track: r.id, Frame: -1}}
}

// Click implements Source: a click makes a thread the one that other panels are about, one on the square hides it, a double click opens its flame graph.
func (t *Dashboard) Click(env *panel.Env, row, _ int, part table.CellPart, in *panel.Input) panel.Action {
	id := t.all[t.rows[row]].id
	v := env.View
	switch {
	case part == table.PartSwatch:
		v.SetTrackHidden(id, !v.TrackHidden(id))
	case in.DoubleClick:
		return panel.Action{Kind: panel.ActionOpenFlame, Track: id, Collector: model.NoCollector, Frame: -1, X: in.X, Y: in.Y}
	default:
		v.SetTrack(id)
	}
	return panel.Action{}
}

// Tip implements Tips.
func (t *Dashboard) Tip(env *panel.Env, row int, tip *table.Tip) {
	r := &t.all[t.rows[row]]
	l := &tip.Lines
	l.Add(env.View.Session().Track(r.id).Title())
	if r.heard {
		l.Text("heard of last\t").Clock(r.heardNs).End()
	}
	if r.shareKnown {
		name := "busy\t"
		if subject.LoadSeries(env.View.Session(), r.id) != model.NoSeries {
			name = "CPU\t"
		}
		l.Text(name).Percent(r.share).End()
	}
	l.Text("in\t").Duration(t.t1 - t.t0).End()
	l.Add("click: this thread in all panels · double click: flame graph")
}
