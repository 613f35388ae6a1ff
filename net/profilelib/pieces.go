package profilelib

// Which records are pieces of one block? The library splits a block at the end of a call within it, or
// at an update, when the thread is on another processor than the one on which the block began, and it
// begins the next piece at once (FORMAT.md section 4.1). The records do not name each other, and no
// bound on the gap separates them from two calls: the system may take the processor away between the
// end of one and the begin of the next, for microseconds or for milliseconds. So other properties
// decide:
//
//   - Nothing happened on the thread in between: no other block of the row, no message, no end of a frame.
//   - The processors differ, and the names don't.
//   - The caller, or the piece of it in which the second record lies, began on the second's processor: otherwise the
//     library would have split the caller, too. The gap of a caller's pieces is in that of what it called, and is no
//     evidence twice.
//   - The last call within the first record began on the second's processor: then the library had to split at its end.
//   - Otherwise the gap must be shorter than the pauses between calls of this name. These are known from neighbours
//     on one processor, which are two calls for sure. Where a name never follows itself on one processor, what follows
//     on another is its next piece, if most such gaps are as short as a split takes when nothing comes between.
const (
	surePieceNs  = 10e6 // beyond, a thread was not only waiting for its turn
	usualPieceNs = 50e3 // while little is known of a name
	// duration of an uninterrupted split; a gap that short is one where the library looked at the processor
	checkedPieceNs = 5e3
)

// goesOn reports whether a block goes on the newest one of its row: both are pieces of one.
func (d *Decoder) goesOn(th *thread, depth int, n *node) bool {
	r := &th.rows[depth]
	gap := n.start - r.end
	if gap < 0 || r.collector != n.collector && n.collector != d.names.empty {
		return false
	}
	if th.eventWithin(r.end, n.start) {
		return false
	}
	apart := d.names.apart.pausesOf(r.collector)
	if r.processor == n.processor {
		apart.add(gap)
		return false
	}
	if depth > 0 {
		up := &th.rows[depth-1]
		if up.processor != n.processor {
			return false
		}
		if r.end <= up.begin-up.gap { // r lies in the caller's piece before
			gap -= up.gap
		}
	}
	limit := apart.limit(gap)
	if depth+1 < len(th.rows) && th.rows[depth+1].begin >= r.begin { // a call within r
		limit = max(limit, checkedPieceNs)
		if last := th.rows[depth+1].processor; last == n.processor {
			limit = surePieceNs
		}
	}
	return gap <= limit
}

// pauses holds statistics of the gaps between successive blocks of a name.
type pauses struct {
	leastNs     int64 // between two on one processor, but for one time in twenty; 0 where there were none
	close, wide int32 // gaps between two on different processors: as short as a split is, and longer
}

// pauseTable has the pauses by collector.
type pauseTable []pauses

// pausesOf returns the statistics of a name.
func (t *pauseTable) pausesOf(c int32) *pauses {
	if int(c) >= len(*t) {
		*t = append(*t, make([]pauses, int(c)+64-len(*t))...)
	}
	return &(*t)[c]
}

// add takes a pause between two calls into account. An estimate that goes down by 19 times as much
// as it goes up comes to rest where one pause in twenty is shorter.
func (p *pauses) add(ns int64) {
	switch ns = max(ns, 1); {
	case p.leastNs == 0:
		p.leastNs = ns
	case ns < p.leastNs:
		p.leastNs = max(p.leastNs-p.leastNs*19/128, 1)
	default:
		p.leastNs += p.leastNs/128 + 1
	}
}

// limit returns the longest gap between pieces by these statistics, and takes note of a gap between
// two processors.
func (p *pauses) limit(gap int64) int64 {
	if p.close+p.wide < 1<<30 {
		if gap <= checkedPieceNs {
			p.close++
		} else {
			p.wide++
		}
	}
	switch {
	case p.leastNs > 0:
		return min(p.leastNs/2, surePieceNs)
	case p.close > 2*p.wide:
		return surePieceNs
	}
	return usualPieceNs
}
