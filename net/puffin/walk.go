package puffin

import (
	"math"

	"framescope/model"
	"framescope/net/trace"
)

const (
	emptyCredit = 1 << 18 // frames without scopes that a recording may cause, and
	emptyEach   = 16      // so many for each scope
	keptFrames  = 1 << 12 // that a thread may have missed when it has something again
)

// walk is what a thread closed in a frame.
type walk struct {
	*thread
	at       int64 // of the frame's record
	numbered bool  // scopes have numbers, not names
	spans    []model.Span
	args     []model.Arg // of spans
	alone    trace.SelfTimes
	texts    trace.Texts
	seen     int64 // scopes
	mixed    bool  // spans are not in order, because one of no length was followed by its caller's neighbour
}

// spans reads the stream of a thread. From the first unreadable scope on, it leaves out the rest.
func (d *decoder) spans(w *walk, th *thread, rec *record, s *stream) {
	w.thread, w.at, w.numbered = th, rec.at, rec.version == '4'
	w.spans, w.args, w.seen, w.mixed = w.spans[:0], w.args[:0], 0, false
	if _, ok := d.calls(s.data, 0, model.PathRoot, th.end, math.MaxInt64); !ok {
		d.bad.BadN(trace.BadEvent, max(s.numScopes-w.seen, 1), rec.at)
	}
	d.came.credit += emptyEach * int64(len(w.spans))
	if w.mixed {
		trace.Order(w.spans, w.args)
	}
}

// calls takes the calls in b, below a path and within two times of the program. It returns how long they took, and
// false where one can't be read.
func (d *decoder) calls(b []byte, depth int, parent model.PathID, from, until int64) (total int64, ok bool) {
	w := &d.walk
	for len(b) > 0 {
		var s scope
		if b, ok = s.read(b, w.numbered); !ok {
			return total, false
		}
		w.seen++
		switch {
		case depth == 0 && (d.isAstray(s.begin) || d.isAstray(s.stop)):
			d.bad.Bad(trace.BadTime, w.at)
			continue
		case !d.takeLane(depth):
			d.bad.Bad(trace.ManyRows, w.at)
			continue
		case s.begin < from || s.stop > until:
			d.bad.Bad(trace.LateEvent, w.at)
			s.begin = min(max(s.begin, from), until)
			s.stop = min(max(s.stop, s.begin), until)
		}
		from = s.stop
		total += d.since(s.stop) - d.since(s.begin)
		if depth == 0 {
			w.end = s.stop
		}
		if !d.call(&s, depth, parent) {
			return total, false
		}
	}
	return total, true
}

// call takes a call and its callees. It returns false where one can't be read.
func (d *decoder) call(s *scope, depth int, parent model.PathID) (ok bool) {
	w := &d.walk
	if data := valid(s.data); len(data) > 0 {
		w.args = append(w.args, model.Arg{Span: int32(len(w.spans)), Key: dataKey, Value: model.TextArg(w.texts.Of(data))})
	}
	c := d.collector(s)
	path := d.names.table.Path(parent, c)
	begin, end := d.since(s.begin), d.since(s.stop)
	if n := len(w.spans); n > 0 && w.spans[n-1].Begin == begin && int(w.spans[n-1].Lane) > depth {
		w.mixed = true
	}
	w.spans = append(w.spans, model.Span{Begin: begin, End: end, Path: path, Lane: uint16(depth)})
	inner, ok := d.calls(s.inner, depth+1, path, s.begin, s.stop)
	w.alone.Add(c, end-begin-inner, 1)
	return ok
}

func (d *decoder) collector(s *scope) model.CollectorID {
	if d.walk.numbered {
		return d.names.numbered(s.id)
	}
	return d.names.placed(s.name, s.place)
}

// takeLane reports whether a thread has room for calls at a depth.
func (d *decoder) takeLane(depth int) bool {
	w := &d.walk
	if depth < w.room {
		return true
	}
	if depth >= maxDepth || !d.room.Take(laneBytes) {
		return false
	}
	w.room++
	return true
}

// arrival is a frame that came, of whatever threads.
type arrival struct{ number, at int64 }

// arrivals are the newest of them. Frames are counted from the first on.
type arrivals struct {
	list   []arrival
	base   int64 // the frame that list begins with
	credit int64 // frames without scopes that may be shown
}

func (a *arrivals) end() int64 { return a.base + int64(len(a.list)) }

func (a *arrivals) add(x arrival) {
	if len(a.list) >= 2*keptFrames {
		a.base += keptFrames
		a.list = a.list[:copy(a.list, a.list[keptFrames:])]
	}
	a.list = append(a.list, x)
}

// fill publishes the frames that came since the newest one of a thread, in which it closed nothing: none of its frames
// is missing. They follow each other as the program's do, but between the thread's last scope and its next, which may
// have begun long before it was closed.
func (d *decoder) fill(th *thread, end, begin int64) {
	if th.next == 0 {
		return
	}
	a := &d.came
	most := a.end()
	for i := max(th.next, a.base); i < most && !d.cancelled; i++ {
		if a.credit--; a.credit < 0 {
			d.bad.Bad(trace.ManyEmptyFrames, trace.Unknown)
			continue
		}
		f, until := a.list[i-a.base], begin
		if i+1 < most {
			until = a.list[i+1-a.base].at
		}
		b := d.sink.Begin()
		b.Track, b.HasFrame, b.Number = th.id, true, f.number
		b.Begin = max(min(f.at, begin-(most-i)), end) // each has a moment, where there are so many
		end = max(min(until, begin-(most-i-1)), min(b.Begin+1, begin))
		b.End = end
		d.publish(b)
	}
}
