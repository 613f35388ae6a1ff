// Sums over sampled stacks: the samples of each call path in a range of time, and their CPU time.
// They know series, which hold the samples and the clocks of threads, and call paths, but no spans.

package spans

import (
	"math"

	"framescope/model"
	"framescope/model/columns"
)

// Call trees of sampled stacks come from two pyramids over the samples of a series, one of counts
// and one of CPU time: a block for each 1,024 samples with the total of every path that occurs in
// it, a node for each eight blocks, and so on, as in lanes/pyramid.go. They hold the innermost
// frames only; callers get theirs when a tree is made. For a range, the whole blocks are added by
// their lists, and the samples at the two ends one by one.
//
// cpu.go distributes the clock's growth.
//
// All of it is made on demand, and continues from there. A late sample rebuilds it from the
// beginning; samplers send in order.

// StackTable holds the indexes of the series of a session.
type StackTable struct {
	stacks map[model.SeriesID]*StackIndex
	sums   PathTotals // of the block that is being made
	acc    *columns.Account
}

// StackIndex is the index of one series of stacks.
type StackIndex struct {
	stack, clock *Series
	weight       *Series // the weight of its counts, see Weighed; nil without
	synced       bool
	rev          uint64 // of the session, when it was brought up to date
	late         [3]uint64

	counts, cpu pyramid
	growths     growthColumn
	weighed     int64   // growths before it have their final weight
	read        int64   // clock rows looked at
	fromNs      int64   // time of the newest change: growth up to it is known
	fromValue   float64 // the clock then
	hasFrom     bool
	code        []bool // by call path: code innermost, which runs or would like to
	tail        cursor // where the newest addCPU ended, at sample tailAt
	tailAt      int64
}

// pyramid is a pyramid over blocks of 1,024 samples.
type pyramid struct{ PathPyramid }

// Of returns the index of a series of stacks and its thread's clock (nil without one), up to date with
// a revision of the session. code marks the call paths that run, or would like to: they neither wait
// nor read or write. Call Clear before a mark changes.
func (t *StackTable) Of(stack, clock *Series, code []bool, revision uint64) *StackIndex {
	work := int64(math.MaxInt64)
	x, _ := t.step(stack, clock, nil, code, revision, &work)
	return x
}

// step returns the index of a series of stacks, as Of or, with a weight, as Weighed, and brings it up to date as far as
// work lasts, a read sample costs some. It returns true when the index is up to date.
func (t *StackTable) step(
	stack, clock, weight *Series, code []bool, revision uint64, work *int64,
) (x *StackIndex, done bool) {
	id := stack.Def.ID
	if weight != nil {
		id, clock = weight.Def.ID, nil
	}
	if x = t.stacks[id]; x == nil {
		x = newIndex(stack, clock, t.acc)
		x.weight = weight
		t.keep(id, x)
	}
	if x.clock == clock && x.synced && x.rev == revision && len(x.code) == len(code) {
		return x, true
	}
	x.code = code
	t.sums.Grow(len(code))
	x.synced, x.rev = x.sync(clock, &t.sums, work), revision
	return x, x.synced
}

// Weighted returns the index of a series of stacks and one of weights, with a value per sample: Add adds the
// weights to ns, and the samples that have any to counts. For other arguments see Of.
func (t *StackTable) Weighted(stack, weight *Series, code []bool, revision uint64) *StackIndex {
	work := int64(math.MaxInt64)
	x, _ := t.step(stack, nil, weight, code, revision, &work)
	return x
}

func (t *StackTable) keep(id model.SeriesID, x *StackIndex) {
	t.acc.Add(indexBytes)
	if t.stacks == nil {
		t.stacks = map[model.SeriesID]*StackIndex{}
	}
	t.stacks[id] = x
}

// indexBytes is about the overhead of a series of stacks.
const indexBytes = 600

// Init makes the table ready.
func (t *StackTable) Init(acc *columns.Account) { t.acc = acc }

func newIndex(stack, clock *Series, acc *columns.Account) *StackIndex {
	x := &StackIndex{stack: stack, clock: clock, tailAt: -1}
	x.counts.Acc, x.cpu.Acc, x.growths.Acc = acc, acc, acc
	return x
}

// DropBefore frees the results of samples that left memory.
func (t *StackTable) DropBefore() {
	for _, x := range t.stacks {
		x.drop()
	}
}

// clear frees everything.
func (x *StackIndex) clear() {
	x.counts.Clear()
	x.cpu.Clear()
	x.growths.Clear()
}

// Clear frees everything.
func (t *StackTable) Clear() {
	for _, x := range t.stacks {
		x.clear()
		t.acc.Add(-indexBytes)
	}
	t.stacks = nil
}

// blockWork is the work of reading a block of samples.
const blockWork = 5 << columns.MeasureShift

// sync brings the index up to date with the samples, as far as work lasts, and returns true when it is.
func (x *StackIndex) sync(clock *Series, sums *PathTotals, work *int64) bool {
	if clock != x.clock || x.lateness() != x.late {
		code, weight := x.code, x.weight
		x.clear()
		*x = *newIndex(x.stack, clock, x.counts.Acc)
		x.code, x.weight = code, weight
		x.late = x.lateness()
	}
	x.grow()
	x.weigh()
	// The last sample owns nothing yet, so a block needs the one after it; and its CPU time is
	// known when the clock has changed since, and the samples up to then are known.
	first, last := x.positions()
	for end := (x.counts.Blocks() + 1) << columns.MeasureShift; end < last; end += 1 << columns.MeasureShift {
		if *work <= 0 {
			return false
		}
		*work -= blockWork
		x.counts.block(end, first, sums, x.addCounts)
	}
	if x.clock != nil && x.hasFrom {
		until := x.fromNs
		if x.weighed < x.growths.End() {
			until = x.growths.Ref(x.weighed).begin
		}
		known := func(end int64) bool { return end < first || x.stack.Row(end).Time <= until }
		for end := (x.cpu.Blocks() + 1) << columns.MeasureShift; end < last && known(end); end += 1 << columns.MeasureShift {
			if *work <= 0 {
				return false
			}
			*work -= blockWork
			x.cpu.block(end, first, sums, x.addCPU)
		}
	}
	x.drop()
	return true
}

// lateness counts the samples that were put before others: a change means that anything may have
// moved.
func (x *StackIndex) lateness() (n [3]uint64) {
	n[0] = x.stack.Moved()
	if x.weight != nil {
		n[2] = x.weight.Moved()
	}
	if x.clock != nil {
		n[1] = x.clock.Moved()
	}
	return n
}

// positions returns the positions of the complete samples, [first, last).
func (x *StackIndex) positions() (first, last int64) {
	first, last = x.stack.Positions()
	if x.weight != nil {
		a, b := x.weight.Positions()
		first, last = max(first, a), min(last, b)
	}
	return first, max(first, last)
}

// drop frees results of dropped samples only.
func (x *StackIndex) drop() {
	first, _ := x.positions()
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
func (x *StackIndex) addCounts(from, to int64, sums *PathTotals) {
	sums.Visited += max(to-from, 0)
	for from < to {
		run := x.stack.Run(from, to)
		for k := range run {
			p := stackPath(run[k].Value, len(x.code))
			if w := x.weightAt(from + int64(k)); p != model.PathRoot && (w > 0 || x.weight == nil) {
				sums.Add(p, w, 1)
			}
		}
		from += int64(len(run))
	}
}

// weightAt returns the weight of the sample at a position, 0 without weights.
func (x *StackIndex) weightAt(i int64) int64 {
	if x.weight == nil {
		return 0
	}
	v := x.weight.Row(i).Value
	if !(v > 0) { // nor NaN
		return 0
	}
	return int64(min(v, maxWeight))
}

// maxWeight bounds the weight of one sample.
const maxWeight = 1 << 62

// Add adds the samples with t0 <= time < t1 to the counts of sums, and if cpu is set the CPU time in
// [t0, t1) to its ns: of samples of code, also of the one that was in force at t0, and where there are
// none of all. Callers get nothing: see Tree.Own.
func (x *StackIndex) Add(cpu bool, t0, t1 int64, sums *PathTotals) {
	first, last := x.positions()
	from, to := max(x.stack.From(t0), first), min(x.stack.From(t1), last)
	if from > to {
		from = to
	}
	x.counts.addRange(from, to, sums, x.addCounts)
	if cpu && x.clock != nil {
		x.addTime(t0, t1, sums)
	}
}

// block makes the block of the samples before position to. first is the oldest sample that is
// stored.
func (y *pyramid) block(to, first int64, sums *PathTotals, add func(from, to int64, sums *PathTotals)) {
	from := to - 1<<columns.MeasureShift
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
func (y *pyramid) addRange(from, to int64, sums *PathTotals, add func(from, to int64, sums *PathTotals)) {
	a, b := max((from+1<<columns.MeasureShift-1)>>columns.MeasureShift, y.First), min(to>>columns.MeasureShift, y.Blocks())
	if a >= b {
		add(from, to, sums)
		return
	}
	add(from, a<<columns.MeasureShift, sums)
	y.Add(a, b, sums)
	add(b<<columns.MeasureShift, to, sums)
}

// dropSamplesBefore makes the sample at a position the oldest that is kept.
func (y *pyramid) dropSamplesBefore(pos int64) {
	y.DropBefore(min((pos+1<<columns.MeasureShift-1)>>columns.MeasureShift, y.Blocks()))
}

// stackPath is the path that a sample of a stack names, PathRoot when it names none.
func stackPath(value float64, paths int) model.PathID {
	if value >= 1 && value < float64(paths) { // false for NaN
		return model.PathID(value)
	}
	return model.PathRoot
}
