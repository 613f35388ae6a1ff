package frames

import (
	"slices"

	"framescope/model"
	"framescope/model/internal/histogram"
	"framescope/model/measure"
)

// statsOf finishes a tally over the frames at positions [from, to]. scale turns the values into the
// unit of the answer.
func statsOf(
	a *Tally, r *histogram.Ranks, t *Thread, h *model.Hierarchy, c model.CollectorID, from, to int64, figure Figure,
) Stats {
	levels := figure == FigureLevel
	scale := statScale(levels)
	n, without := t.frames.counted(from, to)
	st := Stats{Collector: c, Frames: n, Present: a.Present, Count: a.Count}
	least, most, at := a.Min, a.Max, a.MaxAt
	if n > a.Present {
		absent := t.frames.nextCounted(a.Absent(), without)
		// The values of collectors below count here, so a frame with one of those does not lack the collector.
		named := figure == FigureNet || levels
		// a stop was left out before
		for without && named && most <= 0 && absent < to && t.occurs(h, h.Slot(c), absent, levels) {
			absent = t.frames.nextCounted(absent+1, without)
		}
		if a.Present == 0 || most < 0 || most == 0 && absent < at {
			most, at = 0, absent
		}
		least = min(least, 0)
	}
	st.Sum, st.Min, st.Max = a.Sum/scale, least/scale, most/scale
	st.Mean, st.SelfMean = st.Sum/float64(n), a.Self/scale/float64(n)
	st.MaxFrame = t.frames.number.At(at)
	low, high := measure.Middle(n)
	ranks := a.Ranks(r, n, [4]int64{low, high, measure.Rank(n, 95), measure.Rank(n, 99)})
	st.Median = (ranks[0]/scale + ranks[1]/scale) / 2
	st.P95, st.P99 = ranks[2]/scale, ranks[3]/scale
	return st
}

// occurs reports whether the collector in a slot, or one below it, is in the frame at a position.
func (t *Thread) occurs(h *model.Hierarchy, slot int32, p int64, levels bool) bool {
	within := func(c model.CollectorID) bool {
		at := h.Slot(c)
		for at >= 0 && at != slot {
			at = h.Parents[at]
		}
		return at >= 0
	}
	ends := t.ends(levels)
	for i := rowsBefore(ends, p); i < ends.At(p); i++ {
		if levels && within(model.CollectorID(t.levels.collector.At(i))) ||
			!levels && within(model.CollectorID(t.self.rows.At(i).collector)) {
			return true
		}
	}
	return false
}

// tallyAll tallies all collectors at once. If the next range starts with the tallied frames, as while
// the end of a range is dragged, it continues.
type tallyAll struct {
	has     question                 // first and last are the frames tallied; the zero question: none
	figure  Figure                   // that is tallied
	only    struct{ from, to int32 } // slots to tally; all while to is 0
	h       *model.Hierarchy
	from    int64 // position of the first frame
	rootOwn bool  // the root reported a level itself
	tallies []Tally
	touched []int32 // slots with a tally, for aim to reset
	tiles   Tile    // of times
	next    int     // see selfTable.widenNext
	exact   *exact  // of ExactStats, nil of others

	nets []frameNet // by slot, for values tallied frame by frame
	now  int64
	used []int32 // collectors of the present frame
}

// frameNet is a collector's net value in the frame in which it was last seen.
type frameNet struct {
	value   float64
	stamp   int64
	pending int32 // children with a net not yet in value, while gather runs; -1 it was gathered
	own     bool  // it reports a level itself
}

func (a *tallyAll) aim(h *model.Hierarchy, from int64) {
	for k := len(a.touched) - 1; k >= 0; k-- {
		y := &a.tallies[a.touched[k]]
		y.Begin(0)
		if a.exact != nil {
			a.exact.Take(y)
		}
	}
	a.touched = a.touched[:0]
	a.h, a.from, a.rootOwn = h, from, false
	if n := len(h.All); n > len(a.tallies) {
		a.tallies = append(a.tallies, make([]Tally, n-len(a.tallies))...)
		a.nets = append(a.nets, make([]frameNet, n-len(a.nets))...)
		a.tiles.Grow(n)
	}
}

// run tallies the frames [from, to] of a track; touched then lists the collectors, ascending. It returns
// how many values it read.
func (a *tallyAll) run(h *model.Hierarchy, t *Thread, from, to int64) (read int64) {
	levels := a.figure == FigureLevel
	q := question{track: t, rewinds: t.rewinds, hierarchy: h.Rev, levels: levels, first: from, last: to}
	_, q.without = t.frames.counted(from, to)
	known := a.has
	if known.last = to; a.exact == nil && known == q && a.has.last <= to {
		from = a.has.last + 1
	} else {
		a.aim(h, from)
	}
	if a.has = q; from > to {
		return 0
	}
	switch a.figure {
	case FigureLevel:
		for p := from; p <= to; p++ {
			if !a.leaves(t, p) {
				a.levels(t, p)
			}
		}
	case FigureTotal:
		a.inside(t, from, to)
	default:
		for p := from; p <= to; p += TileFrames {
			a.tile(t, p, min(p+TileFrames-1, to))
		}
	}
	slices.Sort(a.touched)
	return t.values(levels, from, to)
}

// leaves reports whether the frame at a position is left out: it is a stop among others.
func (a *tallyAll) leaves(t *Thread, p int64) bool { return a.has.without && t.frames.stopped(p) }

// answer appends the statistics of the collectors that run met.
func (a *tallyAll) answer(r *histogram.Ranks, t *Thread, from, to int64, out []Stats) []Stats {
	for _, c := range a.touched {
		if a.figure == FigureLevel && c == 0 && !a.rootOwn {
			continue
		}
		out = append(out, statsOf(&a.tallies[c], r, t, a.h, a.h.All[c].ID, from, to, a.figure))
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

// gather adds the values from spread to all parents, from the leaves up: each collector is visited
// once, however deep the hierarchy is. A collector that reports a level itself includes the ones
// below it.
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
				a.tallies[c].Self -= n.value
			}
		}
	}
}

// add adds v to c alone; fresh reports whether the frame had no value of it so far.
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

// wanted reports whether a slot is to be tallied.
func (a *tallyAll) wanted(c int32) bool { return a.only.to == 0 || a.only.from <= c && c < a.only.to }

// endFrame hands the present frame's nets to the tallies.
func (a *tallyAll) endFrame(p int64) {
	for _, c := range a.used {
		if y := a.tallyOf(c, p, 1); y != nil {
			y.Add(p, a.nets[c].value)
		}
	}
	a.used = a.used[:0]
}

// tallyOf returns the tally of a slot, for n frames from position p on in which it occurs; nil where
// it is not to be tallied.
func (a *tallyAll) tallyOf(c int32, p int64, n int) *Tally {
	if !a.wanted(c) {
		return nil
	}
	y := &a.tallies[c]
	if y.Present == 0 {
		a.touched = append(a.touched, c)
		self := y.Self
		y.Begin(a.from)
		y.Self = self
	}
	if cap(y.Values)-len(y.Values) < n && a.exact != nil {
		a.makeRoom(y, p, n)
		if !a.wanted(c) { // it was too much
			return nil
		}
	}
	return y
}

// levels: a level counts for itself and, unless it is part of an ancestor's report, for the
// ancestors above (VIEWER.md section 5).
func (a *tallyAll) levels(t *Thread, p int64) {
	a.now++
	from, end := rowsBefore(&t.frames.levels, p), t.frames.levels.At(p)
	for i := from; i < end; i++ {
		c, v := a.h.Slot(model.CollectorID(t.levels.collector.At(i))), t.levels.value.At(i)
		if c < 0 {
			continue
		}
		if a.wanted(c) {
			a.tallies[c].Self += v
		}
		a.rootOwn = a.rootOwn || c == 0
		a.spread(c, v)
		a.nets[c].own = true
	}
	a.gather()
	a.endFrame(p)
}
