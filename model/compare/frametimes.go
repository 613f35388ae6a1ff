package compare

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/measure"
)

// FrameTimes compares the frame times of the thread whose frames count for both sides.
type FrameTimes struct {
	Thread string
	Sides  [2]Times
	Mean   Figure // of a frame, and whether it changed
	// Hitches is the share of the frames that took much longer than those around them, by the rule of
	// frames.Table.Hitches: Slower where B has them more often.
	Hitches Figure

	lengths [2][]int64   // in order of time, until they are tested
	hitched [2][]float64 // likewise, see hitches
}

// Times holds the frame times of one side, in ns. Percentiles are by nearest rank; the median of
// an even number is the mean of the middle two.
type Times struct {
	Track                           model.TrackID
	First, Last                     int64 // numbers
	Received, Missing               int64 // without stops; Missing: numbers between first and last that never came
	Stops                           []frames.Stop
	Mean, Median, P95, P99, Longest float64
	Over                            int64 // that took longer than the budget
	Hitches                         int64 // that took much longer than those around them
	sorted                          []int64
}

// Share returns the part of the frames that is over the budget; NaN of none.
func (t *Times) Share() float64 { return float64(t.Over) / float64(t.Received) }

// finish sets the figures that follow from the lengths, and sorts these.
func (t *Times) finish(lengths []int64, budgetNs int64) {
	t.sorted = slices.Clone(lengths)
	slices.Sort(t.sorted)
	n := len(t.sorted)
	if n == 0 {
		t.Mean, t.Median, t.P95, t.P99, t.Longest = math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()
		return
	}
	sum := 0.0
	for _, ns := range t.sorted {
		if sum += float64(ns); budgetNs > 0 && ns > budgetNs {
			t.Over++
		}
	}
	at := func(percent int64) float64 { return float64(t.sorted[measure.Rank(int64(n), percent)]) }
	t.Mean, t.P95, t.P99, t.Longest = sum/float64(n), at(95), at(99), float64(t.sorted[n-1])
	low, high := measure.Middle(int64(n))
	t.Median = (float64(t.sorted[low]) + float64(t.sorted[high])) / 2
}

// Histogram counts the frames of each side by frame time.
type Histogram struct {
	FromNs, StepNs int64 // bin i covers [FromNs + i StepNs, FromNs + (i+1) StepNs)
	Counts         [2][]int64
	Above          [2]int64 // above the last bin
}

// steps of bins, by powers of ten.
var steps = [...]int64{1, 2, 5}

// Histogram returns both sides in the same bins, at most so many. They begin below the shortest frame
// and reach to the 99th percentile of both sides; longer frames are in Above. Cost: O(bins log
// frames).
func (f *FrameTimes) Histogram(most int) Histogram {
	var h Histogram
	low, high := int64(math.MaxInt64), int64(0)
	for i := range f.Sides {
		if x := f.Sides[i].sorted; len(x) > 0 {
			low, high = min(low, x[0]), max(high, x[measure.Rank(int64(len(x)), 99)])
		}
	}
	if low > high || most < 1 {
		return h
	}
	h.StepNs = 1
	for scale, k := int64(1), 0; high/h.StepNs-low/h.StepNs >= int64(most); k++ {
		if k == len(steps) {
			scale, k = scale*10, 0
		}
		h.StepNs = scale * steps[k]
	}
	h.FromNs = low / h.StepNs * h.StepNs
	bins := int(high/h.StepNs-low/h.StepNs) + 1
	for i := range f.Sides {
		x, before := f.Sides[i].sorted, 0
		h.Counts[i] = make([]int64, bins)
		for k := range bins {
			end, _ := slices.BinarySearch(x, h.FromNs+int64(k+1)*h.StepNs)
			h.Counts[i][k], before = int64(end-before), end
		}
		h.Above[i] = int64(len(x) - before)
	}
	return h
}

// HistogramOf returns how many of one list of frames took how long, as side 0, see
// FrameTimes.Histogram.
func HistogramOf(lengths []int64, most int) Histogram {
	var f FrameTimes
	f.Sides[0].sorted = slices.Sorted(slices.Values(lengths))
	return f.Histogram(most)
}

// frameTimes gathers the frame times. It returns false when it was stopped.
func (c *Comparison) frameTimes(yield func(cost int) bool) bool {
	f := &FrameTimes{}
	var lengths [2][]int64
	for side := range c.sides {
		s := &c.sides[side]
		id := s.main()
		x := &f.Sides[side]
		x.Track = id
		if first, last, ok := s.frames(id); ok {
			t := s.Session.Track(id)
			x.First, x.Last = t.Frame(first).Number, t.Frame(last).Number
			x.Stops = t.LeftOut(first, last, nil)
			for i := first; i <= last; i++ {
				frame := t.Frame(i)
				if len(x.Stops) > 0 && t.Stopped(i) {
					continue
				}
				lengths[side] = append(lengths[side], frame.End-frame.Begin)
			}
			x.Received = int64(len(lengths[side]))
			f.hitches(side, first, last, s.Session.Frames().Hitches(id, first, last, nil))
			x.Missing = t.MissingIn(first, last)
		}
		if id != model.NoTrack && f.Thread == "" {
			f.Thread = s.Session.Track(id).Title()
		}
		x.finish(lengths[side], c.budgetNs)
		f.lengths[side] = lengths[side]
		if !yield(len(lengths[side]) + 1) {
			return false
		}
	}
	share := func(side int) float64 {
		return float64(f.Sides[side].Hitches) / float64(max(f.Sides[side].Received, 1))
	}
	f.Hitches = Figure{A: share(0), B: share(1), Known: true}
	f.Mean = Figure{A: f.Sides[0].Mean, B: f.Sides[1].Mean, Known: true}
	c.sorted = c.sorted[:0]
	for _, ns := range lengths[0] {
		c.sorted = append(c.sorted, float64(ns))
	}
	f.Mean.Usual = usualOf(0, c.sorted)
	c.result.Frames = f
	return true
}

// values returns the lengths that are tested: all, or so many evenly spread.
func (f *FrameTimes) values() (out [2][]float64) {
	for side, x := range f.lengths {
		n := min(len(x), mostFrames)
		for k := range n {
			out[side] = append(out[side], float64(x[k*len(x)/n]))
		}
		f.lengths[side] = nil
	}
	return out
}

// stride returns the number of frames per tested one.
func (f *FrameTimes) stride(values [2][]float64) float64 {
	a, b := float64(f.Sides[0].Received), float64(f.Sides[1].Received)
	return max(a/float64(max(len(values[0]), 1)), b/float64(max(len(values[1]), 1)))
}
