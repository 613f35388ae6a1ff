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
	tape        journal.Tape
	buf         []byte
	definitions map[string]string // by key
	room        *feed.Names       // of definitions
}

// NewEncoder returns an encoder that writes the events of a sink to a tape. It keeps definitions, to define them again,
// as long as the sink has room for them.
func NewEncoder(t journal.Tape, sink feed.Sink) *Encoder {
	return &Encoder{tape: t, definitions: map[string]string{}, room: feed.NamesOf(sink)}
}

// Event takes an event. It returns false when the tape refused it.
func (e *Encoder) Event(x Event) bool {
	var key string
	switch {
	case x.Info != nil:
		key, e.buf = "info", appendInfo(e.buf[:0], x.Info)
	case x.Method != nil:
		key, e.buf = "m:"+strconv.FormatInt(int64(x.Method.ID), 10), appendMethod(e.buf[:0], x.Method)
	case x.Sample != nil:
		if e.tape.NeedsDefinitions() {
			for _, key := range slices.Sorted(maps.Keys(e.definitions)) {
				e.tape.Define(key, []byte(e.definitions[key]))
			}
		}
		e.buf = appendSample(e.buf[:0], x.Sample)
		return e.tape.Data(e.buf)
	}
	old := e.definitions[key]
	if old == string(e.buf) && x.Info == nil { // each connection has its info
		return true
	}
	if e.room.Take(agentMethodBytes + int64(len(e.buf)-len(old))) {
		e.definitions[key] = string(e.buf)
	}
	return e.tape.Define(key, e.buf)
}

// agentMethodBytes is the memory of an entry of Encoder.definitions besides the text.
const agentMethodBytes = 64

// Forget lets go of the definitions. Whoever made the tape ends it.
func (e *Encoder) Forget() {
	e.room.Close()
	clear(e.definitions)
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
	in := newIntake(func(e Event) {
		if failed == nil {
			failed = WriteEvent(w, e)
		}
	}, func(int64) {}, func() {})
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
