package frames

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/internal/histogram"
	"framescope/model/measure"
)

// DefaultBudgetNs is the default budget of a frame: 60 frames a second.
const DefaultBudgetNs = 16_666_667

// Pace is how fast and how even frames came: lengths in ns, rates in Hz, which are NaN of frames that
// take no time. Percentiles are by nearest rank; the median of an even number is the mean of the middle
// two.
type Pace struct {
	Frames                    int
	Rate                      float64 // see Track.RateOf
	Low1, Low01               float64 // of the slowest hundredth and thousandth, at least of one: how many by their time
	Median, P95, P99, Longest float64
	Over                      int // took longer than the budget
}

// Pace returns the pace of the frames with index [first, last] of a track; ok is false where there are
// none. A budget of 0 is none. It leaves stops out. Cost: O(frames).
func (x *Table) Pace(track model.TrackID, first, last int, budgetNs int64) (p Pace, ok bool) {
	t := x.track(track)
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return p, false
	}
	w := x.host.Work
	w.lengths = slices.Grow(w.lengths[:0], int(to-from+1))
	_, without := t.frames.counted(from, to)
	for i := from; i <= to; i++ {
		if without && t.frames.stopped(i) {
			continue
		}
		ns := t.frames.end.At(i) - t.frames.begin.At(i)
		if w.lengths = append(w.lengths, ns); budgetNs > 0 && ns > budgetNs {
			p.Over++
		}
	}
	p.ofLengths(w.lengths)
	if p.Rate = t.FrameRateOf(first, last); p.Rate == 0 {
		p.Rate = math.NaN()
	}
	return p, true
}

// ofLengths sets the figures that follow from the lengths alone (at least one), and changes their
// order: only the slowest are sorted.
func (p *Pace) ofLengths(ns []int64) {
	n := len(ns)
	p.Frames = n
	slow := n - part(n, 100)
	histogram.Select(ns, slow)
	fast, slowest := ns[:slow], ns[slow:]
	slices.Sort(slowest)
	p.Low1, p.Low01 = rateOf(slowest), rateOf(ns[n-part(n, 1000):])
	p.Longest = float64(ns[n-1])
	rank := func(k int64) float64 { // descending: ranks above the previous one are not needed again
		if int(k) >= slow {
			return float64(ns[k])
		}
		v := histogram.Select(fast, int(k))
		fast = fast[:k+1]
		return float64(v)
	}
	p.P99, p.P95 = rank(measure.Rank(int64(n), 99)), rank(measure.Rank(int64(n), 95))
	low, high := measure.Middle(int64(n))
	upper := rank(high)
	p.Median = (rank(low) + upper) / 2
}

// part is one in so many of n, at least one.
func part(n, in int) int { return (n + in - 1) / in }

// rateOf is the rate of frames of these lengths.
func rateOf(lengths []int64) float64 {
	sum := 0.0
	for _, ns := range lengths {
		sum += float64(ns)
	}
	if !(sum > 0) {
		return math.NaN()
	}
	return 1e9 / (sum / float64(len(lengths)))
}
