package app

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"framescope/app/query"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model/store"
)

// answered is the last result as the rows of a table.
type answered struct {
	of       *store.Session
	result   query.Result
	rows     []record
	columns  []table.Column[record]
	found    found
	chosen   *record
	revision uint64
}

// blank is the columns without a result: a table has one.
var blank = []table.Column[record]{{ID: "none", Fixed: true}}

// set takes another result; its session may be nil: there is none.
func (a *answered) set(s *store.Session, r *query.Result) {
	a.of, a.result, a.columns, a.chosen = s, *r, blank, nil
	a.revision++
	a.rows = make([]record, len(r.Rows))
	for i, row := range r.Rows {
		a.rows[i] = row
	}
	if s == nil || len(r.Columns) == 0 {
		return
	}
	a.found = findColumns(s, r.Columns)
	a.columns = nil
	for k, name := range r.Columns {
		id := name
		if slices.Contains(r.Columns[:k], name) {
			id = fmt.Sprintf("%s_%d", name, k+1)
		}
		a.columns = append(a.columns, a.column(k, id))
	}
}

// mostExact is the greatest whole number that a table sorts and exports exactly as a number.
const mostExact = 1 << 53

// measure reports whether all values of a column are numbers, and how many letters the longest has.
func (a *answered) measure(k int) (numbers bool, letters int) {
	some := false
	numbers = true
	for _, row := range a.rows {
		letters = max(letters, utf8.RuneCountInString(query.Shown(row[k])))
		switch v := row[k].(type) {
		case int64:
			some = true
			numbers = numbers && v <= mostExact && v >= -mostExact
		case float64:
			some = true
		case nil:
		default:
			numbers = false
		}
	}
	return some && numbers, letters
}

// letterWidth is about how wide a figure is, at scale 1, and numberPad is what lies beside a number.
const letterWidth, numberPad, mostNumber = 7, 18, 20

// column makes the column of a table: numbers to the right, and those in ns as times.
func (a *answered) column(k int, id string) table.Column[record] {
	name := a.result.Columns[k]
	numbers, letters := a.measure(k)
	c := table.Column[record]{ID: id, Title: name}
	if !numbers {
		c.Gap = k > 0
		c.Text = func(_ *panel.Env, r *record) string { return query.Shown((*r)[k]) }
		return c
	}
	c.Kind, c.Width = table.Number, float32(min(letters, mostNumber)*letterWidth+numberPad)
	c.Value = func(_ *panel.Env, r *record) float64 { return number((*r)[k]) }
	switch title, ns := strings.CutSuffix(name, "_ns"); {
	case ns && (title == "begin" || title == "time" || title == "end"):
		c.Title, c.Unit = title, "ns"
		c.Format = func(dst []byte, v float64) []byte { return format.AppendClock(dst, int64(v), 1e3) }
	case ns:
		c.Title, c.Unit, c.Time = title, "ns", true
	default:
		c.Cell = func(env *panel.Env, r *record, to *table.Cell) {
			if to.Buf = append(to.Buf, query.Shown((*r)[k])...); (*r)[k] == nil {
				to.Unknown(env)
			}
		}
	}
	return c
}

// number is a value as a number, NaN if it is none.
func number(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return math.NaN()
}

// Rows implements table.Source.
func (a *answered) Rows(*panel.Env) (n int, revision uint64) { return len(a.rows), a.revision }

// At implements table.Source.
func (a *answered) At(i int) *record { return &a.rows[i] }

// Columns implements table.Source.
func (a *answered) Columns() []table.Column[record] { return a.columns }

// Empty implements table.Source.
func (a *answered) Empty(bool) string {
	if len(a.result.Columns) > 0 {
		return "No rows"
	}
	return "Query.\nAsk the session something in SQL: tables are spans, frames, totals, hitches, messages and others. " +
		"Enter runs it, Tab completes a name, ↑ and ↓ go through earlier queries."
}

// Row implements table.Describer.
func (a *answered) Row(_ *panel.Env, r *record) table.RowInfo {
	hit := panel.NoHit()
	hit.TimeNs, _ = whole(*r, a.found.begin)
	return table.RowInfo{Selected: r == a.chosen, Hit: hit}
}

// Click implements table.Clicker.
func (a *answered) Click(env *panel.Env, r *record, _ *panel.Input) panel.Action {
	a.chosen = r
	a.found.goTo(env.View, *r)
	return panel.Action{}
}
