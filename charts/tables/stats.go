// Package tables holds the tables of a session as sources of package table: collectors, threads,
// statistics, spikes, losses, the dashboard.
package tables

import (
	"cmp"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
)

// Stats is the source of the table of statistics: for every collector with data in the live or selected frames how often it started, and mean, median, p95, p99 and greatest value
// of what it took in a frame.
type Stats struct {
	// Levels: counters instead of times.
	Levels bool
	// Filter keeps only collectors whose full name contains it, in any case.
	panel.NameFilter

	all      []model.Stats
	stats    callStats
	calls    bool    // the rows are of calls, not of frames
	rows     []int32 // into all or stats, in order of display
	sortCol  int
	sortDown bool
	fresh    panel.Refresher
	order    statsOrder
	revision uint64
	numbers  uint64
}

type statsOrder struct {
	numbers  uint64
	filter   string
	sortCol  int
	sortDown bool
}

var statsColumns = []table.Column{
	{Title: "collector", Kind: table.ColumnText, Sortable: true},
	{Title: "starts", Kind: table.ColumnNumber, Width: 64, Sortable: true, Drop: 3},
	{Title: "mean", Kind: table.ColumnNumber, Width: 72, Sortable: true},
	{Title: "median", Kind: table.ColumnNumber, Width: 72, Sortable: true, Drop: 4},
	{Title: "p95", Kind: table.ColumnNumber, Width: 72, Sortable: true, Drop: 2},
	{Title: "p99", Kind: table.ColumnNumber, Width: 72, Sortable: true, Drop: 5},
	{Title: "max", Kind: table.ColumnNumber, Width: 72, Sortable: true},
	{Title: "in frame", Kind: table.ColumnNumber, Width: 72, Sortable: true, Drop: 1},
}

// NewStats returns the source, the greatest mean first.
func NewStats(levels bool) *Stats {
	return &Stats{Levels: levels, sortCol: 2, sortDown: true}
}

// Columns implements Source.
func (t *Stats) Columns() []table.Column {
	if t.calls {
		return callColumns
	}
	return statsColumns
}

// Empty implements Source.
func (t *Stats) Empty() string {
	switch {
	case t.Filter != "":
		return "No collector is called like that."
	case t.calls:
		return "Statistics of calls over the selected range.\nThis thread made none."
	case t.Levels:
		return "Statistics of counters.\nNone was received in these frames."
	}
	return "Statistics of every collector over the selected frames.\n" + panel.NoData
}

// Sort implements Source.
func (t *Stats) Sort(col int, descending bool) { t.sortCol, t.sortDown = col, descending }

// Prepare implements Source.
func (t *Stats) Prepare(env *panel.Env) (rows int, revision uint64) {
	s := env.View.Session()
	if key, ok := callKey(env); ok && !t.Levels {
		return t.prepareCalls(env, key)
	}
	t.setCalls(false)
	_, first, last, ok := panel.FrameRange(env)
	if s == nil || !ok {
		t.all, t.rows = t.all[:0], t.rows[:0]
		t.fresh.Done = false
		return 0, t.revision
	}
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Track: env.View.Track(), First: first, Last: last, Live: env.View.Live()}
	if t.Levels {
		key.Extra = 1
	}
	if t.fresh.Due(env, key) {
		t.all = s.AllStats(env.View.Track(), t.Levels, first, last, t.all[:0])
		t.numbers++
	}
	if o := (statsOrder{t.numbers, t.Filter, t.sortCol, t.sortDown}); o != t.order {
		t.order = o
		t.arrange(s)
		t.revision++
	}
	return len(t.rows), t.revision
}

// arrange filters and sorts the rows.
func (t *Stats) arrange(s *model.Session) {
	name := func(i int32) string { return subject.FullName(s.Collector(t.all[i].Collector)) }
	t.rows = table.ArrangeRows(t.rows, len(t.all), t.Filter, t.sortDown, name, func(i, j int32) int {
		if t.sortCol == 0 {
			return cmp.Compare(name(i), name(j))
		}
		return cmp.Compare(statsValue(&t.all[i], t.sortCol), statsValue(&t.all[j], t.sortCol))
	})
}

// statsValue returns the value of a column.
func statsValue(st *model.Stats, col int) float64 {
	switch col {
	case 1:
		return float64(st.Count)
	case 2:
		return st.Mean
	case 3:
		return st.Median
	case 4:
		return st.P95
	case 5:
		return st.P99
	case 6:
		return st.Max
	}
	return float64(st.MaxFrame)
}

// Cell implements Source.
func (t *Stats) Cell(env *panel.Env, row, col int, c *table.Cell) {
	if t.calls {
		t.callCell(env, row, col, c)
		return
	}
	st := &t.all[t.rows[row]]
	s := env.View.Session()
	switch col {
	case 0:
		c.Text = subject.FullName(s.Collector(st.Collector))
		c.Swatch, c.Hollow = env.View.Palette().Fill(st.Collector), env.View.Hidden(st.Collector)
	case 1:
		c.Buf = format.AppendCount(c.Buf, st.Count)
		c.Color = draw.Color(env.Theme.Text2)
	case 7:
		c.Buf = format.AppendCount(append(c.Buf, '#'), st.MaxFrame)
		c.Color = draw.Color(env.Theme.Text2)
	default:
		v := statsValue(st, col)
		if t.Levels {
			c.Buf = format.AppendValue(c.Buf, v, subject.UnitOf(s, st.Collector))
			break
		}
		c.Buf = format.AppendDuration(c.Buf, int64(v*1e9+0.5))
		if col == 6 && st.Max > 4*st.Median && st.Max*1e9 > float64(subject.Budget(env))/10 {
			c.Color = draw.Color(env.Theme.Over) // a spike
		}
	}
}

// Row implements Source.
func (t *Stats) Row(env *panel.Env, row int) table.RowInfo {
	v := env.View
	id := t.collector(row)
	return table.RowInfo{Selected: id == v.Collector(), Lit: id == v.HoverCollector(), Dim: v.Hidden(id), Hit: panel.Hit{Kind: panel.HitCollector, Collector: id, Track: v.Track(), Frame: -1}}
}

// Click implements Source: a click selects the collector, one on its greatest value or frame goes there.
func (t *Stats) Click(env *panel.Env, row, col int, part table.CellPart, in *panel.Input) panel.Action {
	v := env.View
	id := t.collector(row)
	v.SelectCollector(id)
	switch {
	case part == table.PartSwatch:
		v.SetHidden(id, !v.Hidden(id))
	case t.calls:
		t.clickCall(env, row, col)
	case in.DoubleClick:
		kind := panel.ActionOpenStrip
		if t.Levels {
			kind = panel.ActionOpenLevels
		}
		return panel.Action{Kind: kind, Track: v.Track(), Collector: id, Frame: -1, X: in.X, Y: in.Y}
	case col >= 6:
		st := &t.all[t.rows[row]]
		if track := v.Shown(); track != nil {
			if i, ok := track.FrameByNumber(st.MaxFrame); ok {
				v.SelectFrames(i, i)
			}
		}
	}
	return panel.Action{}
}
