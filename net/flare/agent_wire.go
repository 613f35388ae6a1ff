// The client of the Flare agent inside a JVM reads its stream of events, and records them in sample folders.
// Source: FORMAT.md of net/flare, section "Agent protocol".

package flare

import (
	"bufio"
	"errors"
	"fmt"
	"io"
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
	maxSkipped = 1 << 20 // values inside one value that is not understood
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
	values  int64
	budget  int // values that the one being read may still have
}

// NewDecoder returns a decoder of r.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: bufio.NewReaderSize(r, 64<<10)} }

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

// line reads up to CR LF and returns the text before it, at most maxText bytes. A lone LF is part of the text.
func (d *Decoder) line() ([]byte, error) {
	var long []byte
	for {
		part, err := d.r.ReadSlice('\n')
		d.offset += int64(len(part))
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) && len(long)+len(part) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		whole := err == nil && len(long) == 0
		if !whole {
			long = append(long, part...)
			part = long
		}
		if n := len(part); err == nil && n >= 2 && part[n-2] == '\r' {
			return part[:n-2], nil
		}
		if whole {
			long = append(long, part...)
		}
		if len(long) > maxText+2 {
			return nil, d.damaged("a line of more than %d bytes", maxText)
		}
	}
}

// head is the first line of a value.
type head struct {
	kind kind
	n    int64  // of an integer, or the length of an array or bulk string (-1: null)
	text []byte // of a simple string or an error; valid until the next read
}

func (d *Decoder) head() (h head, err error) {
	if d.budget--; d.budget < 0 {
		return h, d.damaged("a value of more than %d values", maxSkipped)
	}
	line, err := d.line()
	if err != nil {
		return h, err
	}
	if len(line) == 0 {
		return h, d.damaged("a value without a type")
	}
	h.kind = kind(line[0])
	switch h.kind {
	case kindSimple, kindError:
		h.text = line[1:]
	case kindInteger, kindArray, kindBulk:
		if h.n, err = strconv.ParseInt(string(line[1:]), 10, 64); err != nil {
			return h, d.damaged("%.40q is not a number", line[1:])
		}
		if h.kind == kindArray && h.n > maxArray {
			return h, d.damaged("an array of %d values; the limit is %d", h.n, maxArray)
		}
		if h.kind == kindBulk && h.n > maxText {
			return h, d.damaged("a text of %d bytes; the limit is %d", h.n, maxText)
		}
		if h.kind != kindInteger && h.n < -1 {
			return h, d.damaged("a length of %d", h.n)
		}
	default:
		return h, d.damaged("%.40q is not a value", line)
	}
	return h, nil
}

// bulk reads the bytes of a bulk string and its line end.
func (d *Decoder) bulk(n int64) ([]byte, error) {
	if n < 0 {
		return nil, nil
	}
	b := make([]byte, n+2)
	got, err := io.ReadFull(d.r, b)
	d.offset += int64(got)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	if b[n] != '\r' || b[n+1] != '\n' {
		return nil, d.damaged("a text is longer than it says")
	}
	return b[:n], nil
}

// skip reads the rest of a value after its head.
func (d *Decoder) skip(h head, depth int) error {
	switch h.kind {
	case kindBulk:
		_, err := d.bulk(h.n)
		return err
	case kindArray:
		if depth >= maxNesting {
			return d.damaged("arrays nest deeper than %d", maxNesting)
		}
		for range max(h.n, 0) {
			inner, err := d.head()
			if err == nil {
				err = d.skip(inner, depth+1)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// text reads a value that is expected to be a text; ok is false for any other, which is then
// skipped.
func (d *Decoder) text() (s string, ok bool, err error) {
	h, err := d.head()
	if err != nil {
		return "", false, err
	}
	switch h.kind {
	case kindSimple:
		return string(h.text), true, nil
	case kindBulk:
		b, err := d.bulk(h.n)
		return string(b), err == nil && h.n >= 0, err
	}
	return "", false, d.skip(h, 1)
}

func (d *Decoder) integer() (n int64, err error) {
	h, err := d.head()
	if err != nil || h.kind == kindInteger {
		return h.n, err
	}
	return 0, d.skip(h, 1)
}

func (d *Decoder) stack() ([]MethodID, error) {
	h, err := d.head()
	if err != nil {
		return nil, err
	}
	if h.kind != kindArray {
		return nil, d.skip(h, 1)
	}
	var out []MethodID
	for range max(h.n, 0) {
		h, err := d.head()
		if err != nil {
			return nil, err
		}
		if h.kind == kindInteger {
			out = append(out, MethodID(h.n))
		} else if err := d.skip(h, 2); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Next returns the next event. io.EOF is the end between two values; io.ErrUnexpectedEOF one inside
// a value; Damaged errors and those of the connection end the stream, too.
func (d *Decoder) Next() (Event, error) {
	for {
		d.budget = maxSkipped
		h, err := d.head()
		if err != nil {
			return Event{}, err
		}
		if h.kind != kindArray || h.n < 1 {
			if err := d.skip(h, 0); err != nil {
				return Event{}, inside(err)
			}
			d.values++
			d.ignored++
			continue
		}
		e, known, err := d.event(h.n)
		if err != nil {
			return Event{}, inside(err)
		}
		d.values++
		if known {
			return e, nil
		}
		d.ignored++
	}
}

// inside makes the end of the stream within a value an error.
func inside(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// event reads an array of n values: a kind, and pairs of key and value.
func (d *Decoder) event(n int64) (e Event, known bool, err error) {
	what, ok, err := d.text()
	if err != nil {
		return e, false, err
	}
	n--
	if ok {
		switch what {
		case "sample_info":
			e.Info = &InfoEvent{}
		case "method":
			e.Method = &MethodEvent{}
		case "thread":
			e.Sample = &SampleEvent{}
		}
	}
	known = e != Event{}
	for ; n > 0; n -= 2 {
		key, isText, err := d.text()
		if err != nil {
			return e, false, err
		}
		if n == 1 {
			break // a key without a value
		}
		if !known || !isText {
			key = ""
		}
		if err := d.member(&e, key); err != nil {
			return e, false, err
		}
	}
	return e, known, nil
}

// member reads the value of one key.
func (d *Decoder) member(e *Event, key string) (err error) {
	switch {
	case e.Info != nil && key == "start_time":
		e.Info.StartMs, err = d.integer()
	case e.Info != nil && key == "sample_interval":
		e.Info.IntervalMs, err = d.integer()
	case e.Info != nil && key == "last_sample_time":
		e.Info.LastSampleMs, err = d.integer()
	case e.Method != nil && key == "id":
		var n int64
		n, err = d.integer()
		e.Method.ID = MethodID(n)
	case e.Method != nil && key == "name":
		e.Method.Name, _, err = d.text()
	case e.Sample != nil && key == "time":
		e.Sample.Record.TimeMs, err = d.integer()
	case e.Sample != nil && key == "id":
		e.Sample.Thread, err = d.integer()
	case e.Sample != nil && key == "name":
		e.Sample.Name, _, err = d.text()
	case e.Sample != nil && key == "cpu_time":
		e.Sample.Record.CPUNs, err = d.integer()
	case e.Sample != nil && key == "cpu_time_delta":
		e.Sample.Record.CPUDeltaNs, err = d.integer()
	case e.Sample != nil && key == "stacktrace":
		e.Sample.Record.Stack, err = d.stack()
	default:
		var h head
		if h, err = d.head(); err == nil {
			err = d.skip(h, 1)
		}
	}
	return err
}
