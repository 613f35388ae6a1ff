package gsttrace

import (
	"math/bits"
	"slices"

	"framescope/model/measure"
)

// durations sums latencies up. Percentiles are those of the values themselves, as long as there is
// room for them, and from then on those of every second one, every fourth…
type durations struct {
	count, total, over, min, max uint64 // over counts how often the total was too great for 64 bits
	values                       []uint64
	step                         uint64 // of every so many values one is kept; 0 is 1
}

// maxValues bounds the latencies that are kept by all ways together: 64 MiB of them.
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

// keep keeps the newest value for the percentiles. full means that there is no room for more than there are. It returns
// how many more there are now.
func (d *durations) keep(ns uint64, full bool) (more int) {
	d.step = max(d.step, 1)
	if (d.count-1)%d.step != 0 {
		return 0
	}
	before := len(d.values)
	if full {
		for i := range (before + 1) / 2 {
			d.values[i] = d.values[2*i]
		}
		d.values = d.values[:(before+1)/2]
		if d.step *= 2; (d.count-1)%d.step != 0 {
			return len(d.values) - before
		}
	}
	d.values = append(d.values, ns)
	return len(d.values) - before
}

// percentile is the value that so many of a hundred are at most (nearest rank). Values must be in order.
func (d *durations) percentile(percent int64) uint64 {
	if len(d.values) == 0 {
		return d.max
	}
	return d.values[measure.Rank(int64(len(d.values)), percent)]
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
	l.MeanNs, l.Estimated = d.mean(), d.step > 1
	l.P50Ns, l.P90Ns, l.P99Ns = d.percentile(50), d.percentile(90), d.percentile(99)
	return l
}
