package series

import (
	"cmp"
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
)

// Table is the source of the table of series: what each measures, and its numbers over the selected range, or over all time while nothing is selected. A click shows a
// series in a chart, ctrl + click several.
type Table struct {
	// Group keeps only one group while OnlyGroup is set.
	Group     string
	OnlyGroup bool
	// Filter keeps only series whose name, group or description contains it, in any case.
	panel.NameFilter
	// Chart is where a click shows a series; nil: only Selected is set.
	Chart *Chart
	// Selected is the series that was clicked last, NoSeries none.
	Selected model.SeriesID

	all      []seriesRow
	rows     []int32 // into all, in order of display
	sortCol  int
	sortDown bool
	fresh    panel.Refresher
	order    seriesTableOrder
	numbers  uint64
	revision uint64
	groups   groupColors
	bins     []model.SeriesBin
}

// groupColors are the colours of the groups by name.
type groupColors struct {
	hues  []float64
	color map[string]draw.Color
	theme draw.Color
}

type seriesTableOrder struct {
	numbers  uint64
	filter   string
	group    string
	only     bool
	sortCol  int
	sortDown bool
	chart    seriesTableShown
}

// seriesTableShown is what the chart shows, for the marks of the rows.
type seriesTableShown struct {
	selected model.SeriesID
	n        int
	sum      model.SeriesID
}

// seriesRow is one series. Percentiles are got only for rows on screen, unless the table is sorted by them.
type seriesRow struct {
	id       model.SeriesID
	n        int64
	last     float64
	min, max float64
	mean     float64
	a, b     int64 // the range
	stats    model.SeriesStats
	hasStats bool
	hasLast  bool
}

// Columns of the table.
const (
	seriesColName = iota
	seriesColGroup
	seriesColKind
	seriesColN
	seriesColLast
	seriesColMin
	seriesColMean
	seriesColMax
	seriesColP99
	seriesColRate
)

var seriesColumns = []table.Column{
	{Title: "series", Kind: table.ColumnText, Sortable: true},
	{Title: "group", Kind: table.ColumnText, Width: 100, Sortable: true, Drop: 6},
	{Title: "kind", Kind: table.ColumnText, Width: 54, Sortable: true, Drop: 8},
	{Title: "samples", Kind: table.ColumnNumber, Width: 58, Sortable: true, Drop: 4},
	{Title: "last", Kind: table.ColumnNumber, Width: 72, Sortable: true},
	{Title: "min", Kind: table.ColumnNumber, Width: 68, Sortable: true, Drop: 7},
	{Title: "mean", Kind: table.ColumnNumber, Width: 68, Sortable: true, Drop: 1},
	{Title: "max", Kind: table.ColumnNumber, Width: 68, Sortable: true, Drop: 2},
	{Title: "p99", Kind: table.ColumnNumber, Width: 68, Sortable: true, Drop: 3},
	{Title: "rate", Kind: table.ColumnNumber, Width: 78, Sortable: true, Drop: 5},
}

// NewTable returns the source, sorted by group and name.
func NewTable() *Table {
	return &Table{Selected: model.NoSeries, sortCol: seriesColGroup}
}

// TablePanel is the table of series as a panel of a workspace.
type TablePanel struct {
	*table.Table
	source *Table
}

// NewTablePanel returns the table of series; a click shows one in the workspace's chart.
func NewTablePanel() *TablePanel {
	src := NewTable()
	return &TablePanel{Table: table.New("Table of series", src), source: src}
}

// Meet implements panel.Acquainted.
func (t *TablePanel) Meet(others func(id string) panel.Panel) {
	t.source.Chart, _ = others("series").(*Chart)
}

// Columns implements Source.
func (t *Table) Columns() []table.Column { return seriesColumns }

// Empty implements Source.
func (t *Table) Empty() string {
	switch {
	case t.Filter != "":
		return "No counter is called like that."
	case t.OnlyGroup:
		return "This group has no counters."
	}
	return "This session has no counters.\nStart the program with tracers that measure, or wait for the first value."
}

// Sort implements Source.
func (t *Table) Sort(col int, descending bool) { t.sortCol, t.sortDown = col, descending }

// Prepare implements Source.
func (t *Table) Prepare(env *panel.Env) (rows int, revision uint64) {
	s, v := env.View.Session(), env.View
	if s == nil || s.NumSeries() == 0 {
		if len(t.all) > 0 {
			t.revision++
		}
		t.all, t.rows, t.fresh.Done = t.all[:0], t.rows[:0], false
		return 0, t.revision
	}
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: v.Live()}
	a, b := int64(math.MinInt64/4), int64(math.MaxInt64/4)
	if !v.Live() && v.RangeB() > v.RangeA() {
		a, b = v.RangeA(), v.RangeB()
		key.Extra = uint64(a)*31 + uint64(b) | 1
	}
	if t.fresh.Due(env, key) {
		t.gather(env, s, a, b)
		t.numbers++
	}
	o := seriesTableOrder{numbers: t.numbers, filter: t.Filter, group: t.Group, only: t.OnlyGroup, sortCol: t.sortCol, sortDown: t.sortDown}
	o.chart.selected = t.Selected
	if t.Chart != nil {
		o.chart.n = len(t.Chart.IDs)
		for _, id := range t.Chart.IDs {
			o.chart.sum = o.chart.sum*31 + id
		}
	}
	if o != t.order {
		t.order = o
		t.arrange(s)
		t.revision++
	}
	return len(t.rows), t.revision
}

// gather gets the numbers of all series over a range; what lies beyond a series' own samples is cut off.
func (t *Table) gather(env *panel.Env, s *model.Session, a, b int64) {
	if ground := draw.Color(env.Theme.Panel); t.groups.color == nil || t.groups.theme != ground {
		t.groups = groupColors{color: map[string]draw.Color{}, theme: ground}
	}
	t.all = t.all[:0]
	for id := range model.SeriesID(s.NumSeries()) {
		x := s.Series(id)
		if !definedSeries(&x.Def) {
			continue
		}
		if _, ok := t.groups.color[x.Def.Group]; !ok {
			t.groups.color[x.Def.Group], t.groups.hues = distinctColor(x.Def.Group, t.groups.hues, env.Theme)
		}
		r := seriesRow{id: id, a: a, b: b}
		if begin, end, ok := x.Bounds(); ok {
			r.a, r.b = max(a, begin), min(b, end+1)
		}
		if r.b > r.a {
			t.bins = x.Bins(r.a, r.b, 1, t.bins[:0])
			if len(t.bins) > 0 && t.bins[0].N > 0 {
				bin := &t.bins[0]
				r.n, r.min, r.max, r.mean, r.last, r.hasLast = bin.N, bin.Min, bin.Max, bin.Sum/float64(bin.N), bin.Last, true
			}
		}
		t.all = append(t.all, r)
	}
}

// stats returns the statistics of a row, which are got when they are first asked for.
func (t *Table) stats(s *model.Session, r *seriesRow) *model.SeriesStats {
	if !r.hasStats {
		r.hasStats = true
		if r.n > 0 {
			r.stats = s.Series(r.id).Stats(r.a, r.b)
		}
	}
	return &r.stats
}

// arrange filters and sorts the rows.
func (t *Table) arrange(s *model.Session) {
	t.rows = t.rows[:0]
	for i := range t.all {
		d := &s.Series(t.all[i].id).Def
		if t.OnlyGroup && d.Group != t.Group {
			continue
		}
		if t.Filter == "" || format.ContainsFold(d.Name, t.Filter) || format.ContainsFold(d.Group, t.Filter) || format.ContainsFold(d.Description, t.Filter) {
			t.rows = append(t.rows, int32(i))
		}
	}
	byName := func(i, j int32) int {
		a, b := &s.Series(t.all[i].id).Def, &s.Series(t.all[j].id).Def
		return cmp.Or(format.CompareNatural(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	}
	slices.SortStableFunc(t.rows, func(i, j int32) int {
		p, q := i, j
		if t.sortDown {
			p, q = j, i
		}
		a, b := &s.Series(t.all[p].id).Def, &s.Series(t.all[q].id).Def
		switch t.sortCol {
		case seriesColName:
			return byName(p, q)
		case seriesColGroup:
			return cmp.Or(format.CompareNatural(a.Group, b.Group), byName(i, j))
		case seriesColKind:
			return cmp.Or(cmp.Compare(a.Kind, b.Kind), byName(i, j))
		}
		// Those without a number come last, whatever the direction is.
		x, okX := t.number(s, &t.all[i], t.sortCol)
		y, okY := t.number(s, &t.all[j], t.sortCol)
		if !okX && !okY {
			return byName(i, j)
		}
		if okX != okY {
			if okX {
				return -1
			}
			return 1
		}
		if t.sortDown {
			x, y = y, x
		}
		return cmp.Or(cmp.Compare(x, y), byName(i, j))
	})
}

// number returns the number in a column; ok is false where there is none, or where it would mean nothing: a mean of states, of running totals, of means.
func (t *Table) number(s *model.Session, r *seriesRow, col int) (v float64, ok bool) {
	kind := s.Series(r.id).Def.Kind
	if col == seriesColN {
		return float64(r.n), true
	}
	if r.n == 0 {
		return 0, false
	}
	state := kind == model.SeriesState
	switch col {
	case seriesColLast:
		return r.last, r.hasLast
	case seriesColMin:
		return r.min, !state && kind != model.SeriesCounter
	case seriesColMax:
		return r.max, !state && kind != model.SeriesCounter
	case seriesColMean:
		return r.mean, kind == model.SeriesValue || kind == model.SeriesEvent
	case seriesColP99:
		if state || kind == model.SeriesCounter {
			return 0, false
		}
		return t.stats(s, r).P99, true
	case seriesColRate:
		switch kind {
		case model.SeriesCounter:
			return t.stats(s, r).Rate, true
		case model.SeriesEvent:
			return t.stats(s, r).Rate, true
		}
	}
	return 0, false
}

// kindName is a kind in a word.
func kindName(k model.SeriesKind) string {
	switch k {
	case model.SeriesGauge:
		return "gauge"
	case model.SeriesCounter:
		return "counter"
	case model.SeriesState:
		return "state"
	case model.SeriesEvent:
		return "event"
	}
	return "value"
}

// Cell implements Source.
func (t *Table) Cell(env *panel.Env, row, col int, c *table.Cell) {
	r := &t.all[t.rows[row]]
	s := env.View.Session()
	d := &s.Series(r.id).Def
	switch col {
	case seriesColName:
		c.Text, c.Swatch = d.Name, t.groups.color[d.Group]
		return
	case seriesColGroup:
		c.Text, c.Color = d.Group, draw.Color(env.Theme.Text2)
		return
	case seriesColKind:
		c.Text, c.Color = kindName(d.Kind), draw.Color(env.Theme.Text2)
		return
	case seriesColN:
		c.Buf, c.Color = format.AppendSI(c.Buf, float64(r.n)), draw.Color(env.Theme.Text2)
		return
	}
	v, ok := t.number(s, r, col)
	if !ok {
		c.Text, c.Color = "–", draw.Color(env.Theme.TextDim)
		return
	}
	u := format.UnitOfValues(d)
	switch {
	case col == seriesColRate:
		u = u.Rate()
	case d.Kind == model.SeriesState:
		c.Buf = appendState(c.Buf, d, v)
		return
	}
	c.Buf = u.Append(c.Buf, v)
}

// Row implements Source.
func (t *Table) Row(env *panel.Env, row int) table.RowInfo {
	r := &t.all[t.rows[row]]
	d := &env.View.Session().Series(r.id).Def
	info := table.RowInfo{Selected: r.id == t.Selected, Dim: r.n == 0, Hit: panel.Hit{Kind: panel.HitLabel, Collector: model.NoCollector, Track: d.Track, Frame: -1}}
	if t.Chart != nil && len(t.Chart.IDs) > 0 {
		info.Selected = t.Chart.Shows(r.id)
	}
	return info
}

// Click implements Source: a click shows the series alone, with ctrl beside the others, on its group the whole group.
func (t *Table) Click(env *panel.Env, row, col int, part table.CellPart, in *panel.Input) panel.Action {
	r := &t.all[t.rows[row]]
	t.Selected = r.id
	switch {
	case t.Chart == nil:
	case in.Ctrl:
		t.Chart.ToggleSeries(r.id)
	case col == seriesColGroup || in.DoubleClick:
		t.Chart.Show(env.View.Session().Series(r.id).Def.Group)
		t.Chart.Focus = r.id
	default:
		t.Chart.ShowSeries(r.id)
	}
	return panel.Action{}
}

// Tip implements Tips.
func (t *Table) Tip(env *panel.Env, row int, tip *table.Tip) {
	r := &t.all[t.rows[row]]
	s := env.View.Session()
	d := &s.Series(r.id).Def
	l := &tip.Lines
	l.Add(d.Name)
	if d.Group != "" {
		l.Add(d.Group)
	}
	if d.Description != "" {
		l.Add(d.Description)
	}
	if r.n > 0 && (d.Kind == model.SeriesValue || d.Kind == model.SeriesGauge) {
		st := t.stats(s, r)
		u := format.UnitOfValues(d)
		for _, f := range [...]seriesFigure{{"p50\t", st.P50, u}, {"p90\t", st.P90, u}, {"p95\t", st.P95, u}, {"p99\t", st.P99, u}, {"spread\t", st.StdDev, u}} {
			l.Buf = f.unit.Append(append(l.Buf, f.name...), f.value)
			l.End()
		}
	}
	if t.Chart != nil {
		l.Add("Click: show · ctrl + click: add · double click: its group")
	}
}
