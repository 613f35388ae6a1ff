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
	"framescope/model"
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
	// Derived reports that its rows only sum up or explain those of others.
	Derived bool
	// Sorted is the column with ascending values, empty if there is none.
	Sorted string

	has  func(p *Part) bool
	each func(w *walk) error
}

// AllTables are the tables, in the order of lists. Leave reports the data that is in no table.
var AllTables = []*Table{
	&Spans, &Frames, &Totals, &Counters, &Messages, &Series, &Samples, &Locks, &Flows, &Losses, &Hitches, &Paths,
	&Processes, &Threads,
}

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
	first := func(int64, []Cell) error { return tablesErrSome }
	return t.has(p) && t.each(newWalk(context.Background(), p, t, Wish{}, first)) == tablesErrSome
}

// Rows gives the rows of a part to fn, as many cells as the table has columns; they are good until fn
// returns. Each counts as work that is done.
func (t *Table) Rows(ctx context.Context, p *Part, fn func(row []Cell) error) error {
	return t.Read(ctx, p, Wish{}, func(_ int64, row []Cell) error { return fn(row) })
}

// Read is Rows for a reader who needs only some rows and columns. Each row has an id, whatever the wish.
func (t *Table) Read(ctx context.Context, p *Part, wish Wish, fn func(id int64, row []Cell) error) error {
	return t.each(newWalk(ctx, p, t, wish, fn))
}

// Wish says what a reader needs of a table. It is a hint: other rows may come nevertheless. The zero value is
// everything.
type Wish struct {
	// Unread has a bit for each column that nobody reads: its cells may be empty.
	Unread uint64
	// From and To bound the begins of spans, and the times of what has one; nil: no bound. To is included.
	From, To *int64
	// AnyOrder lets spans come in any order, which is faster.
	AnyOrder bool
	// Thread tells the threads that are needed, Name the names of spans; nil: all.
	Thread func(number int64, name string) bool
	Name   func(name string) bool
}

// wants reports whether the rows of a thread are needed.
func (w *walk) wants(id model.TrackID) bool {
	return w.wish.Thread == nil || w.wish.Thread(w.names.numbers.Of(w.p.Session, id), w.names.thread(id))
}

// skips leaves the next cells empty if nobody reads them.
func (w *walk) skips(n int) bool {
	if cells := (uint64(1)<<n - 1) << w.at; w.wish.Unread&cells != cells {
		return false
	}
	w.at += n
	return true
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

// Leave notes the data of a part in tables other than the written one, unless the user chose that one.
func Leave(ctx context.Context, p *Part, written *Table) {
	if p.Table != "" {
		if written == &Frames {
			p.leaveOpenFrames()
		}
		return
	}
	for _, t := range AllTables {
		if t == written || t.Derived || !t.Has(p) {
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
	fn    func(id int64, row []Cell) error
	wish  Wish
	names *names
	row   []Cell
	at    int // of the next cell
	track model.TrackID
	n     uint64 // of the row on the track
}

func newWalk(ctx context.Context, p *Part, t *Table, wish Wish, fn func(id int64, row []Cell) error) *walk {
	return &walk{ctx: ctx, p: p, t: t, fn: fn, wish: wish, names: newNames(p), row: make([]Cell, len(t.Columns))}
}

// cell returns the next cell.
func (w *walk) cell() *Cell {
	w.at++
	return &w.row[w.at-1]
}

// The cells of a column are of one kind, so that only the field of that kind is written.
func (w *walk) int(v int64)     { c := w.cell(); c.Int, c.Null = v, false }
func (w *walk) float(v float64) { c := w.cell(); c.Float, c.Null = v, false }
func (w *walk) text(s string)   { c := w.cell(); c.Text, c.Null = s, false }
func (w *walk) null()           { *w.cell() = Cell{Null: true} }

// maybe is a text that there need not be, known a number that there need not be.
func (w *walk) maybe(s string)            { c := w.cell(); c.Text, c.Null = s, s == "" }
func (w *walk) known(v int64, known bool) { c := w.cell(); c.Int, c.Null = v, !known }

// end gives the row away.
func (w *walk) end() error {
	if w.at != len(w.row) {
		return fmt.Errorf("table %s: %d values for %d columns", w.t.ID, w.at, len(w.row))
	}
	w.at = 0
	w.n++
	if err := w.fn(int64(mixed(uint64(w.track)<<48^w.n)>>1), w.row); err != nil {
		return err
	}
	return w.p.Done(w.ctx, 1)
}

// mixed makes of different numbers different ones that are spread out (the end of MurmurHash3).
func mixed(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// tableFormat completes a format of tables: a file or a folder of them, each written by write.
func tableFormat(f Format, write func(ctx context.Context, p *Part, t *Table, w io.Writer) error) Format {
	f.Tables = TableIDs()
	f.Why = func(p *Part) error { _, err := TablesOf(p); return err }
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
