// Package ftrace turns events of a Linux kernel into threads, processors and counters of a trace.Builder: what
// programs wrote into the kernel's trace (atrace), which thread ran on which processor, who woke whom, and calls
// between processes (binder). It knows no file format: net/perfetto and net/systrace read these and hand it events.
//
// A kernel writes a list for each processor, and names of processes may come last. So events are gathered, and put in
// order before they are published.
package ftrace

import (
	"bytes"
	"math"
	"strconv"

	"framescope/net/feed"
	"framescope/net/trace"
)

// FrameNames are the names of spans that are frames: those of engines and of Android.
var FrameNames = []string{"Frame", "frame", "doFrame", doFrame}

// doFrame is the name of Android's frames. A number may follow.
const doFrame = "Choreographer#doFrame"

// Unknown is the thread of an event that does not say it: the one that its processor runs.
const Unknown = -1

// Head is what all events have.
type Head struct {
	Time  int64  // ns
	Clock uint32 // that the time is of; the reader's number
	CPU   int32
	Task  int32 // the number of the thread that ran
}

// The kinds of events. Those of atrace have their letters.
const (
	spanBegins    = 'B'
	spanEnds      = 'E'
	counts        = 'C'
	asyncBegins   = 'S'
	asyncEnds     = 'F'
	instant       = 'I'
	trackInstant  = 'N'
	trackBegins   = 'G'
	trackEnds     = 'H'
	says          = 'm'
	switches      = 's'
	wakes         = 'w'
	frequency     = 'f'
	gpuFrequency  = 'g'
	idle          = 'i'
	exits         = 'x'
	losesEvents   = 'l'
	binderSends   = 't'
	binderAnswers = 'a'
	binderGets    = 'r'
)

// event is an event that waits.
type event struct {
	Head
	other int32 // the thread that runs next, is woken or exits; of atrace the process
	name  trace.Symbol
	title trace.Symbol // of an asynchronous track
	value int64        // number, or cookie; of a counter the bits of a fraction
	kind  byte
}

const (
	eventBytes = 64
	taskBytes  = 192
	noVsync    = -1
)

// task is a thread of the kernel.
type task struct {
	id     int32
	group  int32 // its process; 0: unknown
	parent *task // the thread of whose process it is
	sure   bool  // the kernel says that group is its process
	shown  bool
	name   trace.Symbol
	scheduled
}

// Kernel gathers the events of a kernel.
type Kernel struct {
	// Place is that of the event that is read, for diagnostics.
	Place int64
	// Others is how many events of kinds that are not read there are.
	Others int64
	// Realtime is by how much the time of day, in ns since 1970, is ahead of the times of events; 0: unknown.
	Realtime int64
	// Suffix is what the titles of processors end with.
	Suffix string

	b      *trace.Builder
	room   *feed.Names
	events []event
	tasks  map[int32]*task
	order  []*task
	published
}

// New returns a kernel without events. room is the account of the recording.
func New(b *trace.Builder, room *feed.Names) *Kernel {
	return &Kernel{b: b, room: room, tasks: map[int32]*task{}}
}

// Clocks counts the events of each clock.
func (k *Kernel) Clocks(used map[uint32]int) {
	for i := range k.events {
		used[k.events[i].Clock]++
	}
}

// task returns a thread, nil for one that is not known and where there is no room. 0 is the idle one.
func (k *Kernel) task(id int32) *task {
	t := k.tasks[id]
	if t != nil || id < 0 {
		return t
	}
	if !k.room.TakeData(taskBytes) {
		k.b.Bad.Bad(trace.ManyThreads, k.Place)
		return nil
	}
	t = &task{id: id, name: trace.EmptySymbol}
	k.tasks[id] = t
	k.order = append(k.order, t)
	return t
}

// Show says that a thread has spans from elsewhere: what it does on processors is shown.
func (k *Kernel) Show(id int32) {
	if t := k.task(id); t != nil {
		t.shown = true
	}
}

// Group says of which process a thread is.
func (k *Kernel) Group(id, group int32) {
	if t := k.task(id); t != nil && group > 0 {
		t.group, t.sure = group, true
	}
}

// Main says that the first thread of a process, where there is one, is of it.
func (k *Kernel) Main(id int32) {
	if k.tasks[id] != nil {
		k.Group(id, id)
	}
}

// Name says what a thread is called.
func (k *Kernel) Name(id int32, comm []byte) {
	comm, _, _ = bytes.Cut(comm, []byte{0})
	if t := k.task(id); t != nil && len(comm) > 0 && comm[0] != '<' {
		t.name = k.b.Symbol(comm)
	}
}

// NewTask takes that a thread begins; flags are those of clone(2).
func (k *Kernel) NewTask(h Head, id int32, comm []byte, flags uint64) {
	const sameProcess = 0x10000
	k.Name(id, comm)
	t := k.task(id)
	switch {
	case t == nil:
	case flags&sameProcess != 0:
		t.parent, t.sure = k.task(h.Task), true
	default:
		t.group, t.sure = id, true
	}
}

// add keeps an event.
func (k *Kernel) add(e event) {
	if !k.room.TakeData(eventBytes) {
		k.b.Bad.Bad(trace.NoMemory, k.Place)
		return
	}
	k.events = append(k.events, e)
}

// Switch takes that a processor goes over from a thread to another.
func (k *Kernel) Switch(h Head, prev, next int32, prevComm, nextComm []byte) {
	k.Name(prev, prevComm)
	k.Name(next, nextComm)
	h.Task = prev
	e := event{Head: h, kind: switches, other: next, name: trace.EmptySymbol}
	if t := k.task(next); t != nil {
		e.name = t.name
	}
	k.add(e)
}

// Wake takes that the thread of an event wakes another one.
func (k *Kernel) Wake(h Head, id int32, comm []byte) {
	k.Name(id, comm)
	k.add(event{Head: h, kind: wakes, other: id})
}

// Exit takes that a thread ends.
func (k *Kernel) Exit(h Head, id int32) { k.add(event{Head: h, kind: exits, other: id}) }

// Frequency takes from when on a processor runs at so many kHz.
func (k *Kernel) Frequency(h Head, cpu int32, kHz int64) {
	k.add(event{Head: h, kind: frequency, other: cpu, value: kHz})
}

// GPUFrequency takes from when on a GPU runs at so many kHz.
func (k *Kernel) GPUFrequency(h Head, gpu int32, kHz int64) {
	k.add(event{Head: h, kind: gpuFrequency, other: gpu, value: kHz})
}

// Idle takes in which state a processor rests from now on; 2^32 - 1: in none, it runs.
func (k *Kernel) Idle(h Head, cpu int32, state int64) {
	k.add(event{Head: h, kind: idle, other: cpu, value: state})
}

// Newest returns the time of the event that was read last, 0 without any.
func (k *Kernel) Newest() int64 {
	if len(k.events) == 0 {
		return 0
	}
	return k.events[len(k.events)-1].Time
}

// Bad counts an event that lacks something.
func (k *Kernel) Bad() { k.b.Bad.Bad(trace.BadEvent, k.Place) }

// Lost takes that events of a processor before this time are missing.
func (k *Kernel) Lost(h Head) { k.add(event{Head: h, kind: losesEvents}) }

// Transaction takes that a thread sends a call to another process, by its number, or the answer to one.
func (k *Kernel) Transaction(h Head, number int64, isReply bool, flags int64) {
	const oneWay = 1
	switch {
	case isReply:
		k.add(event{Head: h, kind: binderAnswers, value: number})
	case flags&oneWay == 0:
		k.add(event{Head: h, kind: binderSends, value: number})
	default:
		k.Others++
	}
}

// Received takes that a thread gets a call or an answer.
func (k *Kernel) Received(h Head, number int64) {
	k.add(event{Head: h, kind: binderGets, value: number})
}

// Print takes a line that a program wrote into the kernel's trace.
func (k *Kernel) Print(h Head, text []byte) {
	text = bytes.TrimRight(text, "\n\x00")
	kind, rest, _ := bytes.Cut(text, []byte("|"))
	if len(kind) != 1 || kind[0] < 'B' || kind[0] > 'S' {
		k.say(h, text)
		return
	}
	var f fields
	pid := f.cut(&rest)
	group, err := strconv.ParseInt(string(pid), 10, 32)
	e := event{Head: h, kind: kind[0], other: int32(max(group, 0)), name: trace.EmptySymbol, title: trace.NoSymbol}
	good := err == nil || e.kind == spanEnds
	switch e.kind {
	case spanBegins:
		e.name, e.value = k.vsync(rest)
	case spanEnds:
	case counts:
		e.name = k.b.Symbol(f.some(&rest))
		v, err := strconv.ParseFloat(string(f.cut(&rest)), 64)
		e.value, f.bad = int64(math.Float64bits(v)), f.bad || err != nil
	case asyncBegins, asyncEnds:
		e.name, e.value = k.b.Symbol(f.some(&rest)), f.cookie(f.cut(&rest))
	case instant:
		e.name = k.b.Symbol(f.some(&rest))
	case trackInstant, trackBegins, trackEnds:
		k.onTrack(&e, &f, rest)
	default:
		k.say(h, text)
		return
	}
	if !good || f.bad {
		k.Bad()
		return
	}
	if e.kind == spanBegins || e.kind == instant {
		k.owns(h.Task, e.other)
	}
	k.add(e)
}

// onTrack reads the fields of an event on an asynchronous track: its title, a name but at the end, a cookie but of an
// instant.
func (k *Kernel) onTrack(e *event, f *fields, rest []byte) {
	e.title = k.b.Symbol(f.some(&rest))
	name := f.some(&rest)
	switch {
	case e.kind != trackEnds:
		e.name = k.b.Symbol(name)
	case len(rest) == 0:
		rest = name
	}
	if e.kind != trackInstant {
		e.value = f.cookie(f.cut(&rest))
	}
}

// vsync divides the name of Android's frames, which end with a number, into both.
func (k *Kernel) vsync(text []byte) (name trace.Symbol, number int64) {
	if digits, ok := bytes.CutPrefix(text, []byte(doFrame+" ")); ok {
		if n, err := strconv.ParseInt(string(digits), 10, 63); err == nil && n >= 0 {
			return k.b.Symbol([]byte(doFrame)), n
		}
	}
	return k.b.Symbol(text), noVsync
}

// owns shows a thread, and takes the process that it says it is of, unless that is known.
func (k *Kernel) owns(id, group int32) {
	t := k.task(id)
	if t == nil {
		return
	}
	t.shown = true
	if !t.sure && group > 0 {
		t.group = group
	}
}

// say takes a text that is no event: the time of day, or a message.
func (k *Kernel) say(h Head, text []byte) {
	if sync, ok := bytes.CutPrefix(text, []byte("trace_event_clock_sync:")); ok {
		_, ms, _ := bytes.Cut(sync, []byte("realtime_ts="))
		if v, err := strconv.ParseInt(string(bytes.TrimSpace(ms)), 10, 43); err == nil && v > 0 {
			k.Realtime = v*1e6 - h.Time
		}
		return
	}
	if len(text) == 0 {
		return
	}
	k.Show(h.Task)
	k.add(event{Head: h, kind: says, name: k.b.Symbol(text)})
}

// fields are those of a line of atrace, between its strokes.
type fields struct{ bad bool }

func (f *fields) cut(rest *[]byte) []byte {
	field, after, _ := bytes.Cut(*rest, []byte("|"))
	*rest = after
	return field
}

// some cuts off a field that may not be empty.
func (f *fields) some(rest *[]byte) []byte {
	field := f.cut(rest)
	f.bad = f.bad || len(field) == 0
	return field
}

func (f *fields) cookie(field []byte) int64 {
	v, err := strconv.ParseInt(string(field), 10, 64)
	f.bad = f.bad || err != nil
	return v
}
