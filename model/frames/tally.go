package frames

import (
	"slices"

	"framescope/model"
	"framescope/model/collectors"
	"framescope/model/internal/histogram"
	"framescope/model/measure"
)

// tally sums one collector's net values, frame by frame. Frames that were not told are 0.
type tally struct {
	values   []float64 // of the frames in which it occurred
	sum      float64
	alone    float64
	min, max float64
	maxAt    int64 // position of the first frame with the greatest value
	count    int64
	next     int64 // position behind the last frame told
	absent   int64 // position of the first frame not told, if there was one before next
	skipped  bool
}

// begin prepares for the frames from a position on, told in ascending order.
func (a *tally) begin(from int64) { *a = tally{values: a.values[:0], next: from} }

func (a *tally) add(p int64, v float64) {
	if p > a.next && !a.skipped {
		a.absent, a.skipped = a.next, true
	}
	a.next = p + 1
	if len(a.values) == 0 || v > a.max {
		a.max, a.maxAt = v, p
	}
	if len(a.values) == 0 || v < a.min {
		a.min = v
	}
	a.values = append(a.values, v)
	a.sum += v
}

// stats finishes a tally over the frames at positions [from, to]. scale turns the values into the
// unit of the answer. It reorders values.
func (a *tally) stats(t *Track, c model.CollectorID, from, to int64, scale float64) Stats {
	n := to - from + 1
	st := Stats{Collector: c, Frames: n, Present: int64(len(a.values)), Count: a.count}
	zeros := n - st.Present
	least, most, at := a.min, a.max, a.maxAt
	if zeros > 0 {
		absent := a.next
		if a.skipped {
			absent = a.absent
		}
		if st.Present == 0 || most < 0 || most == 0 && absent < at {
			most, at = 0, absent
		}
		least = min(least, 0)
	}
	st.Sum, st.Min, st.Max = a.sum/scale, least/scale, most/scale
	st.Mean, st.AloneMean = st.Sum/float64(n), a.alone/scale/float64(n)
	st.MaxFrame = t.frames.number.At(at)
	negative := int64(0)
	for _, v := range a.values {
		if v < 0 {
			negative++
		}
	}
	pick := func(k int64) float64 { // the k-th least of all frames
		switch {
		case k < negative:
			return histogram.Select(a.values, int(k)) / scale
		case k < negative+zeros:
			return 0
		}
		return histogram.Select(a.values, int(k-zeros)) / scale
	}
	low, high := measure.Middle(n)
	st.Median = (pick(low) + pick(high)) / 2
	st.P95 = pick(measure.Rank(n, 95))
	st.P99 = pick(measure.Rank(n, 99))
	return st
}

// tallyAll tallies all collectors at once.
type tallyAll struct {
	figure  Figure                   // that is tallied
	only    struct{ from, to int32 } // slots to tally; all while to is 0
	h       *collectors.Hierarchy
	from    int64 // position of the first frame
	rootOwn bool  // the root reported a level itself
	tallies []tally
	touched []int32 // slots with a tally, for aim to reset
	tiles   tile    // of times

	nets []frameNet // by slot, for what is tallied frame by frame
	now  int64
	used []int32 // collectors of the present frame
}

// frameNet is a collector's net value in the frame in which it was last seen.
type frameNet struct {
	value   float64
	stamp   int64
	pending int32 // children of which the net is not in value yet, while gather runs; -1 it was gathered
	own     bool  // it reports a level itself
}

func (a *tallyAll) aim(h *collectors.Hierarchy, from int64) {
	for _, c := range a.touched {
		a.tallies[c].begin(0)
	}
	a.touched = a.touched[:0]
	a.h, a.from, a.rootOwn = h, from, false
	if n := len(h.All); n > len(a.tallies) {
		a.tallies = append(a.tallies, make([]tally, n-len(a.tallies))...)
		a.nets = append(a.nets, make([]frameNet, n-len(a.nets))...)
		a.tiles.at = append(a.tiles.at, make([]int32, n-len(a.tiles.at))...)
	}
}

// run tallies the frames [from, to] of a track; touched then lists the collectors, ascending.
func (a *tallyAll) run(h *collectors.Hierarchy, t *Track, from, to int64) {
	a.aim(h, from)
	if a.figure == FigureLevel {
		for p := from; p <= to; p++ {
			a.levels(t, p)
		}
	} else {
		for p := from; p <= to; p += tileFrames {
			a.tile(t, p, min(p+tileFrames-1, to))
		}
	}
	slices.Sort(a.touched)
}

// answer appends the statistics of the collectors that run met.
func (a *tallyAll) answer(t *Track, from, to int64, out []Stats) []Stats {
	levels := a.figure == FigureLevel
	for _, c := range a.touched {
		if levels && c == 0 && !a.rootOwn {
			continue
		}
		out = append(out, a.tallies[c].stats(t, a.h.All[c].ID, from, to, statScale(levels)))
	}
	return out
}

// spread adds v to c, and with gather to all above it.
func (a *tallyAll) spread(c int32, v float64) {
	for fresh := a.add(c, v); fresh; {
		up := a.h.Parents[c]
		if up < 0 {
			return
		}
		fresh = a.add(up, 0)
		a.nets[up].pending++
		c = up
	}
}

// gather adds what spread was told to all above, from the leaves up: each collector is visited once,
// however deep the hierarchy is. What is below a collector that reports a level itself is part of
// that.
func (a *tallyAll) gather() {
	for _, c := range a.used {
		for a.nets[c].pending == 0 {
			n := &a.nets[c]
			n.pending = -1
			if c = a.h.Parents[c]; c < 0 {
				break
			}
			up := &a.nets[c]
			up.pending--
			if !up.own {
				up.value += n.value
			} else if a.wanted(c) {
				a.tallies[c].alone -= n.value
			}
		}
	}
}

// add adds v to c alone; fresh tells that the frame had nothing of it so far.
func (a *tallyAll) add(c int32, v float64) (fresh bool) {
	n := &a.nets[c]
	if n.stamp == a.now {
		n.value += v
		return false
	}
	*n = frameNet{value: v, stamp: a.now}
	a.used = append(a.used, c)
	return true
}

// wanted tells whether a slot is to be tallied.
func (a *tallyAll) wanted(c int32) bool { return a.only.to == 0 || a.only.from <= c && c < a.only.to }

// endFrame hands the present frame's nets to the tallies.
func (a *tallyAll) endFrame(p int64) {
	for _, c := range a.used {
		if !a.wanted(c) {
			continue
		}
		t := &a.tallies[c]
		if len(t.values) == 0 {
			a.touched = append(a.touched, c)
			t.next = a.from
		}
		t.add(p, a.nets[c].value)
	}
	a.used = a.used[:0]
}

// levels: a level counts for itself and, unless it is part of what an ancestor reports, for the
// ancestors above (pstats-viewer section 5).
func (a *tallyAll) levels(t *Track, p int64) {
	a.now++
	from, end := rowsBefore(&t.frames.levels, p), t.frames.levels.At(p)
	for i := from; i < end; i++ {
		c, v := a.h.Slot(model.CollectorID(t.levels.collector.At(i))), t.levels.value.At(i)
		if c < 0 {
			continue
		}
		if a.wanted(c) {
			a.tallies[c].alone += v
		}
		a.rootOwn = a.rootOwn || c == 0
		a.spread(c, v)
		a.nets[c].own = true
	}
	a.gather()
	a.endFrame(p)
}
