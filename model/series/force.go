package series

import "framescope/model/internal/sizes"

// Of a series that holds (SeriesDef.Holds) each value counts for as long as it was in force: until
// the next sample. A pyramid of its own lies over these times, so that no other series pays for it.

// force is for how long the values of a run of samples were in force, each until the sample behind
// it, and their sum by that time.
type force struct {
	ns   int64
	area float64
}

// hold adds that a sample was in force until a time.
func (a *force) hold(r *Row, untilNs int64) {
	if ns := untilNs - r.Time; ns > 0 && !r.Gap() {
		a.ns += ns
		a.area += r.Value * float64(ns)
	}
}

func (a *force) join(b *force) {
	a.ns += b.ns
	a.area += b.area
}

// setHolds says whether the series holds. Where it does by another definition only, what is derived
// is made of all that is there.
func (d *data) setHolds(holds bool) {
	if d.holds == holds {
		return
	}
	if d.holds = holds; !holds {
		d.forces.Clear()
		return
	}
	d.growForces(d.rows.End() - sizes.SampleWindow - 1)
}

// deriveForces is the part of derive that has to do with series that hold. A node needs to know the
// sample behind its own, so that one has to be final, too.
func (d *data) deriveForces() {
	if n := d.rows.End() - sizes.SampleWindow - 1; d.holds && n&(1<<sizes.SeriesLeaf-1) == 0 {
		d.growForces(n)
	}
}

func (d *data) growForces(n int64) {
	if n > 0 {
		d.forces.Grow(n, sizes.SeriesLeaf, sizes.SeriesUp, forceMaker{d})
	}
}

// forceMaker makes the nodes of data.forces.
type forceMaker struct{ *data }

func (m forceMaker) LeafOf(from, to int64) (f force) {
	m.holdLeaf(from, to, &f)
	return f
}

func (m forceMaker) JoinOf(nodes []force) (f force) {
	for i := range nodes {
		f.join(&nodes[i])
	}
	return f
}

// holdLeaf adds the samples at [from, to), which lie in one chunk and have one behind them.
func (d *data) holdLeaf(from, to int64, f *force) {
	run := d.rows.Run(from, to)
	for i := range len(run) - 1 {
		f.hold(&run[i], run[i+1].Time)
	}
	f.hold(&run[len(run)-1], d.rows.Ref(to).Time)
}

// inForce tells for how long the samples at [from, to), all those in [t0, t1), and the one before
// them were in force there, and returns how many samples and nodes were looked at: of a series that
// holds, the value in force at t0 belongs to the range as much as those that came in it, and counts
// for the extremes of node, the summary of the others. Nothing is known behind the newest sample.
// Cost: O(log n).
func (d *data) inForce(from, to, t0, t1 int64, node *summary, f *force) (visited int64) {
	newest := d.rows.Ref(d.rows.End() - 1).Time
	if r, ok := d.before(from); ok && !r.Gap() {
		first := t1
		if from < to {
			first = d.rows.Ref(from).Time
		}
		r.Time = max(r.Time, t0)
		if first = min(first, newest); first > r.Time {
			f.hold(&r, first)
			if node.n == 0 {
				node.min, node.max = r.Value, r.Value
			}
			node.min, node.max = min(node.min, r.Value), max(node.max, r.Value)
		}
	}
	if from == to {
		return 0
	}
	last := to - 1 // it may be in force beyond t1
	for from < last {
		if n, end := d.forces.Greatest(from, last); n != nil {
			f.join(n)
			from = end
			visited++
			continue
		}
		stop := min((from>>sizes.SeriesLeaf+1)<<sizes.SeriesLeaf, last)
		d.holdLeaf(from, stop, f)
		visited += stop - from
		from = stop
	}
	f.hold(d.rows.Ref(last), min(t1, newest))
	return visited
}

// mean is that of a run: by time, if anything was in force, else by number.
func (a *summary) mean(f *force) float64 {
	mean := 0.0
	switch {
	case f.ns > 0:
		mean = f.area / float64(f.ns)
	case a.n > 0:
		mean = a.sum / float64(a.n)
	}
	return min(max(mean, a.min), a.max)
}
