package format

import "math"

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
