package flare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

func appendInfo(b []byte, x *InfoEvent) []byte {
	return fmt.Appendf(b, "*7\r\n+sample_info\r\n+start_time\r\n:%d\r\n+sample_interval\r\n:%d\r\n"+
		"+last_sample_time\r\n:%d\r\n", x.StartMs, x.IntervalMs, x.LastSampleMs)
}

func appendMethod(b []byte, x *MethodEvent) []byte {
	return appendName(fmt.Appendf(b, "*5\r\n+method\r\n+id\r\n:%d\r\n", x.ID), x.Name)
}

func appendName(b []byte, name string) []byte {
	name = name[:min(len(name), maxText)]
	return fmt.Appendf(b, "+name\r\n$%d\r\n%s\r\n", len(name), name)
}

func appendSample(b []byte, x *SampleEvent) []byte {
	b = fmt.Appendf(b, "*13\r\n+thread\r\n+time\r\n:%d\r\n+id\r\n:%d\r\n", x.Record.TimeMs, x.Thread)
	b = appendName(b, x.Name)
	stack := x.Record.Stack[:min(len(x.Record.Stack), maxArray)]
	b = fmt.Appendf(b, "+cpu_time\r\n:%d\r\n+cpu_time_delta\r\n:%d\r\n+stacktrace\r\n*%d\r\n",
		x.Record.CPUNs, x.Record.CPUDeltaNs, len(stack))
	for _, id := range stack {
		b = fmt.Appendf(b, ":%d\r\n", id)
	}
	return b
}

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
	for rec, err := range r.All() {
		if err = cmp.Or(err, ctx.Err()); err != nil {
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
