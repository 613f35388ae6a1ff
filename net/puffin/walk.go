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

// walk goes through what a thread closed in a frame.
type walk struct {
	*thread
	rec   *record
	begun bool  // the frame has something
	seen  int64 // scopes
}

// walk reads the stream of a thread. From the first unreadable scope on, it leaves out the rest.
func (d *decoder) walk(th *thread, rec *record, s *stream) (any bool) {
	w := walk{thread: th, rec: rec}
	if ok := d.calls(&w, s.data, 0, th.end, math.MaxInt64); !ok {
		d.bad.BadN(trace.BadEvent, max(s.numScopes-w.seen, 1), rec.at)
	}
	d.came.credit += emptyEach * w.seen
	return w.begun
}

// calls takes the calls in b, within two times of the program. It returns false where one can't be read.
func (d *decoder) calls(w *walk, b []byte, depth int, from, until int64) (ok bool) {
	for len(b) > 0 {
		var s scope
		if b, ok = s.read(b, w.rec.version == '4'); !ok {
			return false
		}
		w.seen++
		switch {
		case depth == 0 && (d.isAstray(s.begin) || d.isAstray(s.stop)):
			d.bad.Bad(trace.BadTime, w.rec.at)
			continue
		case depth >= trace.MaxDepth:
			d.bad.Bad(trace.DeepStack, w.rec.at)
			continue
		case s.begin < from || s.stop > until:
			d.bad.Bad(trace.LateEvent, w.rec.at)
			s.begin = min(max(s.begin, from), until)
			s.stop = min(max(s.stop, s.begin), until)
		}
		from = s.stop
		if !w.begun {
			w.begun = true
			d.frameBegins(w.thread, d.since(s.begin))
		}
		if depth == 0 {
			w.end = s.stop
		}
		if !d.call(w, &s, depth) {
			return false
		}
	}
	return true
}

// call takes a call and its callees. It returns false where one can't be read.
func (d *decoder) call(w *walk, s *scope, depth int) (ok bool) {
	path := d.names.table.Path(w.line.Path(), d.collector(s, w.rec))
	if data := valid(s.data); len(data) > 0 {
		w.line.Enter(d.since(s.begin), path, 0, model.Arg{Key: dataKey, Value: model.TextArg(d.texts.Of(data))})
	} else {
		w.line.Enter(d.since(s.begin), path, 0)
	}
	ok = d.calls(w, s.inner, depth+1, s.begin, s.stop)
	w.line.Leave(d.since(s.stop), false)
	return ok
}

func (d *decoder) collector(s *scope, rec *record) model.CollectorID {
	if rec.version == '4' {
		return d.names.numbered(s.id)
	}
	return d.names.placed(s.name, s.place)
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
	for i := max(th.next, a.base); i < most && !d.lines.Cancelled(); i++ {
		if a.credit--; a.credit < 0 {
			d.bad.Bad(trace.ManyEmptyFrames, trace.Unknown)
			continue
		}
		f, until := a.list[i-a.base], begin
		if i+1 < most {
			until = a.list[i+1-a.base].at
		}
		x := trace.StackFrame{Number: f.number}
		x.Begin = max(min(f.at, begin-(most-i)), end) // each has a moment, where there are so many
		end = max(min(until, begin-(most-i-1)), min(x.Begin+1, begin))
		x.End = end
		th.line.Frame(x)
	}
}
