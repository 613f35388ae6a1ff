package frames

import (
	"cmp"
	"slices"

	"framescope/model"
)

// Spikes appends the indices of the n longest hitches of a track in [first, last], longest first, of
// equals the older one.
func (x *Table) Spikes(track model.TrackID, first, last, n int, out []int) []int {
	t := x.track(track)
	if t == nil || n <= 0 {
		return out
	}
	from := len(out)
	out = x.Hitches(track, first, last, out)
	length := func(i int) int64 { return t.frames.Length(t.Position(i)) }
	slices.SortFunc(out[from:], func(a, b int) int { return cmp.Or(cmp.Compare(length(b), length(a)), cmp.Compare(a, b)) })
	return out[:min(len(out), from+n)]
}

// NextSpike returns the nearest hitch after a frame (dir > 0) or before it. Cost: that of a look at
// each block between.
func (x *Table) NextSpike(track model.TrackID, frame, dir int) (index int, ok bool) {
	t := x.track(track)
	if t == nil {
		return 0, false
	}
	if dir < 0 {
		from := min(frame, t.NumFrames()) - 1
		for ; from >= 0; from -= Block {
			found := x.Hitches(track, from-Block+1, from, x.host.Work.found[:0])
			if x.host.Work.found = found; len(found) > 0 {
				return found[len(found)-1], true
			}
		}
		return 0, false
	}
	for from := max(frame+1, 0); from < t.NumFrames(); from += Block {
		found := x.Hitches(track, from, from+Block-1, x.host.Work.found[:0])
		if x.host.Work.found = found; len(found) > 0 {
			return found[0], true
		}
	}
	return 0, false
}
