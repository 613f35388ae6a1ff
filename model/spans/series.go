package spans

import "framescope/model"

// SeriesBin summarises the samples of one part of a range, [Begin, End).
type SeriesBin struct {
	Begin, End int64
	N          int64   // samples with a value
	Gaps       int64   // samples that mark a gap
	Min, Max   float64 // of the values, 0 without one; of a series that holds also of Before
	Sum        float64
	// Mean is as Stats has it, and 0 where there is neither a value nor one in force. HeldNs is for
	// how long a value was in force in the bin, 0 of a series that does not hold.
	Mean   float64
	HeldNs int64
	First  float64 // the first and last value in the bin
	Last   float64
	// Before is the value in force at Begin, and HasBefore reports whether there is one (it is false
	// at the beginning of a series and within a gap).
	Before    float64
	HasBefore bool
}

// SeriesStats summarises the samples of a series in a range.
//
// Held values (SeriesDef.Holds) have a mean by time: each counts for as long as it was in force in
// the range, the one in force at its begin included, which counts for Min and Max, too; behind the
// newest sample nothing is known. So have StdDev and the percentiles. For others the mean is the sum
// by the number. All else is of the samples.
type SeriesStats struct {
	N, Gaps             int64
	Sum, Min, Mean, Max float64
	StdDev              float64
	P50, P90, P95, P99  float64
	First, Last         float64
	FirstTime, LastTime int64
	// Rate is, per second: of a SeriesCounter the growth between the first and the last sample by
	// the time between them; of a SeriesEvent the sum of the values by the length of the range; of
	// others 0.
	Rate float64
	// Estimated means that the percentiles come from a histogram: they are within 1 %.
	Estimated bool
}

// Series is one stored series.
type Series struct {
	Def model.SeriesDef

	defined bool // else it only fills a hole before a later one
	data    seriesData
}

// Len returns the number of stored samples.
func (s *Series) Len() int64 { return s.data.len() }

// Bounds returns the times of the earliest and the latest stored sample; ok is false without one.
func (s *Series) Bounds() (begin, end int64, ok bool) { return s.data.bounds() }

// Bins appends n bins that divide [t0, t1) evenly. Cost: O(n · log samples).
func (s *Series) Bins(t0, t1 int64, n int, out []SeriesBin) []SeriesBin {
	return s.data.bins(t0, t1, n, out)
}

// At returns the sample in force at a time: the newest with Time <= timeNs, be it one that left
// memory last. ok is false when there is none or it marks a gap. Cost: O(log samples).
func (s *Series) At(timeNs int64) (sample model.Sample, ok bool) {
	sample, ok = s.data.at(timeNs)
	sample.Series = s.Def.ID
	return sample, ok
}

// Nearest returns the sample with a value and the time nearest to timeNs, of equally near ones the
// earlier; ok is false when there is none within slopNs. Cost: O(log samples).
func (s *Series) Nearest(timeNs, slopNs int64) (sample model.Sample, ok bool) {
	sample, ok = s.data.nearest(timeNs, slopNs)
	sample.Series = s.Def.ID
	return sample, ok
}

// Samples appends the samples in [t0, t1), at most limit of them (0: no limit), in order of time.
func (s *Series) Samples(t0, t1 int64, limit int, out []model.Sample) []model.Sample {
	return s.data.samples(s.Def.ID, t0, t1, limit, out)
}

// Stats summarises the samples in [t0, t1). Percentiles are exact up to 65,536 samples and within 1
// % beyond. Cost: O(log samples), and for the percentiles O(65,536) at most, except that the first
// query of many samples makes histograms of all of them.
func (s *Series) Stats(t0, t1 int64) SeriesStats { return s.data.stats(&s.Def, t0, t1, false) }

// ExactStats is Stats with percentiles that are exact however many samples there are: all are
// gathered, for reports.
func (s *Series) ExactStats(t0, t1 int64) SeriesStats {
	return s.data.stats(&s.Def, t0, t1, true)
}

// Positions returns the position of the oldest sample that is kept, and that behind the newest.
// Positions count on for ever.
func (s *Series) Positions() (first, end int64) { return s.data.first, s.data.rows.End() }

// Row returns the sample at a position that is kept.
func (s *Series) Row(i int64) *SeriesRow { return s.data.rows.Ref(i) }

// Run returns the samples from a position on that lie side by side in memory, at most up to another
// one. They are the series' own.
func (s *Series) Run(from, to int64) []SeriesRow { return s.data.rows.Run(from, to) }

// From returns the position of the first sample with Time >= timeNs. Cost: O(log samples).
func (s *Series) From(timeNs int64) int64 { return s.data.from(timeNs) }

// Before returns the sample before a position, be it the one that left memory last.
func (s *Series) Before(i int64) (r SeriesRow, ok bool) { return s.data.before(i) }

// Moved counts the samples that were put before others: a change means that positions changed.
func (s *Series) Moved() uint64 { return s.data.late }
