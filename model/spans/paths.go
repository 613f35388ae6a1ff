// File paths.go holds the calls inside each other: the table of call paths, sums by call path, the
// pyramids of blocks that ranges are summed from, and the call trees made of such sums. It knows
// the model and columns; its callers decide whether blocks are of spans or of samples, and where
// they lie in time.

package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// maxPaths bounds the table of call paths (48 MiB when full); spans keep a path in 26 bits.
const maxPaths = 1 << 22

// Row is one call path. Its parent has a smaller id.
type Row struct {
	Parent    model.PathID
	Collector model.CollectorID
	beside    bool // see PathKeeper.MarkBeside
}

// PathTable holds the call paths; row 0 is the empty path.
//
// Its methods are queries. PathKeeper has the methods that change it; the session keeps it private.
type PathTable struct {
	rows  []Row
	rev   uint64
	fixed uint64 // changes where a row that was there does
}

// PathKeeper is a table with the methods that change it.
type PathKeeper struct{ PathTable }

// Init makes the table ready.
func (t *PathKeeper) Init() {
	t.rows = append(t.rows, Row{Collector: model.NoCollector})
}

// Clear forgets all paths.
func (t *PathKeeper) Clear() {
	t.rows, t.rev, t.fixed = nil, t.rev+1, t.fixed+1
	t.Init()
}

// Size returns the bytes that the table takes.
func (t *PathTable) Size() int64 { return int64(len(t.rows)) * columns.SizeOf[Row]() }

// MarkBeside notes that spans along a path are no calls (model.TrackKind.Calls), but under way beside
// others: all of their time counts, also inside others of the same collector. p is in the table.
func (t *PathKeeper) MarkBeside(p model.PathID) {
	if r := &t.rows[p]; !r.beside {
		r.beside = true
		t.rev++
		t.fixed++
	}
}

// Define adds a path; false if it refers to an unknown one or is beyond the limit. Bad parents
// become the root.
func (t *PathKeeper) Define(d model.PathDef) bool {
	if d.ID == 0 || d.ID >= maxPaths {
		return false
	}
	if int64(d.ID) < int64(len(t.rows)) {
		old := t.rows[d.ID]
		if old.Collector == model.NoCollector { // was skipped when a later one came first
			ok := d.Parent < d.ID
			if !ok {
				d.Parent = model.PathRoot
			}
			t.rows[d.ID] = Row{Parent: d.Parent, Collector: d.Collector}
			t.rev++
			t.fixed++
			return ok
		}
		return old.Parent == d.Parent && old.Collector == d.Collector // paths never change
	}
	if int64(d.ID)-int64(len(t.rows)) > 1<<16 {
		return false // a hole this large is not a few lost definitions
	}
	for int64(len(t.rows)) < int64(d.ID) {
		t.push(Row{Collector: model.NoCollector})
	}
	ok := d.Parent < d.ID
	if !ok {
		d.Parent = model.PathRoot
	}
	t.push(Row{Parent: d.Parent, Collector: d.Collector})
	t.rev++
	return ok
}

// push adds a row. A long table gets room for all possible rows, as each copy of one would hold up a tick;
// unwritten memory costs nothing.
func (t *PathKeeper) push(r Row) {
	if n := len(t.rows); n == cap(t.rows) && n >= maxPaths/16 {
		rows := make([]Row, n, maxPaths)
		copy(rows, t.rows)
		t.rows = rows
	}
	t.rows = append(t.rows, r)
}

// ByID returns parent path and collector of a call path; PathRoot and NoCollector for the empty
// path and for one that does not exist.
func (t *PathTable) ByID(id model.PathID) (parent model.PathID, c model.CollectorID) {
	if int64(id) >= int64(len(t.rows)) {
		return model.PathRoot, model.NoCollector
	}
	row := t.rows[id]
	return row.Parent, row.Collector
}

// Len returns one more than the greatest path id defined.
func (t *PathTable) Len() int { return len(t.rows) }

// Rows returns all call paths by id, for bulk readers. The slice is the table's own.
func (t *PathTable) Rows() []Row { return t.rows }

// Revision changes with every definition.
func (t *PathTable) Revision() uint64 { return t.rev }
