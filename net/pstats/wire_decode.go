package pstats

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// A reader takes fields off a payload. The first failure sticks: everything after it reads as zero.
type reader struct {
	message string
	data    []byte
	at      int
	err     *Error
}

// error returns r.err as an error that is nil when there is none.
func (r *reader) error() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

func (r *reader) fail(at int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{r.message, at, fmt.Sprintf(format, args...)}
	}
}

func (r *reader) left() int { return len(r.data) - r.at }

// next returns the next n bytes, or nil after a failure.
func (r *reader) next(n int, what string) []byte {
	if r.err != nil {
		return nil
	}
	if n > r.left() {
		r.fail(r.at, "cut off: %s needs %d bytes, %d remain", what, n, r.left())
		return nil
	}
	b := r.data[r.at : r.at+n]
	r.at += n
	return b
}

func (r *reader) u8(what string) uint8 {
	if b := r.next(1, what); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) u16(what string) uint16 {
	if b := r.next(2, what); b != nil {
		return le.Uint16(b)
	}
	return 0
}

func (r *reader) u32(what string) uint32 {
	if b := r.next(4, what); b != nil {
		return le.Uint32(b)
	}
	return 0
}

func (r *reader) f32(what string) float32 { return math.Float32frombits(r.u32(what)) }

func (r *reader) str(what string) string {
	at := r.at
	n := int(r.u16(what))
	if r.err == nil && n > r.left() {
		r.fail(at, "cut off: %s is %d bytes long, %d remain", what, n, r.left())
	}
	return Text(r.next(n, what))
}

// Text decodes the bytes of a string: as UTF-8 if they are that, else as Latin-1 (section 2).
// Control characters are kept.
func Text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// begin starts to read a control message and checks its type.
func begin(payload []byte, message string, typ uint8) *reader {
	r := &reader{message: message, data: payload}
	if got := r.u8("message type"); r.err == nil && got != typ {
		r.fail(0, "message type is %d, not %d", got, typ)
	}
	return r
}

// DecodeServerHello decodes the payload of a server's hello (section 3.2). Trailing bytes are
// ignored.
func DecodeServerHello(payload []byte) (ServerHello, error) {
	r := begin(payload, "server hello", TypeHello)
	h := ServerHello{Host: r.str("host name"), Program: r.str("program name"), UDPPort: r.u16("UDP port")}
	return h, r.error()
}

// DecodeClientHello decodes the payload of a client's hello (section 3.3). Without a version it is
// 1.0; without a process id PID is -1. Trailing bytes are ignored.
func DecodeClientHello(payload []byte) (ClientHello, error) {
	r := begin(payload, "client hello", TypeHello)
	h := ClientHello{Host: r.str("host name"), Program: r.str("program name"), Version: Version{1, 0}, PID: -1}
	if r.err != nil || r.left() == 0 {
		return h, r.error()
	}
	h.Version = Version{r.u16("major version"), r.u16("minor version")}
	if r.err == nil && r.left() >= 4 {
		h.PID = int64(r.u32("process id"))
	}
	return h, r.error()
}

// DecodeCollectors decodes the payload of collector definitions (section 3.4) and calls add for
// each one, in order. Those before an error have been added when it returns. Indices and parents
// are passed on as they came, negative ones too.
func DecodeCollectors(payload []byte, add func(CollectorDef)) error {
	r := begin(payload, "collectors", TypeCollectors)
	count := int(r.u16("count"))
	for range count { // nothing is allocated by count: a lie ends with the payload
		d := r.def()
		if r.err != nil {
			break
		}
		add(d)
	}
	return r.error()
}

func (r *reader) def() CollectorDef {
	return CollectorDef{
		Index:  int16(r.u16("collector index")),
		Name:   r.str("collector name"),
		Parent: int16(r.u16("parent index")),
		R:      r.f32("red"),
		G:      r.f32("green"),
		B:      r.f32("blue"),
		Sort:   int16(r.u16("sort")),
		Units:  r.str("units"),
		Scale:  r.f32("suggested scale"),
		Factor: r.f32("factor"),
	}
}

// DecodeThreads decodes the payload that names threads (section 3.5): names[i] is the name of
// thread first+i, empty for one that is gone. Names before an error are returned with it. Names
// beyond thread 65535 are an error.
func DecodeThreads(payload []byte) (first uint16, names []string, err error) {
	r := begin(payload, "threads", TypeThreads)
	first = r.u16("first thread index")
	count := int(r.u16("count"))
	if r.err != nil {
		return first, nil, r.err
	}
	if count*2 > r.left() {
		r.fail(3, "%d names announced, but %d bytes hold %d at most", count, r.left(), r.left()/2)
		return first, nil, r.err
	}
	if int(first)+count > 1<<16 {
		r.fail(1, "threads %d to %d: indices end at 65535", first, int(first)+count-1)
		return first, nil, r.err
	}
	names = make([]string, 0, count)
	for range count {
		name := r.str("thread name")
		if r.err != nil {
			return first, names, r.err
		}
		names = append(names, name)
	}
	return first, names, nil
}

// DecodeExpire decodes the payload that says that a thread has ended (section 3.6).
func DecodeExpire(payload []byte) (thread uint16, err error) {
	r := begin(payload, "expire thread", TypeExpire)
	thread = r.u16("thread index")
	return thread, r.error()
}

// pointSize is the size of an event and of a level on the wire, in bytes (section 3.7).
const pointSize = 6

// DecodeFrame decodes the payload of a frame from a client of version v into f and reuses its slices
// (section 3.7). Counts are checked against the bytes that remain before anything is allocated.
// Trailing bytes are ignored. Times and values stay as they came, NaN and negative ones too. After an
// error f holds no events and no levels.
func DecodeFrame(payload []byte, v Version, f *Frame) error {
	*f = Frame{Events: f.Events[:0], Levels: f.Levels[:0]}
	at := 0
	if v.HasFrameType() {
		if len(payload) == 0 {
			return frameError(0, "empty")
		}
		if payload[0] != TypeFrame {
			return frameError(0, "message type is %d, not %d", payload[0], TypeFrame)
		}
		at = 1
	}
	if len(payload)-at < 6 {
		return frameError(at, "cut off: thread and frame number need 6 bytes, %d remain", len(payload)-at)
	}
	f.Thread = le.Uint16(payload[at:])
	f.Number = le.Uint32(payload[at+2:])
	at += 6

	events, at, err := points(payload, at, v, "events")
	if err != nil {
		return err
	}
	levels, _, err := points(payload, at, v, "levels")
	if err != nil {
		return err
	}

	n := len(events) / pointSize
	f.Events = slices.Grow(f.Events, n)[:n]
	for i := range f.Events {
		p := events[i*pointSize : i*pointSize+pointSize : i*pointSize+pointSize]
		f.Events[i] = Event{le.Uint16(p), math.Float32frombits(le.Uint32(p[2:]))}
	}
	n = len(levels) / pointSize
	f.Levels = slices.Grow(f.Levels, n)[:n]
	for i := range f.Levels {
		p := levels[i*pointSize : i*pointSize+pointSize : i*pointSize+pointSize]
		f.Levels[i] = Level{le.Uint16(p), math.Float32frombits(le.Uint32(p[2:]))}
	}
	return nil
}

// points returns the bytes of a counted list of points at offset at, and the offset behind it.
func points(payload []byte, at int, v Version, what string) (list []byte, end int, err error) {
	var count uint64
	size := 2
	if v.WideCounts() {
		size = 4
	}
	if len(payload)-at < size {
		return nil, at, frameError(at, "cut off: the number of %s needs %d bytes, %d remain", what, size, len(payload)-at)
	}
	if v.WideCounts() {
		count = uint64(le.Uint32(payload[at:]))
	} else {
		count = uint64(le.Uint16(payload[at:]))
	}
	left := len(payload) - at - size
	if count*pointSize > uint64(left) {
		return nil, at, frameError(at, "%d %s announced, but %d bytes hold %d at most", count, what, left, left/pointSize)
	}
	at += size
	end = at + int(count)*pointSize
	return payload[at:end], end, nil
}

func frameError(at int, format string, args ...any) error {
	return &Error{"frame", at, fmt.Sprintf(format, args...)}
}
