package spans

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
	"framescope/model/internal/histogram"
	"framescope/model/measure"
)

// Percentiles of many samples come from histograms of 16,384 samples, of 16 of these, and so on,
// with the bins of model/frames. They are made when first needed.

// hist is the distribution of a run of samples by bin, ascending: their number, or for held values
// how long (ns) the values were in force until each of them, that of the sample before included. It
// never changes.
type hist struct{ bins []valueShare }

// valueShare is how much lies in a bin.
type valueShare struct {
	n   int64
	bin int32
}

// weighted is a value, and for how long it was in force, in ns.
type weighted struct {
	value float64
	ns    int64
}

// valueWork is scratch memory for percentiles, shared by the series of a session.
type valueWork struct {
	values  []float64
	held    []weighted
	counts  []int64 // by bin
	keys    []int32 // bins in use
	visited int64   // samples and bins read for the last query
	acc     *columns.Account
	booked  columns.Booked // values, held and keys
}

func (h *hist) bytes() int64 { return 40 + int64(cap(h.bins))*16 }

// Stats summarises the samples in [t0, t1). Percentiles are exact up to 65,536 samples and within 1
// % beyond. Cost: O(log samples), and for the percentiles O(65,536) at most, except that the first
// query of many samples makes histograms of all of them.
func (s *Series) Stats(t0, t1 int64) SeriesStats { return s.stats(t0, t1, false) }

// ExactStats is Stats with percentiles that are exact however many samples there are: all are
// gathered, for reports.
func (s *Series) ExactStats(t0, t1 int64) SeriesStats { return s.stats(t0, t1, true) }

func (s *Series) stats(t0, t1 int64, exact bool) (st SeriesStats) {
	w := s.work
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	lo, hi := s.From(t0), s.From(t1)
	if hi <= lo {
		return st
	}
	defer func() { w.booked.Set(w.acc, int64(cap(w.values))*8+int64(cap(w.held))*16+int64(cap(w.keys))*4) }()
	var node seriesSummary
	w.visited = s.sum(lo, hi, &node, true)
	st.N, st.Gaps = node.n, node.gaps
	if st.N == 0 {
		return st
	}
	first, last := s.rows.At(node.firstAt), s.rows.At(node.lastAt)
	st.First, st.FirstTime, st.Last, st.LastTime = first.Value, first.Time, last.Value, last.Time
	var f force
	if s.holds {
		w.visited += s.inForce(lo, hi, t0, t1, &node, &f, true)
	}
	st.Sum, st.Min, st.Mean, st.Max = node.sum, node.min, node.mean(&f), node.max
	of, m2 := st.N, node.m2
	if f.ns > 0 { // all is by time
		of, m2 = f.ns, f.m2
	}
	if st.Min < st.Max { // for equal values, means and sums are off by their last digit
		st.StdDev = math.Sqrt(max(m2, 0) / float64(of))
	}
	var at [len(percents)]float64
	switch st.Estimated = !exact && hi-lo > columns.SeriesExact; {
	case st.Estimated && s.holds && f.ns == 0: // all at one time: there are no times to go by
		for i := range at {
			at[i] = st.Mean
		}
	case st.Estimated:
		if s.holds { // those between the first and the last sample, then before and behind
			s.spread(w, lo+1, hi)
			s.eachEnd(lo, hi, t0, t1, func(v float64, ns int64) { w.count(histogram.Of(v), ns) })
		} else {
			s.spread(w, lo, hi)
		}
		slices.Sort(w.keys)
		sum, i := int64(0), 0
		for _, b := range w.keys {
			sum += w.counts[b]
			for i < len(at) && sum > measure.Rank(of, percents[i]) {
				at[i] = min(max(histogram.Value(b), st.Min), st.Max)
				i++
			}
		}
	case f.ns > 0:
		s.selectHeld(w, lo, hi, t0, t1, of, &at)
	default:
		s.gather(w, lo, hi)
		left := w.values
		for i := len(at) - 1; i >= 0; i-- { // the part less than a percentile comes before it
			k := measure.Rank(of, percents[i])
			at[i] = histogram.Select(left, int(k))
			left = left[:k+1]
		}
	}
	st.P50, st.P90, st.P95, st.P99 = at[0], at[1], at[2], at[3]
	switch kind := s.Def.Kind; {
	case kind == model.SeriesCounter && st.LastTime > st.FirstTime:
		st.Rate = (st.Last - st.First) / (float64(st.LastTime-st.FirstTime) / 1e9)
	case kind == model.SeriesEvent && st.N > 1: // a single event has no rate
		st.Rate = st.Sum / (float64(t1-t0) / 1e9)
	}
	return st
}

// percents are the percentiles that statistics have.
var percents = [...]int64{50, 90, 95, 99}

// gather puts the values of the samples at [from, to) into w.values.
func (s *Series) gather(w *valueWork, from, to int64) {
	w.values = w.values[:0]
	for i := from; i < to; {
		run := s.rows.Run(i, to)
		for k := range run {
			if !run[k].Gap() {
				w.values = append(w.values, run[k].Value)
			}
		}
		i += int64(len(run))
	}
	w.visited += to - from
}

// selectHeld computes percentiles of the values that were in force in [t0, t1), for of ns in all,
// from the samples at [from, to): a histogram finds their bins, and only the values in these are
// sorted.
func (s *Series) selectHeld(w *valueWork, from, to, t0, t1, of int64, at *[len(percents)]float64) {
	each := func(f func(v float64, ns int64)) {
		s.eachHeld(from+1, to, f)
		s.eachEnd(from, to, t0, t1, f)
	}
	w.clear()
	each(func(v float64, ns int64) { w.count(histogram.Of(v), ns) })
	slices.Sort(w.keys)
	var in [len(at)]struct { // the bin of each, and how long lesser values within it were in force
		bin  int32
		rank int64
	}
	sum, i := int64(0), 0
	for _, bin := range w.keys {
		for i < len(at) && sum+w.counts[bin] > measure.Rank(of, percents[i]) {
			in[i].bin, in[i].rank = bin, measure.Rank(of, percents[i])-sum
			i++
		}
		sum += w.counts[bin]
	}
	w.held = w.held[:0]
	each(func(v float64, ns int64) {
		if b := histogram.Of(v); b == in[0].bin || b == in[1].bin || b == in[2].bin || b == in[3].bin {
			w.held = append(w.held, weighted{v, ns})
		}
	})
	slices.SortFunc(w.held, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	bin := in[0].bin
	sum, i = 0, 0
	for _, x := range w.held {
		if b := histogram.Of(x.value); b != bin {
			bin, sum = b, 0
		}
		for sum += x.ns; i < len(at) && in[i].bin == bin && sum > in[i].rank; i++ {
			at[i] = x.value
		}
	}
	w.visited += 2 * (to - from)
}

// count adds the samples at [from, to) to w.counts.
func (s *Series) count(w *valueWork, from, to int64) {
	if s.holds {
		s.eachHeld(from, to, func(v float64, ns int64) { w.count(histogram.Of(v), ns) })
		w.visited += to - from
		return
	}
	for i := from; i < to; {
		run := s.rows.Run(i, to)
		for k := range run {
			if !run[k].Gap() {
				w.count(histogram.Of(run[k].Value), 1)
			}
		}
		i += int64(len(run))
	}
	w.visited += to - from
}

// spread makes w.counts the histogram of the samples at [from, to), and w.keys its bins.
func (s *Series) spread(w *valueWork, from, to int64) {
	// Blocks that are missing are made first: they need the same scratch memory.
	for i := (from + 1<<columns.HistShift - 1) >> columns.HistShift; i < to>>columns.HistShift; i++ {
		s.block(w, 0, i)
	}
	for k := 1; ; k++ {
		size := int64(1) << (columns.HistShift + columns.HistUp*k)
		a, b := (from+size-1)/size, to/size
		if a >= b {
			break
		}
		for i := a; i < b; i++ {
			s.block(w, k, i)
		}
	}
	w.clear()
	for from < to {
		level := s.hist.Greatest(from, to)
		if level < 0 {
			stop := min((from>>columns.HistShift+1)<<columns.HistShift, to)
			s.count(w, from, stop)
			from = stop
			continue
		}
		shift := columns.HistShift + columns.HistUp*level
		w.merge(s.hist.At(level, from>>shift).(*hist))
		from += 1 << shift
	}
}

func (w *valueWork) clear() {
	if w.counts == nil {
		w.counts = make([]int64, histogram.NumBins)
		w.acc.Add(histogram.NumBins * 8)
	}
	for _, b := range w.keys {
		w.counts[b] = 0
	}
	w.keys = w.keys[:0]
}

// clearAll frees everything.
func (w *valueWork) clearAll() {
	if w.counts != nil {
		w.acc.Add(-histogram.NumBins * 8)
	}
	w.booked.Set(w.acc, 0)
	w.counts, w.keys, w.values, w.held = nil, nil, nil, nil
}

func (w *valueWork) count(bin int32, n int64) {
	if n == 0 { // its key would come again
		return
	}
	if w.counts[bin] == 0 {
		w.keys = append(w.keys, bin)
	}
	w.counts[bin] += n
}

func (w *valueWork) merge(h *hist) {
	for _, b := range h.bins {
		w.count(b.bin, b.n)
	}
	w.visited += int64(len(h.bins))
}

// block makes sure that a histogram is there. Those of the level below it are.
func (s *Series) block(w *valueWork, level int, i int64) {
	if s.hist.At(level, i) != nil {
		return
	}
	w.clear()
	if level == 0 {
		s.count(w, i<<columns.HistShift, (i+1)<<columns.HistShift)
	} else {
		for k := i << columns.HistUp; k < (i+1)<<columns.HistUp; k++ {
			w.merge(s.hist.At(level-1, k).(*hist))
		}
	}
	slices.Sort(w.keys)
	h := &hist{bins: make([]valueShare, 0, len(w.keys))}
	for _, b := range w.keys {
		h.bins = append(h.bins, valueShare{w.counts[b], b})
	}
	s.hist.Put(level, i, h)
}
