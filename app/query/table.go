//go:build !js

package query

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	lib "modernc.org/sqlite/lib"

	"framescope/app/convert"
	"framescope/model"
)

// moduleName is the module of SQLite that has the tables.
const moduleName = "framescope"

// newTable returns a table of the database with an id, nil if there is none.
func newTable(id, name string) *table {
	d, ok := open.Load(id)
	at := slices.Index(convert.TableIDs(), name)
	if !ok || at < 0 {
		return nil
	}
	t := &table{db: d.(*DB), Table: convert.AllTables[at]}
	t.columns = Columns(t.Table, len(t.db.sources))
	t.own = len(t.columns) - len(t.Columns)
	return t
}

// table is a table of a database.
type table struct {
	*convert.Table
	db      *DB
	columns []convert.Column
	own     int // columns before those of the sessions
	plans   []plan
}

// schema declares the columns.
func (t *table) schema() string {
	types := [...]string{convert.Int: "integer", convert.Float: "real", convert.Name: "text", convert.Text: "text"}
	var list []string
	for _, c := range t.columns {
		list = append(list, fmt.Sprintf("%q %s", c.Name, types[c.Kind]))
	}
	return "create table x(" + strings.Join(list, ", ") + ")"
}

// plan is how SQLite reads a table: which conditions it passes, and the wanted order.
type plan struct {
	unread uint64
	given  []condition
	by     []int // columns with the wanted order; none: as the rows come
}

// condition compares a column with a value.
type condition struct {
	column string
	op     uint8
}

// bestRows is what a table is thought to have of which nothing is known; each condition leaves a tenth.
const bestRows = 100_000

// bestIndex chooses a plan.
func (t *table) bestIndex(info *lib.Sqlite3_index_info) {
	p := plan{unread: ^info.FcolUsed >> t.own}
	rows := float64(t.rows())
	for i := range info.FnConstraint {
		c := element[lib.Tsqlite3_index_constraint](info.FaConstraint, i)
		k := int(c.FiColumn)
		if c.Fusable == 0 || k < t.own || !t.takes(t.columns[k].Name, c.Fop) {
			continue
		}
		p.given = append(p.given, condition{t.columns[k].Name, c.Fop})
		element[lib.Tsqlite3_index_constraint_usage](info.FaConstraintUsage, i).FargvIndex = int32(len(p.given))
		rows /= 10
	}
	if t.sorts(info, rows) {
		for i := range info.FnOrderBy {
			p.by = append(p.by, int(element[lib.Tsqlite3_index_orderby](info.FaOrderBy, i).FiColumn)-t.own)
		}
		info.ForderByConsumed = 1
	}
	info.FidxNum = int32(len(t.plans))
	info.FestimatedRows, info.FestimatedCost = int64(max(rows, 1)), max(rows, 1)
	t.plans = append(t.plans, p)
}

// rows is about how many rows the table has.
func (t *table) rows() (n int64) {
	if t.Table != &convert.Spans {
		return bestRows
	}
	access := t.db.reader(t.db.ctx)
	if access.Begin() != nil {
		return bestRows
	}
	defer access.End()
	for _, s := range t.db.sources {
		for _, id := range s.Part.Tracks {
			n += s.Part.Session.Track(id).NumSpans()
		}
	}
	return n
}

// takes reports whether a condition narrows down what is read.
func (t *table) takes(column string, op uint8) bool {
	switch column {
	case "thread_id", "thread":
		return op == lib.SQLITE_INDEX_CONSTRAINT_EQ && t.Columns[0].Name == "thread_id"
	case "name":
		return op == lib.SQLITE_INDEX_CONSTRAINT_EQ && t.Table == &convert.Spans
	case "begin_ns":
		return t.Table == &convert.Spans && (slices.Contains(atLeast, op) || slices.Contains(atMost, op))
	}
	return false
}

// atLeast and atMost are the comparisons that bound a column from below and from above.
var (
	atLeast = []uint8{lib.SQLITE_INDEX_CONSTRAINT_EQ, lib.SQLITE_INDEX_CONSTRAINT_GT, lib.SQLITE_INDEX_CONSTRAINT_GE}
	atMost  = []uint8{lib.SQLITE_INDEX_CONSTRAINT_EQ, lib.SQLITE_INDEX_CONSTRAINT_LT, lib.SQLITE_INDEX_CONSTRAINT_LE}
)

// maxSorted is how many values of rows are kept to give them in an order.
const maxSorted = 48 << 20

// sorts reports whether the table gives its rows in the wanted order: that of one or two names, which have few
// values, so that this is much cheaper than SQLite's sorting.
func (t *table) sorts(info *lib.Sqlite3_index_info, rows float64) bool {
	if n := info.FnOrderBy; n == 0 || n > 2 || len(t.db.sources) > 1 {
		return false
	}
	for i := range info.FnOrderBy {
		o := element[lib.Tsqlite3_index_orderby](info.FaOrderBy, i)
		if k := int(o.FiColumn); o.Fdesc != 0 || k < t.own || t.columns[k].Kind != convert.Name || t.columns[k].Null {
			return false
		}
	}
	return rows*float64(bits.OnesCount64(info.FcolUsed)) <= maxSorted
}

// wish says what rows the conditions of a plan leave.
func (p *plan) wish(values []any) convert.Wish {
	w := convert.Wish{Unread: p.unread}
	var number *int64
	var thread *string
	for i, c := range p.given {
		text, isText := values[i].(string)
		v, isFloat := values[i].(float64)
		n, isInt := values[i].(int64)
		switch {
		case c.column == "begin_ns" && isInt:
			narrow(&w, c.op, n, n)
		case c.column == "begin_ns" && isFloat && math.Abs(v) < model.MaxTime:
			narrow(&w, c.op, int64(math.Floor(v)), int64(math.Ceil(v)))
		case c.column == "thread_id" && isInt:
			number = &n
		case c.column == "thread" && isText:
			thread = &text
		case c.column == "name" && isText:
			w.Name = func(name string) bool { return alike(name, text) }
		}
	}
	if number != nil || thread != nil {
		w.Thread = func(n int64, name string) bool {
			return (number == nil || n == *number) && (thread == nil || alike(name, *thread))
		}
	}
	return w
}

// alike reports whether texts are equal by any way of comparing that SQLite has.
func alike(a, b string) bool {
	return a == b || strings.EqualFold(strings.TrimRight(a, " "), strings.TrimRight(b, " "))
}

// narrow bounds the begins of rows by a value, which lies between from and to.
func narrow(w *convert.Wish, op uint8, from, to int64) {
	if slices.Contains(atLeast, op) && (w.From == nil || *w.From < from) {
		w.From = &from
	}
	if slices.Contains(atMost, op) && (w.To == nil || *w.To > to) {
		w.To = &to
	}
}
