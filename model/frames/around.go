package frames

import (
	"framescope/model"
	"framescope/model/columns"
)

// Kept implements Lengths.
func (t *Thread) Kept() (first, end int64) { return t.frames.first, t.frames.number.End() }

// Length implements Lengths.
func (t *Thread) Length(p int64) int64 { return t.frames.Length(p) }

// LeastNs implements Lengths.
func (t *Thread) LeastNs(medianNs int64) int64 { return t.table.limit.LeastNs(medianNs) }

// SetHitches takes what the user calls a hitch.
func (x *Keeper) SetHitches(limit model.HitchLimit) {
	if x.limit == limit {
		return
	}
	x.limit = limit
	for _, t := range x.tracks {
		if t != nil {
			t.around.Truncate(-1)
		}
	}
}

// HitchLimit returns what the user calls a hitch.
func (x *Table) HitchLimit() model.HitchLimit { return x.limit }

// News implements Lengths: the time of collectors that next to none of the frames around have.
func (t *Thread) News(p, excessNs int64) (ns int64) {
	first, end := t.Kept()
	first, end = max(first, p-Block), min(end, p+Block+1)
	if p-first < 2*Near {
		return 0
	}
	from, to := t.selfRows(p)
	for i := from; i < to; i++ {
		if row := t.self.at(i); newsParts*row.Ns >= excessNs && t.isNew(row.Collector, first, p, end) {
			ns += row.Ns
		}
	}
	return ns
}

// isNew reports whether at most newsSeen of the frames [first, end), without that at p, have a collector. Frames with
// unknown content do not count.
func (t *Thread) isNew(c model.CollectorID, first, p, end int64) bool {
	known, seen := 0, 0
	for q := first; q < end && seen <= newsSeen; q++ {
		from, to := t.selfRows(q)
		if q == p || from == to {
			continue
		}
		known++
		at := columns.Search(from, to, func(i int64) bool { return t.self.rows.At(i).collector >= uint16(c) })
		if at < to && t.self.rows.At(at).collector == uint16(c) {
			seen++
		}
	}
	return known >= 2*Near && seen <= newsSeen
}

// selfRows returns the rows [from, to) with the self times of a frame.
func (t *Thread) selfRows(p int64) (from, to int64) {
	return rowsBefore(&t.frames.selfEnd, p), t.frames.selfEnd.At(p)
}

// Around returns the typical length around the frame with an index. Cost: that of a block of frames
// on the first look at it.
func (x *Table) Around(track model.TrackID, index int) (a Around) {
	t, p, ok := x.positionOf(track, index)
	if ok {
		t.around.visited = 0
		a, x.visited = t.around.Around(t, p), t.around.visited
	}
	return a
}

// Hitch reports whether the frame with an index is much longer than is typical around it, and no stop.
func (x *Table) Hitch(track model.TrackID, index int) (is bool) {
	t, p, ok := x.positionOf(track, index)
	if ok {
		t.around.visited = 0
		is = t.around.Hitch(t, p) && !t.frames.stopped(p)
		x.visited = t.around.visited
	}
	return is
}

// Hitches appends the indices of the hitches among the frames [first, last] of a track, in order.
// Cost: that of a look at each block.
func (x *Table) Hitches(track model.TrackID, first, last int, out []int) []int {
	t := x.track(track)
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return out
	}
	w := x.host.Work
	t.around.visited = 0
	w.hitches = t.around.Hitches(t, from, to+1, w.hitches[:0])
	x.visited = t.around.visited
	for _, p := range w.hitches {
		if !t.frames.stopped(p) {
			out = append(out, int(p-t.frames.first))
		}
	}
	return out
}
