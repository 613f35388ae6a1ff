package store

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
	"framescope/model/internal/sizes"
)

// seriesData holds the samples of one series in order of time: 16 bytes each, and two more for what is derived (seriesbins.go). Samples are added at the end. One that comes
// late moves those that are later than it, at most 4,096 of them; nothing is derived of these yet.
type seriesData struct {
	rows  columns.Column[sampleRow]
	first int64 // position of the first that counts
	nodes columns.Pyramid[seriesNode]
	hist  []columns.Shelf[*seriesHist] // by level (seriesstats.go)
	work  *seriesWork                  // the session's

	late uint64 // samples that were put before others: a change means that positions moved

	held    sampleRow // the newest sample that left memory: it still is in force until the first that is stored
	hasHeld bool
}

// maxSample bounds values either way, so that no sum of squares of them overflows.
const maxSample = 1e140

// sampleRow is a sample. NaN marks a gap.
type sampleRow struct {
	time  int64
	value float64
}

func (r *sampleRow) gap() bool { return math.IsNaN(r.value) }

// add stores a sample. ok is false if it came too late to be put in its place. Infinite values are gaps, and enormous ones are cut.
func (d *seriesData) add(timeNs int64, value float64) (ok bool) {
	if math.IsInf(value, 0) || math.IsNaN(value) {
		value = math.NaN()
	} else {
		value = min(max(value, -maxSample), maxSample)
	}
	r := sampleRow{timeNs, value}
	n := d.rows.End()
	if n == d.first || d.rows.Ref(n-1).time <= timeNs {
		if n == d.first && d.hasHeld && timeNs < d.held.time {
			return false
		}
		d.rows.Push(r)
		d.derive()
		return true
	}
	floor := max(d.first, n-sizes.SampleWindow)
	if floor > d.first && d.rows.Ref(floor-1).time > timeNs || d.hasHeld && timeNs < d.held.time {
		return false
	}
	at := columns.Search(floor, n, func(i int64) bool { return d.rows.Ref(i).time > timeNs })
	d.late++
	d.rows.Push(r)
	d.rows.Shift(at)
	*d.rows.Ref(at) = r
	for k := range d.hist {
		d.hist[k].Truncate(at>>(sizes.HistShift+sizes.HistUp*k), d.work.forget)
	}
	d.derive()
	return true
}

func (d *seriesData) len() int64 { return d.rows.End() - d.first }

func (d *seriesData) init(acc *columns.Account) { d.rows.Acc, d.nodes.Acc = acc, acc }

// clear lets go of everything.
func (d *seriesData) clear() {
	d.rows.Clear()
	d.nodes.Clear()
	for k := range d.hist {
		d.hist[k].Clear(d.work.forget)
	}
	d.hist, d.first = nil, 0
}

func (d *seriesData) bounds() (begin, end int64, ok bool) {
	if d.rows.End() == d.first {
		return 0, 0, false
	}
	return d.rows.Ref(d.first).time, d.rows.Ref(d.rows.End() - 1).time, true
}

// DropBefore forgets the samples before a time and returns how many.
func (d *seriesData) dropBefore(timeNs int64) int64 {
	to := d.from(timeNs)
	n := to - d.first
	if n == 0 {
		return 0
	}
	d.held, d.hasHeld = d.rows.At(to-1), true
	d.first = to
	d.rows.DropBefore(to)
	d.nodes.DropBefore(to)
	for k := range d.hist {
		size := int64(1) << (sizes.HistShift + sizes.HistUp*k)
		d.hist[k].DropBefore((to+size-1)/size, d.work.forget)
	}
	return n
}

// from returns the position of the first sample with Time >= timeNs.
func (d *seriesData) from(timeNs int64) int64 { return d.search(d.first, d.rows.End(), timeNs) }

func (d *seriesData) search(lo, hi, timeNs int64) int64 {
	for lo < hi {
		mid := int64(uint64(lo+hi) >> 1)
		if d.rows.Ref(mid).time >= timeNs {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// near is like from, where the answer is at lo or later and expected at guess: it looks there first and then further and further away.
func (d *seriesData) near(lo, guess, timeNs int64) int64 {
	hi := d.rows.End()
	if guess < hi && d.rows.Ref(guess).time < timeNs {
		lo = guess + 1
		for step := int64(1); lo+step < hi; step *= 2 {
			if d.rows.Ref(lo+step).time >= timeNs {
				hi = lo + step
				break
			}
			lo += step + 1
		}
		return d.search(lo, hi, timeNs)
	}
	hi = min(guess, hi)
	for step := int64(1); hi-step >= lo; step *= 2 {
		if d.rows.Ref(hi-step).time < timeNs {
			lo = hi - step + 1
			break
		}
		hi -= step
	}
	return d.search(lo, hi, timeNs)
}

// before returns the sample before position i.
func (d *seriesData) before(i int64) (r sampleRow, ok bool) {
	if i > d.first {
		return d.rows.At(i - 1), true
	}
	return d.held, d.hasHeld
}

func (d *seriesData) at(timeNs int64) (model.Sample, bool) {
	if timeNs == math.MaxInt64 {
		timeNs--
	}
	r, ok := d.before(d.from(timeNs + 1))
	if !ok || r.time > timeNs {
		return model.Sample{}, false
	}
	return model.Sample{Time: r.time, Value: r.value}, !r.gap()
}

func (d *seriesData) nearest(timeNs, slopNs int64) (best model.Sample, ok bool) {
	timeNs, slopNs = model.ClampTime(timeNs), min(max(slopNs, 0), model.MaxTime)
	i := d.from(timeNs)
	if k := d.valueBefore(i); k >= 0 && timeNs-d.rows.Ref(k).time <= slopNs {
		r := d.rows.Ref(k)
		best, ok = model.Sample{Time: r.time, Value: r.value}, true
	}
	if k := d.valueFrom(i); k >= 0 {
		if r := d.rows.Ref(k); r.time-timeNs <= slopNs && (!ok || r.time-timeNs < timeNs-best.Time) {
			best, ok = model.Sample{Time: r.time, Value: r.value}, true
		}
	}
	return best, ok
}

func (d *seriesData) samples(id model.SeriesID, t0, t1 int64, limit int, out []model.Sample) []model.Sample {
	from := d.from(t0)
	to := max(d.from(t1), from)
	if limit > 0 {
		to = min(to, from+int64(limit))
	}
	out = slices.Grow(out, int(to-from))
	for i := from; i < to; {
		run := d.rows.Run(i, to)
		for _, r := range run {
			out = append(out, model.Sample{Series: id, Time: r.time, Value: r.value})
		}
		i += int64(len(run))
	}
	return out
}

// sampleBytes is about what a sample takes in memory.
const sampleBytes = 18

// appendSamples stores the samples of a batch. Those of a series that was never defined are refused.
func (s *Session) appendSamples(b *model.Batch) {
	if len(b.Samples) == 0 {
		return
	}
	h := &s.things
	var strangers, late int64
	first := int64(model.MaxTime)
	for i := range b.Samples {
		x := &b.Samples[i]
		if uint(x.Series) >= uint(len(h.series)) {
			strangers++
			continue
		}
		at := model.ClampTime(x.Time)
		d := &h.series[x.Series].data
		if !d.add(at, x.Value) {
			late++
			continue
		}
		first = min(first, at)
		h.lo, h.hi = min(h.lo, at), max(h.hi, at)
	}
	if strangers > 0 {
		s.limit(b.Track, strangers, "samples of a series that was not defined")
	}
	if late > 0 {
		s.lose(model.Loss{Reason: model.LossLate, Track: b.Track, N: late, Detail: "samples came too late to be put in their place"})
	}
	if first < model.MaxTime {
		h.mark(int64(len(b.Samples))*sampleBytes, first, s.clock.appends)
		if m := &h.marks; m.len() >= 2 && !m.queued {
			m.queued = true
			s.clock.ready = append(s.clock.ready, evictable{s: s})
		}
	}
}

// mark notes where the samples added from now on begin, if enough came since the last mark.
func (h *thingTable) mark(bytes, first int64, stamp uint64) {
	if h.marks.len() == 0 || h.sinceMark >= max(sizes.MarkBytes, int64(len(h.series))*256) { // the more series, the more work to let something leave
		h.marks.add(mark{stamp: stamp, time: first})
		h.sinceMark = 0
	} else {
		h.marks.lower(first)
	}
	h.sinceMark += bytes
}
