// This file defines the tables of a part of a session: their columns and their rows. The formats of
// tables (CSV, Parquet) only encode them.

package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"framescope/internal/aside"
)

// Kind is the kind of values in a column.
type Kind uint8

// The kinds of values.
const (
	Int   Kind = iota // whole numbers
	Float             // numbers
	Name              // texts with few distinct values
	Text              // texts
)

// Column is one of a table. Its name ends with its unit where it has one.
type Column struct {
	Name string
	Kind Kind
	Null bool // some rows have no value
	Help string
}

// Cell is a value of a column, in the field of its kind.
type Cell struct {
	Int   int64
	Float float64
	Text  string
	Null  bool
}

// Table is one kind of rows.
type Table struct {
	ID      string    // its name in commands and files: "spans"
	What    [2]string // name of a row, and of several
	Help    string    // in a line for lists
	Columns []Column
	// Sorted is the column with ascending values, empty if there is none.
	Sorted string

	has  func(p *Part) bool
	each func(w *walk) error
}

// AllTables are the tables, in the order of lists. Leave reports the data that is in no table.
var AllTables = []*Table{&Spans, &Frames, &Counters, &Messages, &Series, &Locks, &Flows, &Paths, &Threads}

// TableIDs are the names of tables in commands.
func TableIDs() (out []string) {
	for _, t := range AllTables {
		out = append(out, t.ID)
	}
	return out
}

// tablesErrSome ends rows at the first.
var tablesErrSome = errors.New("there is one")

// Has reports whether a part has anything for the table.
func (t *Table) Has(p *Part) bool {
	first := func([]Cell) error { return tablesErrSome }
	return t.has(p) && t.each(&walk{ctx: context.Background(), p: p, t: t, fn: first, names: newNames(p)}) == tablesErrSome
}

// Rows gives the rows of a part to fn, as many cells as the table has columns; they are good until fn
// returns. Each counts as work that is done.
func (t *Table) Rows(ctx context.Context, p *Part, fn func(row []Cell) error) error {
	return t.each(&walk{ctx: ctx, p: p, t: t, fn: fn, names: newNames(p)})
}

// TablesOf returns the requested table of a part (Part.Table) or, if none is, the first that is not
// empty. An empty table is an error.
func TablesOf(p *Part) (*Table, error) {
	for _, t := range AllTables {
		switch {
		case p.Table != "" && p.Table != t.ID:
		case t.Has(p):
			return t, nil
		case p.Table == t.ID:
			return nil, fmt.Errorf("--table %s: the recording, or this part of it, has no %s", t.ID, t.What[1])
		}
	}
	if p.Table == "" {
		return nil, fmt.Errorf("the recording, or this part of it, has no data for any table")
	}
	return nil, fmt.Errorf("--table %s: unknown table; choose one of %s", p.Table, strings.Join(TableIDs(), ", "))
}

// EachFile writes the tables of a part that have anything into a folder, a file each.
func EachFile(p *Part, dir, ext string, write func(t *Table, w io.Writer) error) error {
	for _, t := range AllTables {
		if !t.Has(p) {
			continue
		}
		if err := aside.Write(filepath.Join(dir, t.ID+ext), func(w io.Writer) error { return write(t, w) }); err != nil {
			return err
		}
	}
	leaveUntold(p)
	return nil
}

// Why says why a part has no table, for Format.Why.
func Why(p *Part) string {
	if _, err := TablesOf(p); err != nil {
		return err.Error()
	}
	return ""
}

// Leave notes the data of a part in tables other than the written one, unless the user chose that one.
func Leave(ctx context.Context, p *Part, written *Table) {
	if p.Table != "" {
		if written == &Frames {
			p.leaveOpenFrames()
		}
		return
	}
	for _, t := range AllTables {
		if t == written || !t.Has(p) || t == &Paths || t == &Threads {
			continue
		}
		var n int64
		t.Rows(ctx, p, func([]Cell) error { n++; return nil })
		p.Leave(n, t.What[0], t.What[1], "in a table of their own, --table "+t.ID)
	}
	leaveUntold(p)
}

// leaveUntold notes the data that is in no table.
func leaveUntold(p *Part) {
	p.LeaveTopology()
	p.LeaveAccount()
}

// walk makes rows: one value after another, in the order of the columns.
type walk struct {
	ctx   context.Context
	p     *Part
	t     *Table
	fn    func(row []Cell) error
	names *names
	row   []Cell
}

func (w *walk) int(v int64)     { w.row = append(w.row, Cell{Int: v}) }
func (w *walk) float(v float64) { w.row = append(w.row, Cell{Float: v}) }
func (w *walk) text(s string)   { w.row = append(w.row, Cell{Text: s}) }
func (w *walk) null()           { w.row = append(w.row, Cell{Null: true}) }

// maybe is a text that there need not be.
func (w *walk) maybe(s string) { w.row = append(w.row, Cell{Text: s, Null: s == ""}) }

// end gives the row away.
func (w *walk) end() error {
	if len(w.row) != len(w.t.Columns) {
		return fmt.Errorf("table %s: %d values for %d columns", w.t.ID, len(w.row), len(w.t.Columns))
	}
	err := w.fn(w.row)
	w.row = w.row[:0]
	if err != nil {
		return err
	}
	return w.p.Done(w.ctx, 1)
}

// tableFormat completes a format of tables: a file or a folder of them, each written by write.
func tableFormat(f Format, write func(ctx context.Context, p *Part, t *Table, w io.Writer) error) Format {
	f.Why, f.Tables = Why, TableIDs()
	f.Write = func(ctx context.Context, p *Part, w io.Writer) error {
		t, err := TablesOf(p)
		if err != nil {
			return err
		}
		if err := write(ctx, p, t, w); err != nil {
			return err
		}
		Leave(ctx, p, t)
		return nil
	}
	f.Folder = func(ctx context.Context, p *Part, dir string) error {
		return EachFile(p, dir, f.Ext, func(t *Table, w io.Writer) error { return write(ctx, p, t, w) })
	}
	return f
}
