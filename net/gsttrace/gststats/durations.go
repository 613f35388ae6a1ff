package gststats

import "math/bits"

// durations sums latencies up. The histogram has 128 steps to each doubling, so percentiles are within 1 %.
type durations struct {
	count, total, min, max uint64
	octaves                [65]*[128]uint32
}

func (d *durations) add(ns uint64) {
	if d.count == 0 || ns < d.min {
		d.min = ns
	}
	d.max = max(d.max, ns)
	d.count++
	d.total += ns
}

func (d *durations) addToHistogram(ns uint64) {
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

// percentile is the middle of the bucket in which the given share of all lies, but never beyond the extremes.
func (d *durations) percentile(share float64) uint64 {
	want := uint64(share * float64(d.count))
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

func (d *durations) figures(key string) Latency {
	l := Latency{Key: key, Count: int64(d.count), MeanNs: d.total / d.count, MinNs: d.min, MaxNs: d.max}
	for _, octave := range d.octaves {
		if octave != nil {
			l.P50Ns, l.P90Ns, l.P99Ns = d.percentile(0.5), d.percentile(0.9), d.percentile(0.99)
			break
		}
	}
	return l
}
