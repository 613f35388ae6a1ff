package locks

import (
	"math"

	"framescope/model"
	"framescope/model/columns"
)

// A thread that takes a lock tries first, and has it a moment later if it was free: that is no wait.
// A wait is a try during which another thread held the lock. The holder is known only when that
// thread's events have come, possibly later, so queries judge: each wait once, and again when a hold
// that it can have met came, went or ended after it was judged. Data come at the end, so that is
// little: doubt is where it begins.
//
// A judgement stays when the hold leaves memory.

// noDoubt is the doubt of a lock if all of its judged waits are right.
const noDoubt = math.MaxInt64

// doubts notes that a hold of a lock changed from a time on.
func (x *Table) doubts(lock model.CollectorID, timeNs int64) {
	if l := x.of[lock]; l != nil {
		l.doubt = min(l.doubt, timeNs)
	}
}

// judge finds the waits of a lock, among the tries that got it.
func (x *Table) judge(lock model.CollectorID) {
	l := x.of[lock]
	for _, id := range l.tracks {
		_, line := x.part(id, lock)
		if line == nil {
			continue
		}
		tries := &line.waits
		if l.doubt < noDoubt {
			line.met.dropAfter(l.doubt)
			line.judged = min(line.judged, tries.after(l.doubt))
		}
		for line.judged = max(line.judged, tries.first); line.judged < tries.uses.End(); line.judged++ {
			if u := *tries.uses.Ref(line.judged); x.met(l, lock, id, &u) {
				line.met.push(u)
			}
		}
	}
	l.doubt = noDoubt
}

// met reports whether a thread other than that of a try held the lock meanwhile. One that holds it still
// does so from then on.
func (x *Table) met(l *sharedLock, lock model.CollectorID, track model.TrackID, try *lockUse) bool {
	for _, id := range l.tracks {
		k, line := x.part(id, lock)
		if line == nil || id == track {
			continue
		}
		l.judgements++
		if len(line.holds) > 0 {
			holds := &line.holds[0]
			if i := holds.after(try.begin); i < holds.uses.End() && holds.uses.Ref(i).begin < try.end {
				return true
			}
		}
		for i := range k.open {
			if o := &k.open[i]; o.lock == lock && o.kind == Holding && o.depth == 0 && o.begin < try.end {
				return true
			}
		}
	}
	return false
}

// after returns the position of the first use that ends after a time.
func (r *useRow) after(timeNs int64) int64 {
	return columns.Search(r.first, r.uses.End(), func(i int64) bool { return r.uses.Ref(i).end > timeNs })
}

// dropAfter takes back the uses that end after a time.
func (r *useRow) dropAfter(timeNs int64) {
	if n := r.after(timeNs); n < r.uses.End() {
		r.uses.Truncate(n)
		r.sums.Truncate(n)
	}
}
