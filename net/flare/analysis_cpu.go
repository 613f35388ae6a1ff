package flare

import (
	"math"
)

// CPUBuckets is CPU time of a thread by buckets.
type CPUBuckets struct {
	StartMs, EndMs int64 // the range, clamped to the data; of whole steps but in compat mode
	UnitMs         int64 // length of a bucket; 0 in compat mode if the request is for less than a step
	Us             []int64
	TotalUs        int64
}

// AutomaticUnit chooses the length of a bucket in ms for a picture of so many pixels, as the
// original server does: 0 stands for single steps.
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

// Buckets returns how many buckets SumCPU would return at most, without summing.
func Buckets(s *Series, startMs, endMs, unitMs int64) int64 {
	if s.StepMs <= 0 || endMs <= startMs {
		return 0
	}
	steps := min(int64(len(s.Values)), (endMs-startMs)/s.StepMs+2)
	merge := max(1, unitMs/s.StepMs)
	return (steps + merge - 1) / merge
}

// SumCPU sums a thread's series by buckets of unitMs, rounded down to whole steps. The last bucket
// may be shorter. In compat mode the newest step and an incomplete last bucket are left out, as the
// original does.
func SumCPU(s *Series, startMs, endMs, unitMs int64, compat bool) CPUBuckets {
	var out CPUBuckets
	n := int64(len(s.Values))
	if s.StepMs <= 0 || n == 0 {
		return out
	}
	last := s.BeginMs + s.StepMs*(n-1)
	merge := unitMs / s.StepMs
	out.UnitMs = merge * s.StepMs
	var from, to int64 // steps
	if compat {
		out.StartMs, out.EndMs = min(max(startMs, s.BeginMs), last), min(max(endMs, s.BeginMs), last)
		from, to = (out.StartMs-s.BeginMs)/s.StepMs, (out.EndMs-s.BeginMs)/s.StepMs
	} else {
		from = min(max(0, startMs-s.BeginMs)/s.StepMs, n)
		to = from
		if endMs > startMs && endMs > s.BeginMs {
			to = min(max((endMs-s.BeginMs+s.StepMs-1)/s.StepMs, from), n)
		}
		out.StartMs, out.EndMs = s.BeginMs+from*s.StepMs, s.BeginMs+to*s.StepMs
	}
	merge = max(merge, 1)
	if !compat {
		out.UnitMs = merge * s.StepMs
	}
	for k := from; k < to; k += merge {
		if compat && k+merge > to {
			break
		}
		var sum int64
		for _, v := range s.Values[k:min(k+merge, to)] {
			sum += v
		}
		out.Us = append(out.Us, sum)
		out.TotalUs += sum
	}
	return out
}

// maxSteps bounds a series that is made from records: two weeks of 20 ms.
const maxSteps = 1 << 26

// SeriesOf makes the CPU time series of a thread from its samples, as our recorder writes it: what
// the clock grew stands at the time of the reading. It has no values if the samples lie too far
// apart.
func SeriesOf(t *Thread, stepMs int64) Series {
	s := emptySeries(t, stepMs)
	for _, r := range t.Records {
		if n := int64(len(s.Values)); n > 0 {
			s.Values[min(stepOf(&s, r.TimeMs), n-1)] += r.CPUDeltaNs / 1000
		}
	}
	return s
}

// emptySeries returns the series of a thread with all steps 0, and without any if the samples lie
// too far apart.
func emptySeries(t *Thread, stepMs int64) Series {
	if len(t.Records) == 0 || stepMs <= 0 {
		return Series{}
	}
	s := Series{BeginMs: t.Records[0].TimeMs, StepMs: stepMs}
	if n := (t.Records[len(t.Records)-1].TimeMs-s.BeginMs)/stepMs + 1; n >= 1 && n <= maxSteps {
		s.Values = make([]int64, n)
	}
	return s
}

// Used makes the CPU time series of a thread from its samples: the growth of its clock from one
// reading to the next, spread evenly over the time between the two, as in Pieces. So it adds up to
// what the call tree of the same range has. It has no values if the samples lie too far apart.
func Used(t *Thread, stepMs int64) Series {
	s := emptySeries(t, stepMs)
	n := int64(len(s.Values))
	if n == 0 {
		return s
	}
	rate := cpuRates(t)
	used, told := 0.0, int64(0) // ns, and µs of it that are in the values
	for i := 0; i+1 < len(t.Records); i++ {
		for at, end := t.Records[i].TimeMs, t.Records[i+1].TimeMs; at < end; {
			k := min(stepOf(&s, at), n-1)
			next := end
			if k < n-1 {
				next = min(next, s.BeginMs+(k+1)*stepMs)
			}
			if rate[i] == 0 {
				break
			}
			used += rate[i] * float64(next-at)
			us := int64(math.Round(used)) / 1000
			s.Values[k] += us - told
			told, at = us, next
		}
	}
	return s
}
