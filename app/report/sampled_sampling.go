package report

import (
	"bufio"
	"fmt"

	"framescope/model/store"
)

// Sampling describes the distances between samples (model.Sampling).
type Sampling struct {
	Asked     int64 `json:"asked_ns"`   // 0 is not known
	Distances int64 `json:"distances"`  // between neighbouring times at which anything was sampled
	Median    int64 `json:"median_ns"`  // distance
	P5        int64 `json:"p5_ns"`      // one in twenty is below
	P95       int64 `json:"p95_ns"`     // one in twenty is above
	Longest   int64 `json:"longest_ns"` // distance
	Gaps      int64 `json:"gaps"`       // distances of ten medians and more
	Gap       int64 `json:"gap_ns"`     // all of them together
}

// SamplingOf returns how a session was sampled, nil if it was not.
func SamplingOf(s *store.Session) *Sampling {
	x := s.Info().Sampling
	if !x.Known() {
		return nil
	}
	return &Sampling{x.AskedNs, x.Distances, x.MedianNs, x.P5Ns, x.P95Ns, x.LongestNs, x.Gaps, x.GapNs}
}

// Write prints it; of nil nothing.
func (x *Sampling) Write(out *bufio.Writer) {
	if x == nil {
		return
	}
	ms := AsMs
	fmt.Fprintf(out, "sampled: median %s ms between samples, nine in ten %s to %s", ms(x.Median), ms(x.P5), ms(x.P95))
	if x.Asked > 0 {
		fmt.Fprintf(out, " (requested: %s)", ms(x.Asked))
	}
	fmt.Fprintf(out, "; %d gaps", x.Gaps)
	if x.Gaps > 0 {
		fmt.Fprintf(out, " of %s ms in all, the longest %s", ms(x.Gap), ms(x.Longest))
	}
	fmt.Fprintln(out, ".\nA run is a row of samples with the same calls: sampling cannot distinguish one call from several.")
}
