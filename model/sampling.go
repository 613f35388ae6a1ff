package model

// Sampling tells how a sampled session was sampled: what was asked for, and what came of it. The
// time between two samplings is the interval and what the sampling itself takes, so the program
// knows its interval, and only the times of the samples how far apart they are.
type Sampling struct {
	// Timeless tells that nobody wrote down when samples were taken: all lie at time 0, and only their
	// numbers mean something.
	Timeless bool

	// Idle tells that a sample without a stack found its thread idle; else nothing is known of it then.
	Idle bool

	AskedNs int64 // the interval that the sampler was told; 0 is not known

	// Distances, in ns, between neighbouring times at which anything was sampled, whatever thread:
	// how many there are, the median, what one in twenty is below and above, and the greatest.
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
