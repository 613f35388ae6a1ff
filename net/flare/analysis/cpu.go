package analysis

import "framescope/net/flare/sample"

// CPUBuckets is CPU time of a thread by buckets.
type CPUBuckets struct {
	StartMs, EndMs int64 // the range, clamped to what there is
	UnitMs         int64 // length of a bucket
	Us             []int64
	TotalUs        int64
}

// maxBuckets bounds an answer.
const maxBuckets = 1 << 22

// AutomaticUnit chooses the length of a bucket in ms for a picture of so many pixels, as the original server does: 0 stands for single steps.
func AutomaticUnit(startMs, endMs, widthPx, intervalMs int64) int64 {
	if widthPx <= 0 || intervalMs <= 0 {
		return 0
	}
	ratio := (endMs - startMs) / widthPx / intervalMs
	if ratio > 10 {
		ratio -= ratio % 10
	}
	return ratio * intervalMs
}

// SumCPU sums a thread's series by buckets of unitMs, rounded down to whole steps. The last bucket may be shorter. In compat mode the newest step and an incomplete last bucket are left out, as the
// original does.
func SumCPU(s *sample.Series, startMs, endMs, unitMs int64, compat bool) CPUBuckets {
	last := s.BeginMs + s.StepMs*int64(len(s.Values)-1)
	end := last
	if !compat {
		end = last + s.StepMs
	}
	out := CPUBuckets{StartMs: min(max(startMs, s.BeginMs), last), EndMs: min(max(endMs, s.BeginMs), last)}
	merge := unitMs / s.StepMs
	out.UnitMs = merge * s.StepMs
	if compat && merge == 0 {
		out.UnitMs = unitMs
	}
	from, to := (out.StartMs-s.BeginMs)/s.StepMs, (out.EndMs-s.BeginMs)/s.StepMs
	if !compat && endMs > last {
		to = (end - s.BeginMs) / s.StepMs
	}
	merge = max(merge, 1)
	for k := from; k < to && len(out.Us) < maxBuckets; k += merge {
		var sum int64
		stop := k + merge
		if stop > to {
			if compat {
				break
			}
			stop = to
		}
		for _, v := range s.Values[k:stop] {
			sum += v
		}
		out.Us = append(out.Us, sum)
		out.TotalUs += sum
	}
	return out
}
