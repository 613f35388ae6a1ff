package compare

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"
	"strings"
)

// judge decides for all rows whether they changed. It returns false when it was stopped.
func (c *Comparison) judge(yield func(cost int) bool) bool {
	j := judgement{seed: maphash.MakeSeed(), known: map[uint64]int{}}
	if f := c.result.Frames; f != nil {
		values := f.values()
		f.Mean.untested()
		f.Mean.same(values)
		j.figure(&f.Mean, values, f.stride(values))
		f.Hitches.untested()
		if f.Mean.Verdict == Identical && f.Sides[0].Hitches == f.Sides[1].Hitches {
			f.Hitches.same(f.hitched)
		}
		j.add(&f.Hitches, f.oftener())
	}
	for k := range c.result.Threads {
		if th := &c.result.Threads[k]; !c.whole && !c.result.ByTime {
			th.Shared = c.share(k)
			if !yield(int(th.Looked[0] + th.Looked[1])) {
				return false
			}
		}
	}
	for _, rows := range [][]row{c.rows.collectors, c.rows.paths} {
		for i := range rows {
			if !yield(c.fill(&j, &rows[i])) {
				return false
			}
		}
	}
	c.result.Tests = len(j.contrasts)
	p := make([]float64, len(j.contrasts))
	for i := range p {
		p[i] = j.contrasts[i].p
	}
	holm(p)
	for _, t := range j.asked {
		x := &j.contrasts[t.contrast]
		t.of.Typical, t.of.Half, t.of.P = x.typical, x.half, p[t.contrast]
		t.of.decide(x.higher)
	}
	return true
}

// fill sets the figures of a row, and returns the cost.
func (c *Comparison) fill(j *judgement, r *row) (cost int) {
	th := &c.result.Threads[r.Thread]
	one := th.Frames[0] == 0 || th.Frames[1] == 0 // nothing is known of the other side
	figures := [...]*Figure{&r.Total, &r.Self}
	c.usualOfRow(r)
	cost += len(r.lengths) + len(r.sides[0].at)
	r.lengths = nil
	for k, f := range figures {
		if f.Known = k == 0 || !r.async; !f.Known {
			f.untested()
			continue
		}
		var dense [2][]float64
		for side := range r.sides {
			v := &r.sides[side]
			mean := float64(v.sums[k]) / c.by(th, side)
			if side == 0 {
				f.A = mean
			} else {
				f.B = mean
			}
			x := v.total
			if k == 1 {
				x = v.self
			}
			dense[side] = j.dense(side, int(th.Looked[side]), v.at, x)
			if c.works(&r.Row) {
				th.Shared.takeOut(side, dense[side])
			}
			cost += len(dense[side])
		}
		f.untested()
		if f.Lack = LacksSide; th.Reaches[0] || th.Reaches[1] {
			continue // it ran, in a frame that is not of the side: it is neither gone nor new
		}
		f.same(dense)
		if th.Frames == [2]int64{1, 1} && !c.result.ByTime {
			f.only(true)
			f.Lack, f.AsLong = LacksOthers, c.result.AsLong(f.A, f.B)
			continue
		}
		if f.only(one || th.Looked[0] < leastIndependent || th.Looked[1] < leastIndependent) {
			if !one {
				f.Lack, f.Needs = LacksFrames, leastIndependent
			}
			continue
		}
		if f.Lack = LacksUse; len(r.sides[0].at)+len(r.sides[1].at) >= LeastOccur {
			j.figure(f, dense, c.stride(th))
		}
	}
	for side := range r.sides {
		if r.Calls[side] = float64(r.sides[side].calls) / c.by(th, side); th.Frames[side] == 0 {
			r.Calls[side] = 0
		}
	}
	return cost + 1
}

// stride returns the number of frames of a thread per examined one; 0 for slices.
func (c *Comparison) stride(th *Thread) (stride float64) {
	for side := range th.Frames {
		if c.result.ByTime {
			return 0
		}
		stride = max(stride, float64(th.Frames[side])/float64(max(th.Looked[side], 1)))
	}
	return stride
}

// by is the divisor from the sums of a thread's side to their mean.
func (c *Comparison) by(th *Thread, side int) float64 {
	if n := float64(max(th.Frames[side], 1)); !c.result.ByTime {
		return n
	} else {
		return n / 1e9
	}
}

// untested notes that only the means are known.
func (f *Figure) untested() {
	f.Typical, f.Half, f.P, f.Verdict = [2]float64{f.A, f.B}, math.NaN(), math.NaN(), Untested
}

// same notes figures whose values are identical on both sides, as is the mean of the unexamined ones.
func (f *Figure) same(x [2][]float64) {
	if len(x[0]) > 0 && f.A == f.B && slices.Equal(x[0], x[1]) {
		f.Verdict = Identical
	}
}

// only sets the verdict for a figure on one side alone that has too few values for a test. It
// returns false if there is more to it.
func (f *Figure) only(few bool) bool {
	switch {
	case !few:
		return false
	case f.A == 0 && f.B > 0:
		f.Verdict = New
	case f.B == 0 && f.A > 0:
		f.Verdict = Gone
	}
	return true
}

// decide sets the verdict of a tested figure.
func (f *Figure) decide(higher int) {
	switch d := f.Delta(); {
	case f.Verdict == Identical:
		f.Half = 0 // for certain
	case f.P >= ErrorRate:
		f.Verdict = Noise
	case f.A == 0:
		f.Verdict = New
	case f.B == 0:
		f.Verdict = Gone
	case higher > 0 && d > 0:
		f.Verdict = Slower
	case higher < 0 && d < 0:
		f.Verdict = Faster
	default:
		f.Verdict = Mixed
	}
}

// judgement is all tests of a comparison. Rows with identical values, such as a collector without
// callees and with one call path, are tested once.
type judgement struct {
	seed      maphash.Seed
	known     map[uint64]int // contrast of values with a hash, see lacking
	lacking   []lacking
	contrasts []contrast
	asked     []asked
	rank      ranker
	scratch   [2][]float64
}

// asked is a figure that waits for its test to be corrected.
type asked struct {
	of       *Figure
	contrast int
}

// figure tests an untested figure. stride is the number of frames per examined one; 0: the values are
// slices, with a fixed number whatever the length of the range.
func (j *judgement) figure(f *Figure, x [2][]float64, stride float64) {
	var h maphash.Hash
	h.SetSeed(j.seed)
	for _, side := range x {
		maphash.WriteComparable(&h, len(side))
		for i, v := range side {
			if v != 0 {
				maphash.WriteComparable(&h, [2]uint64{uint64(i), math.Float64bits(v)})
			}
		}
	}
	at, ok := j.known[h.Sum64()]
	if !ok {
		if at = j.add(f, j.rank.test(x[0], x[1])); at < 0 {
			j.lacking = append(j.lacking, lackOf(min(len(x[0]), len(x[1])), j.rank.tau, stride))
			at = -len(j.lacking)
		}
		j.known[h.Sum64()] = at
	} else if at >= 0 {
		j.asked = append(j.asked, asked{f, at})
	}
	if at < 0 {
		f.Lack, f.Needs = j.lacking[-at-1].lack, j.lacking[-at-1].needs
	}
}

// add adds the test of a figure, and returns its place, -1 where nothing can be tested.
func (j *judgement) add(f *Figure, r contrast) int {
	if math.IsNaN(r.p) {
		return -1
	}
	j.contrasts = append(j.contrasts, r)
	j.asked = append(j.asked, asked{f, len(j.contrasts) - 1})
	return len(j.contrasts) - 1
}

// dense returns the values of all n frames, those without it included.
func (j *judgement) dense(side, n int, at []int32, x []float64) []float64 {
	out := slices.Grow(j.scratch[side][:0], n)[:n]
	clear(out)
	for k, i := range at {
		out[i] = x[k]
	}
	j.scratch[side] = out
	return out
}

// order puts the rows into the order that Result promises.
func (c *Comparison) order() {
	c.result.Collectors = make([]Row, len(c.rows.collectors))
	for i := range c.rows.collectors {
		c.result.Collectors[i] = c.rows.collectors[i].Row
	}
	slices.SortStableFunc(c.result.Collectors, func(a, b Row) int { return compareRows(&a, &b) })

	// Callers before callees: a walk over the children of each, which are put in order first.
	children := make([][]int, len(c.rows.paths)+1) // by one more than the caller
	for i := range c.rows.paths {
		at := c.rows.paths[i].Parent + 1
		children[at] = append(children[at], i)
	}
	for _, list := range children {
		slices.SortStableFunc(list, func(a, b int) int {
			return compareRows(&c.rows.paths[a].Row, &c.rows.paths[b].Row)
		})
		slices.Reverse(list) // a stack gives the last one first
	}
	now := make([]int, len(c.rows.paths)) // where each went
	stack := slices.Clone(children[0])
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], children[i+1]...)
		r := c.rows.paths[i].Row
		if r.Parent >= 0 {
			r.Parent = now[r.Parent]
		}
		now[i] = len(c.result.Paths)
		c.result.Paths = append(c.result.Paths, r)
	}
}

// compareRows puts rows in order of their threads, and those that take most on either side first.
func compareRows(a, b *Row) int {
	return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(max(b.Total.A, b.Total.B), max(a.Total.A, a.Total.B)),
		strings.Compare(a.Name(), b.Name()))
}
