package chrometrace

import (
	"bytes"
	"fmt"

	"framescope/net/trace"
)

const (
	mostEvent = 16 << 20 // bytes of one event
	mostKey   = 64 << 10 // bytes of a key beside the events
)

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
	i := 1
	for {
		for i < len(b) && (b[i] <= ' ' && b[i] != 0 || b[i] == ',') {
			i++
		}
		if i >= len(b) {
			return 0, trace.Partial
		}
		switch b[i] {
		case '}':
			return i + 1, trace.Whole
		case '"':
		default:
			return i, trace.Garbage
		}
		from := i + 1
		to := trace.EndOfString(b, from)
		if to < 0 {
			return 0, trace.Partial
		}
		key := b[from:to]
		i = to + 1
		for i < len(b) && b[i] <= ' ' && b[i] != 0 {
			i++
		}
		if i >= len(b) {
			return 0, trace.Partial
		}
		if b[i] != ':' {
			return i, trace.Garbage
		}
		for i++; i < len(b) && b[i] <= ' ' && b[i] != 0; i++ {
		}
		if i >= len(b) {
			return 0, trace.Partial
		}
		value, after, deep, got := trace.Value(b, i)
		if got != trace.Whole {
			return after, got
		}
		ev.deep = ev.deep || deep
		i = after
		ev.set(key, value)
	}
}

func (ev *event) set(key, v []byte) {
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

// skipper skips a value of any size that comes in pieces.
type skipper struct {
	depth           int
	inText, escaped bool
	begun           bool
}

// skip returns how many bytes of b belong to the value, and whether it has ended.
func (s *skipper) skip(b []byte) (n int, done bool) {
	for i, c := range b {
		switch {
		case s.escaped:
			s.escaped = false
		case s.inText:
			s.escaped = c == '\\'
			if s.inText = c != '"'; !s.inText && s.depth == 0 {
				return i + 1, true
			}
		case c == '"':
			s.inText = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth == 0 { // it belongs to the outer object
				return i, true
			}
			if s.depth--; s.depth == 0 {
				return i + 1, true
			}
		case s.depth == 0 && s.begun && !trace.IsPlain(c):
			return i, true
		}
		s.begun = true
	}
	return len(b), false
}

// part is where in a file the scanner is.
type part uint8

const (
	atStart   part = iota
	inObject       // among the keys beside the events
	inEvents       // in the array of events
	inSkipped      // in a value that nobody wants
	atEnd          // behind the outermost bracket
	beyond         // where nothing is looked at any more
)

// scanner goes from event to event through a file that comes in pieces of any size.
type scanner struct {
	take func(ev *event, at int64) // at is the event's first byte
	seen func(key []byte)          // called with each key of the outermost object; may be nil

	buf   []byte // bytes not read yet
	at    int64  // the place of buf[0] in the unpacked file
	need  int    // how long buf must be before it is worth looking at again
	part  part
	then  part // the part that follows a skipped value
	skip  skipper
	array bool // the file is an array, not an object
	ev    event

	bad     *trace.Diagnostics
	lost    bool   // the next event is looked for
	found   bool   // and was found
	keeping string // key of the value that is skipped and kept; empty: it is not wanted
	kept    map[string][]byte
	nuls    trace.NULs
	damage  string // why nothing more was read
	behind  string // text behind the outermost bracket, and its place
	begunAt int64  // begin of the skipped event
}

// write takes the next bytes.
func (s *scanner) write(p []byte) {
	s.nuls.Write(p)
	if len(s.buf) == 0 {
		n := s.scan(p)
		s.at += int64(n)
		s.buf = append(s.buf, p[n:]...)
	} else {
		s.buf = append(s.buf, p...)
		if len(s.buf) < s.need {
			return
		}
		n := s.scan(s.buf)
		s.at += int64(n)
		s.buf = s.buf[:copy(s.buf, s.buf[n:])]
	}
	// An incomplete event is not scanned again with each part.
	if s.need = 2 * len(s.buf); len(s.buf) <= mostEvent {
		s.need = min(s.need, mostEvent+1)
	}
}

// scan reads as much of b as is whole and returns how much that was.
func (s *scanner) scan(b []byte) int {
	i := 0
	for i < len(b) {
		n, before := 0, s.part
		switch s.part {
		case atStart:
			n = s.start(b[i:], s.at+int64(i))
		case inObject:
			n = s.key(b[i:], s.at+int64(i))
		case inEvents:
			n = s.events(b[i:], s.at+int64(i))
		case inSkipped:
			var done bool
			n, done = s.skip.skip(b[i:])
			s.keep(b[i : i+n])
			if done {
				s.part = s.then
				i += n
				continue
			}
		case atEnd:
			if c := b[i]; c > ' ' {
				s.part = beyond
				s.behind = fmt.Sprintf("byte %d: there are data after the end of the trace", s.at+int64(i))
			}
			n = 1
		case beyond:
			return len(b)
		}
		if n == 0 && s.part == before {
			return i
		}
		i += n
	}
	return i
}

// fail ends the reading at a byte.
func (s *scanner) fail(at int64, format string, args ...any) int {
	s.damage = fmt.Sprintf("byte %d: ", at) + fmt.Sprintf(format, args...)
	s.part = beyond
	return 1
}

// start reads up to the outermost bracket.
func (s *scanner) start(b []byte, at int64) int {
	switch c := b[0]; {
	case c == 0xef:
		if len(b) < 3 {
			return 0
		}
		return 3
	case c == '[':
		s.part, s.array = inEvents, true
	case c == '{':
		s.part = inObject
	case c > ' ':
		return s.fail(at, "the file begins with %q, not with a bracket", c)
	}
	return 1
}

// key reads a key of the outermost object, up to its value.
func (s *scanner) key(b []byte, at int64) int {
	switch c := b[0]; {
	case c <= ' ' || c == ',':
		return 1
	case c == '}':
		s.part = atEnd
		return 1
	case c != '"':
		return s.fail(at, "%q where a key should be", c)
	}
	to := trace.EndOfString(b, 1)
	if to < 0 || to > mostKey {
		if len(b) > mostKey {
			return s.fail(at, "a key is longer than %d bytes", mostKey)
		}
		return 0
	}
	i := to + 1
	colon := false
	for i < len(b) && (b[i] <= ' ' || b[i] == ':' && !colon) {
		colon = colon || b[i] == ':'
		i++
	}
	switch {
	case i == len(b) && i < mostKey:
		return 0
	case i == len(b) || !colon:
		return s.fail(at, "no value follows a key")
	}
	if s.seen != nil {
		s.seen(b[1:to])
	}
	if string(b[1:to]) == "traceEvents" && b[i] == '[' {
		s.part = inEvents
		return i + 1
	}
	s.skipTo(inObject, at)
	if key := string(b[1:to]); key == "samples" || key == "stackFrames" {
		s.keeping = key
	}
	return i
}

// mostKept is how much of a value beside the events is kept, bytes.
const mostKept = 64 << 20

// keep keeps a part of a value beside the events that is wanted.
func (s *scanner) keep(part []byte) {
	if s.keeping == "" || len(s.kept[s.keeping])+len(part) > mostKept {
		return
	}
	if s.kept == nil {
		s.kept = map[string][]byte{}
	}
	s.kept[s.keeping] = append(s.kept[s.keeping], part...)
}

func (s *scanner) skipTo(then part, at int64) {
	s.skip, s.part, s.then, s.begunAt, s.keeping = skipper{}, inSkipped, then, at, ""
}

// events reads events up to the first that is not whole.
func (s *scanner) events(b []byte, at int64) int {
	i := 0
	for i < len(b) {
		if s.lost {
			next, ok := s.resume(b[i:])
			if i += next; !ok {
				return i
			}
		}
		switch c := b[i]; c {
		case ' ', '\n', '\r', '\t', ',', 0: // nuls counts NULs
			i++
		case '{':
			n, got := s.ev.scan(b[i:])
			switch got {
			case trace.Whole:
				switch {
				case !s.found && s.ev.ph == 0 && s.bad.Count(trace.Gap) > 0:
				case n <= mostEvent:
					s.found = true
					s.ev.spoiled = s.nuls.N > 0 && bytes.IndexByte(b[i:i+n], 0) >= 0
					s.take(&s.ev, at+int64(i))
				default:
					s.bad.Bad(trace.BigEvent, at+int64(i))
				}
				i += n
			case trace.Garbage:
				s.gap(at + int64(i+n))
				i += n
			case trace.Partial:
				if len(b)-i > mostEvent {
					s.bad.Bad(trace.BigEvent, at+int64(i))
					s.skipTo(inEvents, at+int64(i))
				}
				return i
			}
		case ']':
			s.part = inObject
			if s.array {
				s.part = atEnd
			}
			return i + 1
		default:
			s.gap(at + int64(i))
		}
	}
	return i
}

// resume returns where the next event may begin, once a place that can't be read is behind; ok is false where that is
// not known yet.
func (s *scanner) resume(b []byte) (at int, ok bool) {
	if at = bytes.Index(b, []byte(`{"`)); at >= 0 {
		s.lost = false
		return at, true
	}
	if at = len(b); at > 0 && b[at-1] == '{' {
		at--
	}
	return at, false
}

// gap notes that the text can't be read at a byte: events are looked for from there on. Objects without a phase that
// are found then are parts of the damaged event.
func (s *scanner) gap(at int64) {
	if s.found || s.bad.Count(trace.Gap) == 0 {
		s.bad.Bad(trace.Gap, at)
	}
	s.lost, s.found = true, false
}

// close ends the input and names the part that was cut off; empty: none.
func (s *scanner) close() (cut string) {
	if len(s.buf) > 0 && s.part != beyond {
		// The awaited rest may have come.
		n := s.scan(s.buf)
		s.at += int64(n)
		s.buf = s.buf[n:]
	}
	switch {
	case s.part == inEvents && len(s.buf) > 0:
		return fmt.Sprintf("the file ends inside the event at byte %d", s.at)
	case s.part == inSkipped:
		return fmt.Sprintf("the file ends inside what begins at byte %d", s.begunAt)
	case s.part == inObject && len(s.buf) > 0:
		return fmt.Sprintf("the file ends inside the key at byte %d", s.at)
	case s.part == inObject || s.part == inEvents && !s.array:
		return fmt.Sprintf("the file ends at byte %d, before the object does in which the events are", s.at)
	}
	return ""
}
