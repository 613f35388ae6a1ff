//go:build !js

package query

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"modernc.org/sqlite/vtab"

	"framescope/app/convert"
	"framescope/model"
)

// moduleName is the module of SQLite that has the tables.
const moduleName = "framescope"

var register = sync.OnceFunc(func() {
	if err := vtab.RegisterModule(nil, moduleName, module{}); err != nil {
		panic(err) // it is registered once
	}
})

// module makes tables of databases.
type module struct{}

// Create implements vtab.Module.
func (module) Create(c vtab.Context, args []string) (vtab.Table, error) {
	if len(args) != 5 { // module, schema, table, and the two that setUp writes
		return nil, fmt.Errorf("no table")
	}
	d, ok := open.Load(args[3])
	at := slices.Index(convert.TableIDs(), args[4])
	if !ok || at < 0 {
		return nil, fmt.Errorf("no table %s", args[4])
	}
	t := &table{db: d.(*DB), Table: convert.AllTables[at]}
	t.columns = Columns(t.Table, len(t.db.sources))
	t.own = len(t.columns) - len(t.Columns)
	return t, c.Declare(t.schema())
}

// Connect implements vtab.Module.
func (m module) Connect(c vtab.Context, args []string) (vtab.Table, error) { return m.Create(c, args) }

// table is a table of a database.
type table struct {
	*convert.Table
	db      *DB
	columns []convert.Column
	own     int // columns before those of the sessions
	plans   []plan
}

// Disconnect implements vtab.Table.
func (t *table) Disconnect() error { return nil }

// Destroy implements vtab.Table.
func (t *table) Destroy() error { return nil }

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
	op     vtab.ConstraintOp
}

// bestRows is what a table is thought to have of which nothing is known; each condition leaves a tenth.
const bestRows = 100_000

// BestIndex implements vtab.Table.
func (t *table) BestIndex(info *vtab.IndexInfo) error {
	p := plan{unread: ^info.ColUsed >> t.own}
	rows := float64(t.rows())
	for i := range info.Constraints {
		c := &info.Constraints[i]
		if !c.Usable || c.Column < t.own || !t.takes(t.columns[c.Column].Name, c.Op) {
			continue
		}
		c.ArgIndex = len(p.given)
		p.given = append(p.given, condition{t.columns[c.Column].Name, c.Op})
		rows /= 10
	}
	if t.sorts(info, rows) {
		for _, o := range info.OrderBy {
			p.by = append(p.by, o.Column-t.own)
		}
		info.OrderByConsumed = true
	}
	info.IdxNum = int64(len(t.plans))
	info.EstimatedRows, info.EstimatedCost = int64(max(rows, 1)), max(rows, 1)
	t.plans = append(t.plans, p)
	return nil
}

// rows is about how many rows the table has.
func (t *table) rows() (n int64) {
	if t.Table != &convert.Spans {
		return bestRows
	}
	for _, s := range t.db.sources {
		for _, id := range s.Part.Tracks {
			n += s.Part.Session.Track(id).NumSpans()
		}
	}
	return n
}

// takes reports whether a condition narrows down what is read.
func (t *table) takes(column string, op vtab.ConstraintOp) bool {
	switch column {
	case "thread_id", "thread":
		return op == vtab.OpEQ && t.Columns[0].Name == "thread_id"
	case "name":
		return op == vtab.OpEQ && t.Table == &convert.Spans
	case "begin_ns":
		return t.Table == &convert.Spans && slices.Contains([]vtab.ConstraintOp{vtab.OpEQ, vtab.OpGT, vtab.OpGE, vtab.OpLT, vtab.OpLE}, op)
	}
	return false
}

// maxSorted is how many values of rows are kept to give them in an order.
const maxSorted = 48 << 20

// sorts reports whether the table gives its rows in the wanted order: that of one or two names, which have few
// values, so that this is much cheaper than SQLite's sorting.
func (t *table) sorts(info *vtab.IndexInfo, rows float64) bool {
	if n := len(info.OrderBy); n == 0 || n > 2 || len(t.db.sources) > 1 {
		return false
	}
	used := 0
	for k := range t.columns {
		used += int(info.ColUsed >> k & 1)
	}
	for _, o := range info.OrderBy {
		if o.Desc || o.Column < t.own || t.columns[o.Column].Kind != convert.Name || t.columns[o.Column].Null {
			return false
		}
	}
	return rows*float64(used) <= maxSorted
}

// Open implements vtab.Table.
func (t *table) Open() (vtab.Cursor, error) { return &cursor{t: t}, nil }

// wish says what rows the conditions of a plan leave.
func (p *plan) wish(values []vtab.Value) convert.Wish {
	w := convert.Wish{Unread: p.unread}
	var number *int64
	var thread *string
	for i, c := range p.given {
		text, isText := values[i].(string)
		text = strings.Clone(text)
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
func narrow(w *convert.Wish, op vtab.ConstraintOp, from, to int64) {
	if op != vtab.OpLT && op != vtab.OpLE && (w.From == nil || *w.From < from) {
		w.From = &from
	}
	if op != vtab.OpGT && op != vtab.OpGE && (w.To == nil || *w.To > to) {
		w.To = &to
	}
}
