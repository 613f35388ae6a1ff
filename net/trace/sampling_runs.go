// The sampling files turn stack samples, in order of time, into model data of a sampled thread: the
// samples themselves, and runs. A run is a span of neighbouring samples with the same callers.

package trace

import (
	"math"
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
	depthBytes   = 64  // by a call that is open,
	rowBytes     = 480 // and by its row in the session
	sureDepth    = 64  // frames for which there is always room
)

// StackWriter writes the samples and the calls of a session's threads to a sink, while they come. It hands out the ids
// of series. Whenever somebody flushes, the session becomes the same: only what goes on is cut into more pieces.
type StackWriter struct {
	sink      feed.Sink
	names     *Table
	bad       *Diagnostics
	selfTimes SelfTimes // of a frame
	room      *feed.Names
	threads   []*StackThread
	series    model.SeriesID
	stopped   bool
}

// NewStackWriter returns a writer of call paths of a table, which counts malformed samples in bad.
func NewStackWriter(names *Table, bad *Diagnostics) *StackWriter {
	return &StackWriter{sink: names.sink, names: names, room: names.room, bad: bad}
}

// StackThread writes the samples of one thread, or its calls.
type StackThread struct {
	w       *StackWriter
	track   model.TrackID
	series  model.SeriesID
	weights []model.SeriesID // the number of samples, and what else they stand for; nil: for their time
	depth   int              // for which there is room
	open    []run            // of the newest sample, the outermost first
	spans   []model.Span
	args    []model.Arg  // of the spans
	mixed   bool         // spans or args are not in order: a call of no length was followed by its caller's neighbour
	rest    []model.Span // scratch
	rested  []model.Arg  // likewise
	stack   []model.PathID
	samples []model.Sample
	notes   []model.Message
	locks   []model.LockEvent
	last    int64
	any     bool
	certain bool // spans are calls
	kept    bool // the data of a frame that goes on were published: they will be once more
	framed  framed
}

// run is a span that goes on.
type run struct {
	path model.PathID
	at   int // position among the spans
	more int // calls in it that are a part of it
}

// Thread defines the series of a track's samples, by the name of its thread, and returns what writes
// them.
func (w *StackWriter) Thread(track model.TrackID, name string) *StackThread {
	t := &StackThread{w: w, track: track, depth: sureDepth, series: w.series}
	w.threads = append(w.threads, t)
	w.series++
	t.Rename(name)
	return t
}

// Rename gives the series of the samples another name of the thread.
func (t *StackThread) Rename(name string) {
	t.w.sink.Define(model.SeriesDef{
		ID: t.series, Track: t.track, Object: model.NoObject, Peer: model.NoObject,
		Name: name, Group: "samples", Kind: model.SeriesEvent, Role: model.RoleStack,
		Description: "samples of the thread's stack",
	})
}

// Calls returns a writer for a track with recorded calls instead of samples.
func (w *StackWriter) Calls(track model.TrackID) *StackThread {
	t := &StackThread{w: w, track: track, depth: sureDepth, certain: true, last: math.MinInt64}
	w.threads = append(w.threads, t)
	return t
}

// Path is the call path of the innermost call that goes on.
func (t *StackThread) Path() model.PathID {
	if n := len(t.open); n > 0 {
		return t.open[n-1].path
	}
	return model.PathRoot
}

// Enter takes the begin of a call inside those that go on, by its call path. It is a part of its caller where there is
// no room for it, or for a call path of its own. Times go up.
func (t *StackThread) Enter(at int64, path model.PathID, flags model.SpanFlags, args ...model.Arg) {
	at = max(at, t.last)
	t.pass(at, true)
	n := len(t.open)
	if n > 0 && t.open[n-1].path == path || n == t.depth && !t.takeDepth(n+1) {
		t.open[n-1].more++
		return
	}
	t.flushFull()
	t.last = at
	t.begin(path, at, flags)
	for _, a := range args {
		a.Span = int32(len(t.spans) - 1)
		t.args = append(t.args, a)
	}
}

// Arg gives the innermost call that goes on another argument.
func (t *StackThread) Arg(a model.Arg) {
	n := len(t.open) - 1
	if n < 0 || t.open[n].more > 0 {
		return
	}
	a.Span = int32(t.open[n].at)
	last := len(t.args) - 1
	t.mixed = t.mixed || last >= 0 && t.args[last].Span > a.Span
	t.args = append(t.args, a)
}

// takeDepth reports whether there is room for more calls inside each other, and counts it where there is none.
func (t *StackThread) takeDepth(depth int) bool {
	if depth > MaxDepth || !t.w.room.Take(int64(depth-t.depth)*(depthBytes+rowBytes)) {
		t.w.bad.Bad(DeepStack, Unknown)
		return false
	}
	t.depth = depth
	return true
}

// Leave ends the innermost call. cut marks a call with an unknown end. What ends with a frame is in that.
func (t *StackThread) Leave(at int64, cut bool) {
	at = max(at, t.last)
	t.pass(at-1, false)
	t.last = at
	n := len(t.open) - 1
	switch {
	case n < 0:
	case t.open[n].more > 0:
		t.open[n].more--
	default:
		s := &t.spans[t.open[n].at]
		if s.End = at; cut {
			s.Flags |= model.SpanOpenEnd
		}
		t.open = t.open[:n]
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

// Lock takes an event of a lock.
func (t *StackThread) Lock(e model.LockEvent) {
	t.locks = append(t.locks, e)
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
	t.pass(at, true)
	stack = t.distinct(stack)
	if len(stack) > t.depth && !t.takeDepth(len(stack)) {
		stack = stack[:t.depth]
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

// facts is how many data wait besides spans.
func (t *StackThread) facts() int { return len(t.samples) + len(t.notes) + len(t.locks) }

func (t *StackThread) flushFull() {
	if len(t.spans) >= flushSpans+4*len(t.open) || t.facts() >= flushSamples {
		t.flush()
	}
}

// Weighs says what the samples to come stand for: for so many samples, or for their number and something else.
func (t *StackThread) Weighs(as WeightKind) {
	kinds := []WeightKind{{Name: model.WeightSamples}, as}
	if as.Name == model.WeightSamples {
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		t.weights = append(t.weights, t.Series(model.SeriesDef{
			Name: kind.Name, Unit: kind.Unit, Group: "samples", Kind: model.SeriesEvent, Role: model.RoleWeight,
			Description: "what samples of the thread's stack stand for",
		}))
	}
}

// Weigh takes the weight of the newest sample; it does nothing where samples stand for their time alone.
func (t *StackThread) Weigh(v float64) {
	for i, id := range t.weights {
		if i < len(t.weights)-1 {
			t.Value(model.Sample{Series: id, Time: t.last, Value: 1})
		} else {
			t.Value(model.Sample{Series: id, Time: t.last, Value: v})
		}
	}
}

// Stop ends the newest sample: from then on, until the next, nothing is known of the thread.
func (t *StackThread) Stop(at int64) {
	at = max(at, t.last)
	t.pass(at, false)
	t.end(0, at)
	t.last = at
}

// begin begins a run inside all that are open. So spans are in order of (Begin, Lane), but for calls of no length.
func (t *StackThread) begin(path model.PathID, at int64, flags model.SpanFlags) {
	if !t.certain {
		flags |= model.SpanUncertain
	}
	n := len(t.spans)
	t.mixed = t.mixed || n > 0 && t.spans[n-1].Begin == at && int(t.spans[n-1].Lane) > len(t.open)
	t.spans = append(t.spans, model.Span{Begin: at, End: at, Path: path, Lane: uint16(len(t.open)), Flags: flags})
	t.open = append(t.open, run{path, len(t.spans) - 1, 0})
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
	for _, o := range t.open {
		s := &t.spans[o.at]
		s.End, s.Flags = t.last, s.Flags|model.SpanOpenEnd
	}
	if f != nil || len(t.spans)+t.facts() > 0 && !t.w.stopped {
		b := t.w.sink.Begin()
		b.Track = t.track
		b.Begin, b.End = t.last, t.last
		t.moveSpans(b)
		if len(b.Spans) > 0 {
			b.Begin = b.Spans[0].Begin
		}
		if f != nil {
			b.HasFrame, b.Open, b.Number, b.Begin, b.End, b.Bytes = !f.Open, f.Open, f.Number, f.Begin, f.End, f.Bytes
			b.Self, b.Rewind = t.w.selfTimes.Whole(b.Self, b.Spans, f.Begin, f.End, t.w.names), t.kept
		} else if l := t.framed.list; l != nil && len(l.List) > 0 {
			t.w.bad.BadN(OutsideFrames, begun(b.Spans), Unknown)
		}
		b.Samples = append(b.Samples, t.samples...)
		b.Messages = append(b.Messages, t.notes...)
		b.Locks = append(b.Locks, t.locks...)
		if f != nil || len(b.Spans)+t.facts() > 0 {
			t.w.stopped = !t.w.sink.Publish(b)
		}
	}
	if t.kept = f != nil && f.GoesOn; !t.kept {
		t.reopen()
	}
}

// moveSpans puts the spans with their arguments into a batch. A run in one sample only, at the time of the next, has no
// length, and is left out; so is a call that begins where all is published: it will begin with the next data.
func (t *StackThread) moveSpans(b *model.Batch) {
	if t.mixed {
		slices.SortStableFunc(t.args, func(a, b model.Arg) int { return int(a.Span - b.Span) })
	}
	open, args, kept := 0, t.args, t.rested[:0]
	list := t.spans
	if t.certain && len(t.open) == 0 {
		b.Spans, b.Args = append(b.Spans, t.spans...), append(b.Args, t.args...)
		list, args = nil, nil
	}
	for i, s := range list {
		goesOn := open < len(t.open) && t.open[open].at == i
		if goesOn {
			open++
		}
		shown := s.End > s.Begin || t.certain && !goesOn
		if shown {
			b.Spans = append(b.Spans, s)
		}
		for ; len(args) > 0 && int(args[0].Span) == i; args = args[1:] {
			a := args[0]
			if a.Span = int32(len(b.Spans) - 1); shown {
				b.Args = append(b.Args, a)
				continue
			}
			a.Span = int32(open - 1)
			kept = append(kept, a)
		}
	}
	t.rested = kept
	if t.mixed {
		Order(b.Spans, b.Args)
	}
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
	clear(t.args)
	t.args, t.rested = append(t.args[:0], t.rested...), t.rested[:0]
	open := t.open
	t.mixed = false
	t.spans, t.samples, t.notes, t.locks, t.open = t.spans[:0], t.samples[:0], t.notes[:0], t.locks[:0], t.open[:0]
	for i, s := range t.rest {
		more := open[i].more
		flags := s.Flags & (model.SpanContinues | model.SpanOpenBegin)
		if s.End > s.Begin {
			flags = model.SpanContinues
		}
		t.begin(s.Path, s.End, flags)
		t.open[i].more = more
	}
}

// Flush publishes the data of every thread, but frames that go on. It returns false when the sink accepts no more data.
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

// Flush publishes the data of a thread, with the frames that end until a time in ns. The reader promises that nothing
// before that time comes any more.
func (t *StackThread) Flush(at int64) {
	t.pass(at, false)
	if len(t.open) > 0 && !t.framed.inside {
		t.last = max(at, t.last)
	}
	t.flush()
}

// Close publishes the rest of a finished thread and frees its memory. It returns false when the sink accepts no more
// data.
func (t *StackThread) Close() bool {
	t.leave()
	t.flush()
	t.w.threads = slices.DeleteFunc(t.w.threads, func(o *StackThread) bool { return o == t })
	t.w.room.Give(int64(t.depth-sureDepth) * depthBytes)
	t.depth, t.spans, t.args, t.rest, t.samples, t.notes, t.locks = sureDepth, nil, nil, nil, nil, nil, nil
	return !t.w.stopped
}

// Cancelled reports whether nobody wants any more.
func (w *StackWriter) Cancelled() bool { return w.stopped }
