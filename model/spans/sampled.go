package spans

import (
	"math"

	"framescope/model"
)

// On a thread with sampled stacks, a span is a run: neighbouring samples that have it on the stack,
// under the same callers. Calls between two samples cannot be separated, so the number and length
// of runs mean nothing for calls; the number of samples gives the time spent, and its precision.

// Sampled reports whether the spans of a track are runs of samples, not calls.
func (x *Table) Sampled(track model.TrackID) bool {
	stack, _ := x.sampledSeries(track)
	return stack != nil
}

// Stack returns the samples of the stack of a track, with call paths as values; nil if it was not
// sampled.
func (x *Table) Stack(track model.TrackID) *Series {
	stack, _ := x.sampledSeries(track)
	return stack
}

// AnySampled reports whether the spans of any track are runs.
func (x *Table) AnySampled() bool {
	for _, id := range x.host.Series.ByRole(model.RoleStack) {
		if x.host.Series.ByID(id).Len() > 0 {
			return true
		}
	}
	return false
}

// countSamples sets in each of the statistics the number of samples with its collector on their
// stack, and the total.
func (x *Table) countSamples(tracks []model.TrackID, t0, t1 int64, out []Stat) {
	sampled := false
	for _, id := range tracks {
		sampled = sampled || x.Sampled(id)
	}
	if !sampled {
		return
	}
	tree := x.Whole(MeasureSamples, tracks, t0, t1)
	of := tree.Total
	for i := range out {
		out[i].Sampled, out[i].OfSamples = true, of
	}
	inside := tree.Collectors()
	k := 0
	for i := range inside { // both are ascending by collector
		for k < len(out) && out[k].Collector < inside[i].Collector {
			k++
		}
		if k < len(out) && out[k].Collector == inside[i].Collector {
			out[k].Samples = inside[i].Total
		}
	}
}

// ErrorNs is the uncertainty of TotalNs from its number of samples: the standard deviation of their
// number, in proportion. A collector in every sample is certain. It is 0 for spans that are not
// sampled.
func (st *Stat) ErrorNs() int64 {
	if !st.Sampled {
		return 0
	}
	if st.Samples == 0 || st.OfSamples == 0 {
		return st.TotalNs
	}
	share := float64(st.Samples) / float64(max(st.OfSamples, st.Samples))
	return int64(float64(st.TotalNs)*ShareDeviation(st.Samples, st.OfSamples)/share + 0.5)
}

// ShareDeviation is how uncertain a share of n samples among so many is because of their number: its
// standard deviation.
func ShareDeviation(n, of int64) float64 {
	share := min(float64(n)/float64(max(of, 1)), 1)
	return math.Sqrt(share * (1 - share) / float64(max(of, 1)))
}

// ShareWithin is the greatest distance, with a probability of 95 %, of the share of n samples among
// so many from that of all the time, if samples are independent of the code they hit: to the farther
// end of Wilson's interval, which is near 1.96 standard deviations for many samples, and does not
// make one sample of one certain.
func ShareWithin(n, of int64) float64 {
	if of <= 0 {
		return 1
	}
	const z = 1.96
	k, share := float64(of), min(float64(n)/float64(of), 1)
	middle := (share + z*z/(2*k)) / (1 + z*z/k)
	half := z / (1 + z*z/k) * math.Sqrt(share*(1-share)/k+z*z/(4*k*k))
	return max(middle+half-share, share-(middle-half))
}
