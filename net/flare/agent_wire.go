// The client of the Flare agent inside a JVM reads its stream of events, and records them in sample folders.
// Source: FORMAT.md of net/flare, section "Agent protocol".

package flare

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Request is all that a client ever sends: the events are to be streamed. It must go out in one
// write.
const Request = "*1\r\n+subscribe-events\r\n"

// Limits of an agent's messages.
const (
	maxText    = 64 << 10 // bytes of a text
	maxArray   = 1 << 14  // elements, so the deepest stack
	maxNesting = 4
	maxSkipped = 1 << 17 // values inside one value
	maxEvent   = 4 << 20 // bytes of all texts inside one value
)

// Event is one event of the stream; exactly one of its fields is set.
type Event struct {
	Info   *InfoEvent
	Method *MethodEvent
	Sample *SampleEvent
}

// bytes is about the memory that an event takes.
func (e *Event) bytes() int64 {
	switch {
	case e.Method != nil:
		return 64 + int64(len(e.Method.Name))
	case e.Sample != nil:
		return 128 + int64(len(e.Sample.Name)) + 8*int64(cap(e.Sample.Record.Stack))
	}
	return 64
}

// InfoEvent holds the agent's sampling settings.
type InfoEvent struct{ StartMs, IntervalMs, LastSampleMs int64 }

// MethodEvent names a method.
type MethodEvent struct {
	ID   MethodID
	Name string
}

// SampleEvent is one sample of one thread.
type SampleEvent struct {
	Thread int64
	Name   string
	Record Record
}

// Decoder reads the stream of an agent. Other values than events, and unknown keys, are skipped and counted.
type Decoder struct {
	r       *bufio.Reader
	offset  int64
	ignored int64
	total   int64

	// The value that was read last, in the order of the stream: an array comes before its elements.
	values []value
	texts  []byte // of all of them
}

// NewDecoder returns a decoder of r.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: bufio.NewReaderSize(r, 64<<10)} }

// value is one value of the stream.
type value struct {
	kind kind
	n    int64 // of an integer, or the length of an array or bulk string (-1: null)
	next int   // where in values the one behind it begins, its elements passed over
	from int   // where in texts its text begins
	to   int
}

// kind is the first byte of a value.
type kind byte

const (
	kindArray   kind = '*'
	kindSimple  kind = '+'
	kindInteger kind = ':'
	kindBulk    kind = '$'
	kindError   kind = '-'
)

// errStream marks damage after which nothing that follows can be understood.
var errStream = errors.New("the stream is damaged")

func (d *Decoder) damaged(format string, args ...any) error {
	return fmt.Errorf("%w at byte %d: %s", errStream, d.offset, fmt.Sprintf(format, args...))
}

// Damaged reports whether an error of Next is of the stream's content, not of the connection.
func Damaged(err error) bool { return errors.Is(err, errStream) }

// line appends the text up to CR LF to texts, and returns it. A lone LF is part of the text.
func (d *Decoder) line() ([]byte, error) {
	from := len(d.texts)
	for {
		c, err := d.r.ReadByte()
		if err != nil {
			if errors.Is(err, io.EOF) && len(d.texts) > from {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		d.offset++
		d.texts = append(d.texts, c)
		n := len(d.texts)
		if n-from >= 2 && c == '\n' && d.texts[n-2] == '\r' {
			d.texts = d.texts[:n-2]
			return d.texts[from:], nil
		}
		if n-from > maxText+2 {
			return nil, d.damaged("a line of more than %d bytes", maxText)
		}
	}
}

// read reads one value with its elements into values. depth is how many arrays it lies in.
func (d *Decoder) read(depth int) error {
	if len(d.values) >= maxSkipped || len(d.texts) > maxEvent {
		return d.damaged("a value of more than %d values, or %d bytes of text", maxSkipped, maxEvent)
	}
	from := len(d.texts)
	line, err := d.line()
	if err != nil {
		return err
	}
	if len(line) == 0 {
		return d.damaged("a value without a type")
	}
	v := value{kind: kind(line[0]), from: from + 1, to: len(d.texts)}
	switch v.kind {
	case kindSimple, kindError:
	case kindInteger, kindArray, kindBulk:
		if v.n, err = d.number(v.kind, line[1:]); err != nil {
			return err
		}
		d.texts = d.texts[:from]
		v.from, v.to = from, from
	default:
		return d.damaged("%.40q is not a value", line)
	}
	at := len(d.values)
	d.values = append(d.values, v)
	switch v.kind {
	case kindBulk:
		err = d.bulk(&d.values[at])
	case kindArray:
		err = d.elements(v.n, depth)
	}
	d.values[at].next = len(d.values)
	return err
}

// number reads the number on the first line of a value, and checks the lengths.
func (d *Decoder) number(of kind, text []byte) (int64, error) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	switch {
	case err != nil:
		return 0, d.damaged("%.40q is not a number", text)
	case of == kindArray && n > maxArray:
		return 0, d.damaged("an array of %d values; the limit is %d", n, maxArray)
	case of == kindBulk && n > maxText:
		return 0, d.damaged("a text of %d bytes; the limit is %d", n, maxText)
	case of != kindInteger && n < -1:
		return 0, d.damaged("a length of %d", n)
	}
	return n, nil
}

// bulk reads the bytes of a bulk string and its line end.
func (d *Decoder) bulk(v *value) error {
	if v.n < 0 {
		return nil
	}
	v.to = v.from + int(v.n)
	d.texts = slices.Grow(d.texts, int(v.n)+2)[:v.to+2]
	got, err := io.ReadFull(d.r, d.texts[v.from:])
	d.offset += int64(got)
	if err == nil && string(d.texts[v.to:]) != "\r\n" {
		err = d.damaged("a text is longer than it says")
	}
	d.texts = d.texts[:v.to]
	return err
}

func (d *Decoder) elements(n int64, depth int) error {
	if depth >= maxNesting {
		return d.damaged("arrays nest deeper than %d", maxNesting)
	}
	for range max(n, 0) {
		if err := d.read(depth + 1); err != nil {
			return err
		}
	}
	return nil
}

// Next returns the next event. io.EOF is the end between two values; io.ErrUnexpectedEOF one inside
// a value; Damaged errors and those of the connection end the stream, too.
func (d *Decoder) Next() (Event, error) {
	for {
		d.values, d.texts = d.values[:0], d.texts[:0]
		if err := d.read(0); err != nil {
			if errors.Is(err, io.EOF) && len(d.values) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return Event{}, err
		}
		d.total++
		if e, known := d.event(); known {
			return e, nil
		}
		d.ignored++
	}
}

// event understands the value that was read: an array of a kind, and pairs of key and value.
func (d *Decoder) event() (e Event, known bool) {
	if d.values[0].kind != kindArray || d.values[0].n < 1 {
		return e, false
	}
	switch d.text(1) {
	case "sample_info":
		e.Info = &InfoEvent{}
	case "method":
		e.Method = &MethodEvent{}
	case "thread":
		e.Sample = &SampleEvent{}
	default:
		return e, false
	}
	for key := d.values[1].next; key < len(d.values); {
		at := d.values[key].next
		if at == len(d.values) {
			break // a key without a value
		}
		d.member(&e, d.text(key), at)
		key = d.values[at].next
	}
	return e, true
}

// text is the value at a place as a text, empty for any other.
func (d *Decoder) text(at int) string {
	if v := &d.values[at]; v.kind == kindSimple || v.kind == kindBulk {
		return string(d.texts[v.from:v.to])
	}
	return ""
}

// integer is the value at a place as a number, 0 for any other.
func (d *Decoder) integer(at int) int64 {
	if v := &d.values[at]; v.kind == kindInteger {
		return v.n
	}
	return 0
}

// stack is the value at a place as a list of methods.
func (d *Decoder) stack(at int) (out []MethodID) {
	if d.values[at].kind != kindArray {
		return nil
	}
	for i := at + 1; i < d.values[at].next; i = d.values[i].next {
		if d.values[i].kind == kindInteger {
			out = append(out, MethodID(d.values[i].n))
		}
	}
	return out
}

// member takes the value of a key of an event.
func (d *Decoder) member(e *Event, key string, at int) {
	switch {
	case e.Info != nil && key == "start_time":
		e.Info.StartMs = d.integer(at)
	case e.Info != nil && key == "sample_interval":
		e.Info.IntervalMs = d.integer(at)
	case e.Info != nil && key == "last_sample_time":
		e.Info.LastSampleMs = d.integer(at)
	case e.Method != nil && key == "id":
		e.Method.ID = MethodID(d.integer(at))
	case e.Method != nil && key == "name":
		e.Method.Name = d.text(at)
	case e.Sample != nil && key == "time":
		e.Sample.Record.TimeMs = d.integer(at)
	case e.Sample != nil && key == "id":
		e.Sample.Thread = d.integer(at)
	case e.Sample != nil && key == "name":
		e.Sample.Name = d.text(at)
	case e.Sample != nil && key == "cpu_time":
		e.Sample.Record.CPUNs = d.integer(at)
	case e.Sample != nil && key == "cpu_time_delta":
		e.Sample.Record.CPUDeltaNs = d.integer(at)
	case e.Sample != nil && key == "stacktrace":
		e.Sample.Record.Stack = d.stack(at)
	}
}
