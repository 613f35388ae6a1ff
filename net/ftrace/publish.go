package ftrace

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

// Host knows the processes and threads of a recording.
type Host interface {
	// Thread returns a thread by its process, 0 where that is not known, and its number; nil: there is no room.
	Thread(group, id int32) *trace.Thread
	// Process returns a process, 0 is none.
	Process(group int32) *trace.Process
	// Time puts a time on the clock of the recording.
	Time(clock uint32, ns int64) (int64, bool)
}

// scheduled is the state of a thread at the time of the published event.
type scheduled struct {
	thread *trace.Thread // nil: it is not shown
	series [NumSeries]*trace.Counter
	runs   bool
	depth  int   // spans that go on
	calls  int   // calls to other processes that it waits for, or answers
	waker  *task // thread that woke it since it ran
	woken  int64 // when
}

// processor is the state of a processor.
type processor struct {
	number int32
	task   int32 // that runs, Unknown or 0
	since  int64
	last   int64 // of its newest event
	name   trace.Symbol
	track  *trace.Track
}

// asyncKey identifies what goes on beside threads.
type asyncKey struct {
	group       int32
	name, title trace.Symbol
	cookie      int64
}

// async is a span that goes on.
type async struct {
	begin int64
	name  trace.Symbol
}

// published is the state of publishing.
type published struct {
	host   Host
	cpus   map[int32]*processor
	lines  map[asyncKey]*trace.Track // by process, name or title
	open   map[asyncKey][]async
	again  int64          // repeated begins of asynchronous spans
	sent   map[int64]bool // calls that nobody has got so far
	wakeUp trace.Symbol
	key    []byte
}

// Finish publishes the events.
func (k *Kernel) Finish(host Host) {
	k.published = published{
		host: host, cpus: map[int32]*processor{}, lines: map[asyncKey]*trace.Track{}, open: map[asyncKey][]async{},
		sent: map[int64]bool{}, wakeUp: k.b.Symbol([]byte("wake-up")),
	}
	kept := k.events[:0]
	for _, e := range k.events {
		ns, ok := host.Time(e.Clock, e.Time)
		if !ok {
			k.b.Bad.Bad(trace.BadTime, trace.Unknown)
			continue
		}
		e.Time = ns
		kept = append(kept, e)
	}
	k.events = kept
	trace.SortRuns(k.events, func(x, y event) int { return cmp.Compare(x.Time, y.Time) })
	k.showCalls()
	slices.SortFunc(k.order, func(x, y *task) int { return cmp.Compare(x.id, y.id) })
	for _, t := range k.order {
		k.attach(t)
	}
	for i := range k.events {
		k.publish(&k.events[i])
	}
	k.events = nil
	k.close()
}

// showCalls shows the threads that call other processes, and those that answer.
func (k *Kernel) showCalls() {
	sent := map[int64]bool{}
	for i := range k.events {
		switch e := &k.events[i]; {
		case e.kind == BinderSends:
			sent[e.value] = true
			k.Show(e.Task)
		case e.kind == BinderGets && sent[e.value]:
			k.Show(e.Task)
		}
	}
}

// attach gives a thread that is shown its track and series, and its process the name of its main thread.
func (k *Kernel) attach(t *task) {
	group := t.group
	for p, hops := t.parent, 0; group == 0 && p != nil && hops < 64; p, hops = p.parent, hops+1 {
		group = p.group
	}
	name := k.b.Words(t.name)
	if t.id == 0 {
		name = "idle"
	}
	if group == t.id && group > 0 {
		if p := k.host.Process(group); p != nil && p.Name == "" {
			p.Name = name
		}
	}
	if !t.shown {
		return
	}
	if t.thread = k.host.Thread(group, t.id); t.thread == nil {
		k.b.Bad.Bad(trace.ManyThreads, trace.Unknown)
		return
	}
	t.thread.Name = cmp.Or(t.thread.Name, name)
}

// publish publishes an event.
func (k *Kernel) publish(e *event) {
	c := k.cpu(e.CPU)
	if e.Task == Unknown && e.kind != switches {
		e.Task = c.task
	}
	t := k.tasks[e.Task]
	switch e.kind {
	case switches:
		if was := k.leave(c, e.Time); was != nil {
			k.b.Value(was.series[Doing], e.Time, float64(e.value), trace.Unknown)
		}
		k.enter(c, e)
	case Wakes:
		k.wake(t, k.tasks[e.other], e.Time)
	case losesEvents:
		if was := k.leave(c, c.last); was != nil {
			k.b.Gap(was.series[Doing], c.last)
		}
		c.task = Unknown
	case Exits:
		k.exit(k.tasks[e.other], e.Time)
	case Frequency, GPUFrequency, Idle:
		k.state(e)
	case counts:
		k.count(e)
	case asyncBegins, asyncEnds, trackBegins, trackEnds, trackInstant:
		k.async(e)
	default:
		switch {
		case t != nil && t.thread != nil:
			k.onThread(t, e)
		case e.kind == spanEnds: // of a thread that began nothing
			k.b.Bad.Bad(trace.UnmatchedEnd, trace.Unknown)
		default:
			k.Others++
		}
	}
	c.last = e.Time
}

// onThread takes an event of a thread that is shown.
func (k *Kernel) onThread(t *task, e *event) {
	switch e.kind {
	case spanBegins:
		if n := t.begin(e.Time, e.name); n != 0 && e.value != noVsync {
			k.b.Args.Int(n, []byte("vsync"), e.value)
		}
	case spanEnds:
		t.end(e.Time)
	case instant, says:
		t.thread.Note(e.Time, trace.Note{Text: e.name, Category: trace.EmptySymbol, Object: trace.EmptySymbol})
	default:
		k.binder(t, e)
	}
}

func (t *task) begin(ns int64, name trace.Symbol) uint32 {
	t.depth++
	return t.thread.Begin(ns, name)
}

func (t *task) end(ns int64) {
	t.depth = max(t.depth-1, 0)
	t.thread.End(ns, trace.NoSymbol)
}

// exit ends what goes on in a thread.
func (k *Kernel) exit(t *task, ns int64) {
	for t != nil && t.thread != nil && t.depth > 0 {
		t.end(ns)
	}
}

// binder takes a call to another process and its answer: the caller has a span until the answer, and the answering
// thread has a span from the call to the answer.
func (k *Kernel) binder(t *task, e *event) {
	const mostCalls = 64 // inside each other
	switch {
	case e.kind == BinderSends && t.calls < mostCalls:
		t.calls++
		t.begin(e.Time, k.b.Symbol([]byte("binder transaction")))
		k.sent[e.value] = true
		k.flow(t, e.Time, e.value, trace.FlowBegins)
	case e.kind == BinderAnswers && t.calls > 0:
		t.calls--
		t.end(e.Time)
	case e.kind == BinderGets && k.sent[e.value]:
		t.calls++
		t.begin(e.Time, k.b.Symbol([]byte("binder reply")))
		k.flow(t, e.Time, e.value, trace.FlowEnds)
		delete(k.sent, e.value)
	case e.kind == BinderGets && t.calls > 0: // the answer
		t.calls--
		t.end(e.Time)
	default:
		k.Others++
	}
}

// flow takes the way of a call to another process.
func (k *Kernel) flow(t *task, ns, number int64, role trace.FlowRole) {
	k.key = strconv.AppendInt(append(k.key[:0], "binder "...), number, 36)
	t.thread.Flow(ns, trace.Flow{Key: append(k.key, k.Suffix...), Name: k.b.Symbol([]byte("binder")), Role: role})
}

// cpu returns a processor.
func (k *Kernel) cpu(number int32) *processor {
	c := k.cpus[number]
	if c == nil {
		c = &processor{number: number, task: Unknown, track: k.newTrack()}
		if c.track != nil {
			c.track.Processor = true
		}
		k.cpus[number] = c
	}
	return c
}

// leave ends what a processor runs, and returns the thread if it is shown.
func (k *Kernel) leave(c *processor, ns int64) *task {
	if c.task <= 0 {
		return nil
	}
	if c.track != nil {
		c.track.Span(c.since, ns, c.name)
	}
	t := k.tasks[c.task]
	if t == nil || t.thread == nil {
		return nil
	}
	k.b.Gap(t.series[Processor], ns)
	k.b.Value(t.series[Load], ns, 0, trace.Unknown)
	t.waker, t.runs = nil, false
	return t
}

// wake takes that a thread, which may be unknown, wakes another.
func (k *Kernel) wake(by, t *task, ns int64) {
	if t == nil || t.thread == nil || t.runs {
		return
	}
	if t.series[Doing] != nil {
		k.b.Value(t.series[Doing], ns, float64(Runnable), trace.Unknown)
	}
	if by != nil && by.thread != nil && t.waker == nil {
		t.waker, t.woken = by, ns
	}
}

// enter takes the thread that a processor runs from now on.
func (k *Kernel) enter(c *processor, e *event) {
	c.task, c.since, c.name = e.other, e.Time, e.name
	t := k.tasks[e.other]
	if t == nil || t.thread == nil || t.id == 0 {
		return
	}
	for i, def := range Series() {
		if t.series[i] == nil {
			t.series[i] = k.b.NewCounter(t.thread.Process(), t.thread, def)
		}
	}
	t.runs = true
	k.b.Value(t.series[Processor], e.Time, float64(max(c.number, 0)), trace.Unknown)
	k.b.Value(t.series[Load], e.Time, 100, trace.Unknown)
	k.b.Value(t.series[Doing], e.Time, float64(Running), trace.Unknown)
	if t.waker == nil {
		return
	}
	k.key = append(strconv.AppendInt(append(k.key[:0], "wake "...), int64(t.id), 36), k.Suffix...)
	flow := trace.Flow{Key: k.key, Name: k.wakeUp, Role: trace.FlowBegins}
	t.waker.thread.Flow(t.woken, flow)
	flow.Role = trace.FlowEnds
	t.thread.Flow(e.Time, flow)
	t.waker = nil
}

// state takes a frequency, or in which state a processor rests.
func (k *Kernel) state(e *event) {
	const awake = math.MaxUint32
	def := model.SeriesDef{Group: "CPU frequency", Kind: model.SeriesGauge, Unit: "Hz"}
	def.Name = "CPU " + strconv.Itoa(int(e.other)) + k.Suffix
	v := float64(e.value) * 1000
	switch e.kind {
	case GPUFrequency:
		def.Group, def.Name = "GPU frequency", "GPU "+strconv.Itoa(int(e.other))+k.Suffix
	case Idle:
		def.Group, def.Kind, def.Unit, v = "CPU idle state", model.SeriesState, "", float64(e.value)
	}
	c := k.b.Counter(k.b.Process(nil), []byte(def.Group+"\x00"+def.Name), func() model.SeriesDef { return def })
	if e.kind == Idle && e.value == awake {
		k.b.Gap(c, e.Time)
		return
	}
	k.b.Value(c, e.Time, v, trace.Unknown)
}

// count takes the value of a counter of a program.
func (k *Kernel) count(e *event) {
	name := k.b.Words(e.name)
	c := k.b.Counter(k.host.Process(e.other), []byte("atrace "+name), func() model.SeriesDef {
		return model.SeriesDef{Group: name, Kind: model.SeriesGauge}
	})
	k.b.Value(c, e.Time, math.Float64frombits(uint64(e.value)), trace.Unknown)
}

// line returns the asynchronous track of a title of a process, nil where there is no room. Without a title it is
// called as its spans.
func (k *Kernel) line(e *event) *trace.Track {
	key := asyncKey{group: e.other, title: e.title}
	if e.title == trace.NoSymbol {
		key.title = e.name
	}
	t := k.lines[key]
	if t == nil {
		if t = k.newTrack(); t == nil {
			return nil
		}
		k.host.Process(e.other).Attach(t, key.title)
		k.lines[key] = t
	}
	return t
}

// newTrack returns a track of spans that do not nest, nil where there is no room.
func (k *Kernel) newTrack() *trace.Track {
	t := k.b.NewTrack()
	if t == nil {
		k.b.Bad.Bad(trace.ManyThreads, trace.Unknown)
		return nil
	}
	t.Flat = true
	return t
}

// async takes an event beside threads. Those without a title begin once: further begins change nothing, as Android's
// programs have it.
func (k *Kernel) async(e *event) {
	on := k.line(e)
	if on == nil {
		return
	}
	key := asyncKey{e.other, e.name, e.title, e.value}
	if e.title != trace.NoSymbol {
		key.name = trace.NoSymbol
	}
	list := k.open[key]
	switch e.kind {
	case trackInstant:
		on.Note(e.Time, trace.Note{Text: e.name, Category: trace.EmptySymbol, Object: trace.EmptySymbol})
	case asyncBegins, trackBegins:
		if len(list) > 0 && e.kind == asyncBegins {
			k.again++
			return
		}
		k.open[key] = append(list, async{e.Time, e.name})
	case asyncEnds, trackEnds:
		if len(list) == 0 {
			k.b.Bad.Bad(trace.UnmatchedEnd, trace.Unknown)
			return
		}
		last := list[len(list)-1]
		on.Span(last.begin, e.Time, last.name)
		if k.open[key] = list[:len(list)-1]; len(list) == 1 {
			delete(k.open, key)
		}
	}
}

// close publishes what goes on at the end, and the tracks of processors.
func (k *Kernel) close() {
	keys := slices.SortedFunc(maps.Keys(k.open), func(x, y asyncKey) int {
		return cmp.Or(
			cmp.Compare(k.open[x][0].begin, k.open[y][0].begin), cmp.Compare(x.group, y.group),
			cmp.Compare(x.name, y.name), cmp.Compare(x.title, y.title), cmp.Compare(x.cookie, y.cookie),
		)
	})
	for _, key := range keys {
		on := k.line(&event{other: key.group, name: key.name, title: key.title})
		for _, a := range k.open[key] {
			if on != nil {
				on.OpenSpan(a.begin, a.name)
			}
		}
	}
	for _, number := range slices.Sorted(maps.Keys(k.cpus)) {
		c := k.cpus[number]
		if c.track == nil {
			continue
		}
		if c.task > 0 {
			c.track.OpenSpan(c.since, c.name)
		}
		title := "CPU " + strconv.Itoa(int(number)) + k.Suffix
		k.b.Process(nil).Attach(c.track, k.b.Symbol([]byte(title)))
	}
}

// Report adds the events that are not shown to those of the recording.
func (k *Kernel) Report(to *trace.Unshown) {
	to.Add(k.Others, "event of the kernel of another kind", "events of the kernel of other kinds")
	to.Add(k.again, "repeated begin of an asynchronous span", "repeated begins of asynchronous spans")
}
