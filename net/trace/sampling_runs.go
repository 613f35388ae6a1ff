// The sampling files turn stack samples, in order of time, into model data of a sampled thread: the
// samples themselves, and runs. A run is a span of neighbouring samples with the same callers.

package trace

import (
	"slices"

	"framescope/model"
	"framescope/net/feed"
)

// Limits of a track.
const (
	MaxDepth = 4000 // frames of a stack; the innermost are left out
	maxRows  = 4000 // of spans; the store has room for 4,096

	flushSpans   = 4096
	flushSamples = 4 * flushSpans
	threadBytes  = 2 << 10 // by a thread besides its track
	depthBytes   = 64      // by a frame that is open
	sureDepth    = 64      // frames for which there is always room
)

// StackWriter writes the samples of a session's threads to a sink. It hands out the ids of series.
type StackWriter struct {
	// Refused counts frames that there was no room for.
	Refused int64

	sink    feed.Sink
	room    *feed.Names
	threads []*StackThread
	series  model.SeriesID
	stopped bool
}

// NewStackRuns returns a writer. The account is the caller's to close.
func NewStackRuns(sink feed.Sink, room *feed.Names) *StackWriter {
	return &StackWriter{sink: sink, room: room}
}

// StackThread writes the samples of one thread.
type StackThread struct {
	w       *StackWriter
	track   model.TrackID
	series  model.SeriesID
	depth   int
	open    []run // of the newest sample, the outermost first
	spans   []model.Span
	rest    []model.Span // scratch
	stack   []model.PathID
	samples []model.Sample
	notes   []model.Message
	last    int64
	any     bool
	certain bool // spans are calls
	framed  framed
}

// run is a span that goes on.
type run struct {
	path model.PathID
	at   int // position among the spans
}

// Thread defines the series of a track's samples, by the name of its thread, and returns what writes
// them.
func (w *StackWriter) Thread(track model.TrackID, name string) *StackThread {
	t := &StackThread{w: w, track: track, depth: sureDepth}
	w.threads = append(w.threads, t)
	t.series = t.Series(model.SeriesDef{
		Name: name, Group: "samples", Kind: model.SeriesEvent, Role: model.RoleStack,
		Description: "samples of the thread's stack",
	})
	return t
}

// Calls returns a writer for a track with recorded calls instead of samples.
func (w *StackWriter) Calls(track model.TrackID) *StackThread {
	t := &StackThread{w: w, track: track, depth: sureDepth, certain: true}
	w.threads = append(w.threads, t)
	return t
}

// Enter takes the begin of a call inside those that go on, by its call path. It is false where there is
// no room for it, or it has that of its caller, as there is no room for its own. Times go up.
func (t *StackThread) Enter(at int64, path model.PathID) bool {
	if n := len(t.open); n > 0 && t.open[n-1].path == path {
		return false
	}
	if len(t.open) == t.depth {
		if t.depth == MaxDepth || !t.w.room.Take(depthBytes) {
			t.w.Refused++
			return false
		}
		t.depth++
	}
	t.last = max(at, t.last)
	t.begin(path, t.last, 0)
	t.flushFull()
	return true
}

// Leave ends the innermost call. cut marks a call with an unknown end.
func (t *StackThread) Leave(at int64, cut bool) {
	t.last = max(at, t.last)
	if n := len(t.open); n > 0 {
		if cut {
			t.spans[t.open[n-1].at].Flags |= model.SpanOpenEnd
		}
		t.end(n-1, t.last)
	}
}

// Series defines another series of the thread, and returns its id.
func (t *StackThread) Series(def model.SeriesDef) model.SeriesID {
	def.Track = t.track
	return t.w.Series(def)
}

// Series defines a series that is of no thread, or of the one that it names, and returns its id.
func (w *StackWriter) Series(def model.SeriesDef) model.SeriesID {
	def.ID, def.Object, def.Peer = w.series, model.NoObject, model.NoObject
	w.series++
	w.sink.Define(def)
	return def.ID
}

// Value takes a value of another series of the thread.
func (t *StackThread) Value(s model.Sample) {
	t.samples = append(t.samples, s)
	t.flushFull()
}

// Note takes a message.
func (t *StackThread) Note(m model.Message) {
	t.notes = append(t.notes, m)
	t.flushFull()
}

// Last is the time of the newest sample, or of the stop after it.
func (t *StackThread) Last() int64 { return t.last }

// Sample takes a sample: the call paths of its frames, the outermost first, each below the one
// before. It is empty where the thread was idle: that is a sample, too. Times go up: what comes late
// counts as of the newest time.
func (t *StackThread) Sample(at int64, stack []model.PathID) {
	if t.any {
		at = max(at, t.last)
	}
	t.pass(at)
	stack = t.distinct(stack)
	if extra := len(stack) - t.depth; extra > 0 {
		if len(stack) <= MaxDepth && t.w.room.Take(int64(extra)*depthBytes) {
			t.depth = len(stack)
		} else {
			stack = stack[:t.depth]
			t.w.Refused++
		}
	}
	shared := 0
	for shared < len(t.open) && shared < len(stack) && t.open[shared].path == stack[shared] {
		shared++
	}
	t.end(shared, at)
	for _, p := range stack[shared:] {
		t.begin(p, at, 0)
	}
	inner := model.PathRoot
	if len(stack) > 0 {
		inner = stack[len(stack)-1]
	}
	t.samples = append(t.samples, model.Sample{Series: t.series, Time: at, Value: float64(inner)})
	t.last, t.any = at, true
	t.flushFull()
}

// distinct leaves out the calls of a stack that count for their callers, as there is no room for their own
// call paths: each would have the time of its caller once more.
func (t *StackThread) distinct(stack []model.PathID) []model.PathID {
	for i := 1; i < len(stack); i++ {
		if stack[i] == stack[i-1] {
			t.stack = slices.Compact(append(t.stack[:0], stack...))
			return t.stack
		}
	}
	return stack
}

func (t *StackThread) flushFull() {
	if len(t.spans) >= flushSpans || len(t.samples)+len(t.notes) >= flushSamples {
		t.flush()
	}
}

// Stop ends the newest sample: from then on, until the next, nothing is known of the thread.
func (t *StackThread) Stop(at int64) {
	at = max(at, t.last)
	t.pass(at)
	t.end(0, at)
	t.last = at
}

// begin begins a run inside all that are open. So spans are in order of (Begin, Lane).
func (t *StackThread) begin(path model.PathID, at int64, flags model.SpanFlags) {
	if !t.certain {
		flags |= model.SpanUncertain
	}
	t.spans = append(t.spans, model.Span{Begin: at, End: at, Path: path, Lane: uint16(len(t.open)), Flags: flags})
	t.open = append(t.open, run{path, len(t.spans) - 1})
}

// end ends the runs from a depth on.
func (t *StackThread) end(depth int, at int64) {
	for _, o := range t.open[min(depth, len(t.open)):] {
		t.spans[o.at].End = at
	}
	t.open = t.open[:min(depth, len(t.open))]
}

// flush publishes all data, open runs up to the newest sample; but no part of a frame.
func (t *StackThread) flush() {
	if !t.waits() {
		t.publish(nil)
	}
}

// publish publishes all data, as a frame or in none.
func (t *StackThread) publish(f *StackFrame) {
	open := 0
	for _, o := range t.open {
		s := &t.spans[o.at]
		s.End, s.Flags = t.last, s.Flags|model.SpanOpenEnd
	}
	if f != nil || len(t.spans)+len(t.samples)+len(t.notes) > 0 && !t.w.stopped {
		b := t.w.sink.Begin()
		b.Track = t.track
		b.Begin, b.End = t.last, t.last
		for i, s := range t.spans {
			goesOn := open < len(t.open) && t.open[open].at == i
			if goesOn {
				open++
			}
			// A run in one sample only, at the time of the next, has no length; calls may have none.
			if s.End > s.Begin || t.certain && !goesOn {
				b.Spans = append(b.Spans, s)
			}
		}
		if len(b.Spans) > 0 {
			b.Begin = b.Spans[0].Begin
		}
		if f != nil {
			b.HasFrame, b.Open, b.Number, b.Begin, b.End = !f.Open, f.Open, t.framed.number, f.Begin, f.End
			b.Self = t.framed.alone.Whole(b.Self, b.Spans, f.Begin, f.End, t.framed.of)
		} else if t.framed.any {
			t.framed.loose += begun(b.Spans)
		}
		b.Samples = append(b.Samples, t.samples...)
		b.Messages = append(b.Messages, t.notes...)
		if f != nil || len(b.Spans)+len(b.Samples)+len(b.Messages) > 0 {
			t.w.stopped = !t.w.sink.Publish(b)
		}
	}
	t.reopen()
}

// begun is how many spans are no rest of others.
func begun(spans []model.Span) (n int64) {
	for i := range spans {
		if spans[i].Flags&model.SpanContinues == 0 {
			n++
		}
	}
	return n
}

// reopen begins the open runs anew, behind the published data.
func (t *StackThread) reopen() {
	t.rest = t.rest[:0]
	for _, o := range t.open {
		t.rest = append(t.rest, t.spans[o.at])
	}
	t.spans, t.samples, t.notes, t.open = t.spans[:0], t.samples[:0], t.notes[:0], t.open[:0]
	for _, s := range t.rest {
		flags := s.Flags & model.SpanContinues
		if s.End > s.Begin {
			flags = model.SpanContinues
		}
		t.begin(s.Path, s.End, flags)
	}
}

// Flush publishes the data of every thread. It returns false when the sink accepts no more data.
func (w *StackWriter) Flush() bool {
	for _, t := range w.threads {
		t.flush()
	}
	return !w.stopped
}

// Close publishes the rest. Runs that go on end with the newest sample of their thread.
func (w *StackWriter) Close() bool {
	for _, t := range w.threads {
		t.leave()
	}
	return w.Flush()
}

// Close publishes the rest of a finished thread and frees its memory. It returns false when the sink
// accepts no more data.
func (t *StackThread) Close() bool {
	t.leave()
	t.flush()
	t.w.threads = slices.DeleteFunc(t.w.threads, func(o *StackThread) bool { return o == t })
	t.w.room.Give(int64(t.depth-sureDepth) * depthBytes)
	t.depth, t.spans, t.rest, t.samples, t.notes = sureDepth, nil, nil, nil, nil
	return !t.w.stopped
}

// Cancelled reports whether nobody wants any more.
func (w *StackWriter) Cancelled() bool { return w.stopped }
