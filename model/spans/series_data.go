package spans

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// seriesData holds the samples of one series in order of time: 16 bytes each, and two more for derived
// data (bins.go), another half if values hold (force.go). Samples are added at the end. A late one
// moves those after it, at most 4,096 of them; nothing is derived from these yet.
type seriesData struct {
	rows  seriesColumn
	first int64 // position of the first that counts
	nodes seriesPyramid
	hist  columns.Shelves // histograms (series_stats.go)
	work  *valueWork      // the session's

	late uint64 // samples that were put before others: a change means that positions moved

	holds  bool // values are in force until the next sample
	forces columns.Pyramid

	held    SeriesRow // the newest sample that left memory: it still is in force until the first that is stored
	hasHeld bool
}

type seriesColumn struct{ columns.Column }

func (c *seriesColumn) At(i int64) SeriesRow   { return columns.At[SeriesRow](&c.Column, i) }
func (c *seriesColumn) Ref(i int64) *SeriesRow { return columns.Ref[SeriesRow](&c.Column, i) }
func (c *seriesColumn) Run(i, end int64) []SeriesRow {
	return columns.Run[SeriesRow](&c.Column, i, end)
}
func (c *seriesColumn) Push(r SeriesRow) { columns.Append(&c.Column, r) }

type seriesPyramid struct{ columns.Pyramid }

func (p *seriesPyramid) Node(level int, i int64) *seriesSummary {
	return columns.Node[seriesSummary](&p.Pyramid, level, i)
}

func (p *seriesPyramid) Greatest(from, to int64) (node *seriesSummary, end int64) {
	return columns.Greatest[seriesSummary](&p.Pyramid, from, to)
}

// MaxSample bounds values either way, so that no sum of squares of them overflows.
const MaxSample = 1e140

// SeriesRow is a stored sample, its time in ns. NaN marks a gap.
type SeriesRow struct {
	Time  int64
	Value float64
}

// Gap reports whether there is no value from here on.
func (r *SeriesRow) Gap() bool { return math.IsNaN(r.Value) }

// add stores a sample. ok is false if it came too late to be put in its place. Infinite values are
// gaps, and enormous ones are cut.
func (d *seriesData) add(timeNs int64, value float64) (ok bool) {
	if math.IsInf(value, 0) || math.IsNaN(value) {
		value = math.NaN()
	} else {
		value = min(max(value, -MaxSample), MaxSample)
	}
	r := SeriesRow{timeNs, value}
	n := d.rows.End()
	if n == d.first || d.rows.Ref(n-1).Time <= timeNs {
		if n == d.first && d.hasHeld && timeNs < d.held.Time {
			return false
		}
		d.rows.Push(r)
		d.derive()
		return true
	}
	floor := max(d.first, n-columns.SampleWindow)
	if floor > d.first && d.rows.Ref(floor-1).Time > timeNs || d.hasHeld && timeNs < d.held.Time {
		return false
	}
	at := columns.Search(floor, n, func(i int64) bool { return d.rows.Ref(i).Time > timeNs })
	d.late++
	d.rows.Push(r)
	d.rows.Shift(at)
	*d.rows.Ref(at) = r
	d.hist.Truncate(at)
	d.derive()
	return true
}

func (d *seriesData) len() int64 { return d.rows.End() - d.first }

func (d *seriesData) init(acc *columns.Account) {
	d.rows.Acc, d.nodes.Acc, d.forces.Acc = acc, acc, acc
	d.hist = columns.Shelves{
		Leaf: columns.HistShift, Up: columns.HistUp, Acc: acc, Bytes: func(h any) int64 { return h.(*hist).bytes() },
	}
}

// clear frees everything.
func (d *seriesData) clear() {
	d.rows.Clear()
	d.nodes.Clear()
	d.forces.Clear()
	d.hist.Clear()
	d.first = 0
}

func (d *seriesData) bounds() (begin, end int64, ok bool) {
	if d.rows.End() == d.first {
		return 0, 0, false
	}
	return d.rows.Ref(d.first).Time, d.rows.Ref(d.rows.End() - 1).Time, true
}

// dropBefore forgets the samples before a time and returns how many.
func (d *seriesData) dropBefore(timeNs int64) int64 { return d.dropTo(d.from(timeNs)) }

// dropTo forgets the samples before a position and returns how many.
func (d *seriesData) dropTo(to int64) int64 {
	n := to - d.first
	if n == 0 {
		return 0
	}
	d.held, d.hasHeld = d.rows.At(to-1), true
	d.first = to
	d.rows.DropBefore(to)
	d.nodes.DropBefore(to)
	d.forces.DropBefore(to)
	d.hist.DropBefore(to)
	return n
}

// from returns the position of the first sample with Time >= timeNs.
func (d *seriesData) from(timeNs int64) int64 { return d.search(d.first, d.rows.End(), timeNs) }

func (d *seriesData) search(lo, hi, timeNs int64) int64 {
	for lo < hi {
		mid := int64(uint64(lo+hi) >> 1)
		if d.rows.Ref(mid).Time >= timeNs {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// near is like from, where the answer is at lo or later and expected at guess: it looks there first
// and then further and further away.
func (d *seriesData) near(lo, guess, timeNs int64) int64 {
	hi := d.rows.End()
	if guess < hi && d.rows.Ref(guess).Time < timeNs {
		lo = guess + 1
		for step := int64(1); lo+step < hi; step *= 2 {
			if d.rows.Ref(lo+step).Time >= timeNs {
				hi = lo + step
				break
			}
			lo += step + 1
		}
		return d.search(lo, hi, timeNs)
	}
	hi = min(guess, hi)
	for step := int64(1); hi-step >= lo; step *= 2 {
		if d.rows.Ref(hi-step).Time < timeNs {
			lo = hi - step + 1
			break
		}
		hi -= step
	}
	return d.search(lo, hi, timeNs)
}

// before returns the sample before position i.
func (d *seriesData) before(i int64) (r SeriesRow, ok bool) {
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
	if !ok || r.Time > timeNs {
		return model.Sample{}, false
	}
	return model.Sample{Time: r.Time, Value: r.Value}, !r.Gap()
}

func (d *seriesData) nearest(timeNs, slopNs int64) (best model.Sample, ok bool) {
	timeNs, slopNs = model.ClampTime(timeNs), min(max(slopNs, 0), model.MaxTime)
	i := d.from(timeNs)
	if k := d.valueBefore(i); k >= 0 && timeNs-d.rows.Ref(k).Time <= slopNs {
		r := d.rows.Ref(k)
		best, ok = model.Sample{Time: r.Time, Value: r.Value}, true
	}
	if k := d.valueFrom(i); k >= 0 {
		if r := d.rows.Ref(k); r.Time-timeNs <= slopNs && (!ok || r.Time-timeNs < timeNs-best.Time) {
			best, ok = model.Sample{Time: r.Time, Value: r.Value}, true
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
			out = append(out, model.Sample{Series: id, Time: r.Time, Value: r.Value})
		}
		i += int64(len(run))
	}
	return out
}
