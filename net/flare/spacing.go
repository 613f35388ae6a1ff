package flare

import "framescope/model"

// spacing measures how far apart samples are: the distances between neighbouring times of any
// threads' samples, in ms.
type spacing struct {
	counts [maxSpacingMs + 1]int32 // by distance; the last is of all that are longer
	lastMs int64
	any    bool
	n      int64
	told   int64 // n at the last report
	most   int64
	long   int64 // ms of those in the last
}

// maxSpacingMs is the greatest distance with a count of its own.
const maxSpacingMs = 4096

// longestMs bounds distances, and the sum of the long ones: 70 years.
const longestMs = 1 << 41

// at takes the time of a sample. Times before the newest are ignored.
func (s *spacing) at(ms int64) {
	switch d := ms - s.lastMs; {
	case !s.any:
		s.any = true
	case d <= 0:
		return
	default:
		d = min(d, longestMs)
		s.n++
		s.most = max(s.most, d)
		s.counts[min(d, maxSpacingMs)]++
		if d >= maxSpacingMs {
			s.long = min(s.long+d, longestMs)
		}
	}
	s.lastMs = ms
}

// measured puts the measured distances into out.
func (s *spacing) measured(out *model.Sampling) {
	s.told = s.n
	out.Distances, out.LongestNs = s.n, s.most*1e6
	out.P5Ns, out.MedianNs, out.P95Ns = s.rank(s.n/20), s.rank(s.n/2), s.rank(s.n-1-s.n/20)
	out.Gaps, out.GapNs = 0, 0
	from := out.MedianNs/1e6*model.GapFactor + 1
	for d := from; d < maxSpacingMs; d++ {
		out.Gaps += int64(s.counts[d])
		out.GapNs += int64(s.counts[d]) * d * 1e6
	}
	if from <= maxSpacingMs {
		out.Gaps += int64(s.counts[maxSpacingMs])
		out.GapNs += s.long * 1e6
	}
}

// rank returns the distance with so many shorter ones, in ns.
func (s *spacing) rank(k int64) int64 {
	for d, n := range s.counts {
		if k -= int64(n); k < 0 {
			if d == maxSpacingMs {
				return s.most * 1e6
			}
			return int64(d) * 1e6
		}
	}
	return 0
}

// news reports whether there are many more distances than in the last report.
func (s *spacing) news() bool { return s.n > s.told+s.told/4 }
