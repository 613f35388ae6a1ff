package spans

import "framescope/model"

// Move is where a span goes on to count for another call path.
type Move struct {
	Begin int64
	Path  model.PathID
}

// Kept returns the position of the oldest span that a lane keeps, and the one behind the newest: a
// Ref with an index between them points at a span.
func (x *Table) Kept(track model.TrackID, lane int) (first, end int64) {
	if l := x.lanes.Lane(track, lane); l != nil {
		first, end = l.First(), l.Behind()
	}
	return first, end
}

// Some appends to out up to n spans of a lane that are kept, from the one of a reference on, read with c. moved
// reports whether one goes on to count for another call path.
func (x *Table) Some(from Ref, n int64, c *Cursor, out []Bar) (list []Bar, moved bool) {
	l := x.lanes.Lane(from.Track, int(from.Lane))
	if l == nil {
		return out, false
	}
	c.lane, c.rows = l, nil // it may have grown
	paths := x.host.Paths.Rows()
	first := max(from.Index, l.First())
	end := min(first+n, l.Behind())
	for from.Index = first; from.Index < end; from.Index++ {
		b := Bar{Ref: from, Count: 1, Busy: 1}
		b.Begin, b.End, b.Path = c.At(from.Index)
		b.Flags = model.SpanFlags(c.rows[from.Index-c.first].meta & metaFlags)
		b.Collector = paths[b.Path].Collector
		out = append(out, b)
	}
	return out, l.MovesIn(first, end)
}

// Moves appends to out where a span that is kept goes on to count for other call paths.
func (x *Table) Moves(r Ref, out []Move) []Move {
	if l := x.lanes.Lane(r.Track, int(r.Lane)); l != nil && r.Index >= l.First() && r.Index < l.Behind() {
		for _, m := range l.Moves(r.Index) {
			out = append(out, Move{m.Begin, m.Path})
		}
	}
	return out
}

// Visited returns the work that the last answer of Visible, Next, Longest or Stats took: spans,
// nodes and list entries looked at.
func (x *Table) Visited() int64 { return x.visited }
