package budget

import (
	"math"
	"slices"
	"sort"

	"framescope/model/measure"
)

// figures are the values of one collector in the frames of a walk. Frames without it count as 0 and take
// no room. Values are kept in runs that are sorted when they are full, so that no step takes long however
// many there are; ranks are found over all runs at once.
type figures struct {
	values  []float64
	n       int64 // frames that have it
	zeros   int64 // frames that have not
	sum     float64
	worst   float64 // greatest, of the frame of a number
	worstAt int64
	lacking bool  // some frame has it not, lackedAt the first
	lackAt  int64 // number of that

	now      float64 // in the frame that is looked at
	touched  bool    // in that
	finished bool
	marks    []int // targets of the pass that frames over the limit are noted for
}

// runLen is the length of a sorted run.
const runLen = 4096

// push takes the value of a frame; numbers are those of the frames before it.
func (f *figures) push(numbers []int64, number int64) {
	f.touched = false
	f.lacks(numbers)
	if f.n == 0 || f.now > f.worst {
		f.worst, f.worstAt = f.now, number
	}
	f.n++
	f.sum += f.now
	if f.values = append(f.values, f.now); len(f.values)%runLen == 0 {
		slices.Sort(f.values[len(f.values)-runLen:])
	}
}

// lacks notes the first frame without a value.
func (f *figures) lacks(numbers []int64) {
	if !f.lacking && f.n < int64(len(numbers)) {
		f.lacking, f.lackAt = true, numbers[f.n]
	}
}

// finish ends the frames; it may be called again.
func (f *figures) finish(numbers []int64) {
	if f.finished {
		return
	}
	f.finished = true
	f.lacks(numbers)
	f.zeros = int64(len(numbers)) - f.n
	slices.Sort(f.values[len(f.values)/runLen*runLen:])
	if f.zeros > 0 && (f.worst < 0 || f.worst == 0 && f.lackAt < f.worstAt) {
		f.worst, f.worstAt = 0, f.lackAt
	}
}

// judge holds the values of all frames against a budget.
func (f *figures) judge(t *target) {
	b, all := t.Budget, f.n+f.zeros
	t.judged, t.Frames, t.Verdict = true, all, Kept
	t.Worst, t.HasWorst = f.worstAt, true
	t.Over = all - f.count(b.Limit)
	if t.Value = f.at(b.At); b.HasShare {
		t.Value = float64(t.Over) / float64(all)
	}
	if t.Value > b.allowed() {
		t.Verdict = Broken
	}
}

// at returns a statistic of all frames: percentiles by nearest rank, the median of an even number as
// the mean of the middle two, as everywhere.
func (f *figures) at(at At) float64 {
	n := f.n + f.zeros
	switch at {
	case Sum:
		return f.sum
	case Mean:
		return f.sum / float64(n)
	case Min:
		return f.rank(0)
	case Median:
		low, high := measure.Middle(n)
		return (f.rank(low) + f.rank(high)) / 2
	case P90:
		return f.rank(measure.Rank(n, 90))
	case P95:
		return f.rank(measure.Rank(n, 95))
	case P99:
		return f.rank(measure.Rank(n, 99))
	}
	return f.worst
}

// rank returns the value at a place of all frames in order.
func (f *figures) rank(k int64) float64 {
	if f.zeros > 0 {
		below := f.upTo(key(math.Copysign(math.SmallestNonzeroFloat64, -1)))
		if k >= below && k < below+f.zeros {
			return 0
		}
		if k >= below {
			k -= f.zeros
		}
	}
	low, high := key(math.Inf(-1)), key(math.Inf(1))
	for low < high { // the least key with more than k values up to it
		if mid := low + (high-low)/2; f.upTo(mid) > k {
			high = mid
		} else {
			low = mid + 1
		}
	}
	if low>>63 != 0 {
		return math.Float64frombits(low &^ (1 << 63))
	}
	return math.Float64frombits(^low)
}

// count counts the frames with a value of at most so much.
func (f *figures) count(value float64) int64 {
	n := f.upTo(key(value))
	if value >= 0 {
		n += f.zeros
	}
	return n
}

// upTo counts the values with a key of at most that.
func (f *figures) upTo(most uint64) (n int64) {
	for run := range slices.Chunk(f.values, runLen) {
		n += int64(sort.Search(len(run), func(i int) bool { return key(run[i]) > most }))
	}
	return n
}

// key is a number that is in the order of values.
func key(v float64) uint64 {
	bits := math.Float64bits(v + 0) // of two zeros there is one
	if bits>>63 != 0 {
		return ^bits
	}
	return bits | 1<<63
}
