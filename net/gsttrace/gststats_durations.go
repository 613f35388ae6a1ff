package gsttrace

import (
	"math/bits"
	"slices"

	"framescope/model/measure"
)

// durations sums latencies up. Percentiles are those of the values themselves, as long as there is
// room for them, and from then on of a histogram with 128 steps to each doubling: within 1 %.
type durations struct {
	count, total, over, min, max uint64   // over counts how often the total was too great for 64 bits
	values                       []uint64 // in no order, until they are poured into the histogram
	octaves                      *[65]*[128]uint32
}

// room is how many values may be kept by all ways together.
type room struct{ left int }

// maxValues bounds the latencies that are kept: 64 MiB of them.
const maxValues = 8 << 20

func (d *durations) add(ns uint64) {
	if d.count == 0 || ns < d.min {
		d.min = ns
	}
	d.max = max(d.max, ns)
	d.count++
	var carry uint64
	d.total, carry = bits.Add64(d.total, ns, 0)
	d.over += carry
}

// keep keeps a value for the percentiles.
func (d *durations) keep(ns uint64, in *room) {
	switch {
	case d.octaves == nil && len(d.values) < cap(d.values):
		d.values = append(d.values, ns)
		return
	case d.octaves == nil && in.left > 0:
		held := cap(d.values)
		d.values = append(slices.Grow(d.values, min(max(16, held/2), in.left)), ns)
		in.left -= cap(d.values) - held
		return
	case d.octaves == nil:
		d.octaves = &[65]*[128]uint32{}
		for _, v := range d.values {
			d.tally(v)
		}
		in.left += cap(d.values)
		d.values = nil
	}
	d.tally(ns)
}

// tally counts a value in the histogram.
func (d *durations) tally(ns uint64) {
	octave, step := bucket(ns)
	if d.octaves[octave] == nil {
		d.octaves[octave] = &[128]uint32{}
	}
	d.octaves[octave][step]++
}

// bucket is the place of a value: below 128 each has its own, in octave 0.
func bucket(ns uint64) (octave, step int) {
	octave = max(0, bits.Len64(ns)-7)
	if octave == 0 {
		return 0, int(ns)
	}
	return octave, int(ns>>(octave-1)) & 127
}

// percentile is the value that so many of a hundred are at most (nearest rank). From the histogram
// it is the middle of the bucket in which that value lies, but never beyond the extremes. Kept
// values must be in order.
func (d *durations) percentile(percent int64) uint64 {
	want := uint64(measure.Rank(int64(d.count), percent))
	if d.octaves == nil {
		return d.values[want]
	}
	for octave, steps := range d.octaves {
		if steps == nil {
			continue
		}
		for step, n := range steps {
			if uint64(n) <= want {
				want -= uint64(n)
				continue
			}
			ns := uint64(step)
			if octave > 0 {
				ns = (uint64(step)+128)<<(octave-1) + 1<<(octave-1)>>1
			}
			return min(max(ns, d.min), d.max)
		}
	}
	return d.max
}

// mean is the mean to the nearest nanosecond.
func (d *durations) mean() uint64 {
	sum, carry := bits.Add64(d.total, d.count/2, 0)
	mean, _ := bits.Div64(d.over+carry, sum, d.count)
	return mean
}

// figures are the latencies' figures; in the compatible ones the mean is cut, and there are no
// percentiles.
func (d *durations) figures(key string, compat bool) Latency {
	l := Latency{Key: key, Count: int64(d.count), MinNs: d.min, MaxNs: d.max}
	if compat {
		l.MeanNs = d.total / d.count
		return l
	}
	slices.Sort(d.values)
	l.MeanNs, l.Estimated = d.mean(), d.octaves != nil
	l.P50Ns, l.P90Ns, l.P99Ns = d.percentile(50), d.percentile(90), d.percentile(99)
	return l
}
