package locks

import (
	"sort"

	"framescope/model"
)

// KeptBars is a reusable answer of Bars for one lock: it serves while the picture pans inside it,
// and while data come in; then only the part behind the first new use is made anew. The zero value
// has none.
type KeptBars struct {
	table         *Table
	lock          model.CollectorID
	t0, t1, minNs int64
	cuts          uint64
	tracks        int
	ends          []int64 // of each row, where it ended
	openNs        int64   // where the first use began that went on
	bars          []Bar
}

// BarsAgain returns the bars of a lock that touch [t0, t1], as Bars does, and maybe others beside the
// range. They are valid until the next call. Visited counts the uses and nodes that it looked at.
func (t *Table) BarsAgain(k *KeptBars, lock model.CollectorID, t0, t1, minNs int64) (bars []Bar, visited int64) {
	t0, t1, minNs = model.ClampTime(t0), model.ClampTime(t1), min(max(minNs, 1), model.MaxTime)
	x := t.of[lock]
	if x == nil || t1 < t0 {
		return nil, 0
	}
	old := len(k.ends)
	firstNs, openNs := t.grown(k, x, lock)
	same := k.table == t && k.lock == lock && k.minNs == minNs && k.cuts == t.cuts && k.tracks == len(x.tracks) &&
		old == len(k.ends)
	if wide := t1 - t0; !same || t0 < k.t0 || t0-k.t0 > wide || t1 < k.t1-wide {
		if same { // the picture moves to the left, or shows more and more, and will again
			t0 = model.ClampTime(t0 - wide/16)
		}
		k.bars = t.bars(lock, t0, t1, minNs, k.bars[:0], &visited)
		*k = KeptBars{t, lock, t0, t1, minNs, t.cuts, len(x.tracks), k.ends, openNs, k.bars}
		return k.bars, visited
	}
	from := min(firstNs, k.openNs, openNs)
	if t1 > k.t1 {
		from = min(from, k.t1)
	}
	k.t1, k.openNs = max(t1, k.t1), openNs
	if from == model.MaxTime {
		return k.bars, 0
	}
	part := model.FloorTo(from, minNs)
	kept := sort.Search(len(k.bars), func(i int) bool { return k.bars[i].Begin >= part })
	at := len(k.bars)
	k.bars = t.bars(lock, part, max(k.t1, part), minNs, k.bars, &visited)
	again := k.bars[at:]
	again = again[sort.Search(len(again), func(i int) bool { return again[i].Begin >= part }):]
	k.bars = k.bars[:kept+copy(k.bars[kept:], again)]
	return k.bars, visited
}

// grown notes where the rows of a lock end now. It returns when the first use began that was not
// there before, and when the first began that still goes on; MaxTime where there is none.
func (t *Table) grown(k *KeptBars, x *sharedLock, lock model.CollectorID) (firstNs, openNs int64) {
	firstNs, openNs = model.MaxTime, model.MaxTime
	n := 0
	row := func(r *useRow) {
		end := r.uses.End()
		if n == len(k.ends) {
			k.ends = append(k.ends, end)
		}
		if was := k.ends[n]; was < end && was >= r.first {
			firstNs = min(firstNs, r.uses.Ref(was).begin)
		}
		k.ends[n] = end
		n++
	}
	for _, id := range x.tracks {
		part, line := t.part(id, lock)
		if line == nil {
			continue
		}
		row(&line.waits)
		row(&line.failed)
		row(&line.conditions)
		row(&line.signals)
		for depth := range line.holds {
			row(&line.holds[depth])
		}
		for i := range part.open {
			if o := &part.open[i]; o.lock == lock {
				openNs = min(openNs, o.begin)
			}
		}
	}
	k.ends = k.ends[:n]
	return firstNs, openNs
}

// SignalsIn returns how many arrows there may be in [t0, t1): of each lock as many as it has signals,
// or waits for its condition and one more. Cost: O(locks · tracks that use them · log n).
func (t *Table) SignalsIn(t0, t1 int64) (n int64) {
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	for _, lock := range t.order {
		var signals, conditions int64
		for _, id := range t.of[lock].tracks {
			k, line := t.part(id, lock)
			if line == nil {
				continue
			}
			a, b := line.signals.inRange(t0, t1)
			signals += b - a
			a, b = line.conditions.inRange(t0, t1)
			conditions += b - a
			for i := range k.open {
				if o := &k.open[i]; o.lock == lock && o.kind == Condition {
					conditions++
				}
			}
		}
		n += min(signals, conditions+1)
	}
	return n
}
