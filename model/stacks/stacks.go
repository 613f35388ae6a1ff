// Package stacks sums up sampled stacks: how many samples each call path has in a range of time,
// and how much CPU time. It knows series, which hold the samples and the clocks of threads, and
// call paths; nothing of spans.
package stacks

import (
	"math"

	"framescope/model"
	"framescope/model/columns"
	"framescope/model/internal/sizes"
	"framescope/model/paths"
	"framescope/model/series"
)

// What the call trees of sampled stacks are made from. Over the samples of a series lie two
// pyramids, one of counts and one of CPU time: a block for each 1,024 samples with the total of
// every path that occurs in it, a node for each eight blocks, and so on, as in lanes/pyramid.go.
// They hold what belongs to the innermost frames alone; callers get theirs when a tree is made. Of
// the samples of a range the whole blocks are added by their lists, and those at the two ends one
// by one.
//
// Growth of the clock is kept as a list of stretches: from one change to the next. The CPU time of
// [a, b) within a stretch is the difference of a rounded share at b and one at a, so the sum of
// neighbouring pieces is that of the whole, to the nanosecond, wherever a block or a range cuts.
//
// All of it is made when first asked for, and goes on from there. A sample that comes late makes it
// anew from the beginning; samplers send in order.

// maxGrowth bounds a stretch's growth, ns: 52 days.
const maxGrowth = 1 << 52

// Table holds what was made for the series of a session.
type Table struct {
	stacks map[model.SeriesID]*Index
	sums   paths.Totals // of the block that is being made
	acc    *columns.Account
}

// Index is what was made for one series of stacks.
type Index struct {
	stack, clock *series.Series
	paths        int
	synced       bool
	rev          uint64 // of the session, when it was brought up to date
	late         [2]uint64

	counts, cpu pyramid
	growths     columns.Column[cpuGrowth]
	read        int64   // clock rows looked at
	fromNs      int64   // time of the newest change: growth up to it is known
	fromValue   float64 // the clock then
	hasFrom     bool
}

// cpuGrowth is a stretch of time in which the clock grew by ns.
type cpuGrowth struct{ begin, end, ns int64 }

// pyramid is a pyramid over blocks of 1,024 samples.
type pyramid struct{ paths.Pyramid }

// Of returns what is made of a series of stacks and its thread's clock (nil without one), up to
// date with a revision of the session, in which there are so many call paths.
func (t *Table) Of(stack, clock *series.Series, paths int, revision uint64) *Index {
	x := t.stacks[stack.Def.ID]
	if x == nil {
		x = newIndex(stack, clock, t.acc)
		t.acc.Add(indexBytes)
		if t.stacks == nil {
			t.stacks = map[model.SeriesID]*Index{}
		}
		t.stacks[stack.Def.ID] = x
	}
	if x.clock == clock && x.synced && x.rev == revision {
		return x
	}
	x.paths = paths
	t.sums.Grow(x.paths)
	x.sync(clock, &t.sums)
	x.synced, x.rev = true, revision
	return x
}

// indexBytes is about what a series of stacks takes besides its columns.
const indexBytes = 600

// Init makes the table ready.
func (t *Table) Init(acc *columns.Account) { t.acc = acc }

func newIndex(stack, clock *series.Series, acc *columns.Account) *Index {
	x := &Index{stack: stack, clock: clock}
	x.counts.Acc, x.cpu.Acc, x.growths.Acc = acc, acc, acc
	return x
}

// DropBefore gives back what describes samples that left memory.
func (t *Table) DropBefore() {
	for _, x := range t.stacks {
		x.drop()
	}
}

// clear lets go of everything.
func (x *Index) clear() {
	x.counts.Clear()
	x.cpu.Clear()
	x.growths.Clear()
}

// clear lets go of everything.
func (t *Table) Clear() {
	for _, x := range t.stacks {
		x.clear()
		t.acc.Add(-indexBytes)
	}
	t.stacks = nil
}

// sync brings the index up to date with the samples.
func (x *Index) sync(clock *series.Series, sums *paths.Totals) {
	if clock != x.clock || x.lateness() != x.late {
		paths := x.paths
		x.clear()
		*x = *newIndex(x.stack, clock, x.counts.Acc)
		x.paths = paths
		x.late = x.lateness()
	}
	x.grow()
	// The last sample owns nothing yet, so a block needs the one after it; and its CPU time is
	// known when the clock has changed since.
	first, last := x.stack.Positions()
	for end := (x.counts.Blocks() + 1) << sizes.MeasureShift; end < last; end += 1 << sizes.MeasureShift {
		x.counts.block(end, first, sums, x.addCounts)
	}
	if x.clock != nil && x.hasFrom {
		known := func(end int64) bool { return end < first || x.stack.Row(end).Time <= x.fromNs }
		for end := (x.cpu.Blocks() + 1) << sizes.MeasureShift; end < last && known(end); end += 1 << sizes.MeasureShift {
			x.cpu.block(end, first, sums, x.addCPU)
		}
	}
	x.drop()
}

// lateness counts the samples that were put before others: a change means that anything may have
// moved.
func (x *Index) lateness() (n [2]uint64) {
	n[0] = x.stack.Moved()
	if x.clock != nil {
		n[1] = x.clock.Moved()
	}
	return n
}

// grow makes the stretches of growth from the clock's new readings. A clock that goes back is
// another clock; a gap ends what is known. A change within one and the same ns is left to the next
// reading.
func (x *Index) grow() {
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
			x.growths.Push(cpuGrowth{x.fromNs, r.Time, int64(min(ns, maxGrowth))})
			x.fromNs, x.fromValue = r.Time, r.Value
		}
	}
	x.read = end
}

// drop gives back what describes only samples that left memory.
func (x *Index) drop() {
	first, _ := x.stack.Positions()
	x.counts.dropSamplesBefore(first)
	x.cpu.dropSamplesBefore(first)
	if x.clock == nil {
		return
	}
	if begin, _, ok := x.clock.Bounds(); ok {
		after := func(i int64) bool { return x.growths.Ref(i).end > begin }
		x.growths.DropBefore(columns.Search(x.growths.Start(), x.growths.End(), after))
	}
}

// addCounts adds the samples at [from, to) to the totals of the paths that they name.
func (x *Index) addCounts(from, to int64, sums *paths.Totals) {
	sums.Visited += max(to-from, 0)
	for from < to {
		run := x.stack.Run(from, to)
		for k := range run {
			if p := stackPath(run[k].Value, x.paths); p != model.PathRoot {
				sums.Add(p, 0, 1)
			}
		}
		from += int64(len(run))
	}
}

// addCPU adds the CPU time of the samples at [from, to), whole. There is a sample at to.
func (x *Index) addCPU(from, to int64, sums *paths.Totals) {
	if from >= to {
		return
	}
	sums.Visited += to - from
	c := x.cursor(x.stack.Row(from).Time)
	for i := from; i < to; i++ {
		next := x.stack.Row(i + 1).Time
		ns := c.until(next)
		if p := stackPath(x.stack.Row(i).Value, x.paths); p != model.PathRoot && ns > 0 {
			sums.Add(p, ns, 0)
		}
	}
}

// CPU returns how much the clock grew in [t0, t1), ns.
func (x *Index) CPU(t0, t1 int64) int64 {
	c := x.cursor(t0)
	return c.until(t1)
}

// growthCursor walks along the stretches of growth.
type growthCursor struct {
	x    *Index
	i    int64 // the stretch that ends after the present time
	used int64 // of its growth, up to that time
}

// cursor returns a cursor at a time.
func (x *Index) cursor(at int64) growthCursor {
	c := growthCursor{x: x}
	c.i = columns.Search(x.growths.Start(), x.growths.End(), func(i int64) bool { return x.growths.Ref(i).end > at })
	if c.i < x.growths.End() {
		if g := x.growths.Ref(c.i); g.begin < at {
			c.used = share(g.ns, at-g.begin, g.end-g.begin)
		}
	}
	return c
}

// until moves the cursor on to a later time and returns the growth since.
func (c *growthCursor) until(to int64) (ns int64) {
	for c.i < c.x.growths.End() {
		g := c.x.growths.Ref(c.i)
		if g.begin >= to {
			break
		}
		if g.end > to {
			used := share(g.ns, to-g.begin, g.end-g.begin)
			ns += used - c.used
			c.used = used
			break
		}
		ns += g.ns - c.used
		c.used = 0
		c.i++
	}
	return ns
}

// Add adds the samples with t0 <= time < t1 to the counts of sums, and if cpu is set the CPU time in
// [t0, t1) to its ns: also that of the stack that was in force at t0. Callers get nothing: see
// paths.Totals.Fold.
func (x *Index) Add(cpu bool, t0, t1 int64, sums *paths.Totals) {
	from, to := x.stack.From(t0), x.stack.From(t1)
	x.counts.addRange(from, to, sums, x.addCounts)
	if cpu && x.clock != nil {
		x.addTime(from, to, t0, t1, sums)
	}
}

// addTime adds the CPU time in [t0, t1), in which the samples at [from, to) lie.
func (x *Index) addTime(from, to, t0, t1 int64, sums *paths.Totals) {
	d := x.stack
	_, end := d.Positions()
	last := end - 1 // owns no time
	if from <= last {
		if begin := d.Row(from).Time; begin > t0 {
			if r, ok := d.Before(from); ok { // in force at t0
				x.cpuPiece(r.Value, t0, min(begin, t1), sums)
			}
		}
	}
	to = min(to, last)
	if from >= to {
		return
	}
	// All but the last are whole; that one the range may cut. What comes after the newest change of
	// the clock adds nothing.
	whole := to - 1
	if d.Row(whole).Time > x.fromNs {
		whole = max(min(whole, d.From(x.fromNs+1)-1), from)
	}
	x.cpu.addRange(from, whole, sums, x.addCPU)
	x.cpuPiece(d.Row(whole).Value, d.Row(whole).Time, min(d.Row(whole+1).Time, t1), sums)
}

// cpuPiece adds the CPU time of the part [a, b) of a sample's time.
func (x *Index) cpuPiece(value float64, a, b int64, sums *paths.Totals) {
	p := stackPath(value, x.paths)
	if p == model.PathRoot || a >= b {
		return
	}
	c := x.cursor(a)
	if ns := c.until(b); ns > 0 {
		sums.Add(p, ns, 0)
	}
}

// block makes the block of the samples before position to. first is the oldest sample that is
// stored.
func (y *pyramid) block(to, first int64, sums *paths.Totals, add func(from, to int64, sums *paths.Totals)) {
	from := to - 1<<sizes.MeasureShift
	if from < first {
		y.Hole(from, to, sums)
	} else {
		sums.Clear()
		add(from, to, sums)
		y.Push(from, to, sums)
	}
	sums.Clear()
}

// addRange adds the samples [from, to): whole blocks by their lists, the others by add.
func (y *pyramid) addRange(from, to int64, sums *paths.Totals, add func(from, to int64, sums *paths.Totals)) {
	a, b := max((from+1<<sizes.MeasureShift-1)>>sizes.MeasureShift, y.First), min(to>>sizes.MeasureShift, y.Blocks())
	if a >= b {
		add(from, to, sums)
		return
	}
	add(from, a<<sizes.MeasureShift, sums)
	y.Add(a, b, sums)
	add(b<<sizes.MeasureShift, to, sums)
}

// dropSamplesBefore makes the sample at a position the oldest that is kept.
func (y *pyramid) dropSamplesBefore(pos int64) {
	y.DropBefore(min((pos+1<<sizes.MeasureShift-1)>>sizes.MeasureShift, y.Blocks()))
}

// stackPath is the path that a sample of a stack names, PathRoot when it names none.
func stackPath(value float64, paths int) model.PathID {
	if value >= 1 && value < float64(paths) { // false for NaN
		return model.PathID(value)
	}
	return model.PathRoot
}

// share returns which part of growth belongs to the first part of a whole.
func share(growth, part, whole int64) int64 {
	if part >= whole {
		return growth
	}
	return min(int64(math.Round(float64(growth)*(float64(part)/float64(whole)))), growth)
}
