package frames

import (
	"slices"

	"framescope/model"
	"framescope/model/internal/histogram"
	"framescope/model/measure"
)

// statMerger merges blocks collector by collector, in ascending order.
type statMerger struct {
	parts   []*statBlock      // ascending in time, without holes
	at      []int             // the next row of each part
	only    model.CollectorID // or NoCollector for all
	frames  int64
	rootOwn bool

	row     statRow         // the present collector
	bins    []histogram.Bin // its histogram, ascending: merged, or the only part's own
	merged  []histogram.Bin // memory for it
	counter histogram.Counter

	visited int64 // bins added
}

// start prepares to merge parts.
func (m *statMerger) start(parts []*statBlock, only model.CollectorID) {
	m.parts, m.only, m.frames, m.rootOwn = parts, only, 0, false
	m.at = m.at[:0]
	for _, p := range parts {
		i := 0
		if only != model.NoCollector {
			i, _ = slices.BinarySearchFunc(
				p.rows, only, func(r statRow, c model.CollectorID) int { return int(r.collector - c) },
			)
		}
		m.at = append(m.at, i)
		m.frames += p.frames
		m.rootOwn = m.rootOwn || p.rootOwn
	}
}

// histogram appends the bins of a tally. Counting is several times faster than sorting the values,
// as many share a bin.
func (m *statMerger) histogram(y *Tally, out []histogram.Bin) []histogram.Bin {
	for _, v := range y.Values {
		m.counter.Add(histogram.Of(v), 1)
	}
	if zeros := y.Present - int64(len(y.Values)); zeros > 0 {
		m.counter.Add(histogram.Of(0), int32(zeros))
	}
	return m.counter.Take(out)
}

// next merges the rows of the next collector into row; false when there are no more.
func (m *statMerger) next() bool {
	c := model.NoCollector
	for k, p := range m.parts {
		if m.at[k] < len(p.rows) && (c == model.NoCollector || p.rows[m.at[k]].collector < c) {
			c = p.rows[m.at[k]].collector
		}
	}
	if c == model.NoCollector || m.only != model.NoCollector && c != m.only {
		return false
	}
	m.row, m.bins = statRow{collector: c, absentAt: -1}, nil
	several := false
	for k, p := range m.parts {
		if m.at[k] < len(p.rows) && p.rows[m.at[k]].collector == c {
			r := &p.rows[m.at[k]]
			m.at[k]++
			if m.row.present > 0 && !several {
				several = true
				m.count(m.bins)
			}
			bins := p.bins[r.binBegin:r.binEnd]
			if several {
				m.count(bins)
			} else {
				m.bins = bins
			}
			m.add(r)
		} else if m.row.absentAt < 0 {
			m.row.absentAt = p.first
		}
	}
	if several {
		m.merged = m.counter.Take(m.merged[:0])
		m.bins = m.merged
	}
	return true
}

// count adds bins to the histogram of the present row.
func (m *statMerger) count(bins []histogram.Bin) {
	m.visited += int64(len(bins))
	for _, b := range bins {
		m.counter.Add(b.Bin, b.N)
	}
}

// add adds all but the histogram of a part's row to the present one.
func (m *statMerger) add(r *statRow) {
	row := &m.row
	if row.present == 0 || r.max > row.max {
		row.max, row.maxAt = r.max, r.maxAt
	}
	if row.present == 0 || r.min < row.min {
		row.min = r.min
	}
	row.present += r.present
	row.count += r.count
	row.sum += r.sum
	row.self += r.self
	if row.absentAt < 0 {
		row.absentAt = r.absentAt
	}
}

// stats finishes the present row, as tally.stats does.
func (m *statMerger) stats(t *Thread, scale float64) Stats {
	r, n := &m.row, m.frames
	st := Stats{Collector: r.collector, Frames: n, Present: r.present, Count: r.count, Estimated: true}
	zeros := n - r.present
	least, most, at := r.min, r.max, r.maxAt
	if zeros > 0 {
		absent := t.frames.nextCounted(r.absentAt, n > 0)
		if most < 0 || most == 0 && absent < at {
			most, at = 0, absent
		}
		least = min(least, 0)
	}
	st.Sum, st.Min, st.Max = r.sum/scale, least/scale, most/scale
	st.Mean, st.SelfMean = st.Sum/float64(n), r.self/scale/float64(n)
	st.MaxFrame = t.frames.number.At(at)
	pick := func(k int64) float64 {
		return min(max(m.kth(k, zeros), least), most) / scale
	}
	low, high := measure.Middle(n)
	st.Median = (pick(low) + pick(high)) / 2
	st.P95 = pick(measure.Rank(n, 95))
	st.P99 = pick(measure.Rank(n, 99))
	return st
}

// kth returns the k-th least value, to the accuracy of a bin, of those in the histogram and of
// zeros more that are 0.
func (m *statMerger) kth(k, zeros int64) float64 {
	for _, b := range m.bins {
		if b.Bin >= histogram.Zero && zeros > 0 {
			if k < zeros {
				return 0
			}
			k -= zeros
			zeros = 0
		}
		if k < int64(b.N) {
			return histogram.Value(b.Bin)
		}
		k -= int64(b.N)
	}
	return 0
}
