package chrometrace

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"framescope/net/trace"
)

// mostEvent is how many bytes an event may have.
const mostEvent = 16 << 20

// event is an event as it stands in the file. Its values are slices of the file: strings without
// their quotes and with their escapes, all else as it is. Keys that are not there, or null, are nil.
type event struct {
	ph                           byte
	spoiled                      bool // NULs stand in it
	deep                         bool // more than trace.MaxDeep values lie inside each other
	name, cat, ts, dur, pid, tid []byte
	id, id2, scope, bindID, args []byte
	file, line                   []byte // its place in the source, of writers for Rust
	bp                           []byte
	flowIn, flowOut              bool
}

// scan reads the event at the begin of b, which begins with a brace, and returns how long it is, or
// where it is damaged.
func (ev *event) scan(b []byte) (n int, got trace.Outcome) {
	*ev = event{}
	n, ev.deep, got = trace.EachJSON(b, ev.set)
	return n, got
}

func (ev *event) set(key, v []byte, _ byte) {
	switch string(key) {
	case "ph":
		if len(v) > 0 {
			ev.ph = v[0]
		}
	case "ts":
		ev.ts = v
	case "dur":
		ev.dur = v
	case "pid":
		ev.pid = v
	case "tid":
		ev.tid = v
	case "name":
		ev.name = v
	case "cat":
		ev.cat = v
	case "args":
		ev.args = v
	case "id":
		ev.id = v
	case "id2":
		ev.id2 = v
	case "scope":
		ev.scope = v
	case "bp":
		ev.bp = v
	case "bind_id":
		ev.bindID = v
	case ".file":
		ev.file = v
	case ".line":
		ev.line = v
	case "flow_in":
		ev.flowIn = string(v) == "true"
	case "flow_out":
		ev.flowOut = string(v) == "true"
	}
}

// mostKept is how much of a value beside the events is kept, bytes.
const mostKept = 64 << 20

// text is the text of a trace that is read.
type text struct {
	*trace.Reader
	take func(ev *event, at int64) // at is the event's first byte
	bad  *trace.Diagnostics

	array  bool // it is an array, not an object
	ev     event
	found  bool // an event behind the newest place that can't be read
	kept   map[string][]byte
	nuls   trace.NULs
	begun  int64  // the newest event that is not whole
	inside bool   // the text ends inside it
	behind string // text behind the outermost bracket, and its place
}

// read reads a text.
func (x *text) read(from io.Reader) {
	x.kept = map[string][]byte{}
	x.Reader = trace.NewReader(io.TeeReader(from, countNULs{&x.nuls}))
	switch c := x.Peek(); c {
	case 0:
		return
	case '[':
		x.array = true
		x.events()
	case '{':
		x.Object(func(key []byte) {
			switch key := string(key); key {
			case "traceEvents":
				x.events()
			case "samples", "stackFrames":
				x.kept[key] = x.Raw(mostKept)
			}
		})
	default:
		x.Stop(fmt.Errorf("byte %d: the file begins with %q, not with a bracket", x.At(), c))
	}
	if x.Err() == nil && x.Peek() != 0 {
		x.behind = fmt.Sprintf("byte %d: there are data after the end of the trace", x.At())
	}
}

// events reads the array of events.
func (x *text) events() {
	x.inside = x.Events(mostEvent, x.array, x.event, func(kind trace.Kind, at int64) {
		switch {
		case kind != trace.Gap:
			x.bad.Bad(kind, at)
		case x.found || x.bad.Count(trace.Gap) == 0:
			x.bad.Bad(trace.Gap, at)
			x.found = false
		}
	})
}

// event reads the event with which b begins. Objects without a phase behind a place that can't be read are parts of the
// damaged event.
func (x *text) event(b []byte, at int64) (n int, got trace.Outcome) {
	n, got = x.ev.scan(b)
	switch {
	case got == trace.Partial:
		x.begun = at
	case got != trace.Whole || !x.found && x.ev.ph == 0 && x.bad.Count(trace.Gap) > 0:
	case n > mostEvent:
		x.bad.Bad(trace.BigEvent, at)
	default:
		x.found = true
		x.ev.spoiled = x.nuls.N > 0 && bytes.IndexByte(b[:n], 0) >= 0
		x.take(&x.ev, at)
	}
	return n, got
}

// cut names the part in which the text ends too early; empty: it does not.
func (x *text) cut() string {
	switch {
	case !errors.Is(x.Err(), trace.ErrCut):
		return ""
	case x.inside:
		return fmt.Sprintf("the file ends inside the event at byte %d", x.begun)
	}
	return fmt.Sprintf("the file ends at byte %d, before the object does in which the events are", x.At())
}

// countNULs counts the NULs of what is read.
type countNULs struct{ *trace.NULs }

func (c countNULs) Write(b []byte) (int, error) {
	c.NULs.Write(b)
	return len(b), nil
}
