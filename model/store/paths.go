package store

import "framescope/model"

// maxPaths bounds the table of call paths (48 MiB when full); spans keep a path in 26 bits.
const maxPaths = 1 << 22

// pathRow is one call path. Its parent has a smaller id.
type pathRow struct {
	parent    model.PathID
	collector model.CollectorID
	depth     int32 // 0 for the outermost
}

// pathTable holds the call paths; row 0 is the empty path.
type pathTable struct {
	rows []pathRow
	rev  uint64
}

func (t *pathTable) init() {
	t.rows = append(t.rows, pathRow{collector: model.NoCollector, depth: -1})
}

// define adds a path; false if it refers to what is not there or is beyond the limit. Bad parents become the root.
func (t *pathTable) define(d model.PathDef) bool {
	if d.ID == 0 || d.ID >= maxPaths {
		return false
	}
	if int64(d.ID) < int64(len(t.rows)) {
		old := t.rows[d.ID]
		if old.collector == model.NoCollector { // was skipped when a later one came first
			ok := d.Parent < d.ID
			if !ok {
				d.Parent = model.PathRoot
			}
			t.rows[d.ID] = pathRow{parent: d.Parent, collector: d.Collector, depth: t.rows[d.Parent].depth + 1}
			t.rev++
			return ok
		}
		return old.parent == d.Parent && old.collector == d.Collector // paths never change
	}
	if int64(d.ID)-int64(len(t.rows)) > 1<<16 {
		return false // a hole this large is not a few lost definitions
	}
	for int64(len(t.rows)) < int64(d.ID) {
		t.rows = append(t.rows, pathRow{collector: model.NoCollector})
	}
	ok := d.Parent < d.ID
	if !ok {
		d.Parent = model.PathRoot
	}
	t.rows = append(t.rows, pathRow{parent: d.Parent, collector: d.Collector, depth: t.rows[d.Parent].depth + 1})
	t.rev++
	return ok
}

// Path returns parent path and collector of a call path; PathRoot and NoCollector for the empty path and for one that does not exist.
func (s *Session) Path(id model.PathID) (parent model.PathID, c model.CollectorID) {
	if int64(id) >= int64(len(s.paths.rows)) {
		return model.PathRoot, model.NoCollector
	}
	row := s.paths.rows[id]
	return row.parent, row.collector
}

// NumPaths returns one more than the greatest path id defined.
func (s *Session) NumPaths() int { return len(s.paths.rows) }

// PathDepth returns how many callers a call path has: 0 for an outermost one, -1 for the empty path.
func (s *Session) PathDepth(id model.PathID) int {
	if int64(id) >= int64(len(s.paths.rows)) {
		return -1
	}
	return int(s.paths.rows[id].depth)
}
