package together

import (
	"math"
	"slices"

	"framescope/model/estimate"
)

// Mark is a moment as two clocks show it.
type Mark struct {
	A, B int64 // ns, on the ruler and in the session
	// SpreadNs says that the two are the same moment to ± so much. 0: that is not known, other marks tell.
	SpreadNs int64
}

// Fitting.
const (
	mostMarks = 400  // that are looked at
	mostDrift = 2e-4 // of the clocks of two machines: quartz keeps to 100 ppm each
	sure      = 0.95
	outlier   = 10 // times the usual distance from the line
	// leastChecked is from how many marks on some may be there by chance.
	leastChecked = 10
	// aloneNs is the spread of a moment that nothing checks.
	aloneNs = 1_000_000
	endless = 1e6 // degrees of freedom of an error that is known
)

// line is how much a clock is ahead of another, over its time.
type line struct {
	at, offset, slope float64 // offset at a time
	spread            float64 // ± at the far end of what it is for
}

// Fit finds the shift from marks, good for the session's times [from, to]. The clocks drift by mostDrift at most,
// those of one machine not at all. There is at least one mark.
func Fit(marks []Mark, from, to int64, oneMachine bool) Shift {
	drift := mostDrift
	if oneMachine {
		drift = 0
	}
	marks = thin(marks)
	base := marks[0] // offsets of hours would cost the last digits
	x, y := make([]float64, len(marks)), make([]float64, len(marks))
	said := 0.0
	for i, m := range marks {
		x[i], y[i] = float64(m.B-base.B), float64((m.A-m.B)-(base.A-base.B))
		said = max(said, float64(m.SpreadNs))
	}
	if len(marks) <= 2 && said == 0 {
		said = aloneNs
	}
	x, y = inliers(x, y, drift, said)
	reach := [2]float64{float64(from - base.B), float64(to - base.B)}
	best := still(x, y, drift, said, reach)
	if moving, ok := drifting(x, y, said, reach); ok && math.Abs(moving.slope) < drift && moving.spread < best.spread {
		best = moving
	}
	at := base.B + int64(math.Round(best.at))
	return Shift{
		OffsetNs: base.A - base.B + int64(math.Round(best.offset)), Drift: best.slope, FromNs: at,
		SpreadNs: int64(math.Ceil(best.spread)) + 1,
	}
}

// thin returns marks in order of time, not too many.
func thin(marks []Mark) []Mark {
	marks = slices.Clone(marks)
	slices.SortFunc(marks, func(a, b Mark) int { return int(max(min(a.B-b.B, 1), -1)) })
	marks = slices.CompactFunc(marks, func(a, b Mark) bool { return a.A == b.A && a.B == b.B })
	if len(marks) <= mostMarks {
		return marks
	}
	for i := range mostMarks {
		marks[i] = marks[i*(len(marks)-1)/(mostMarks-1)]
	}
	return marks[:mostMarks]
}

// inliers leaves out marks far from the line that most lie on: their texts are the same by chance.
func inliers(x, y []float64, drift, said float64) (in, of []float64) {
	if len(x) < leastChecked {
		return x, y
	}
	var slopes []float64
	for i := range x {
		for j := range i {
			if x[i] != x[j] {
				slopes = append(slopes, (y[i]-y[j])/(x[i]-x[j]))
			}
		}
	}
	slope := 0.0
	if len(slopes) > 0 {
		slope = min(max(median(slopes), -drift), drift)
	}
	rest, off := make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		rest[i] = y[i] - slope*x[i]
	}
	mid := median(slices.Clone(rest))
	for i := range rest {
		off[i] = math.Abs(rest[i] - mid)
	}
	most := max(outlier*median(slices.Clone(off)), said)
	for i := range x {
		if off[i] <= most {
			in, of = append(in, x[i]), append(of, y[i])
		}
	}
	return in, of
}

func median(v []float64) float64 {
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// errorOf returns how far a line of so many parameters may be off for a single mark: by how far the marks lie from
// it, or by what is said of them, which is two standard errors. A line that drifts holds at all times at once
// (Working and Hotelling).
func errorOf(rest float64, n, parameters int, said float64) float64 {
	p := float64(parameters)
	times := math.Sqrt(p * estimate.FisherQuantile(sure, p, endless))
	most := said / 2 * times
	if free := n - parameters; free > 0 {
		times = math.Sqrt(p * estimate.FisherQuantile(sure, p, float64(free)))
		most = max(most, times*math.Sqrt(rest/float64(free)))
	}
	return most
}

// still is the line of clocks that may drift, but whose drift is not estimated.
func still(x, y []float64, drift, said float64, reach [2]float64) line {
	n := float64(len(x))
	l := line{at: estimate.Mean(x), offset: estimate.Mean(y)}
	rest := 0.0
	for _, v := range y {
		rest += (v - l.offset) * (v - l.offset)
	}
	far := max(math.Abs(reach[0]-l.at), math.Abs(reach[1]-l.at), x[len(x)-1]-l.at)
	l.spread = errorOf(rest, len(x), 1, said)/math.Sqrt(n) + drift*far
	return l
}

// drifting is the line of clocks with their drift, by least squares. ok is false where marks are too few for one.
func drifting(x, y []float64, said float64, reach [2]float64) (l line, ok bool) {
	n := float64(len(x))
	if len(x) < 2 || x[0] == x[len(x)-1] {
		return l, false
	}
	l.at = estimate.Mean(x)
	alpha, beta := estimate.Line(x, y)
	l.slope, l.offset = beta, alpha+beta*l.at
	rest, wide := 0.0, 0.0
	for i := range x {
		d := y[i] - alpha - beta*x[i]
		rest, wide = rest+d*d, wide+(x[i]-l.at)*(x[i]-l.at)
	}
	far := max(math.Abs(reach[0]-l.at), math.Abs(reach[1]-l.at))
	l.spread = errorOf(rest, len(x), 2, said) * math.Sqrt(1/n+far*far/wide)
	return l, true
}
