package convert

import (
	"framescope/internal/heap"
	"framescope/model"
)

// Edge is a begin or an end of a span, in a row of its track with nested spans.
type Edge struct {
	*Span
	Begins bool
	// Row is 0 for a thread's calls; a span that overlaps others without a caller gets the first free
	// row, with all its callees.
	Row int
}

// Nested passes the begins and ends of the spans of a track to fn, in order of time: in each row the
// last to begin ends first. Cost: O(rows in use + log of open spans) a span.
func (p *Part) Nested(id model.TrackID, fn func(e Edge) error) error {
	n := nester{p: p, fn: fn}
	if err := p.Spans(id, n.begin); err != nil {
		return err
	}
	return n.end(nil)
}

// running is a span that has begun.
type running struct {
	Span
	row int
	seq int64
}

// nester finds the row of each span, and the end of open ones.
type nester struct {
	p    *Part
	fn   func(e Edge) error
	seq  int64
	open []*running   // a heap
	rows [][]*running // the open spans in each, the innermost last
	free *running     // one that can be used again
}

// begin takes the next span.
func (n *nester) begin(s *Span) error {
	if err := n.end(s); err != nil {
		return err
	}
	r := n.free
	if n.free = nil; r == nil {
		r = new(running)
	}
	*r = running{*s, n.rowOf(s), n.seq}
	n.seq++
	n.rows[r.row] = append(n.rows[r.row], r)
	n.open = heap.Push(n.open, r, endsBefore)
	return n.fn(Edge{&r.Span, true, r.row})
}

// end ends the spans that end before a span begins, all for nil. A span that ends at the moment at
// which a zero-length span inside it begins ends after that span.
func (n *nester) end(before *Span) error {
	for len(n.open) > 0 {
		r := n.open[0]
		if before != nil && (r.End > before.Begin || r.End == before.End && r.Lane < before.Lane) {
			return nil
		}
		_, n.open = heap.Pop(n.open, endsBefore)
		row := n.rows[r.row]
		n.rows[r.row] = row[:len(row)-1]
		if err := n.fn(Edge{&r.Span, false, r.row}); err != nil {
			return err
		}
		n.free = r
	}
	return nil
}

// rowOf returns the row of a span: its caller's if that is running, or else an idle one.
func (n *nester) rowOf(s *Span) int {
	up, _ := n.p.Session.Path(s.Path)
	empty, around := -1, -1
	for i, row := range n.rows {
		if len(row) == 0 {
			if empty < 0 {
				empty = i
				if up == model.PathRoot {
					return i
				}
			}
			continue
		}
		switch top := row[len(row)-1]; {
		case up == model.PathRoot || top.End < s.End || top.Lane >= s.Lane:
		case top.Path == up:
			return i
		case around < 0 && n.above(top.Path, up):
			around = i
		}
	}
	switch {
	case around >= 0:
		return around
	case empty >= 0:
		return empty
	}
	n.rows = append(n.rows, nil)
	return len(n.rows) - 1
}

// above reports whether a call path is a beginning of another.
func (n *nester) above(path, of model.PathID) bool {
	for of != model.PathRoot {
		if of, _ = n.p.Session.Path(of); of == path {
			return path != model.PathRoot
		}
	}
	return false
}

// endsBefore is the order of open spans in their heap: the first to end first, and of equal ends the last to begin.
func endsBefore(a, b **running) bool {
	return (*a).End < (*b).End || (*a).End == (*b).End && (*a).seq > (*b).seq
}
