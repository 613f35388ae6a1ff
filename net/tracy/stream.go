package tracy

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/pierrec/lz4/v4"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// The parts of a connection (public/common/TracyProtocol.hpp).
const (
	magic       = "TracyPrf"
	helloSize   = len(magic) + 4
	blockBytes  = 256 << 10 // that a block holds unpacked
	packedBytes = blockBytes + blockBytes/255 + 16
	window      = 64 << 10 // that a block may refer back to
	programSize = 64
	hostSize    = 1024

	flagOnDemand = 1
)

// The answers of a program to a greeting.
const (
	statusWelcome = iota + 1
	StatusMismatch
	statusBusy
	statusDropped
)

// Conversation is what a stream of a running program does beside taking its bytes: it asks for the names that these
// refer to.
type Conversation interface {
	feed.Stream
	// Ask makes the stream send its questions. Before the first byte.
	Ask(send func(questions []byte) error)
	// Over reports that the program has ended and has answered all questions.
	Over() bool
}

// reading takes the bytes of a connection: the greeting, the program's answer, and blocks.
type reading struct {
	sink     feed.Sink
	room     *feed.Names
	info     model.Info
	bad      trace.Diagnostics
	at       int64  // bytes that were taken
	left     []byte // the begin of a part that is not whole
	next     func([]byte) (used int, err error)
	version  uint32
	history  []byte // the window, and a block behind it
	filled   int    // of the window
	d        *decoder
	send     func([]byte) error
	finished error
}

var _ Conversation = (*reading)(nil)

func newReading(sink feed.Sink, info model.Info) *reading {
	info.Source, info.PID, info.Version = Source{}.Kind(), -1, "Tracy"
	r := &reading{sink: sink, room: feed.NamesOf(sink), info: info, history: make([]byte, window+blockBytes)}
	r.next = r.hello
	return r
}

// Ask implements Conversation.
func (r *reading) Ask(send func([]byte) error) { r.send = send }

// Over implements Conversation.
func (r *reading) Over() bool { return r.d != nil && r.d.over() }

// Write implements feed.Stream.
func (r *reading) Write(p []byte) (int, error) {
	if r.finished != nil {
		return 0, r.finished
	}
	b := p
	if len(r.left) > 0 {
		r.left = append(r.left, p...)
		b = r.left
	}
	for len(b) > 0 {
		used, err := r.next(b)
		if err != nil {
			r.finished = err
			return 0, err
		}
		if used == 0 {
			break
		}
		b = b[used:]
		r.at += int64(used)
	}
	r.left = append(r.left[:0], b...)
	return len(p), nil
}

// hello takes the greeting: the magic number, and the version in it.
func (r *reading) hello(b []byte) (int, error) {
	if len(b) < helloSize+1 {
		return 0, nil
	}
	if !bytes.HasPrefix(b, []byte(magic)) {
		return 0, errors.New("begins with no greeting of Tracy")
	}
	r.version = binary.LittleEndian.Uint32(b[len(magic):])
	switch status := b[helloSize]; status {
	case statusWelcome:
		r.next = r.welcome
		return helloSize + 1, nil
	default:
		return 0, refusal(status, r.version)
	}
}

// welcome takes what the program says of itself, with the state of one that is profiled on demand.
func (r *reading) welcome(b []byte) (int, error) {
	shapes, err := shapesOf(r.version)
	if err != nil {
		return 0, err
	}
	const head, tail = 8 + 8 + 8, 8 + 8 + 8 + 8 + 8
	at, size := head, head+tail+1+1+12+4+programSize+hostSize
	if r.version < 76 { // there was a delay between the two
		at, size = at+8, size+8
	}
	if len(b) < size {
		return 0, nil
	}
	numbers, flags := b[at:], b[at+tail]
	if flags&flagOnDemand != 0 {
		if size += 16; len(b) < size { // frames so far and the time
			return 0, nil
		}
	}
	c := clock{
		factor: math.Float64frombits(binary.LittleEndian.Uint64(b)), base: int64(binary.LittleEndian.Uint64(b[8:])),
	}
	if !(c.factor > 0) || math.IsInf(c.factor, 0) {
		return 0, fmt.Errorf("has a clock with ticks of %v ns", c.factor)
	}
	texts := b[at+tail+1+1+12+4:]
	i := &r.info
	i.Program = cmp.Or(cString(texts[:programSize]), i.Program)
	i.PID = int64(binary.LittleEndian.Uint64(numbers[24:]))
	i.Version = fmt.Sprintf("Tracy %s (protocol %d)", releases[r.version], r.version)
	i.Detail = hostDetail(texts[programSize : programSize+hostSize])
	if epoch := binary.LittleEndian.Uint64(numbers[8:]); epoch <= math.MaxInt32*4 {
		i.ZeroAt = model.DayTime{UnixNs: int64(epoch) * 1e9, StepNs: 1e9}
	}
	r.d = newDecoder(r.sink, r.room, r.info, &r.bad, shapes, c)
	r.d.compact, r.d.send = r.version >= compactVersion, r.send
	r.d.askFrame, r.d.names.askExternal = askDisconnect+1, askDisconnect+2
	if r.version >= ordersExternal {
		r.d.askFrame, r.d.names.askExternal = askDisconnect+2, askDisconnect
	}
	r.next = r.block
	return size, nil
}

// block takes a block of events.
func (r *reading) block(b []byte) (int, error) {
	if len(b) < 4 {
		return 0, nil
	}
	size := int(binary.LittleEndian.Uint32(b))
	if size > packedBytes || size == 0 {
		return 0, fmt.Errorf("the block at byte %d claims %d bytes; at most %d are possible", r.at, size, packedBytes)
	}
	if len(b) < 4+size {
		return 0, nil
	}
	out := r.history[window:]
	n, err := lz4.UncompressBlockWithDict(b[4:4+size], out, r.history[window-r.filled:window])
	if err != nil {
		return 0, fmt.Errorf("the block at byte %d is damaged, and so is all behind it, which refers to it: %w", r.at, err)
	}
	if err := r.d.take(out[:n], r.at); err != nil {
		return 0, err
	}
	if n >= window {
		copy(r.history, out[n-window:n])
	} else {
		copy(r.history, r.history[n:window+n])
	}
	r.filled = min(window, r.filled+n)
	return 4 + size, nil
}

// Idle implements feed.Stream.
func (r *reading) Idle() {
	if r.d != nil {
		r.d.flush()
	}
}

// Close implements feed.Stream.
func (r *reading) Close(reason string) {
	switch {
	case r.finished != nil && !errors.Is(r.finished, feed.ErrCancelled):
		r.bad.Explain(trace.Unread, r.at, "%v", r.finished)
	case len(r.left) > 0:
		r.bad.Explain(trace.Cut, r.at, "the last %d bytes are a part of a block", len(r.left))
	}
	if r.d == nil {
		r.sink.Define(r.info)
		r.bad.Define(r.sink.Define, r.room)
	} else {
		r.d.close()
	}
	r.room.Close()
	r.sink.Define(model.End{Reason: reason})
}

// cString returns the text up to the first NUL.
func cString(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte{0})
	return trace.Shown(string(b))
}

// hostDetail says where a program runs.
func hostDetail(host []byte) string {
	var lines []string
	host, _, _ = bytes.Cut(host, []byte{0})
	for line := range bytes.Lines(host) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, trace.Shown(string(line)))
		}
	}
	return strings.Join(lines, ", ")
}

// refusal is the error of a program that does not take the greeting.
func refusal(status byte, version uint32) error {
	switch status {
	case StatusMismatch:
		return &MismatchError{version}
	case statusBusy:
		return errors.New("the program was profiled already, and sends its data once: start it again, or build it with " +
			"TRACY_ON_DEMAND")
	case statusDropped:
		return errors.New("the program dropped the connection")
	}
	return fmt.Errorf("the program answers with the status %d, which Tracy does not have", status)
}

// MismatchError is the refusal of a program that speaks another version of the protocol.
type MismatchError struct{ Version uint32 }

func (e *MismatchError) Error() string {
	return fmt.Sprintf("the program does not speak version %d of Tracy's protocol", e.Version)
}

// Farewell is the question that lets a program that has ended go.
func Farewell() []byte { return make([]byte, queryBytes) }
