package gotrace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	exptrace "golang.org/x/exp/trace"
)

// headSize is how long the header of a trace is, in bytes.
const headSize = 16

// errNoEvents is the error for a trace in which nothing has happened.
var errNoEvents = errors.New("no events: the trace has no complete generation, which is about a second of the " +
	"program's time")

// version returns the number of the format, the 26 of "go 1.26 trace", from a trace's first bytes. ok
// is false where it is no trace.
func version(head []byte) (n int, ok bool) {
	if len(head) < headSize {
		return 0, false
	}
	rest, ok := bytes.CutPrefix(bytes.TrimRight(head[:headSize], "\x00"), []byte("go 1."))
	if !ok {
		return 0, false
	}
	digits, ok := bytes.CutSuffix(rest, []byte(" trace"))
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(string(digits))
	return n, err == nil && n > 0 && digits[0] != '+'
}

// newEvents reads the header of a trace, and of the older form all of it, as far as there is room for it. v
// is the number of the format.
func newEvents(r io.Reader, m *meter) (e *exptrace.Reader, v int, err error) {
	defer recovered(&err)
	head := make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, 0, err
	}
	v, ok := version(head[:n])
	if !ok {
		return nil, 0, fmt.Errorf("byte 0: % x is not the beginning of a Go execution trace", head[:min(n, 8)])
	}
	m.r, m.version = r, v
	e, err = exptrace.NewReader(io.MultiReader(bytes.NewReader(head), m))
	if err != nil && v > newest {
		return nil, 0, fmt.Errorf("unknown format of Go 1.%d: update Framescope", v)
	}
	if err != nil && v < firstParted {
		err = fmt.Errorf("damaged, or not whole, and a trace of Go 1.%d can be read whole only: %w", v, err)
	}
	if err != nil {
		return nil, 0, short(err)
	}
	return e, v, nil
}

// newest is the newest format that is known to be read.
const newest = 26

// nextEvent returns the next event of a trace, in order of time, and io.EOF at its end.
func nextEvent(e *exptrace.Reader) (ev exptrace.Event, err error) {
	defer recovered(&err)
	if ev, err = e.ReadEvent(); err != nil && !errors.Is(err, io.EOF) {
		err = short(err)
	}
	return ev, err
}

// recovered makes a panic an error: whatever is in a file, it is only that file's fault.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = short(fmt.Errorf("its contents are invalid: %v", p))
	}
}

// short returns an error with the first line of its text, for some have a whole table.
func short(err error) error {
	if head, _, more := strings.Cut(err.Error(), "\n"); more {
		return errors.New(strings.TrimSpace(head))
	}
	return err
}
