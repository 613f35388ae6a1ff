// The client of the Flare agent inside a JVM reads its stream of events, and records them in sample folders.
// Source: FORMAT.md of net/flare, section "Agent protocol".

package flare

import (
	"bufio"
	"bytes"
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
	line    []byte
	values  int // in the value that is read
	texts   int // bytes of all texts in it
}

// NewDecoder returns a decoder of r.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: bufio.NewReaderSize(r, 64<<10)} }

// errStream marks damage after which nothing that follows can be understood.
var errStream = errors.New("the stream is damaged")

func (d *Decoder) damaged(format string, args ...any) error {
	return fmt.Errorf("%w at byte %d: %s", errStream, d.offset, fmt.Sprintf(format, args...))
}

// Damaged reports whether an error of Next is of the stream's content, not of the connection.
func Damaged(err error) bool { return errors.Is(err, errStream) }

// readLine reads the text up to CR LF. A lone LF is part of the text.
func (d *Decoder) readLine() ([]byte, error) {
	d.line = d.line[:0]
	for !bytes.HasSuffix(d.line, []byte("\r\n")) {
		if len(d.line) > maxText+2 {
			return nil, d.damaged("a line of more than %d bytes", maxText)
		}
		c, err := d.r.ReadByte()
		if err != nil {
			return nil, err
		}
		d.offset++
		d.line = append(d.line, c)
	}
	return d.line[:len(d.line)-2], nil
}

// read reads one value: an int64, a string, a []any, or nil for null and for errors. depth is how many arrays it
// lies in.
func (d *Decoder) read(depth int) (any, error) {
	if d.values++; d.values > maxSkipped || d.texts > maxEvent {
		return nil, d.damaged("a value of more than %d values, or %d bytes of text", maxSkipped, maxEvent)
	}
	line, err := d.readLine()
	if err != nil {
		return nil, err
	}
	if len(line) == 0 {
		return nil, d.damaged("a value without a type")
	}
	kind, text := line[0], line[1:]
	d.texts += len(text)
	switch kind {
	case '-':
		return nil, nil
	case '+':
		return string(text), nil
	case ':', '*', '$':
	default:
		return nil, d.damaged("%.40q is not a value", line)
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	switch {
	case err != nil:
		return nil, d.damaged("%.40q is not a number", text)
	case kind == ':':
		return n, nil
	case kind == '*' && n > maxArray:
		return nil, d.damaged("an array of %d values; the limit is %d", n, maxArray)
	case kind == '$' && n > maxText:
		return nil, d.damaged("a text of %d bytes; the limit is %d", n, maxText)
	case n < -1:
		return nil, d.damaged("a length of %d", n)
	case n < 0:
		return nil, nil
	case kind == '$':
		return d.bulk(int(n))
	case depth >= maxNesting:
		return nil, d.damaged("arrays nest deeper than %d", maxNesting)
	}
	var list []any
	for range n {
		v, err := d.read(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// bulk reads the bytes of a bulk string and its line end.
func (d *Decoder) bulk(n int) (any, error) {
	d.texts += n
	d.line = slices.Grow(d.line[:0], n+2)[:n+2]
	got, err := io.ReadFull(d.r, d.line)
	d.offset += int64(got)
	if err == nil && string(d.line[n:]) != "\r\n" {
		err = d.damaged("a text is longer than it says")
	}
	return string(d.line[:n]), err
}

// Next returns the next event. io.EOF is the end between two values; io.ErrUnexpectedEOF one inside
// a value; Damaged errors and those of the connection end the stream, too.
func (d *Decoder) Next() (Event, error) {
	for {
		begin := d.offset
		d.values, d.texts = 0, 0
		v, err := d.read(0)
		if err != nil {
			if errors.Is(err, io.EOF) && d.offset > begin {
				err = io.ErrUnexpectedEOF
			}
			return Event{}, err
		}
		d.total++
		if e, known := eventOf(v); known {
			return e, nil
		}
		d.ignored++
	}
}

// eventOf understands a value: an array of a kind, and pairs of key and value.
func eventOf(v any) (e Event, known bool) {
	list, _ := v.([]any)
	if len(list) == 0 {
		return e, false
	}
	member := func(key string) (v any) {
		for i := 1; i+1 < len(list); i += 2 {
			if list[i] == key {
				v = list[i+1]
			}
		}
		return v
	}
	number := func(key string) int64 { n, _ := member(key).(int64); return n }
	name, _ := member("name").(string)
	switch list[0] {
	case "sample_info":
		e.Info = &InfoEvent{number("start_time"), number("sample_interval"), number("last_sample_time")}
	case "method":
		e.Method = &MethodEvent{MethodID(number("id")), name}
	case "thread":
		e.Sample = &SampleEvent{Thread: number("id"), Name: name, Record: Record{
			TimeMs: number("time"), CPUNs: number("cpu_time"), CPUDeltaNs: number("cpu_time_delta"),
		}}
		stack, _ := member("stacktrace").([]any)
		for _, id := range stack {
			if n, ok := id.(int64); ok {
				e.Sample.Record.Stack = append(e.Sample.Record.Stack, MethodID(n))
			}
		}
	default:
		return e, false
	}
	return e, true
}
