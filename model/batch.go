package model

import (
	"math"
	"slices"
	"unsafe"
)

// Batch is the unit that flows from a decoder to the store: one decoded frame of one track, or,
// from sources without frames, a run of spans, counters and messages of one track. It is immutable
// once published. Decoders fill a recycled batch (see feed.Sink), so its slices keep their
// capacity.
type Batch struct {
	// Track is the track of all that follows. NoTrack is allowed for a batch that carries Samples
	// only.
	Track TrackID

	// HasFrame means that the batch is one whole frame. Number is then its number, [Begin, End] its
	// time.
	HasFrame   bool
	Number     int64
	Begin, End int64

	// Open means that the batch, which has no frame then, is the received part of the frame Number: it
	// began at Begin and went on at End, and its end is unknown. It is shown, but in no statistic. A later
	// frame of the track replaces it.
	Open bool

	// Rewind makes the store remove, before appending, every frame of this track with a number >=
	// Number, with its spans, totals and levels (a late or repeated frame arrived: the decoder
	// publishes it and then all later ones again). Messages and lock events that came with these
	// frames go too; those of batches without a frame stay. The newest 256 frames or more are removed
	// exactly; deeper, spans are cut by time. A batch without a frame may rewind, too: it removes the
	// frames from Number on and adds none.
	Rewind bool

	// Anew makes the store remove, before appending, the samples of the track's stacks and their
	// weights (SeriesRole.OfStacks): those of this batch replace them.
	Anew bool

	// Spans are in order of (Begin, Lane). Within one lane they never overlap, nor do they overlap
	// earlier spans of the lane, except for a span with SpanContinues or SpanMoves, which extends
	// the lane's last span instead of adding one (one span across frame borders is one span).
	Spans []Span
	// Rows are further spans, by lane and in order of lanes, for a sink that takes them (feed.TakesRows);
	// of a lane all spans are here or in Spans.
	Rows []RowRun
	// Args are arguments of Spans, ascending by Span; of two with one key the last one holds. Those of
	// a span that continues another belong to that.
	Args []Arg
	// Self is the self time of each collector in this frame: the innermost running one is charged.
	// (The official PStats viewer charges the one that was started last, VIEWER.md section 4.1;
	// report --compat does so, too.) It is sparse, ascending by collector.
	Self []CollectorTime
	// Levels are the counter values of this frame (or instants), in order of time.
	Levels []Level
	// Messages and lock events of the track, and samples of series (of any track or none), in order of
	// time or nearly so: late ones are put in their place among the newest 1,024 messages and 512 lock
	// events of their track and the newest 4,096 samples of their series; older ones are refused and
	// counted as LossLate. Samples are stored whether the batch is a frame or not, and a rewind does
	// not remove them.
	Messages []Message
	Locks    []LockEvent
	Samples  []Sample
	// Flows are the arrows that end on the track, in order of To or nearly so, as messages are.
	Flows []Flow

	// Bytes is the size on the wire or in the file, for the loss and cost panels.
	Bytes int

	rows []Row // room for Rows
}

// Reset empties b and keeps the capacity of its slices. Field by field, as it is called for each
// frame: a whole Batch would be put together elsewhere and copied.
func (b *Batch) Reset() {
	b.Track, b.HasFrame, b.Number, b.Begin, b.End, b.Rewind, b.Anew, b.Bytes = 0, false, 0, 0, 0, false, false, 0
	b.Open = false
	b.Spans, b.Rows, b.Self, b.Levels = b.Spans[:0], b.Rows[:0], b.Self[:0], b.Levels[:0]
	b.Messages, b.Locks, b.Samples = b.Messages[:0], b.Locks[:0], b.Samples[:0]
	b.Flows = b.Flows[:0]
	b.Args = b.Args[:0]
}

// Earliest returns the earliest time of the track's data, MaxTime if there is none.
func (b *Batch) Earliest() int64 {
	begin := int64(MaxTime)
	if len(b.Spans) > 0 {
		begin = ClampTime(b.Spans[0].Begin)
	}
	for i := range b.Rows {
		begin = min(begin, ClampTime(b.Rows[i].FirstBegin()))
	}
	if len(b.Levels) > 0 {
		begin = min(begin, ClampTime(b.Levels[0].Time))
	}
	for i := range b.Messages {
		begin = min(begin, ClampTime(b.Messages[i].Time))
	}
	for i := range b.Locks {
		begin = min(begin, ClampTime(b.Locks[i].Time))
	}
	for i := range b.Flows {
		begin = min(begin, ClampTime(b.Flows[i].To))
	}
	if b.Open {
		begin = min(begin, ClampTime(b.Begin))
	}
	return begin
}

// Bounds returns the times of the batch's content, false if it has none.
func (b *Batch) Bounds() (begin, end int64, some bool) {
	if b.HasFrame || b.Open {
		return b.Begin, b.End, true
	}
	begin, end = math.MaxInt64, math.MinInt64
	at := func(from, to int64) { begin, end = min(begin, from), max(end, to+1) }
	for i := range b.Spans {
		at(b.Spans[i].Begin, b.Spans[i].End)
	}
	for i := range b.Rows {
		at(b.Rows[i].FirstBegin(), b.Rows[i].LastEnd())
	}
	for i := range b.Levels {
		at(b.Levels[i].Time, b.Levels[i].Time)
	}
	for i := range b.Messages {
		at(b.Messages[i].Time, b.Messages[i].Time)
	}
	for i := range b.Locks {
		at(b.Locks[i].Time, b.Locks[i].Time)
	}
	for i := range b.Flows {
		at(b.Flows[i].To, b.Flows[i].To)
	}
	for i := range b.Samples {
		at(b.Samples[i].Time, b.Samples[i].Time)
	}
	return begin, end, begin <= end
}

// SpanFlags marks uncertain or special properties of a span.
type SpanFlags uint8

const (
	// SpanOpenBegin marks a span that was running before Begin, but nothing was received of when it
	// began.
	SpanOpenBegin SpanFlags = 1 << iota
	// SpanOpenEnd marks a span that was still running when the data ended at End.
	SpanOpenEnd
	// SpanContinues marks a batch's span as the continuation of the last span of its lane (same path):
	// the store extends that one to End and takes over SpanOpenEnd from this one. If the lane's last
	// span is not that one (it has another path, or the batch's frame number does not follow the
	// track's last one), the store adds a span with SpanOpenBegin.
	SpanContinues
	// SpanUncertain marks a span with ends known only to a sampling interval.
	SpanUncertain
	// SpanMoves marks a batch's span as the rest of the last span of its lane, which from Begin on
	// counts for another call path: the span outlives its caller (overlap that is not nesting,
	// VIEWER.md section 10.1), and belongs to the caller's caller from then on. It stays one span
	// with the first Path; call trees have each part where it belongs.
	SpanMoves
)

// Span is one run of a collector on a track.
type Span struct {
	Begin, End int64 // ns, Begin <= End
	Path       PathID
	Lane       uint16 // row in the track, 0 is the outermost
	Flags      SpanFlags
}

// Row is a span of a lane without flags.
type Row struct {
	Begin, Ns uint32 // behind the begin of its run; how long it is
	Path      PathID
}

// MostRows bounds the rows of a batch.
const MostRows = 1 << 16

// RowRun is some spans of a lane, one at least: each begins where the one before it ends, or later.
type RowRun struct {
	Begin int64 // ns
	Lane  uint16
	Most  PathID // the greatest path
	Rows  []Row
}

// FirstBegin returns when the first of the spans begins.
func (r *RowRun) FirstBegin() int64 { return r.Begin + int64(r.Rows[0].Begin) }

// LastEnd returns when the last of the spans ends.
func (r *RowRun) LastEnd() int64 { return r.End(len(r.Rows) - 1) }

// End returns when a span ends.
func (r *RowRun) End(i int) int64 { return r.Begin + int64(r.Rows[i].Begin) + int64(r.Rows[i].Ns) }

// Span returns a span.
func (r *RowRun) Span(i int) Span {
	x := &r.Rows[i]
	return Span{Begin: r.Begin + int64(x.Begin), End: r.End(i), Path: x.Path, Lane: r.Lane}
}

// RoomForRows returns n rows for the batch's Rows, in place of those it had.
func (b *Batch) RoomForRows(n int) []Row {
	b.rows = slices.Grow(b.rows[:0], n)
	return b.rows[:n]
}

// RowBytes returns the size of the room for rows.
func (b *Batch) RowBytes() int64 {
	return int64(cap(b.rows))*int64(unsafe.Sizeof(Row{})) + int64(cap(b.Rows))*int64(unsafe.Sizeof(RowRun{}))
}

// NumSpans returns how many spans the batch has.
func (b *Batch) NumSpans() int {
	n := len(b.Spans)
	for i := range b.Rows {
		n += len(b.Rows[i].Rows)
	}
	return n
}

// CollectorTime is a collector's self time within one frame.
type CollectorTime struct {
	Collector CollectorID
	Ns        int64 // below zero only from a damaged file
	Count     int32 // number of starts
}

// Level is one value of a counter (PStats: "level").
type Level struct {
	Collector CollectorID
	Time      int64
	Value     float64
}

// Message is text at an instant of a track: a log line, a marker, a bookmark.
type Message struct {
	Time     int64
	Severity Severity
	Text     string
	Category string // the part of the program that logs: a debug category, a log channel; may be empty
	Object   string // the object it is about, in the words of the source; may be empty
}

// Severity is how grave a message is.
type Severity int8

// The severities of messages, ascending. SeverityInfo is the zero value: a plain log line, a mark.
const (
	SeverityTrace Severity = iota - 3
	SeverityLog
	SeverityDebug
	SeverityInfo
	SeverityFixme
	SeverityWarning
	SeverityError
)

// LockEvent is a step in the life of a named lock on a track.
type LockEvent struct {
	Time int64
	Lock CollectorID // locks are named like collectors
	Kind LockKind
}

// LockKind is the kind of an event of a lock.
type LockKind uint8

// The steps of a lock's life.
const (
	LockTry LockKind = iota
	LockAcquired
	LockReleased
	LockWait   // about to wait for a condition
	LockSignal // about to signal a condition
	LockWoken  // seen again after a wait: the wait had ended by now
)
