package spans

import (
	"framescope/model/columns"
)

// In a series that holds (SeriesDef.Holds) each value counts for as long as it was in force: until
// the next sample. A separate pyramid lies over these times, so that no other series pays for it.

// force is for how long the values of a run of samples were in force, each until the sample behind
// it, their sum by that time, and that of the squares of their differences from the mean by time.
type force struct {
	ns   int64
	area float64
	m2   float64
}

// hold adds that a sample was in force until a time. Without spread m2 is left out.
func (a *force) hold(r *SeriesRow, untilNs int64, spread bool) {
	if ns := untilNs - r.Time; ns > 0 && !r.Gap() {
		a.join(&force{ns: ns, area: r.Value * float64(ns)}, spread)
	}
}

func (a *force) join(b *force, spread bool) {
	if spread {
		if a.ns > 0 && b.ns > 0 {
			n, m := float64(a.ns), float64(b.ns)
			d := b.area/m - a.area/n
			a.m2 += d * d * n / (n + m) * m
		}
		a.m2 += b.m2
	}
	a.ns += b.ns
	a.area += b.area
}

// setHolds sets whether the series holds. If a later definition changes it to true, the derived
// data is made from all present samples.
func (s *Series) setHolds(holds bool) {
	if s.holds == holds {
		return
	}
	s.hist.Clear() // they hold times in force, or numbers
	if s.holds = holds; !holds {
		s.forces.Clear()
		return
	}
	s.growForces(s.rows.End() - columns.SampleWindow - 1)
}

// deriveForces is the part of derive that has to do with series that hold. A node needs to know the
// sample behind its own, so that one has to be final, too.
func (s *Series) deriveForces() {
	if n := s.rows.End() - columns.SampleWindow - 1; s.holds && n&(1<<columns.SeriesLeaf-1) == 0 {
		s.growForces(n)
	}
}

func (s *Series) growForces(n int64) {
	if n > 0 {
		columns.Grow(&s.forces, n, columns.SeriesLeaf, columns.SeriesUp, forceMaker{s})
	}
}

// forceMaker makes the nodes of data.forces.
type forceMaker struct{ *Series }

func (m forceMaker) LeafOf(from, to int64) (f force) {
	m.holdLeaf(from, to, &f, true)
	return f
}

func (m forceMaker) JoinOf(nodes []force) (f force) {
	for i := range nodes {
		f.join(&nodes[i], true)
	}
	return f
}

// holdLeaf adds the samples at [from, to), which lie in one chunk and have one behind them.
func (s *Series) holdLeaf(from, to int64, f *force, spread bool) {
	run := s.rows.Run(from, to)
	for i := range len(run) - 1 {
		f.hold(&run[i], run[i+1].Time, spread)
	}
	f.hold(&run[len(run)-1], s.rows.Ref(to).Time, spread)
}

// inForce sums up how long the samples at [from, to), all those in [t0, t1), and the one before them
// were in force there, and returns how many samples and nodes were read: for a series that holds, the
// value in force at t0 belongs to the range as much as those that came in it, and counts for the
// extremes of node, the summary of the others. Without spread f.m2 is left out. Cost: O(log n).
func (s *Series) inForce(from, to, t0, t1 int64, node *seriesSummary, f *force, spread bool) (visited int64) {
	if r, until := s.heldBefore(from, to, t0, t1); until > r.Time {
		f.hold(&r, until, spread)
		if node.n == 0 {
			node.min, node.max = r.Value, r.Value
		}
		node.min, node.max = min(node.min, r.Value), max(node.max, r.Value)
	}
	if from == to {
		return 0
	}
	last := to - 1 // it may be in force beyond t1
	for from < last {
		if n, end := columns.Greatest[force](&s.forces, from, last); n != nil {
			f.join(n, spread)
			from = end
			visited++
			continue
		}
		stop := min((from>>columns.SeriesLeaf+1)<<columns.SeriesLeaf, last)
		s.holdLeaf(from, stop, f, spread)
		visited += stop - from
		from = stop
	}
	f.hold(s.rows.Ref(last), s.heldUntil(t1), spread)
	return visited
}

// heldBefore returns the value that was in force from t0 on, before the samples at [from, to), and
// until when: not later than its time where there is none.
func (s *Series) heldBefore(from, to, t0, t1 int64) (r SeriesRow, until int64) {
	r, ok := s.Before(from)
	if !ok || r.Gap() {
		return SeriesRow{}, 0
	}
	until = s.heldUntil(t1)
	if from < to {
		until = min(until, s.rows.Ref(from).Time)
	}
	r.Time = max(r.Time, t0)
	return r, until
}

// heldUntil is until when the last value before t1 was in force: nothing is known behind the newest
// sample.
func (s *Series) heldUntil(t1 int64) int64 { return min(t1, s.rows.Ref(s.rows.End()-1).Time) }

// eachHeld calls fn for the value in force until each of the samples at [from, to).
func (s *Series) eachHeld(from, to int64, fn func(value float64, ns int64)) {
	if from >= to {
		return
	}
	last, ok := s.Before(from)
	for i := from; i < to; {
		run := s.rows.Run(i, to)
		for k := range run {
			if ns := run[k].Time - last.Time; ok && ns > 0 && !last.Gap() {
				fn(last.Value, ns)
			}
			last, ok = run[k], true
		}
		i += int64(len(run))
	}
}

// eachEnd calls fn for the values in force in [t0, t1) before the first and behind the last of the
// samples at [from, to).
func (s *Series) eachEnd(from, to, t0, t1 int64, fn func(value float64, ns int64)) {
	if r, until := s.heldBefore(from, to, t0, t1); until > r.Time {
		fn(r.Value, until-r.Time)
	}
	if last := s.rows.Ref(to - 1); !last.Gap() && s.heldUntil(t1) > last.Time {
		fn(last.Value, s.heldUntil(t1)-last.Time)
	}
}

// mean is that of a run: by time, if anything was in force, else by number.
func (a *seriesSummary) mean(f *force) float64 {
	mean := 0.0
	switch {
	case f.ns > 0:
		mean = f.area / float64(f.ns)
	case a.n > 0:
		mean = a.sum / float64(a.n)
	}
	return min(max(mean, a.min), a.max)
}
