package spans

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// Series is a stored series. It holds the samples in order of time: 16 bytes each, and two more for derived
// data (bins.go), another half if values hold (force.go). Samples are added at the end. A late one
// moves those after it, at most 4,096 of them; nothing is derived from these yet.
type Series struct {
	Def model.SeriesDef

	defined bool // else it only fills a hole before a later one

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
func (s *Series) add(timeNs int64, value float64) (ok bool) {
	if math.IsInf(value, 0) || math.IsNaN(value) {
		value = math.NaN()
	} else {
		value = min(max(value, -MaxSample), MaxSample)
	}
	r := SeriesRow{timeNs, value}
	n := s.rows.End()
	if n == s.first || s.rows.Ref(n-1).Time <= timeNs {
		if n == s.first && s.hasHeld && timeNs < s.held.Time {
			return false
		}
		s.rows.Push(r)
		s.derive()
		return true
	}
	floor := max(s.first, n-columns.SampleWindow)
	if floor > s.first && s.rows.Ref(floor-1).Time > timeNs || s.hasHeld && timeNs < s.held.Time {
		return false
	}
	at := columns.Search(floor, n, func(i int64) bool { return s.rows.Ref(i).Time > timeNs })
	s.late++
	s.rows.Push(r)
	s.rows.Shift(at)
	*s.rows.Ref(at) = r
	s.hist.Truncate(at)
	s.derive()
	return true
}

// Len returns the number of stored samples.
func (s *Series) Len() int64 { return s.rows.End() - s.first }

func (s *Series) init(acc *columns.Account) {
	s.rows.Acc, s.nodes.Acc, s.forces.Acc = acc, acc, acc
	s.hist = columns.Shelves{
		Leaf: columns.HistShift, Up: columns.HistUp, Acc: acc, Bytes: func(h any) int64 { return h.(*hist).bytes() },
	}
}

// clear frees everything.
func (s *Series) clear() {
	s.rows.Clear()
	s.nodes.Clear()
	s.forces.Clear()
	s.hist.Clear()
	s.first = 0
}

// Bounds returns the times of the earliest and the latest stored sample; ok is false without one.
func (s *Series) Bounds() (begin, end int64, ok bool) {
	if s.rows.End() == s.first {
		return 0, 0, false
	}
	return s.rows.Ref(s.first).Time, s.rows.Ref(s.rows.End() - 1).Time, true
}

// dropBefore forgets the samples before a time and returns how many.
func (s *Series) dropBefore(timeNs int64) int64 { return s.dropTo(s.From(timeNs)) }

// dropTo forgets the samples before a position and returns how many.
func (s *Series) dropTo(to int64) int64 {
	n := to - s.first
	if n == 0 {
		return 0
	}
	s.held, s.hasHeld = s.rows.At(to-1), true
	s.first = to
	s.rows.DropBefore(to)
	s.nodes.DropBefore(to)
	s.forces.DropBefore(to)
	s.hist.DropBefore(to)
	return n
}

// From returns the position of the first sample with Time >= timeNs. Cost: O(log samples).
func (s *Series) From(timeNs int64) int64 { return s.search(s.first, s.rows.End(), timeNs) }

func (s *Series) search(lo, hi, timeNs int64) int64 {
	for lo < hi {
		mid := int64(uint64(lo+hi) >> 1)
		if s.rows.Ref(mid).Time >= timeNs {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// near is like from, where the answer is at lo or later and expected at guess: it looks there first
// and then further and further away.
func (s *Series) near(lo, guess, timeNs int64) int64 {
	hi := s.rows.End()
	if guess < hi && s.rows.Ref(guess).Time < timeNs {
		lo = guess + 1
		for step := int64(1); lo+step < hi; step *= 2 {
			if s.rows.Ref(lo+step).Time >= timeNs {
				hi = lo + step
				break
			}
			lo += step + 1
		}
		return s.search(lo, hi, timeNs)
	}
	hi = min(guess, hi)
	for step := int64(1); hi-step >= lo; step *= 2 {
		if s.rows.Ref(hi-step).Time < timeNs {
			lo = hi - step + 1
			break
		}
		hi -= step
	}
	return s.search(lo, hi, timeNs)
}

// Before returns the sample before a position, be it the one that left memory last.
func (s *Series) Before(i int64) (r SeriesRow, ok bool) {
	if i > s.first {
		return s.rows.At(i - 1), true
	}
	return s.held, s.hasHeld
}

// At returns the sample in force at a time: the newest with Time <= timeNs, be it one that left
// memory last. ok is false when there is none or it marks a gap. Cost: O(log samples).
func (s *Series) At(timeNs int64) (sample model.Sample, ok bool) {
	if timeNs == math.MaxInt64 {
		timeNs--
	}
	r, ok := s.Before(s.From(timeNs + 1))
	if !ok || r.Time > timeNs {
		return model.Sample{Series: s.Def.ID}, false
	}
	return s.sample(&r), !r.Gap()
}

// Nearest returns the sample with a value and the time nearest to timeNs, of equally near ones the
// earlier; ok is false when there is none within slopNs. Cost: O(log samples).
func (s *Series) Nearest(timeNs, slopNs int64) (best model.Sample, ok bool) {
	timeNs, slopNs = model.ClampTime(timeNs), min(max(slopNs, 0), model.MaxTime)
	i := s.From(timeNs)
	if k := s.valueBefore(i); k >= 0 && timeNs-s.rows.Ref(k).Time <= slopNs {
		best, ok = s.sample(s.rows.Ref(k)), true
	}
	if k := s.valueFrom(i); k >= 0 {
		if r := s.rows.Ref(k); r.Time-timeNs <= slopNs && (!ok || r.Time-timeNs < timeNs-best.Time) {
			best, ok = s.sample(r), true
		}
	}
	return best, ok
}

// Samples appends the samples in [t0, t1), at most limit of them (0: no limit), in order of time.
func (s *Series) Samples(t0, t1 int64, limit int, out []model.Sample) []model.Sample {
	from := s.From(t0)
	to := max(s.From(t1), from)
	if limit > 0 {
		to = min(to, from+int64(limit))
	}
	out = slices.Grow(out, int(to-from))
	for i := from; i < to; {
		run := s.rows.Run(i, to)
		for k := range run {
			out = append(out, s.sample(&run[k]))
		}
		i += int64(len(run))
	}
	return out
}

func (s *Series) sample(r *SeriesRow) model.Sample {
	return model.Sample{Series: s.Def.ID, Time: r.Time, Value: r.Value}
}

// Positions returns the position of the oldest sample that is kept, and that behind the newest.
// Positions count on for ever.
func (s *Series) Positions() (first, end int64) { return s.first, s.rows.End() }

// Row returns the sample at a position that is kept.
func (s *Series) Row(i int64) *SeriesRow { return s.rows.Ref(i) }

// Run returns the samples from a position on that lie side by side in memory, at most up to another
// one. They are the series' own.
func (s *Series) Run(from, to int64) []SeriesRow { return s.rows.Run(from, to) }

// Moved counts the samples that were put before others: a change means that positions changed.
func (s *Series) Moved() uint64 { return s.late }
