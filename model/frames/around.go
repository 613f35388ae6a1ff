package frames

import (
	"framescope/model"
)

// Kept implements around.Lengths.
func (f *list) Kept() (first, end int64) { return f.first, f.number.End() }

// Around returns the typical length around the frame with an index. Cost: that of a block of frames
// on the first look at it.
func (x *Table) Around(track model.TrackID, index int) (a Around) {
	t, p, ok := x.positionOf(track, index)
	if ok {
		a, x.visited = t.around.Around(&t.frames, p, t.frames.spans.Acc, &x.host.Work.around)
	}
	return a
}

// Hitch reports whether the frame with an index is much longer than is typical around it, and no stop.
func (x *Table) Hitch(track model.TrackID, index int) (is bool) {
	t, p, ok := x.positionOf(track, index)
	if ok {
		is, x.visited = t.around.Hitch(&t.frames, p, t.frames.spans.Acc, &x.host.Work.around)
		is = is && !t.frames.stopped(p)
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
	w.hitches, x.visited = t.around.Hitches(&t.frames, from, to+1, t.frames.spans.Acc, &w.around, w.hitches[:0])
	for _, p := range w.hitches {
		if !t.frames.stopped(p) {
			out = append(out, int(p-t.frames.first))
		}
	}
	return out
}
