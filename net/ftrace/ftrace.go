// Package ftrace turns events of a Linux kernel into threads, processors and counters of a trace.Builder: what
// programs wrote into the kernel's trace (atrace), which thread ran on which processor, wake-ups, and calls
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

// Kind is a kind of event. Those of atrace are its letters.
type Kind byte

// The kinds that readers hand over by Add.
const (
	Wakes         Kind = 'w' // another thread
	Exits         Kind = 'x' // a thread ends
	Frequency     Kind = 'f' // of a processor, in kHz
	GPUFrequency  Kind = 'g' // of a GPU, in kHz
	Idle          Kind = 'i' // how a processor rests from now on; 2^32 - 1: not, it runs
	BinderSends   Kind = 't' // a call to another process, by its number
	BinderAnswers Kind = 'a'
	BinderGets    Kind = 'r' // a call or an answer
)

const (
	spanBegins   Kind = 'B'
	spanEnds     Kind = 'E'
	counts       Kind = 'C'
	asyncBegins  Kind = 'S'
	asyncEnds    Kind = 'F'
	instant      Kind = 'I'
	trackInstant Kind = 'N'
	trackBegins  Kind = 'G'
	trackEnds    Kind = 'H'
	says         Kind = 'm'
	switches     Kind = 's'
	losesEvents  Kind = 'l'
)

// event is an event that waits.
type event struct {
	Head
	other int32 // the thread that runs next, is woken or exits; of atrace the process
	name  trace.Symbol
	title trace.Symbol // of an asynchronous track
	value int64        // number, or cookie; of a counter the bits of a fraction
	kind  Kind
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
	parent *task // first thread of its process
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
	// Parent is by how much the monotonic clock is ahead of the times of events, in ns; 0: unknown.
	Parent int64
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

// Group sets the process of a thread.
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

// Switch takes that a processor goes over to another thread, and in which state the one is that ran before.
func (k *Kernel) Switch(h Head, was State, next int32, nextComm []byte) {
	k.Name(next, nextComm)
	e := event{Head: h, kind: switches, other: next, name: trace.EmptySymbol, value: int64(was)}
	if t := k.task(next); t != nil {
		e.name = t.name
	}
	k.add(e)
}

// Add takes an event of a thread, processor or GPU of a number, with a value.
func (k *Kernel) Add(h Head, kind Kind, of int32, value int64) {
	k.add(event{Head: h, kind: kind, other: of, value: value})
}

// Transaction takes a call to another process, or the answer to one. Nobody waits for one that goes one way.
func (k *Kernel) Transaction(h Head, number int64, isReply bool, flags int64) {
	const oneWay = 1
	switch {
	case isReply:
		k.Add(h, BinderAnswers, 0, number)
	case flags&oneWay == 0:
		k.Add(h, BinderSends, 0, number)
	default:
		k.Others++
	}
}

// Len is how many events there are.
func (k *Kernel) Len() int { return len(k.events) }

// Lost takes that events of a processor are missing before those from the n-th on.
func (k *Kernel) Lost(cpu int32, n int) {
	e := event{kind: losesEvents}
	if len(k.events) > 0 {
		e.Head = k.events[len(k.events)-1].Head
	}
	for _, x := range k.events[n:] {
		e.Time = min(e.Time, x.Time-1)
	}
	e.CPU, e.Task = cpu, Unknown
	k.add(e)
}

// Bad counts an event that lacks something.
func (k *Kernel) Bad() { k.b.Bad.Bad(trace.BadEvent, k.Place) }

// form says in which fields of a line of atrace its parts are; 0: it has none.
type form struct{ name, title, value int }

var forms = map[Kind]form{
	spanBegins: {name: 2}, spanEnds: {}, counts: {name: 2, value: 3}, asyncBegins: {name: 2, value: 3},
	asyncEnds: {name: 2, value: 3}, instant: {name: 2}, trackInstant: {title: 2, name: 3},
	trackBegins: {title: 2, name: 3, value: 4}, trackEnds: {title: 2, value: 3},
}

// Print takes a line that a program wrote into the kernel's trace.
func (k *Kernel) Print(h Head, text []byte) {
	const most = 6 // fields that mean something
	text = bytes.TrimRight(text, "\n\x00")
	fields := bytes.SplitN(text, []byte("|"), most)
	e := event{Head: h, name: trace.EmptySymbol, title: trace.NoSymbol}
	if len(fields[0]) == 1 {
		e.kind = Kind(text[0])
	}
	f, known := forms[e.kind]
	if !known {
		k.say(h, text)
		return
	}
	if e.kind == spanBegins { // the name is all that follows
		fields = bytes.SplitN(text, []byte("|"), f.name+1)
	}
	if e.kind == trackEnds && len(fields) > 4 && len(fields[4]) > 0 { // some write the name, too
		f.value = 4
	}
	if !k.read(&e, f, fields) {
		k.Bad()
		return
	}
	if e.kind == spanBegins || e.kind == instant {
		k.owns(h.Task, e.other)
	}
	k.add(e)
}

// read reads the fields of a line of atrace; false: one that it needs is missing.
func (k *Kernel) read(e *event, f form, fields [][]byte) bool {
	most := max(1, f.name, f.title, f.value)
	if e.kind == spanEnds && len(fields) <= most {
		return true
	}
	group, err := strconv.ParseInt(string(fields[min(1, len(fields)-1)]), 10, 32)
	if err != nil || len(fields) <= most {
		return e.kind == spanEnds
	}
	e.other = int32(max(group, 0))
	if f.title > 0 {
		e.title = k.b.Symbol(fields[f.title])
	}
	if f.name > 0 {
		e.name, e.value = k.vsync(fields[f.name])
	}
	if f.value > 0 {
		v, ok := number(fields[f.value], e.kind == counts)
		if e.value = v; !ok {
			return false
		}
	}
	return e.title != trace.EmptySymbol && (f.name == 0 || e.kind == spanBegins || e.name != trace.EmptySymbol)
}

// number reads a cookie, or a counter's value as bits.
func number(text []byte, isCounter bool) (v int64, ok bool) {
	if isCounter {
		x, err := strconv.ParseFloat(string(text), 64)
		return int64(math.Float64bits(x)), err == nil
	}
	v, err := strconv.ParseInt(string(text), 10, 64)
	return v, err == nil
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
		if _, s, ok := bytes.Cut(sync, []byte("parent_ts=")); ok {
			if at, ok := trace.ParseTime(bytes.TrimSpace(s), 9); ok {
				k.Parent = at.Round() - h.Time
			}
			return
		}
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
