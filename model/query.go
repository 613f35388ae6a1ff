package model

// SpanRef points at a stored span. It stays valid until the next Append.
type SpanRef struct {
	Track TrackID
	Lane  uint16
	Index int64 // position in the lane, 0 the oldest ever stored (evicted ones keep their numbers)
}

// Bar is what a timeline draws in a lane: one span, or several that are too dense to be told apart.
type Bar struct {
	Begin, End int64
	Path       PathID      // of the span, or of the dominant one
	Collector  CollectorID // of Path
	Count      int32       // spans merged into this bar, 1 for a plain span
	Busy       float32     // share of [Begin, End] that is covered by spans, 1 for a plain span
	Flags      SpanFlags
	Ref        SpanRef // the span, or the first of the merged ones
}

// VisibleSpans appends to out the bars of one lane that touch [t0, t1], in time order. Spans shorter than minNs are merged with their neighbours into
// bars of about minNs (at least); merging is anchored to multiples of minNs so that panning does not change it. Cost: O(bars · log n), whatever n is.
func (s *Session) VisibleSpans(track TrackID, lane int, t0, t1, minNs int64, out []Bar) []Bar {
	return out
}

// SpanAt returns the span of a lane that covers timeNs or else the nearest one within slopNs.
func (s *Session) SpanAt(track TrackID, lane int, timeNs, slopNs int64) (Bar, bool) {
	return Bar{}, false
}

// SpanByRef returns the span that a reference points at.
func (s *Session) SpanByRef(r SpanRef) (Bar, bool) { return Bar{}, false }

// NextSpan returns the next (dir > 0) or previous (dir < 0) span of the same collector on the track, by begin time, from timeNs on (exclusive).
func (s *Session) NextSpan(track TrackID, c CollectorID, timeNs int64, dir int) (Bar, bool) {
	return Bar{}, false
}

// FlameNode is one call path in a flame tree.
type FlameNode struct {
	Path      PathID
	Collector CollectorID
	Parent    int32 // index of the parent node, -1 for the outermost
	Depth     int32
	Total     int64 // ns inside, callees included
	Self      int64 // ns inside, callees excluded
	Count     int64 // spans
}

// FlameTree is the dynamic call tree of a range. Nodes are in depth-first order, siblings in ascending collector id (pstats-viewer section 10.2).
type FlameTree struct {
	Nodes  []FlameNode
	Total  int64 // sum over the outermost nodes
	Frames int64 // received frames that begin in the range, for averages
}

// FlameTree fills out with the call tree of [t0, t1) over the given tracks; spans are cut at the range's edges. out's capacity is reused.
// Cost: O(call paths · log n) plus the two edge blocks.
func (s *Session) FlameTree(tracks []TrackID, t0, t1 int64, out *FlameTree) {}

// Run is one bar of a piano roll.
type Run struct {
	Collector  CollectorID
	Begin, End int64
	Flags      SpanFlags
}

// PianoRuns appends to out the runs of every collector in a frame, nested starts of the same collector merged (pstats-viewer section 12), ordered by collector
// (descending sort, ties by descending id), then by time. Times are cut to the frame.
func (s *Session) PianoRuns(track TrackID, frame int, out []Run) []Run { return out }

// AloneTimes appends the exclusive times of a frame, ascending by collector.
func (s *Session) AloneTimes(track TrackID, frame int, out []CollectorTime) []CollectorTime {
	return out
}

// FrameLevels appends the levels of a frame, ascending by collector, the last of each.
func (s *Session) FrameLevels(track TrackID, frame int, out []Level) []Level { return out }

// StripMode says how frames become the columns of a strip chart.
type StripMode uint8

const (
	// StripHold shows in each column the newest frame that began by then (pstats-viewer section 9.2).
	StripHold StripMode = iota
	// StripMax shows in each column the frame with the greatest net value of those that begin in it, so that no spike hides.
	StripMax
	// StripSmooth shows the time-weighted mean of the last SmoothNs (pstats-viewer section 9.3, intended).
	StripSmooth
)

// StripQuery asks for the bands of a strip chart.
type StripQuery struct {
	Track    TrackID
	Focus    CollectorID
	Levels   bool // counter values instead of times
	T0, T1   int64
	Columns  int
	Mode     StripMode
	SmoothNs int64 // 0 means 3 s
}

// Strip is the answer: Columns × len(Bands) values. The buffers are reused from call to call.
type Strip struct {
	// Bands are stacked from the bottom: the children of the focus in descending sort, then the focus itself (its own alone value).
	Bands   []CollectorID
	Values  []float32 // [column*len(Bands)+band]: seconds, or the levels' unit
	Columns []StripColumn
	Max     float64 // greatest column net
}

// StripColumn says what a column shows.
type StripColumn struct {
	Frame  int32 // index of the frame shown, -1 none
	Frames int32 // frames that begin in this column
	Net    float32
	State  ColumnState
}

// ColumnState says whether a column shows received data.
type ColumnState uint8

const (
	ColumnEmpty ColumnState = iota // before the first frame, or nothing received at all
	ColumnData
	ColumnMissing // inside a gap: values are interpolated between the neighbours
)

// StripChart answers q into out.
func (s *Session) StripChart(q StripQuery, out *Strip) {}

// FrameStrip returns what a strip chart stacks for one frame: bands with their net values (out is reused), and their sum. Times are seconds (pstats-viewer 9.1, 4, 5).
func (s *Session) FrameStrip(track TrackID, frame int, focus CollectorID, levels bool, out []Band) (bands []Band, net float64) {
	return out, 0
}

// Band is one collector's share of a strip chart's frame.
type Band struct {
	Collector CollectorID
	Value     float64
	Count     int32
}

// FrameBar is one column of the frame strip: the frames of a track, 2^n merged.
type FrameBar struct {
	First, Count int32 // frame indices
	Worst        int32 // index of the longest
	WorstNs      int64
	Missing      int64 // frames missing directly before First or inside the run
}

// FrameBars appends one bar for each run of `merge` frames from index first on, at most n bars.
func (s *Session) FrameBars(track TrackID, first, merge, n int, out []FrameBar) []FrameBar {
	return out
}

// Stats summarises one collector over a run of frames. Times in seconds, or the levels' unit.
type Stats struct {
	Collector              CollectorID
	Frames                 int64 // frames in the range
	Present                int64 // frames in which it occurred
	Count                  int64 // starts in total
	Sum, Mean, Min, Median float64
	P95, P99, Max          float64
	MaxFrame               int64 // number of the frame with the greatest value
	AloneMean              float64
}

// CollectorStats returns the statistics of the net value of a collector over the received frames with index [first, last] of a track; frames without it count as 0.
func (s *Session) CollectorStats(track TrackID, c CollectorID, levels bool, first, last int) Stats {
	return Stats{}
}

// AllStats appends the statistics of every collector with data (times or levels) in the range, ascending by id.
func (s *Session) AllStats(track TrackID, levels bool, first, last int, out []Stats) []Stats {
	return out
}

// SlowestFrames appends the indices of the n longest frames of a track in [first, last], longest first.
func (s *Session) SlowestFrames(track TrackID, first, last, n int, out []int) []int { return out }
