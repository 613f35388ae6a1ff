package spans

import (
	"math"

	"framescope/model"
	"framescope/model/columns"
)

// Growth of a thread's clock is kept as a list of stretches: from one change to the next. A part of
// a stretch has an even share. It goes to the samples of code there, evenly over the time that they
// own: waits, sleeps and calls in the kernel for I/O take next to none. If all samples wait it is
// spread over all of them.
//
// A share of a stretch is the difference of a rounded share at its end and one at its begin, so the
// sum of neighbouring pieces is that of the whole, to the nanosecond, wherever a block cuts. A
// stretch that a range cuts is weighted by its part in the range.

// maxGrowth bounds a stretch's growth, ns: 52 days.
const maxGrowth = 1 << 52

// cpuGrowth is a stretch of time in which the clock grew by ns.
type cpuGrowth struct {
	begin, end, ns int64
	code           int64 // how much of the time samples of code own
}

type growthColumn struct{ columns.Column }

func (c *growthColumn) Ref(i int64) *cpuGrowth { return columns.Ref[cpuGrowth](&c.Column, i) }
func (c *growthColumn) Push(g cpuGrowth)       { columns.Append(&c.Column, g) }

// evenly is how much of the growth came up to a time within the stretch.
func (g *cpuGrowth) evenly(at int64) int64 { return share(g.ns, at-g.begin, g.end-g.begin) }

// growthOf returns the growth of a sample that owns [from, to) of the stretch; weight is the time that
// samples of code own before it, and after it.
func (g *cpuGrowth) growthOf(weight *int64, code bool, from, to int64) int64 {
	if g.code <= 0 {
		return g.evenly(to) - g.evenly(from)
	}
	if !code {
		return 0
	}
	before := share(g.ns, *weight, g.code)
	*weight += to - from
	return share(g.ns, *weight, g.code) - before
}

// grow makes the stretches of growth from the clock's new readings. A clock that goes back is
// another clock; a gap ends the known time. A change within the same ns is left to the next
// reading.
func (x *StackIndex) grow() {
	if x.clock == nil {
		return
	}
	first, end := x.clock.Positions()
	for i := max(x.read, first); i < end; i++ {
		r := x.clock.Row(i)
		switch {
		case r.Gap():
			if x.hasFrom {
				x.fromNs = r.Time
			}
			x.fromValue = math.NaN()
		case !x.hasFrom || r.Value < x.fromValue || math.IsNaN(x.fromValue):
			x.fromNs, x.fromValue, x.hasFrom = r.Time, r.Value, true
		case r.Value > x.fromValue && r.Time > x.fromNs:
			ns := r.Value - x.fromValue
			x.growths.Push(cpuGrowth{begin: x.fromNs, end: r.Time, ns: int64(min(ns, maxGrowth))})
			x.fromNs, x.fromValue = r.Time, r.Value
		}
	}
	x.read = end
}

// weigh weights the stretches by the samples in them. The weight is final when all of these and
// their times are known.
func (x *StackIndex) weigh() {
	x.weighed = max(x.weighed, x.growths.Start())
	first, end := x.stack.Positions()
	if end == first {
		return
	}
	newest := x.stack.Row(end - 1).Time
	for i := x.weighed; i < x.growths.End(); i++ {
		g := x.growths.Ref(i)
		if g.code = x.codeIn(g.begin, g.end); g.end <= newest && x.weighed == i {
			x.weighed = i + 1
		}
	}
}

// each calls fn for the samples that own a part of [a, b), in order. The newest sample owns nothing
// yet.
func (x *StackIndex) each(a, b int64, fn func(value float64, from, to int64)) {
	d := x.stack
	_, end := d.Positions()
	i, last := d.From(a), end-1
	if i <= last && d.Row(i).Time > a {
		if r, ok := d.Before(i); ok { // in force at a
			fn(r.Value, a, min(d.Row(i).Time, b))
		}
	}
	for ; i < last && d.Row(i).Time < b; i++ {
		if from, to := d.Row(i).Time, min(d.Row(i+1).Time, b); from < to {
			fn(d.Row(i).Value, from, to)
		}
	}
}

// codeIn returns how much of [a, b) samples of code own.
func (x *StackIndex) codeIn(a, b int64) (ns int64) {
	x.each(a, b, func(value float64, from, to int64) {
		if x.code[stackPath(value, len(x.code))] {
			ns += to - from
		}
	})
	return ns
}

// CPU returns how much the clock grew in [t0, t1), ns.
func (x *StackIndex) CPU(t0, t1 int64) (ns int64) {
	for i := x.growthAfter(t0); i < x.growths.End(); i++ {
		g := x.growths.Ref(i)
		if g.begin >= t1 {
			break
		}
		ns += g.evenly(min(g.end, t1)) - g.evenly(max(g.begin, t0))
	}
	return ns
}

// growthAfter returns the first stretch that ends after a time.
func (x *StackIndex) growthAfter(at int64) int64 {
	return columns.Search(x.growths.Start(), x.growths.End(), func(i int64) bool { return x.growths.Ref(i).end > at })
}

// cursor walks along stretches that are taken whole, and the samples in them.
type cursor struct {
	i      int64 // the stretch that ends after the present time
	weight int64 // of the samples of code in it before that time
}

// cursor returns a cursor at a time.
func (x *StackIndex) cursor(at int64) cursor {
	c := cursor{i: x.growthAfter(at)}
	if c.i < x.growths.End() {
		if g := x.growths.Ref(c.i); g.begin < at && g.code > 0 { // those before it may have left memory
			c.weight = max(g.code-x.codeIn(at, g.end), 0)
		}
	}
	return c
}

// give adds to sums the growth of a sample that owns [from, to), and moves the cursor there.
func (x *StackIndex) give(c *cursor, value float64, from, to int64, sums *PathTotals) {
	p, ns := stackPath(value, len(x.code)), int64(0)
	for c.i < x.growths.End() {
		g := x.growths.Ref(c.i)
		if g.begin >= to {
			break
		}
		ns += g.growthOf(&c.weight, x.code[p], max(from, g.begin), min(to, g.end))
		if g.end > to {
			break
		}
		c.i, c.weight = c.i+1, 0
	}
	if p != model.PathRoot && ns > 0 {
		sums.Add(p, ns, 0)
	}
}

// addCPU adds the CPU time of the samples at [from, to), whole. There is a sample at to.
func (x *StackIndex) addCPU(from, to int64, sums *PathTotals) {
	if from >= to {
		return
	}
	sums.Visited += to - from
	c := x.tail
	if x.tailAt != from || c.i < x.growths.Start() {
		c = x.cursor(x.stack.Row(from).Time)
	}
	for i := from; i < to; i++ {
		x.give(&c, x.stack.Row(i).Value, x.stack.Row(i).Time, x.stack.Row(i+1).Time, sums)
	}
	if c.i < x.weighed { // from here on the next block goes on
		x.tail, x.tailAt = c, to
	}
}

// addTime adds the CPU time in [t0, t1).
func (x *StackIndex) addTime(t0, t1 int64, sums *PathTotals) {
	first := x.growthAfter(t0)
	end := columns.Search(first, x.growths.End(), func(i int64) bool { return x.growths.Ref(i).begin >= t1 })
	if first < end && x.growths.Ref(first).begin < t0 {
		x.addPart(x.growths.Ref(first), t0, t1, sums)
		first++
	}
	if first < end && x.growths.Ref(end-1).end > t1 {
		end--
		x.addPart(x.growths.Ref(end), t0, t1, sums)
	}
	if first < end {
		x.addWhole(x.growths.Ref(first).begin, x.growths.Ref(end-1).end, sums)
	}
}

// addPart adds the part of a stretch that lies in [t0, t1).
func (x *StackIndex) addPart(g *cpuGrowth, t0, t1 int64, sums *PathTotals) {
	part := cpuGrowth{begin: max(g.begin, t0), end: min(g.end, t1)}
	if part.ns = g.evenly(part.end) - g.evenly(part.begin); part.ns <= 0 {
		return
	}
	part.code = x.codeIn(part.begin, part.end)
	weight := int64(0)
	x.each(part.begin, part.end, func(value float64, from, to int64) {
		sums.Visited++
		p := stackPath(value, len(x.code))
		if ns := part.growthOf(&weight, x.code[p], from, to); p != model.PathRoot && ns > 0 {
			sums.Add(p, ns, 0)
		}
	})
}

// addWhole adds the stretches between a and b, where stretches begin and end.
func (x *StackIndex) addWhole(a, b int64, sums *PathTotals) {
	d := x.stack
	_, last := d.Positions()
	last-- // owns no time
	from := d.From(a)
	if from <= last && d.Row(from).Time > a {
		if r, ok := d.Before(from); ok { // in force at a
			c := x.cursor(a)
			x.give(&c, r.Value, a, min(d.Row(from).Time, b), sums)
		}
	}
	to := min(d.From(b), last)
	if from >= to {
		return
	}
	// All but the last are whole; that one may go on behind b.
	x.cpu.addRange(from, to-1, sums, x.addCPU)
	r, next := d.Row(to-1), d.Row(to)
	c := x.cursor(r.Time)
	x.give(&c, r.Value, r.Time, min(next.Time, b), sums)
}

// share returns which part of growth belongs to the first part of a whole.
func share(growth, part, whole int64) int64 {
	if part >= whole {
		return growth
	}
	return min(int64(math.Round(float64(growth)*(float64(part)/float64(whole)))), growth)
}
