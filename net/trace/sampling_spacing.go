package trace

import (
	"math/bits"

	"framescope/model"
)

// Spacing measures how far apart samples are.
type Spacing struct {
	buckets map[int]*bucket // few: distances of one recording are alike
	n       int64
	most    int64
}

// bucket is of distances that are alike to less than a percent.
type bucket struct{ n, sum int64 }

// longest bounds distances and sums of them.
const longest = 1 << 61

// Add adds the distance between two neighbouring samples, in ns. It ignores distances of 0 or less.
func (s *Spacing) Add(d int64) {
	if d <= 0 {
		return
	}
	d = min(d, longest)
	if s.buckets == nil {
		s.buckets = map[int]*bucket{}
	}
	b := s.buckets[bucketOf(d)]
	if b == nil {
		b = &bucket{}
		s.buckets[bucketOf(d)] = b
	}
	b.n++
	b.sum = min(b.sum, longest-d) + d
	s.n++
	s.most = max(s.most, d)
}

// bucketOf goes up with the distance: 128 buckets for each power of two.
func bucketOf(d int64) int {
	shift := max(bits.Len64(uint64(d))-8, 0)
	return shift<<8 + int(d>>shift)
}

const numBuckets = 64 << 8

// N is how many distances there are.
func (s *Spacing) N() int64 { return s.n }

// Median returns the median distance, 0 without any.
func (s *Spacing) Median() int64 {
	var m model.Sampling
	s.Measured(&m)
	return m.MedianNs
}

// Measured sets the measured distances in out. Figures other than the
// longest distance are exact to less than a percent, and altogether where distances are alike.
func (s *Spacing) Measured(out *model.Sampling) {
	out.Distances, out.LongestNs = s.n, s.most
	out.P5Ns, out.MedianNs, out.P95Ns, out.Gaps, out.GapNs = 0, 0, 0, 0, 0
	ranks := [3]int64{s.n / 20, s.n / 2, s.n - 1 - s.n/20}
	into := [3]*int64{&out.P5Ns, &out.MedianNs, &out.P95Ns}
	k, below := 0, int64(0)
	for i := 0; i < numBuckets; i++ {
		b := s.buckets[i]
		if b == nil {
			continue
		}
		below += b.n
		mean := b.sum / b.n
		for ; k < len(ranks) && ranks[k] < below; k++ {
			*into[k] = mean
		}
		if k > 1 && mean/model.GapFactor > out.MedianNs {
			out.Gaps += b.n
			out.GapNs = min(out.GapNs, longest-b.sum) + b.sum
		}
	}
}
