package tables

import (
	"cmp"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
)

// The table of statistics where there are no frames: of the calls of each collector in the selected range.

var callColumns = []table.Column{
	{Title: "collector", Kind: table.ColumnText, Sortable: true, Least: 150},
	{Title: "total", Kind: table.ColumnNumber, Width: 72, Sortable: true},
	{Title: "self", Kind: table.ColumnNumber, Width: 72, Sortable: true, Drop: 2},
	{Title: "calls", Kind: table.ColumnNumber, Width: 64, Sortable: true, Drop: 3},
	{Title: "mean", Kind: table.ColumnNumber, Width: 72, Sortable: true, Drop: 4},
	{Title: "min", Kind: table.ColumnNumber, Width: 72, Sortable: true, Drop: 6},
	{Title: "max", Kind: table.ColumnNumber, Width: 72, Sortable: true, Drop: 1},
	{Title: "share", Kind: table.ColumnNumber, Width: 64, Sortable: true, Drop: 5},
}

// setCalls switches between calls and frames; each begins sorted by what matters most.
func (t *Stats) setCalls(on bool) {
	if t.calls == on {
		return
	}
	t.calls = on
	t.rows, t.order = t.rows[:0], statsOrder{}
	t.fresh.Done = false
	t.sortCol, t.sortDown = 2, true
	if on {
		t.sortCol = 1
	}
}

// prepareCalls is Prepare where there are no frames.
func (t *Stats) prepareCalls(env *panel.Env, key panel.RangeKey) (rows int, revision uint64) {
	t.setCalls(true)
	if of := &t.fresh.Key; len(t.stats.all) > 0 && (of.Session != key.Session || of.Track != key.Track) {
		t.stats.all, t.rows, t.order = t.stats.all[:0], t.rows[:0], statsOrder{} // of another thread, whose collectors may have no meaning here
	}
	if callsReady(env) && t.fresh.Due(env, key) {
		t.stats.read(key)
		t.numbers++
	}
	if o := (statsOrder{t.numbers, t.Filter, t.sortCol, t.sortDown}); o != t.order {
		t.order = o
		t.arrangeCalls(key.Session)
		t.revision++
	}
	return len(t.rows), t.revision
}

func (t *Stats) arrangeCalls(s *model.Session) {
	all := t.stats.all
	field := callField(t.sortCol - 1)
	name := func(i int32) string { return subject.FullName(s.Collector(all[i].Collector)) }
	t.rows = table.ArrangeRows(t.rows, len(all), t.Filter, t.sortDown, name, func(i, j int32) int {
		if t.sortCol == 0 {
			return cmp.Compare(name(i), name(j))
		}
		return cmp.Compare(field.value(&all[i]), field.value(&all[j]))
	})
}

// call returns the statistics of a row.
func (t *Stats) call(row int) *model.SpanStat { return &t.stats.all[t.rows[row]] }

// collector returns what a row is about.
func (t *Stats) collector(row int) model.CollectorID {
	if t.calls {
		return t.call(row).Collector
	}
	return t.all[t.rows[row]].Collector
}

func (t *Stats) callCell(env *panel.Env, row, col int, c *table.Cell) {
	st := t.call(row)
	v := env.View
	if col == 0 {
		c.Text = subject.FullName(v.Session().Collector(st.Collector))
		c.Swatch, c.Hollow = v.Palette().Fill(st.Collector), v.Hidden(st.Collector)
		return
	}
	field := callField(col - 1)
	c.Buf = appendCall(c.Buf, st, field, &t.stats)
	if field == callCount || field == callMin || field == callShare {
		c.Color = draw.Color(env.Theme.Text2)
	}
}

// clickCall goes to the longest call where that was clicked.
func (t *Stats) clickCall(env *panel.Env, row, col int) {
	v := env.View
	if callField(col-1) != callMax {
		return
	}
	if b, ok := v.Session().SpanByRef(t.call(row).Longest); ok {
		v.SelectSpan(b)
	}
}
