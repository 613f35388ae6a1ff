package puffin

import (
	"fmt"
	"math"
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	maxDepth  = 1000 // of scopes that are called by others
	sureDepth = 64   // for which there is always room
	laneBytes = 544  // of a lane beyond, in the session
	dataKey   = "data"
)

// The series of a session.
const (
	rangeSeries model.SeriesID = iota
	scopeSeries
)

// decoder turns frames into batches. A thread's part of a frame is what it closed in it, and lasts as
// long as that; the main thread's frames follow each other without a gap.
type decoder struct {
	sink    feed.Sink
	room    *feed.Names
	info    model.Info
	names   *scopeNames
	threads map[string]*thread
	alike   map[string]int // threads of a name
	key     []byte
	mainKey string
	main    *thread
	zero    int64
	timed   bool  // zero is that of the recording
	at      int64 // the newest begin of a frame

	any       bool
	last      int64 // number of the frame before, as it is shown
	shift     int64 // from the program's numbers to those
	lanes     int   // for which there is room
	open      []call
	alone     trace.SelfTimes
	spans     []model.Span // room for those of the main thread
	args      []model.Arg  // of spans
	texts     trace.Texts
	pending   pending
	shown     bool // pending was published, as far as it went
	came      arrivals
	credit    int64
	cancelled bool
	loss      losses
	told      bool // that names do not come
}

// thread is what the decoder knows of one.
type thread struct {
	id   model.TrackID
	name string // in messages
	end  int64  // of its newest scope
	next int64  // the frame behind its newest one, as counted by came; 0: it has none
}

// call is an open scope.
type call struct {
	path      model.PathID
	collector model.CollectorID
	scope
}

// pending is a frame of the main thread; the next frame gives its end.
type pending struct {
	number, begin, stop int64 // stop is the end of its last scope
	any                 bool
	spans               []model.Span
	args                []model.Arg
	alone               []model.CollectorTime
	bytes               int
}

func newDecoder(sink feed.Sink, room *feed.Names, info model.Info, s *survey) *decoder {
	d := &decoder{
		sink: sink, room: room, info: info, threads: map[string]*thread{}, alike: map[string]int{}, lanes: sureDepth,
		mainKey: s.main(), credit: emptyCredit,
	}
	d.loss.sink = sink
	d.zero, d.timed = s.times.first, s.times.any
	if const2001 := int64(1e18); d.zero > const2001 {
		d.info.Detail = "it began at " + time.Unix(0, d.zero).UTC().Format("2006-01-02 15:04:05") + " UTC"
	}
	sink.Define(d.info)
	d.names = newScopeNames(sink, room)
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
		th := s.threads[key]
		d.thread(key, th.name)
	}
	return d
}

// thread returns the thread of a key, nil where there are too many.
func (d *decoder) thread(key, name string) *thread {
	th := &thread{name: name, end: math.MinInt64}
	n := d.alike[name] + 1
	if name != "" && n > 1 {
		th.name = fmt.Sprintf("%s (%d)", name, n)
	}
	def := model.TrackDef{Name: th.name, Index: len(d.threads) + 1, Main: key == d.mainKey}
	if name == "" {
		th.name = fmt.Sprintf("Thread %d", def.Index)
	}
	id, ok := d.names.table.Track(key, def)
	if !ok {
		return nil
	}
	th.id, d.alike[name], d.threads[key] = id, n, th
	if def.Main {
		d.main = th
	}
	return th
}

// since returns a time of the program as one of the session.
func (d *decoder) since(t int64) int64 {
	const most = model.MaxTime / 2
	if n := t - d.zero; (n < 0) == (t < d.zero) {
		return min(max(n, -most), most)
	}
	if t < d.zero {
		return -most
	}
	return most
}

// take takes a frame.
func (d *decoder) take(rec *record, f *frame) {
	for i := range f.defs {
		d.names.define(&f.defs[i])
	}
	number := f.number + d.shift
	if d.any && number <= d.last {
		d.loss.restarted++
		number = d.last + 1
		d.shift = number - f.number
	}
	d.any, d.last = true, number
	bytes, mainCame := rec.size, false
	for i := range f.threads {
		s := &f.threads[i]
		if len(s.data) == 0 {
			continue
		}
		d.key = s.appendKey(d.key[:0])
		th := d.threads[string(d.key)]
		if th == nil {
			if th = d.thread(string(d.key), trace.Shown(string(d.key[9:]))); th == nil {
				d.loss.strangers += max(s.numScopes, 1)
				continue
			}
		}
		if th == d.main {
			mainCame = d.mainFrame(number, rec, s, bytes) || mainCame
		} else {
			d.frame(th, number, rec, s, bytes)
		}
		bytes = 0 // they count once
		if d.cancelled {
			return
		}
	}
	if !mainCame && d.pending.any {
		d.nothing(number)
	}
	b := d.sink.Begin()
	b.Track, b.Bytes = model.NoTrack, bytes
	known := !d.astray(f.begin) && !d.astray(f.end)
	if known {
		d.at = d.since(f.begin)
	}
	at := d.at
	if d.came.add(arrival{number, at}); d.pending.any {
		d.came.list[len(d.came.list)-1].at = d.pending.begin
	}
	if d.came.end() == namesBy && !d.info.File {
		if n, _ := d.names.unnamed(); n > 0 {
			d.told = true
			d.sink.Define(model.Warning{Text: nameless(n)})
		}
	}
	if known {
		b.Samples = append(b.Samples, model.Sample{Series: rangeSeries, Time: at, Value: float64(max(f.end-f.begin, 0))})
	}
	b.Samples = append(b.Samples, model.Sample{Series: scopeSeries, Time: at, Value: float64(f.numScopes)})
	d.publish(b)
}

// namesBy is after how many frames the names of what ran should have come.
const namesBy = 120

// nameless says what a viewer lacks of a program that runs.
func nameless(scopes int) string {
	return fmt.Sprintf("The names of %d scopes did not come with what used them: they are shown by their number, as "+
		"scope#17, until they do. Connect before the program starts, or connect again.", scopes)
}

func (d *decoder) publish(b *model.Batch) {
	if !d.sink.Publish(b) {
		d.cancelled = true
	}
}

// frame publishes what a thread closed in a frame.
func (d *decoder) frame(th *thread, number int64, rec *record, s *stream, bytes int) {
	before := th.end
	if d.spans = d.walk(d.spans[:0], th, rec, s); len(d.spans) == 0 {
		return
	}
	d.fill(th, before, d.spans[0].Begin)
	b := d.sink.Begin()
	b.Track, b.Bytes, b.HasFrame, b.Number, b.Begin, b.End = th.id, bytes, true, number, d.spans[0].Begin, th.end
	b.Spans, b.Args, b.Self = append(b.Spans, d.spans...), append(b.Args, d.args...), d.alone.Take(b.Self)
	d.publish(b)
	th.next = d.came.end() + 1
}

// mainFrame takes what the main thread closed in a frame; it is published when its end is known. It
// returns false where there was nothing.
func (d *decoder) mainFrame(number int64, rec *record, s *stream, bytes int) bool {
	spans := d.walk(d.spans[:0], d.main, rec, s)
	if d.spans = spans; len(spans) == 0 {
		return false
	}
	p := &d.pending
	d.settle(number, spans[0].Begin)
	p.any, p.number, p.begin, p.stop, p.bytes = true, number, spans[0].Begin, d.main.end, bytes
	p.spans, d.spans = spans, p.spans
	p.args, d.args = d.args, p.args
	p.alone = d.alone.Take(p.alone[:0])
	return true
}

// nothing begins a frame in which the main thread closed nothing, where the one before ended.
func (d *decoder) nothing(number int64) {
	p := &d.pending
	end := p.stop
	d.settle(number, end)
	p.number, p.begin, p.stop, p.bytes = number, end, end, 0
	p.spans, p.args, p.alone = p.spans[:0], p.args[:0], p.alone[:0]
}

// settle publishes the pending frame: it ends where the next one begins, if that follows it.
func (d *decoder) settle(next, begin int64) {
	p := &d.pending
	if !p.any {
		return
	}
	end := p.stop
	if next == p.number+1 {
		end = max(begin, end)
	}
	if d.shown && end == p.stop {
		d.shown = false
		return
	}
	d.publishPending(end)
	d.shown = false
}

func (d *decoder) publishPending(end int64) {
	p := &d.pending
	b := d.sink.Begin()
	b.Track, b.HasFrame, b.Number, b.Begin, b.End = d.main.id, true, p.number, p.begin, end
	b.Rewind = d.shown
	b.Spans, b.Self, b.Bytes = append(b.Spans, p.spans...), append(b.Self, p.alone...), p.bytes
	b.Args = append(b.Args, p.args...)
	d.publish(b)
}

// idle shows the frame that waits for its end, with that of its last scope.
func (d *decoder) idle() {
	if d.pending.any && !d.shown && !d.cancelled {
		d.publishPending(d.pending.stop)
		d.shown = true
	}
}

// walk appends the spans of a stream and sums up the self time of each name. It leaves out the rest from the first
// unreadable scope on.
func (d *decoder) walk(out []model.Span, th *thread, rec *record, s *stream) []model.Span {
	b, numbered := s.data, rec.version == '4'
	d.open, d.args = d.open[:0], d.args[:0]
	at, from, ordered, calls := 0, th.end, true, int64(0)
	skipped := int64(0) // reported as another loss
	for {
		limit := len(b)
		for n := len(d.open); n > 0; n = len(d.open) {
			top := &d.open[n-1]
			if at < top.end {
				limit = top.end
				break
			}
			at, from = at+scopeTail, d.since(top.stop)
			d.open = d.open[:n-1]
		}
		if at >= len(b) {
			break
		}
		var c call
		depth := len(d.open)
		if !scopeAt(b, at, limit, numbered, &c.scope) {
			d.loss.cut(th, rec.at, max(s.numScopes-calls-skipped, 1))
			break
		}
		if depth == 0 && (d.astray(c.begin) || d.astray(c.stop)) {
			d.loss.astray.Add(rec.at)
			skipped++
			at = c.end + scopeTail
			continue
		}
		begin, end := d.since(c.begin), d.since(c.stop)
		if depth == 0 && len(out) == 0 && from != math.MinInt64 && begin < from-leastStep {
			d.follow(begin, from)
			begin, end = d.since(c.begin), d.since(c.stop)
		}
		if depth == 0 && begin < from {
			d.loss.late.Add(rec.at)
			skipped++
			at = c.end + scopeTail
			continue
		}
		if depth > 0 && (begin < from || c.stop > d.open[depth-1].stop) {
			d.loss.cut(th, rec.at, max(s.numScopes-calls-skipped, 1))
			break
		}
		if depth >= d.lanes {
			if depth >= maxDepth || !d.room.Take(laneBytes) {
				d.loss.deep++
				skipped++
				at, from = c.end+scopeTail, end
				continue
			}
			d.lanes++
		}
		if data := valid(c.data); len(data) > 0 {
			d.args = append(d.args, model.Arg{Span: int32(len(out)), Key: dataKey, Value: model.TextArg(d.texts.Of(data))})
		}
		parent := model.PathRoot
		if numbered {
			c.collector = d.names.numbered(c.id)
		} else {
			c.collector = d.names.placed(c.name, c.place)
		}
		d.alone.Add(c.collector, end-begin, 1)
		if depth > 0 {
			parent = d.open[depth-1].path
			d.alone.Add(d.open[depth-1].collector, begin-end, 0)
		} else {
			th.end = end
		}
		c.path = d.names.table.Path(parent, c.collector)
		if n := len(out); n > 0 && out[n-1].Begin == begin && int(out[n-1].Lane) > depth {
			ordered = false
		}
		out = append(out, model.Span{Begin: begin, End: end, Path: c.path, Lane: uint16(depth)})
		calls++
		d.credit += emptyEach
		d.open = append(d.open, c)
		at, from = c.body, begin
	}
	if !ordered { // one of no length was followed by its caller's neighbour
		trace.Order(out, d.args)
	}
	return out
}

// close publishes the waiting frame and reports the losses.
func (d *decoder) close() {
	if d.pending.any && !d.shown && !d.cancelled {
		d.publishPending(d.pending.stop)
	}
	d.names.tell()
	d.loss.tell()
	if n, calls := d.names.unnamed(); n > 0 && !d.told {
		text := fmt.Sprintf("%d scopes (%d calls) have no name in the recording, and are shown by their number, as "+
			"scope#17. A file lacks the names that came with frames which had left the program's memory by then.", n, calls)
		if !d.info.File {
			text = nameless(n)
		}
		d.sink.Define(model.Warning{Text: text})
	}
}
