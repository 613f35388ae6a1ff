package format

import "math"

// LevelStep returns the distance of guide bars of levels: 1, 2 or 5 times a power of ten, at most n
// to the full scale.
func LevelStep(n int, full float64) float64 {
	if n <= 0 || !(full > 0) || math.IsInf(full, 0) {
		return 0
	}
	return RoundUp(full/float64(n), 1e-9, 1, 2, 5)
}

// RoundUp returns the least number that is one of some factors, ascending from 1 to 10, times a
// power of ten, and not less than v > 0 by more than a share of slack.
func RoundUp(v, slack float64, factors ...float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range factors {
		if f*p >= v*(1-slack) {
			return f * p
		}
	}
	return 10 * p
}

// NiceTop returns a round number at or above v.
func NiceTop(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	return RoundUp(v, 1e-9, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)
}

// clockSteps are the steps from 10 s on, in s: those in which clocks count, up to a day.
var clockSteps = [...]int64{10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 21600, 43200, 86400}

// NiceStep returns the smallest of 1, 2, 5 times a power of ten that is at least ns, at least 1; above 5 s that of
// clockSteps.
func NiceStep(ns float64) int64 {
	if !(ns > 1) {
		return 1
	}
	if ns > 5e17 {
		return 1e18
	}
	for _, s := range clockSteps {
		if ns > 5e9 && ns <= float64(s)*1e9 {
			return s * 1e9
		}
	}
	p := int64(math.Pow(10, math.Floor(math.Log10(ns))))
	for p > 1 && float64(p) > ns { // Log10 may be off by one at powers of ten
		p /= 10
	}
	for _, m := range [...]int64{1, 2, 5, 10, 20} {
		if float64(m*p) >= ns {
			return m * p
		}
	}
	return 50 * p
}

// LogShare is the height of a bar for n of most: by their logarithms, so that a few beside hundreds show.
func LogShare(n, most int64) float32 {
	return float32(math.Log1p(float64(n)) / math.Log1p(float64(most)))
}

// LogNs is a logarithmic axis of durations from Lo to Hi, in ns; both above 0.
type LogNs struct{ Lo, Hi int64 }

// Share returns where a duration lies between the lower edge (0) and the upper edge (1); those
// beyond the edges lie on them.
func (a LogNs) Share(ns int64) float64 {
	if ns <= a.Lo || a.Hi <= a.Lo {
		return 0
	}
	return min(1, math.Log(float64(ns)/float64(a.Lo))/math.Log(float64(a.Hi)/float64(a.Lo)))
}

// Unit returns the unit in which the axis is labelled, and its ns.
func (a LogNs) Unit() (name string, ns int64) {
	switch {
	case a.Lo >= 1e9:
		return "s", 1e9
	case a.Hi >= 5e6:
		return "ms", 1e6
	case a.Hi >= 5e3:
		return "µs", 1e3
	}
	return "ns", 1
}
