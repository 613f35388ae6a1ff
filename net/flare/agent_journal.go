package flare

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"framescope/net/feed"
	"framescope/net/journal"
)

// JournalSource is the Meta.Source of journals of an agent's messages.
const JournalSource = "flare"

// Encoder keeps what an agent sends in a journal: the messages of its protocol, in order. Samples
// are data, and the names of methods and what the agent says of itself are definitions, with the
// keys "m:" and the method's number, and "info".
type Encoder struct {
	tape  journal.Tape
	buf   []byte
	info  *InfoEvent
	names map[MethodID]string
	room  *feed.Names // of names
}

// NewEncoder returns an encoder that writes the events of a sink to a tape. It keeps names, to define them again,
// as long as the sink has room for them.
func NewEncoder(t journal.Tape, sink feed.Sink) *Encoder {
	return &Encoder{tape: t, names: map[MethodID]string{}, room: feed.NamesOf(sink)}
}

// Event takes an event. It returns false when the tape refused it.
func (e *Encoder) Event(x Event) bool {
	switch {
	case x.Info != nil:
		info := *x.Info
		e.info = &info
		return e.defineInfo()
	case x.Method != nil:
		name, known := e.names[x.Method.ID]
		if known && name == x.Method.Name {
			return true
		}
		if e.room.Take(agentMethodBytes + int64(len(x.Method.Name)-len(name))) {
			e.names[x.Method.ID] = x.Method.Name
		}
		return e.defineMethod(x.Method)
	case x.Sample != nil:
		if e.tape.NeedsDefinitions() {
			e.defineAll()
		}
		e.buf = appendSample(e.buf[:0], x.Sample)
		return e.tape.Data(e.buf)
	}
	return true
}

func (e *Encoder) defineAll() {
	if e.info != nil {
		e.defineInfo()
	}
	for _, id := range slices.Sorted(maps.Keys(e.names)) {
		e.defineMethod(&MethodEvent{id, e.names[id]})
	}
}

func (e *Encoder) defineInfo() bool {
	e.buf = appendInfo(e.buf[:0], e.info)
	return e.tape.Define("info", e.buf)
}

func (e *Encoder) defineMethod(m *MethodEvent) bool {
	e.buf = appendMethod(e.buf[:0], m)
	return e.tape.Define("m:"+strconv.FormatInt(int64(m.ID), 10), e.buf)
}

// agentMethodBytes is the memory of an entry of Encoder.names besides the name.
const agentMethodBytes = 64

// Forget lets go of the names. Whoever made the tape ends it.
func (e *Encoder) Forget() {
	e.room.Close()
	e.names = map[MethodID]string{}
}

func appendInteger(b []byte, key string, n int64) []byte {
	b = append(append(b, '+'), key...)
	b = strconv.AppendInt(append(b, "\r\n:"...), n, 10)
	return append(b, "\r\n"...)
}

func appendName(b []byte, name string) []byte {
	if len(name) > maxText {
		name = name[:maxText]
	}
	b = strconv.AppendInt(append(b, "+name\r\n$"...), int64(len(name)), 10)
	b = append(append(b, "\r\n"...), name...)
	return append(b, "\r\n"...)
}

func appendInfo(b []byte, x *InfoEvent) []byte {
	b = append(b, "*7\r\n+sample_info\r\n"...)
	b = appendInteger(b, "start_time", x.StartMs)
	b = appendInteger(b, "sample_interval", x.IntervalMs)
	return appendInteger(b, "last_sample_time", x.LastSampleMs)
}

func appendMethod(b []byte, x *MethodEvent) []byte {
	b = appendInteger(append(b, "*5\r\n+method\r\n"...), "id", int64(x.ID))
	return appendName(b, x.Name)
}

func appendSample(b []byte, x *SampleEvent) []byte {
	b = appendInteger(append(b, "*13\r\n+thread\r\n"...), "time", x.Record.TimeMs)
	b = appendName(appendInteger(b, "id", x.Thread), x.Name)
	b = appendInteger(b, "cpu_time", x.Record.CPUNs)
	b = appendInteger(b, "cpu_time_delta", x.Record.CPUDeltaNs)
	stack := x.Record.Stack
	if len(stack) > maxArray {
		stack = stack[:maxArray]
	}
	b = strconv.AppendInt(append(b, "+stacktrace\r\n*"...), int64(len(stack)), 10)
	b = append(b, "\r\n"...)
	for _, id := range stack {
		b = strconv.AppendInt(append(b, ':'), int64(id), 10)
		b = append(b, "\r\n"...)
	}
	return b
}

// exportFlush is how many samples are held in memory when a journal is exported.
const exportFlush = 10_000

// ExportJournal writes a journal to sample folders in a folder, and returns them.
func ExportJournal(ctx context.Context, r *journal.Reader, parent string) (dirs []string, err error) {
	m := r.Meta()
	w := NewFolderWriter(parent, strings.TrimSpace(m.Peer), m.Start.Local)
	var events EventReader
	var failed error
	ignored := func(int64) {}
	in := newIntake(func(e Event) {
		if failed == nil {
			failed = WriteEvent(w, e)
		}
	}, ignored, ignored)
	for n := 1; ; n++ {
		if n%exportFlush == 0 {
			if err := errors.Join(ctx.Err(), w.Flush()); err != nil {
				return w.Dirs(), err
			}
		}
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return w.Dirs(), err
		}
		if rec.Kind != journal.KindDefinition && rec.Kind != journal.KindData {
			continue
		}
		e, err := events.Event(&rec)
		if err != nil {
			continue // reported when the session is opened
		}
		if in.event(e); failed != nil {
			return w.Dirs(), failed
		}
	}
	in.end()
	if err = errors.Join(failed, w.Close()); err == nil && len(w.Dirs()) == 0 {
		err = fmt.Errorf("%s: it has no samples", m.Peer)
	}
	return w.Dirs(), err
}

// WriteEvent hands an event to the writer of sample folders.
func WriteEvent(w *FolderWriter, e Event) error {
	switch {
	case e.Info != nil:
		w.Info(e.Info.StartMs, e.Info.IntervalMs, e.Info.LastSampleMs)
	case e.Method != nil:
		w.Method(e.Method.ID, e.Method.Name)
	case e.Sample != nil:
		return w.Sample(e.Sample.Thread, e.Sample.Name, e.Sample.Record)
	}
	return nil
}
