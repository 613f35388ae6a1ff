package model

// SeriesID is the index of a Series within its session, dense from 0.
type SeriesID int32

// NoSeries is the absence of a series.
const NoSeries SeriesID = -1

// SeriesKind says how the samples of a series are to be read and drawn.
type SeriesKind uint8

// The kinds of series.
const (
	// SeriesValue is an independent measurement at each sample: points or a step line.
	SeriesValue SeriesKind = iota
	// SeriesGauge is a running average or another figure of which only the newest counts; its history is of interest, its mean is not.
	SeriesGauge
	// SeriesCounter is a running total that only grows; its rate (difference by time) is of interest.
	SeriesCounter
	// SeriesState is one of a few named states that holds until the next sample: a band. The value is the index in SeriesDef.States (or the number itself
	// where there are no names: a processor).
	SeriesState
	// SeriesEvent is something that happened at an instant: rate and histogram over time are of interest. The value is its weight (bytes of a buffer),
	// or 1.
	SeriesEvent
)

// SeriesRole says what a series means to the charts that bring series together; most series have none.
type SeriesRole uint8

// The roles of series.
const (
	RoleNone      SeriesRole = iota
	RoleFlow                 // one sample for each buffer that went from Object to Peer; the value is its size in bytes
	RoleLatency              // ns that something took at Object, or from Object to Peer
	RoleReported             // latency that Object claims, ns
	RoleState                // state of Object over time
	RoleCPULoad              // share of a processor that Track (or, without a track, the process) used: 1 is one processor, full
	RoleCPUTime              // CPU time of Track or of the process, ns, growing
	RoleProcessor            // which processor Track ran on: a band under the track
	RoleRefCount             // reference count of a Resource
	RoleStack                // one sample of a sampling profiler: the value is the PathID of the innermost frame
	RoleActivity             // something happened at Object (event, query, message); not a flow
)

// SeriesDef defines, or defines again, a series. It is a Change.
type SeriesDef struct {
	ID   SeriesID
	Name string // short, of the thing that is measured on: "fakesink0.sink", "queue0"
	// Group is what is measured; series of one group have one unit, mean the same and may share a chart: "latency", "thread-rusage current-cpuload".
	Group       string
	Description string // a sentence for labels and tooltips, may be empty
	Kind        SeriesKind
	Role        SeriesRole
	// Unit of the values: "ns", "B", "%", "" for plain numbers, or any other word. Values are converted to these units by the decoder.
	Unit string
	// Min and Max bound the values when HasRange is set: limits of axis and gauge.
	Min, Max float64
	HasRange bool
	Track    TrackID  // the track that it belongs to, or NoTrack
	Object   ObjectID // the object that it belongs to, or NoObject
	Peer     ObjectID // the other end, for what goes from Object to Peer, or NoObject
	States   []string // names of the states of a SeriesState
}

// Sample is one value of a series. A value of NaN marks a gap: from here on until the next sample nothing is known.
type Sample struct {
	Series SeriesID
	Time   int64 // ns
	Value  float64
}

// SeriesBin summarises the samples of one part of a range, [Begin, End).
type SeriesBin struct {
	Begin, End int64
	N          int64   // samples with a value
	Gaps       int64   // samples that mark a gap
	Min, Max   float64 // of the values, 0 without one
	Sum        float64
	First      float64 // the first and last value in the bin
	Last       float64
	// Before is the value in force at Begin, and HasBefore tells whether there is one (it is false at the beginning of a series and within a gap).
	Before    float64
	HasBefore bool
}

// SeriesStats summarises the samples of a series in a range.
type SeriesStats struct {
	N, Gaps             int64
	Sum, Min, Mean, Max float64
	StdDev              float64
	P50, P90, P95, P99  float64
	First, Last         float64
	FirstTime, LastTime int64
	// Rate is, per second: of a SeriesCounter the growth between the first and the last sample by the time between them; of a SeriesEvent the sum of the values by the
	// length of the range; of others 0.
	Rate float64
}

// Series is one stored series.
type Series struct {
	Def SeriesDef

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

// At returns the sample in force at a time: the newest with Time <= timeNs, be it one that left memory last. ok is false when there is none or it marks a gap. Cost: O(log samples).
func (s *Series) At(timeNs int64) (sample Sample, ok bool) {
	sample, ok = s.data.at(timeNs)
	sample.Series = s.Def.ID
	return sample, ok
}

// Nearest returns the sample with a value whose time is nearest to timeNs, of equally near ones the earlier; ok is false when there is none within slopNs. Cost: O(log samples).
func (s *Series) Nearest(timeNs, slopNs int64) (sample Sample, ok bool) {
	sample, ok = s.data.nearest(timeNs, slopNs)
	sample.Series = s.Def.ID
	return sample, ok
}

// Samples appends the samples in [t0, t1), at most limit of them (0: no limit), in order of time.
func (s *Series) Samples(t0, t1 int64, limit int, out []Sample) []Sample {
	return s.data.samples(s.Def.ID, t0, t1, limit, out)
}

// Stats summarises the samples in [t0, t1). Percentiles are exact up to 65,536 samples and within 1 % beyond. Cost: O(log samples), and for the percentiles
// O(65,536) at most, except that the first question for many samples makes histograms of all of them.
func (s *Series) Stats(t0, t1 int64) SeriesStats { return s.data.stats(s.Def.Kind, t0, t1) }
