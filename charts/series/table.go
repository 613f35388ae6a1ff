package series

import (
	"cmp"
	"math"
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Table is the source of the table of series: the quantity of each, and its numbers over the
// selected range, or over all time without a selection. A click selects and shows a series in a
// chart, ctrl + click several.
type Table struct {
	table.List[seriesRow]
	// Chart is where a click shows a series; nil: it is only selected.
	Chart *Chart
	// Changing leaves out series that never change.
	Changing bool

	columns []table.Column[seriesRow]
	shown   seriesTableShown
	colors  subject.SeriesColors
	bins    []spans.SeriesBin
}

// seriesTableShown is which series the chart shows, where their rows are marked, and which have a row.
type seriesTableShown struct {
	n        int
	sum      model.SeriesID
	changing bool
}

// seriesRow is one series. Percentiles are got only for rows on screen, unless the table is sorted
// by them.
type seriesRow struct {
	id                   model.SeriesID
	order                spans.SeriesOrder
	n                    int64
	last, min, max, mean float64
	a, b                 int64 // the range
	stats                spans.SeriesStats
	hasStats             bool
}

// NewTable returns the source, in the order of series, by group and name.
func NewTable() *Table {
	t := &Table{}
	type row = seriesRow
	spread := func(k model.SeriesKind) bool { return k != model.SeriesState && k != model.SeriesCounter }
	t.columns = []table.Column[row]{
		{
			ID: "series", Title: "series",
			Compare: func(env *panel.Env, a, b *row) int { return compareNames(a.def(env), b.def(env)) },
			Cell: func(env *panel.Env, r *row, c *table.Cell) {
				c.Text, c.Swatch = r.def(env).Name, t.colors.Of(env, r.id)
			},
		},
		{
			ID: "group", Title: "group", Width: 100, Quiet: true, Click: t.clickGroup,
			Compare: func(env *panel.Env, a, b *row) int {
				return format.CompareNatural(a.def(env).Group, b.def(env).Group)
			},
			Cell: func(env *panel.Env, r *row, c *table.Cell) { c.Text = r.def(env).Group },
		},
		{
			ID: "kind", Title: "kind", Width: 54, Drop: 8, Quiet: true,
			Compare: func(env *panel.Env, a, b *row) int { return cmp.Compare(a.def(env).Kind, b.def(env).Kind) },
			Cell:    func(env *panel.Env, r *row, c *table.Cell) { c.Text = kindName(r.def(env).Kind) },
		},
		{
			ID: "samples", Title: "samples", Kind: table.Number, Width: 58, Drop: 4, Quiet: true, Format: format.AppendSI,
			Value: func(_ *panel.Env, r *row) float64 { return float64(r.n) },
		},
		number("last", 72, 0, nil, func(_ *store.Session, r *row) float64 { return r.last }),
		number("min", 68, 7, spread, func(_ *store.Session, r *row) float64 { return r.min }),
		number("mean", 68, 1, func(k model.SeriesKind) bool { return k == model.SeriesValue || k == model.SeriesEvent },
			func(_ *store.Session, r *row) float64 { return r.mean }),
		number("max", 68, 2, spread, func(_ *store.Session, r *row) float64 { return r.max }),
		number("p99", 68, 3, spread, func(s *store.Session, r *row) float64 { return r.statistics(s).P99 }),
		number("rate", 78, 5, func(k model.SeriesKind) bool { return k == model.SeriesCounter || k == model.SeriesEvent },
			func(s *store.Session, r *row) float64 { return r.statistics(s).Rate }),
	}
	return t
}

// TablePanel is the table of series as a panel of a workspace.
type TablePanel struct {
	*table.Table
	source *Table
	tools  panel.Toolbox
}

// Tools implements panel.Tooled.
func (t *TablePanel) Tools(*panel.Env) []panel.Tool {
	t.tools.Begin()
	t.tools.Toggle(0, t.source.Changing, "Changing", "Hide what never changes")
	return t.tools.All()
}

// Use implements panel.Tooled.
func (t *TablePanel) Use(*panel.Env, int, int) { t.source.Changing = !t.source.Changing }

// NewTablePanel returns the table of series; a click shows one in the workspace's chart.
func NewTablePanel() *TablePanel {
	src := NewTable()
	return &TablePanel{Table: table.New("Table of series", src), source: src}
}

// Meet implements panel.Acquainted.
func (t *TablePanel) Meet(others func(id string) panel.Panel) {
	t.source.Chart, _ = others("series").(*Chart)
}

// number returns a column of numbers in the unit of each series. means reports whether the number
// has a meaning for a kind of series (a mean of states, of running totals, of means has none).
func number(
	id string, width float32, drop int, means func(model.SeriesKind) bool, of func(*store.Session, *seriesRow) float64,
) table.Column[seriesRow] {
	value := func(env *panel.Env, r *seriesRow) float64 {
		if r.n == 0 || means != nil && !means(r.def(env).Kind) || id == "rate" && r.n < 2 { // a single event has none
			return math.NaN()
		}
		return of(env.View.Session(), r)
	}
	return table.Column[seriesRow]{
		ID: id, Title: id, Kind: table.Number, Width: width, Drop: drop, Value: value,
		Class: func(env *panel.Env, r *seriesRow) string {
			if v := value(env, r); v != v {
				return "~" // behind all units
			}
			return unitClass(r.def(env))
		},
		Cell: func(env *panel.Env, r *seriesRow, c *table.Cell) {
			v, d := value(env, r), r.def(env)
			u := format.UnitOfValues(d)
			switch {
			case v != v:
				c.Unknown(env)
			case id == "rate":
				c.Buf = u.Rate().Append(c.Buf, v)
			case d.Kind == model.SeriesState:
				c.Buf = subject.AppendState(c.Buf, d, v)
			default:
				c.Buf = u.Append(c.Buf, v)
			}
		},
	}
}

// unitClass returns a key that is equal for series with comparable numbers.
func unitClass(d *model.SeriesDef) string {
	if d.Kind == model.SeriesState {
		return "|"
	}
	u := format.UnitOfValues(d)
	return string('0'+byte(u.Kind)) + u.Word()
}

// def returns the definition of the series.
func (r *seriesRow) def(env *panel.Env) *model.SeriesDef {
	return &env.View.Session().Series().ByID(r.id).Def
}

// compareNames orders series by name.
func compareNames(a, b *model.SeriesDef) int {
	return cmp.Or(format.CompareNatural(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
}

// Columns implements table.Source.
func (t *Table) Columns() []table.Column[seriesRow] { return t.columns }

// Empty implements table.Source.
func (t *Table) Empty(filtered bool) string {
	switch {
	case filtered:
		return panel.NoMatch
	case t.Changing:
		return "Series that change.\nAll of this session stay as they are."
	}
	return "This session has no counters.\nStart the program with tracers that measure, or wait for the first value."
}

// Rows implements table.Source.
func (t *Table) Rows(env *panel.Env) (n int, revision uint64) {
	s, v := env.View.Session(), env.View
	if s.Series().Len() == 0 {
		return t.None()
	}
	shown := seriesTableShown{changing: t.Changing}
	if t.Chart != nil {
		shown.n = len(t.Chart.IDs)
		for _, id := range t.Chart.IDs {
			shown.sum = shown.sum*31 + id
		}
	}
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: v.Live()}
	a, b := int64(math.MinInt64/4), int64(math.MaxInt64/4)
	if !v.Live() && v.RangeB() > v.RangeA() {
		a, b = v.RangeA(), v.RangeB()
		key.Extra = uint64(a)*31 + uint64(b) | 1
	}
	if due := t.Fresh.Due(env, key); due || shown != t.shown {
		due = due || shown.changing != t.shown.changing
		if t.shown = shown; due {
			t.gather(env, s, a, b)
		}
		t.Revision++
	}
	return t.Listed()
}

// gather gets the numbers of all series over a range, cut to the session: rates are over the time
// in which something could have happened, not over that in which it did.
func (t *Table) gather(env *panel.Env, s *store.Session, a, b int64) {
	begin, end, _ := s.Bounds()
	a, b = max(a, begin), min(b, end+1)
	t.All = t.All[:0]
	for id := range model.SeriesID(s.Series().Len()) {
		x := s.Series().ByID(id)
		if !subject.SeriesIsDefined(&x.Def) {
			continue
		}
		r := seriesRow{id: id, a: a, b: b, order: x.Order()}
		if t.Changing && r.order == spans.Constant {
			continue
		}
		if r.b > r.a {
			t.bins = x.Bins(r.a, r.b, 1, t.bins[:0])
			if len(t.bins) > 0 && t.bins[0].N > 0 {
				bin := &t.bins[0]
				r.n, r.min, r.max, r.mean, r.last = bin.N, bin.Min, bin.Max, bin.Mean, bin.Last
			}
		}
		t.All = append(t.All, r)
	}
	slices.SortFunc(t.All, func(a, b seriesRow) int {
		x, y := &s.Series().ByID(a.id).Def, &s.Series().ByID(b.id).Def
		return cmp.Or(cmp.Compare(a.order, b.order), format.CompareNatural(x.Group, y.Group), compareNames(x, y))
	})
}

// statistics returns the statistics, computed on the first call.
func (r *seriesRow) statistics(s *store.Session) *spans.SeriesStats {
	if !r.hasStats {
		r.hasStats = true
		if r.n > 0 {
			r.stats = s.Series().ByID(r.id).Stats(r.a, r.b)
		}
	}
	return &r.stats
}

// kindName is a kind in a word.
func kindName(k model.SeriesKind) string {
	names := [...]string{
		model.SeriesValue: "value", model.SeriesGauge: "gauge", model.SeriesCounter: "counter", model.SeriesState: "state",
		model.SeriesEvent: "event",
	}
	if int(k) >= len(names) {
		k = model.SeriesValue
	}
	return names[k]
}

// Match implements table.Matcher: name, group or description contains the text.
func (t *Table) Match(env *panel.Env, r *seriesRow, text string) bool {
	d := r.def(env)
	return format.ContainsFold(d.Name, text) || format.ContainsFold(d.Group, text) ||
		format.ContainsFold(d.Description, text)
}

// Row implements table.Describer.
func (t *Table) Row(env *panel.Env, r *seriesRow) table.RowInfo {
	thing := view.Series(r.id)
	selected := env.View.Thing() == thing
	return table.RowInfo{
		Selected: selected || t.Chart != nil && slices.Contains(t.Chart.IDs, r.id),
		Lit:      !selected && env.View.Lights(thing), Dim: r.n == 0,
		Hit: panel.Hit{
			Kind: panel.HitLabel, Collector: model.NoCollector, Track: r.def(env).Track, Frame: -1, Thing: thing,
		},
	}
}

// Click implements table.Clicker: a click shows the series alone, with ctrl beside the others; a
// double click, or one on its group, the whole group.
func (t *Table) Click(env *panel.Env, r *seriesRow, in *panel.Input) panel.Action {
	switch {
	case t.Chart == nil:
	case in.Ctrl:
		t.Chart.ToggleSeries(r.id)
	case in.DoubleClick:
		t.Chart.Show(r.def(env).Group)
	default:
		t.Chart.ShowSeries(r.id)
	}
	env.View.Select(view.Series(r.id))
	return panel.Action{}
}

func (t *Table) clickGroup(env *panel.Env, r *seriesRow, in *panel.Input) panel.Action {
	whole := *in
	whole.DoubleClick = true
	return t.Click(env, r, &whole)
}

// Tip implements table.Tips.
func (t *Table) Tip(env *panel.Env, r *seriesRow, l *panel.TipLines) {
	s, d := env.View.Session(), r.def(env)
	l.Add(d.Name)
	l.If(d.Group != "").Add(d.Group)
	l.If(d.Description != "").Add(d.Description)
	if r.n > 0 && d.Kind == model.SeriesValue && d.Holds() {
		l.Add("Mean, percentiles and deviation are by time: each value for as long as it held.")
	}
	if r.n > 0 && (d.Kind == model.SeriesValue || d.Kind == model.SeriesGauge) {
		st := r.statistics(s)
		u := format.UnitOfValues(d)
		for _, f := range [...]seriesFigure{{"p50\t", st.P50, u}, {"p90\t", st.P90, u}, {"p95\t", st.P95, u}, {"p99\t", st.P99, u}, {"standard deviation\t", st.StdDev, u}} {
			l.With(f.unit.Append(append(l.Buf, f.name...), f.value)).End()
		}
	}
	l.If(t.Chart != nil).Add("Click: show · ctrl + click: add · double click: its group")
}

// Key implements table.Keyed.
func (t *Table) Key(r *seriesRow) uint64 { return uint64(r.id) }
