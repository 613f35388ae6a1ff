package spans

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
