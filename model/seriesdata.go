package model

import (
	"math"
	"slices"
	"sort"
)

// seriesData holds the samples of one series in order of time.
type seriesData struct {
	time  []int64
	value []float64
}

func (d *seriesData) add(timeNs int64, value float64) {
	if math.IsInf(value, 0) {
		value = math.NaN()
	}
	if n := len(d.time); n == 0 || d.time[n-1] <= timeNs {
		d.time, d.value = append(d.time, timeNs), append(d.value, value)
		return
	}
	i := sort.Search(len(d.time), func(i int) bool { return d.time[i] > timeNs })
	d.time, d.value = slices.Insert(d.time, i, timeNs), slices.Insert(d.value, i, value)
}

func (d *seriesData) len() int64 { return int64(len(d.time)) }

func (d *seriesData) bytes() int64 { return int64(cap(d.time)) * 16 }

func (d *seriesData) bounds() (begin, end int64, ok bool) {
	if len(d.time) == 0 {
		return 0, 0, false
	}
	return d.time[0], d.time[len(d.time)-1], true
}

// from returns the position of the first sample with Time >= timeNs.
func (d *seriesData) from(timeNs int64) int {
	return sort.Search(len(d.time), func(i int) bool { return d.time[i] >= timeNs })
}

func (d *seriesData) bins(t0, t1 int64, n int, out []SeriesBin) []SeriesBin {
	if n <= 0 || t1 <= t0 {
		return out
	}
	for i := range n {
		b := SeriesBin{Begin: t0 + int64(float64(t1-t0)*float64(i)/float64(n)), End: t0 + int64(float64(t1-t0)*float64(i+1)/float64(n))}
		lo, hi := d.from(b.Begin), d.from(b.End)
		if lo > 0 && !math.IsNaN(d.value[lo-1]) {
			b.Before, b.HasBefore = d.value[lo-1], true
		}
		for _, v := range d.value[lo:hi] {
			if math.IsNaN(v) {
				b.Gaps++
				continue
			}
			if b.N == 0 {
				b.Min, b.Max, b.First = v, v, v
			}
			b.N++
			b.Min, b.Max, b.Last = min(b.Min, v), max(b.Max, v), v
			b.Sum += v
		}
		out = append(out, b)
	}
	return out
}

func (d *seriesData) at(timeNs int64) (Sample, bool) {
	i := sort.Search(len(d.time), func(i int) bool { return d.time[i] > timeNs }) - 1
	if i < 0 {
		return Sample{}, false
	}
	return Sample{Time: d.time[i], Value: d.value[i]}, !math.IsNaN(d.value[i])
}

func (d *seriesData) nearest(timeNs, slopNs int64) (best Sample, ok bool) {
	i := d.from(timeNs)
	for _, k := range []int{i - 1, i} {
		if k < 0 || k >= len(d.time) || math.IsNaN(d.value[k]) {
			continue
		}
		far := max(d.time[k]-timeNs, timeNs-d.time[k])
		if far > slopNs || ok && far >= max(best.Time-timeNs, timeNs-best.Time) {
			continue
		}
		best, ok = Sample{Time: d.time[k], Value: d.value[k]}, true
	}
	return best, ok
}

func (d *seriesData) samples(id SeriesID, t0, t1 int64, limit int, out []Sample) []Sample {
	for i, n := d.from(t0), 0; i < len(d.time) && d.time[i] < t1 && (limit == 0 || n < limit); i, n = i+1, n+1 {
		out = append(out, Sample{Series: id, Time: d.time[i], Value: d.value[i]})
	}
	return out
}

func (d *seriesData) stats(kind SeriesKind, t0, t1 int64) (st SeriesStats) {
	lo, hi := d.from(t0), d.from(t1)
	if hi <= lo {
		return st
	}
	values := make([]float64, 0, hi-lo)
	for i := lo; i < hi; i++ {
		v := d.value[i]
		if math.IsNaN(v) {
			st.Gaps++
			continue
		}
		if len(values) == 0 {
			st.First, st.FirstTime = v, d.time[i]
		}
		st.Last, st.LastTime = v, d.time[i]
		st.Sum += v
		values = append(values, v)
	}
	st.N = int64(len(values))
	if st.N == 0 {
		return st
	}
	st.Mean = st.Sum / float64(st.N)
	for _, v := range values {
		st.StdDev += (v - st.Mean) * (v - st.Mean)
	}
	st.StdDev = math.Sqrt(st.StdDev / float64(st.N))
	slices.Sort(values)
	at := func(p float64) float64 { return values[min(int(math.Ceil(p*float64(st.N)))-1, len(values)-1)] }
	st.Min, st.Max = values[0], values[len(values)-1]
	st.P50, st.P90, st.P95, st.P99 = at(0.5), at(0.9), at(0.95), at(0.99)
	switch {
	case kind == SeriesCounter && st.LastTime > st.FirstTime:
		st.Rate = (st.Last - st.First) / (float64(st.LastTime-st.FirstTime) / 1e9)
	case kind == SeriesEvent:
		st.Rate = st.Sum / (float64(t1-t0) / 1e9)
	}
	return st
}

// appendSamples stores the samples of a batch. Those of a series that was never defined are refused.
func (s *Session) appendSamples(b *Batch) {
	var strangers int64
	for i := range b.Samples {
		x := &b.Samples[i]
		if uint(x.Series) >= uint(len(s.things.series)) {
			strangers++
			continue
		}
		s.things.series[x.Series].data.add(clampTime(x.Time), x.Value)
	}
	if strangers > 0 {
		s.limit(b.Track, strangers, "samples of a series that was not defined")
	}
}
