package frames

import "framescope/model/columns"

// Frames are searched by time, so each counts as beginning no earlier than the one before it: where
// a clock goes back, frames count as beginning when the latest one did until it has caught up. But a
// few frames that lie far ahead, before a clock that comes back to where it was, must not hide all
// that follow them: they count as beginning when the clock came back.

// mostAhead bounds the frames that count as such a few.
const mostAhead = 256

// order decides when the frame behind those that were decided on counts as beginning, and perhaps
// that those right before it were ahead. Cost: O(1) while time ascends, O(mostAhead) otherwise.
func (f *list) order() {
	p := f.latest.End()
	begin := f.begin.At(p)
	if p > f.first {
		if last := f.latest.At(p - 1); last > begin && !f.cameBack(p, begin) {
			begin = last
		}
	}
	f.latest.Push(begin)
}

// cameBack reports whether those before position p that count as beginning after a time were ahead
// of it, and lets them count as beginning then. They were if the clock got there by one step, for
// the most part, from a frame that began by that time.
func (f *list) cameBack(p, timeNs int64) bool {
	from := max(f.first, p-mostAhead)
	ahead := columns.Search(from, p, func(i int64) bool { return f.latest.At(i) > timeNs })
	if ahead == from { // too many, or all there are
		return false
	}
	before := f.latest.At(ahead - 1)
	if f.latest.At(ahead)-before < (f.latest.At(p-1)-before)/2 {
		return false
	}
	f.latest.Truncate(ahead)
	for range p - ahead {
		f.latest.Push(timeNs)
	}
	f.bent = p
	return true
}

// reorder decides anew for the frames before position n, when those behind have been taken back.
func (f *list) reorder(n int64) {
	if f.bent == 0 || f.bent < n {
		f.latest.Truncate(n)
		return
	}
	f.bent = 0
	f.latest.Truncate(min(n, max(f.first+1, n-mostAhead)))
	for f.latest.End() < n {
		f.order()
	}
}
