package spans

import "framescope/model"

// Overlaps reports whether frames of a track overlap, so that not all outermost spans are in its
// first lane.
func (x *Table) Overlaps(track model.TrackID) bool {
	t := x.lanes.Track(track)
	return t != nil && t.Overlaps()
}

// Busy returns for how much of [t0, t1) at least one span of a track ran, in ns. Cost: O(lanes · log
// n) for each stretch that one span covers, whatever is inside it.
func (x *Table) Busy(track model.TrackID, t0, t1 int64) (ns int64) {
	t := x.lanes.Track(track)
	if t == nil {
		return 0
	}
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	x.visited = 0
	for at := t0; at < t1; {
		next, until := t1, at // when the next one begins; until when those that run go on
		for _, l := range t.Stack() {
			if l == nil {
				continue
			}
			x.visited++
			for i := l.FirstKept(at); i < l.Behind(); i++ {
				begin, end := l.Times(i)
				if begin > at {
					next = min(next, begin)
					break
				}
				if until = max(until, end); end > at {
					break
				} // else it has no length
			}
		}
		if until = min(until, t1); until > at {
			ns += until - at
			next = until
		}
		at = next
	}
	return ns
}
