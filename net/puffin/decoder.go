package puffin

import (
	"fmt"
	"math"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	dataKey = "data"
	namesBy = 120 // after how many frames the names of what ran should have come
)

// The series of a session.
const (
	rangeSeries model.SeriesID = iota
	scopeSeries
)

// decoder turns frames into batches. A thread's part of a frame is what it closed in it, and lasts as long as that; the
// main thread's frames follow each other without a gap.
type decoder struct {
	sink    feed.Sink
	room    *feed.Names
	info    model.Info
	bad     *trace.Diagnostics
	names   *scopeNames
	threads map[string]*thread
	alike   map[string]int // threads of a name
	mainKey string
	main    *thread
	zero    int64 // the session's time 0
	timed   bool  // it is that of the recording
	at      int64 // the newest begin of a frame

	any       bool
	last      int64 // number of the frame before, as it is shown
	shift     int64 // from the program's numbers to those
	restarted int   // frames with a number no greater than the one before
	pending   pending
	coming    trace.StackFrame // of a thread, as it is read
	came      arrivals
	lines     *trace.StackWriter
	texts     trace.Texts
	cancelled bool
	told      bool // that names do not come
}

// thread is what the decoder knows of one.
type thread struct {
	line   *trace.StackThread
	number int64 // of the newest frame that came
	end    int64 // of its newest scope, on the program's clock
	next   int64 // the frame behind its newest one, as counted by came; 0: it has none
}

// pending is a frame of the main thread; the next frame gives its end.
type pending struct {
	trace.StackFrame // its end is that of its last scope
	any              bool
	shown            bool // it was published, as far as it went
}

func newDecoder(sink feed.Sink, room *feed.Names, info model.Info, s *survey, bad *trace.Diagnostics) *decoder {
	d := &decoder{
		sink: sink, room: room, info: info, bad: bad, threads: map[string]*thread{}, alike: map[string]int{},
		mainKey: s.main(), zero: s.times.first, timed: s.times.any,
	}
	d.came.credit = emptyCredit
	if const2001 := int64(1e18); d.zero > const2001 {
		d.info.ZeroAt.UnixNs = d.zero
	}
	sink.Define(d.info)
	d.names = newScopeNames(sink, room, bad)
	d.lines = trace.NewStackWriter(d.names.table, bad)
	sink.Define(model.SeriesDef{
		ID: rangeSeries, Name: "recorded range", Group: "recorded range", Unit: "ns", Track: model.NoTrack,
		Object: model.NoObject, Peer: model.NoObject,
		Description: "from the first to the last time of all scopes that came with a frame: what puffin calls its duration",
	})
	sink.Define(model.SeriesDef{
		ID: scopeSeries, Name: "scopes", Group: "scopes of a frame", Track: model.NoTrack,
		Object: model.NoObject, Peer: model.NoObject, Description: "how many scopes all threads closed in a frame",
	})
	for _, key := range s.keys() {
		d.thread(key)
	}
	return d
}

// thread returns the thread of a key, nil where there are too many.
func (d *decoder) thread(key string) *thread {
	if th := d.threads[key]; th != nil {
		return th
	}
	name := trace.Shown(nameIn(key))
	def := model.TrackDef{Name: name, Index: len(d.threads) + 1, Main: key == d.mainKey}
	if n := d.alike[name] + 1; name != "" && n > 1 {
		def.Name = fmt.Sprintf("%s (%d)", name, n)
	}
	id, ok := d.names.table.Track(key, def)
	if !ok {
		return nil
	}
	th := &thread{line: d.lines.Calls(id), number: -1, end: math.MinInt64}
	th.line.Frames(nil)
	d.alike[name]++
	if d.threads[key] = th; def.Main {
		d.main = th
	}
	return th
}

// since returns a time of the program as one of the session.
func (d *decoder) since(t int64) int64 {
	const most = model.MaxTime / 2
	return min(max(t-d.zero, -most), most)
}

// isAstray reports whether t lies too far from the recording.
func (d *decoder) isAstray(t int64) bool { return d.timed && isFar(t, d.zero) }

// read takes a record.
func (d *decoder) read(x *frameReader, rec *record) error {
	f, err := x.read(rec)
	if err != nil {
		d.bad.Explain(trace.BadFrame, rec.at, "%v", err)
	}
	if f != nil {
		d.take(rec, f)
	}
	if d.cancelled {
		return feed.ErrCancelled
	}
	return nil
}

// take takes a frame.
func (d *decoder) take(rec *record, f *frame) {
	for i := range f.defs {
		d.names.define(&f.defs[i])
	}
	number := d.number(f.number)
	bytes := rec.size
	for i := range f.threads {
		s := &f.threads[i]
		if len(s.data) == 0 {
			continue
		}
		switch th := d.thread(s.key); {
		case th == nil:
			d.bad.BadN(trace.ManyThreads, max(s.numScopes, 1), rec.at)
		case th.number == number: // it is there twice
			d.bad.BadN(trace.BadEvent, max(s.numScopes, 1), rec.at)
		default:
			th.number = number
			d.frame(th, number, rec, s, bytes)
			bytes = 0 // they count once
		}
	}
	if d.pending.any && d.pending.Number != number {
		d.begin(number, d.pending.End)
	}
	d.values(f, number, bytes)
}

// number returns the number that a frame is shown with.
func (d *decoder) number(n int64) int64 {
	number := n + d.shift
	if d.any && number <= d.last {
		d.restarted++
		number = d.last + 1
		d.shift = number - n
	}
	d.any, d.last = true, number
	return number
}

// values publishes what a frame says of itself.
func (d *decoder) values(f *frame, number int64, bytes int) {
	b := d.sink.Begin()
	b.Track, b.Bytes = model.NoTrack, bytes
	if !d.isAstray(f.begin) && !d.isAstray(f.end) {
		d.at = d.since(f.begin)
		b.Samples = append(b.Samples, model.Sample{Series: rangeSeries, Time: d.at, Value: float64(max(f.end-f.begin, 0))})
	}
	b.Samples = append(b.Samples, model.Sample{Series: scopeSeries, Time: d.at, Value: float64(f.numScopes)})
	d.publish(b)
	begin := d.at
	if d.pending.any {
		begin = d.pending.Begin
	}
	d.came.add(arrival{number, begin})
	if d.came.end() == namesBy && !d.info.File {
		d.reportNameless()
	}
}

func (d *decoder) publish(b *model.Batch) {
	d.cancelled = d.cancelled || !d.sink.Publish(b)
}

// frame takes what a thread closed in a frame, and publishes it; that of the main thread when its end is known.
func (d *decoder) frame(th *thread, number int64, rec *record, s *stream, bytes int) {
	d.coming = trace.StackFrame{Number: number, Bytes: bytes}
	if !d.walk(th, rec, s) {
		return
	}
	if d.coming.End = d.since(th.end); th == d.main {
		d.pending.StackFrame = d.coming
		return
	}
	th.line.Frame(d.coming)
	th.next = d.came.end() + 1
}

// frameBegins begins the frame of a thread that comes, before all that it has in it.
func (d *decoder) frameBegins(th *thread, at int64) {
	if d.coming.Begin = at; th == d.main {
		d.begin(d.coming.Number, at)
	} else {
		d.fill(th, d.since(th.end), at)
	}
}

// begin begins a frame of the main thread, without anything in it. The one before it ends there, if it follows that.
func (d *decoder) begin(number, at int64) {
	p := &d.pending
	if number == p.Number+1 {
		p.End = max(at, p.End)
	}
	if p.any {
		d.main.line.Frame(p.StackFrame)
	}
	*p = pending{StackFrame: trace.StackFrame{Number: number, Begin: at, End: at}, any: true}
}

// idle shows the frame that waits for its end, with that of its last scope.
func (d *decoder) idle() {
	if p := &d.pending; p.any && !p.shown && !d.lines.Cancelled() {
		p.shown = true
		f := p.StackFrame
		f.GoesOn = true
		d.main.line.Frame(f)
	}
}

// reportNameless warns of scopes without a name.
func (d *decoder) reportNameless() {
	n, calls := d.names.unnamed()
	switch {
	case n == 0 || d.told:
		return
	case d.info.File:
		trace.Warn(d.sink, "%d scopes (%d calls) have no name in the recording, and are shown by their number, as "+
			"scope#17. A file "+
			"lacks the names that came with frames which had left the program's memory by then.", n, calls)
	default:
		trace.Warn(d.sink, "The names of %d scopes did not come with what used them: they are shown by their number, as "+
			"scope#17, "+
			"until they do. Connect before the program starts, or connect again.", n)
	}
	d.told = true
}

// close publishes the waiting frame and reports what was wrong.
func (d *decoder) close() {
	d.idle()
	d.names.table.Report()
	d.bad.Define(d.sink.Define, d.room)
	if d.restarted > 0 {
		trace.Warn(d.sink, "Frame numbers start again %d times, as when a program is started again; frames are numbered on.",
			d.restarted)
	}
	d.reportNameless()
}
