package frames

import (
	"math"

	"framescope/model"
	"framescope/model/columns"
)

// Stats summarises one collector over a run of frames. Times in seconds, or the levels' unit.
type Stats struct {
	Collector              model.CollectorID
	Frames                 int64 // frames in the range
	Present                int64 // frames in which it or something below it occurred
	Count                  int64 // starts in total, of this very collector
	Sum, Mean, Min, Median float64
	P95, P99, Max          float64
	MaxFrame               int64 // number of the first frame with the greatest value
	SelfMean               float64
	// Estimated means that Median, P95 and P99 come from a histogram: they are within 1 %.
	Estimated bool
}

// SelfNs returns the self time in all frames together.
func (st *Stats) SelfNs() int64 {
	if st.Frames == 0 {
		return 0
	}
	return int64(math.Round(st.SelfMean * 1e9 * float64(st.Frames)))
}

// Stats returns the statistics of the net value of a collector over the received frames with index
// [first, last] of a track, without stops; frames without it count as 0. Percentiles are by nearest rank; the
// median of an even number is the mean of the middle two. Up to 4,096 frames they are exact, beyond
// that within 1 % and the cost no longer grows with the number of frames (blocks.go); all else is
// exact always.
func (x *Table) Stats(track model.TrackID, c model.CollectorID, levels bool, first, last int) Stats {
	t := x.track(track)
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return Stats{Collector: c}
	}
	if to-from >= columns.StatExact {
		return x.blockStats(t, c, levels, from, to, nil)[0]
	}
	a := &x.host.Work.tally
	a.run(&x.host.Work.reader, x.host.Collectors.Tree(), t, c, levels, from, to)
	return statsOf(&a.Tally, &x.host.Work.ranks, t, x.host.Collectors.Tree(), c, from, to, figureOf(levels))
}

// oneTally is that of a single collector.
type oneTally struct{ Tally }

// run tallies the frames [from, to] of a track.
func (a *oneTally) run(r *bandReader, h *model.Hierarchy, t *Thread, c model.CollectorID, levels bool, from, to int64) {
	a.Begin(from)
	r.aim(h, c, 0, levels)
	if levels {
		a.levels(r, t, from, to)
	} else {
		a.times(r, t, from, to)
	}
}

func (a *oneTally) times(r *bandReader, t *Thread, from, to int64) {
	own := int32(len(r.bands) - 1)
	i := rowsBefore(&t.frames.selfEnd, from)
	_, without := t.frames.counted(from, to)
	for p := from; p <= to; p++ {
		end := t.frames.selfEnd.At(p)
		if without && t.frames.stopped(p) {
			i = end
			continue
		}
		present := false
		var net int64
		for i < end {
			run := t.self.rows.Run(i, end)
			for k := range run {
				row := &run[k]
				band := r.band(row.collector)
				if band < 0 {
					continue
				}
				ns, count := row.ns(), row.count()
				if row.wide() {
					var n int32
					ns, n = t.self.widen(i + int64(k))
					count = int64(n)
				}
				if band == own {
					a.Self += float64(ns)
					a.Count += count
				}
				present = true
				net += ns
			}
			i += int64(len(run))
		}
		if present {
			a.Add(p, float64(net))
		}
	}
}

func (a *oneTally) levels(r *bandReader, t *Thread, from, to int64) {
	_, without := t.frames.counted(from, to)
	for p := from; p <= to; p++ {
		if without && t.frames.stopped(p) {
			continue
		}
		r.read(t, p, 1)
		if len(r.used) > 0 {
			own := len(r.bands) - 1
			if r.seen[own] {
				a.Self += r.val[own]
			}
			a.Add(p, r.total())
		}
		r.clear()
	}
}

// AllStats appends the statistics of every collector with data (times or levels) in the range, ascending
// by id. A collector has data if it or something below it occurred. The root has none of levels unless
// it reports one itself: their units differ. A repeated query costs no more than the copy while the
// frames are the same.
func (x *Table) AllStats(track model.TrackID, levels bool, first, last int, out []Stats) []Stats {
	t := x.track(track)
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return out
	}
	h, begin := x.host.Collectors.Tree(), len(out)
	q := question{track: t, rewinds: t.rewinds, hierarchy: h.Rev, levels: levels, first: from, last: to}
	_, q.without = t.frames.counted(from, to)
	if stats, known := x.host.Work.asked.Find(q); known {
		x.visited = 0
		return append(out, stats...)
	}
	if to-from >= columns.StatExact {
		out = x.blockStats(t, model.NoCollector, levels, from, to, out)
	} else {
		all := &x.host.Work.all[0]
		if levels {
			all = &x.host.Work.all[1]
		}
		all.figure = figureOf(levels)
		x.visited = all.run(h, t, from, to)
		out = all.answer(&x.host.Work.ranks, t, from, to, out)
	}
	x.host.Work.asked.Keep(q, out[begin:])
	return out
}

// statScale returns the divisor from stored values to those of Stats: times are kept in ns and
// returned in seconds.
func statScale(levels bool) float64 {
	if levels {
		return 1
	}
	return 1e9
}

// question is all inputs of an answer of AllStats. Data at a position stays until the track is
// rewound.
type question struct {
	track       *Thread
	rewinds     uint64
	hierarchy   uint64 // its revision
	levels      bool
	first, last int64 // positions
	without     bool  // stops are left out
}
