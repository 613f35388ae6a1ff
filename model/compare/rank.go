package compare

import (
	"math"
	"slices"

	"framescope/internal/statistics"
)

// The test. Two things rule out a plain one: the times of frames have long tails, and a slow frame is often
// followed by another.
//
//   - Ranks. All frames of both sides are put in order together, and a frame counts by its place (equal
//     ones by the middle of theirs). A frame of a second weighs no more than one that is just the longest.
//   - Blocks. The autocorrelation of the ranks measures how far a frame resembles those behind it: its
//     sum tau is the number of frames in a row with the information of one independent frame. Frames are
//     grouped in blocks of blockFactor times tau, and a block is the unit counted.
//   - The difference of the mean ranks by its standard error, held against Student's distribution with
//     Welch's number of degrees of freedom. The standard error comes from the means of the blocks, and from
//     tau: the greater of both counts. It is Brunner and Munzel's test (2000) with blocks in place of
//     single values: it tests whether a frame of one side is as often the longer one as a
//     frame of the other, whatever the shapes of both.
//
// If a side has less information than leastAlone independent frames, nothing is tested, and the result says
// so: tau would be unreliable. TestNothingIsFoundInNoise checks that noise yields no more findings than
// stated.
const (
	blockFactor      = 4
	leastBlocks      = 6 // of a side: where there would be fewer they are shorter
	leastIndependent = 16
	// LeastOccur is in how many frames something has to occur before it is tested: of less, no order
	// would be rare enough.
	LeastOccur = 6
	// surely is the confidence of intervals.
	surely = 0.95
)

// contrast is how two sequences differ.
type contrast struct {
	p       float64    // of one test, not corrected; NaN where nothing can be tested
	higher  int        // 1: the ranks of B are higher, -1 those of A, 0 neither
	typical [2]float64 // means of both sides, with outliers cut
	half    float64    // half of the 95 % interval of the difference of these; NaN as p
}

// ranker is the memory that tests work in. The zero value is ready.
type ranker struct {
	order  []int32
	ranks  []float64
	means  []float64 // of blocks
	cut    []float64 // see fence
	sorted []float64 // the values of one side, for its own
	tau    float64   // of the last test: how many values in a row have the information of one independent value
}

// untested is the answer where there is too little.
var untested = contrast{p: math.NaN(), half: math.NaN()}

// test compares the values of two sides, one for each frame and in order of time. Values are finite.
// Cost: O(n log n) of the values that are not 0, and O(n) for each lag at which frames still resemble
// each other.
func (w *ranker) test(a, b []float64) contrast {
	w.rank(a, b)
	ranks := [2]sequence{sequenceOf(w.ranks[:len(a)]), sequenceOf(w.ranks[len(a):])}
	w.tau = max(ranks[0].tau, ranks[1].tau)
	if float64(len(a)) < leastIndependent*ranks[0].tau || float64(len(b)) < leastIndependent*ranks[1].tau {
		return untested
	}
	length := int(math.Ceil(blockFactor * w.tau))
	length = min(length, len(a)/leastBlocks, len(b)/leastBlocks)
	var c contrast
	diff, se, df := w.difference(ranks, length)
	if c.p = 1; diff != 0 {
		c.higher = int(math.Copysign(1, diff))
		c.p = statistics.StudentBeyond(math.Abs(diff)/se, df)
	}
	w.fence(a, b)
	cut := [2]sequence{sequenceOf(w.cut[:len(a)]), sequenceOf(w.cut[len(a):])}
	c.typical = [2]float64{cut[0].mean, cut[1].mean}
	_, se, df = w.difference(cut, length)
	c.half = se * statistics.StudentWithin(surely, df)
	return c
}

// rank gives each value its rank among both sides, from 1 on, equal ones the middle of theirs.
func (w *ranker) rank(a, b []float64) {
	n := len(a) + len(b)
	w.ranks = slices.Grow(w.ranks[:0], n)[:n]
	w.order = w.order[:0]
	at := func(i int32) float64 {
		if int(i) < len(a) {
			return a[i]
		}
		return b[int(i)-len(a)]
	}
	below := 0 // less than 0: no measurement is, but nothing here depends on it
	for i := range int32(n) {
		if v := at(i); v != 0 {
			w.order = append(w.order, i)
			if v < 0 {
				below++
			}
		}
	}
	zeros := n - len(w.order)
	slices.SortFunc(w.order, func(i, j int32) int {
		if x, y := at(i), at(j); x != y {
			if x < y {
				return -1
			}
			return 1
		}
		return 0
	})
	for i := range w.ranks {
		w.ranks[i] = float64(below) + float64(zeros+1)/2
	}
	for i := 0; i < len(w.order); {
		j := i + 1
		for v := at(w.order[i]); j < len(w.order) && at(w.order[j]) == v; j++ {
		}
		middle := float64(i+j+1) / 2 // of i+1 to j
		if i >= below {
			middle += float64(zeros)
		}
		for ; i < j; i++ {
			w.ranks[w.order[i]] = middle
		}
	}
}

// mostCut is the part of a side's values that may stand far out: more of them are no outliers.
const mostCut = 0.05

// fence copies the values of both sides, and cuts those far above all that are more than 0: at Tukey's
// outer fence, three times the distance of the quartiles above the upper one. So a few frames of a second
// do not hide the change of the others. If that would cut more than a few of a side, as the sides have
// little in common, each is cut at its own fence; if these would, nothing is cut. The values have been
// ranked.
func (w *ranker) fence(a, b []float64) {
	w.cut = append(append(w.cut[:0], a...), b...)
	x, y := w.cut[:len(a)], w.cut[len(a):]
	at := outerFence(len(w.order), func(i int) float64 { return w.cut[w.order[i]] })
	limits := [2]float64{at, at}
	if !few(x, at) || !few(y, at) {
		for side, of := range [2][]float64{x, y} {
			w.sorted = append(w.sorted[:0], of...)
			w.sorted = slices.DeleteFunc(w.sorted, func(v float64) bool { return v == 0 })
			slices.Sort(w.sorted)
			if limits[side] = outerFence(len(w.sorted), func(i int) float64 { return w.sorted[i] }); !few(of, limits[side]) {
				return
			}
		}
	}
	for side, of := range [2][]float64{x, y} {
		for i, v := range of {
			of[i] = min(v, limits[side])
		}
	}
}

// outerFence returns where the outer fence of n values in order is.
func outerFence(n int, at func(i int) float64) float64 {
	if n == 0 {
		return math.Inf(1)
	}
	quarter, upper := at((n-1)/4), at((n-1)*3/4)
	if upper == quarter { // as good as constant: no value counts as far
		return math.Inf(1)
	}
	return upper + 3*(upper-quarter)
}

// few reports whether no more values are above a limit than may stand far out, of those that are not 0.
func few(x []float64, limit float64) bool {
	some, above := 0, 0
	for _, v := range x {
		if v != 0 {
			some++
		}
		if v > limit {
			above++
		}
	}
	return above <= max(int(mostCut*float64(some)), min(some/4, 1))
}

// sequence is values in order of time.
type sequence struct {
	x              []float64
	mean, variance float64
	tau            float64 // how many values in a row have the information of one independent value
}

// sequenceOf finds out about values. tau is 1 and twice the sum of the autocorrelations, up to where
// two of them that follow each other are not positive together (Geyer's initial positive sequence); at
// least 1.
func sequenceOf(x []float64) sequence {
	s := sequence{x: x, tau: 1}
	mean, squares := statistics.Squares(x)
	s.mean, s.variance = mean, squares/float64(len(x))
	if !(s.variance > 0) {
		return s
	}
	sum := -1.0
	for lag := 0; lag+1 < len(x)/2; lag += 2 {
		pair := s.autocorrelation(lag) + s.autocorrelation(lag+1)
		if pair <= 0 {
			break
		}
		sum += 2 * pair
	}
	s.tau = max(sum, 1)
	return s
}

// autocorrelation returns how much the values resemble those that are lag behind them: 1 at lag 0.
func (s *sequence) autocorrelation(lag int) float64 {
	sum := 0.0
	for i, v := range s.x[:len(s.x)-lag] {
		sum += (v - s.mean) * (s.x[i+lag] - s.mean)
	}
	return sum / (s.variance * float64(len(s.x)))
}

// difference returns that of the means of two sequences, its standard error by blocks of about a
// length, and the degrees of freedom.
func (w *ranker) difference(of [2]sequence, length int) (diff, se, df float64) {
	sum, weight := 0.0, 0.0
	for i := range of {
		s := &of[i]
		n := len(s.x) / length
		w.means = w.means[:0]
		for k := range n {
			w.means = append(w.means, statistics.Mean(s.x[k*len(s.x)/n:(k+1)*len(s.x)/n]))
		}
		_, squares := statistics.Squares(w.means)
		square := max(squares/float64(n-1)/float64(n), s.variance*s.tau/float64(len(s.x)))
		sum, weight, df = sum+square, weight+square*square/float64(n-1), df+float64(n-1)
	}
	if sum > 0 { // else nothing varies: a difference is certain
		df = sum * sum / weight
	}
	return of[1].mean - of[0].mean, math.Sqrt(sum), df
}
