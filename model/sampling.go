package model

// Sampling describes the sampling of a session: the requested and the actual interval. The time
// between two samples is the interval plus the time of the sampling itself, so the program knows
// only its interval; the times of the samples give the distance.
type Sampling struct {
	// Timeless means that the times of samples were not recorded: all lie at time 0, and only their
	// numbers mean something.
	Timeless bool

	// Idle means that a sample without a stack found its thread idle; else such a sample means nothing.
	Idle bool

	AskedNs int64 // the interval requested from the sampler; 0 is not known

	// Distances, in ns, between neighbouring times of samples, of any thread: their number, the
	// median, the 5th and the 95th percentile, and the greatest.
	Distances                        int64
	MedianNs, P5Ns, P95Ns, LongestNs int64
	// Gaps are distances of more than GapFactor medians, GapNs all of them together: then nothing
	// was sampled.
	Gaps, GapNs int64
}

// GapFactor is how many medians a distance has at least that is a gap.
const GapFactor = 10

// Known reports whether anything was measured.
func (s *Sampling) Known() bool { return s.Distances > 0 }
