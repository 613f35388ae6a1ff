package trace

import (
	"math"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/net/feed"
)

// Limits of a recording. The account of names and data bounds it besides.
const (
	maxThreads  = 1 << 16
	maxLines    = 1 << 20 // tracks besides those of threads
	maxGroups   = 512     // asynchronous tracks of the session; the rest share one
	maxCounters = 1 << 14
	maxEvents   = 1 << 31 // numbers of events have 31 bits

	trackBytes = 384
)

// Builder gathers the events of a recording in any order and then hands them to a sink as a session, in order of
// time. It owns what all recordings of events need: the names of what they say (Symbol), processes and threads, the
// pairing and nesting of begins and ends, rows for spans that overlap, frames, arguments, messages, counters, flows,
// the budget of memory and the account of what was wrong. Readers only say what stands in the recording.
//
// A reader adds events with times in ns of any clock; the session's time 0 is the earliest of them. Close publishes.
type Builder struct {
	Symbols
	Args *Gathered // arguments, by the numbers of events
	Bad  Diagnostics
	Info model.Info // of the session; Close adds the program and its number

	options   Options
	sink      feed.Sink
	room      *feed.Names
	processes []*Process
	byPID     map[string]*Process
	newest    *Thread
	threads   int
	loose     []*Track // of NewTrack
	async     []*Track
	counters  []*Counter
	byCounter map[string]*Counter
	samples   chunks[model.Sample]
	flows     flows

	events      int64
	used        int64 // bytes gathered that are not yet taken from room
	full        bool
	late        bool    // times or processes of events were not known when these came
	first, last int64   // ns, of all that has a time
	seen        []int64 // times of See
	fine        bool    // some times are no whole microseconds
	credit      int64   // empty frames that may be published
	uncounted   bool    // the recording's numbers of frames are not those that are shown
	outputs     []*output
	writer      *StackWriter // of samples; nil until there are any
	scratch     nester
	sums        SelfTimes
	hiddenSums  int64
	frameName   string // see FrameName
	tiledBy     string
	cancelled   bool
	key         []byte
}

// Options say how a format is to be understood.
type Options struct {
	// Root is the name of the collector of all others.
	Root string
	// Frames selects the spans that are frames.
	Frames feed.Frames
	// FrameNames are names of spans that are frames where LeastFrames of one thread have it, in the row
	// DeepestFrame or a higher one; DeepestFrame is 0 for any. The first of names that are as frequent counts.
	FrameNames                []string
	LeastFrames, DeepestFrame int
	// FramesOf says what may have the name of frames, for messages; empty: "span of a thread".
	FramesOf string
	// Suggest are usual names of spans that are frames, but need not be: a recording without frames gets a warning
	// that names the most frequent one.
	Suggest []string
	// Tiled makes frames, where nothing else does, of the spans of one name that cover most of a thread one after the
	// other.
	Tiled bool
	// Slack is by how much rounding may let spans overlap, in ns, where begins and lengths are rounded each for
	// itself; 0: one microsecond if all times are whole microseconds, else one ns.
	Slack int64
	// MainThreads means that the thread with the number of its process is its main thread.
	MainThreads bool
	// EmptyThreads means that threads without events are shown, too.
	EmptyThreads bool
	// EndWithThread lets spans without an end go on to the last event of their thread, and not of the recording.
	EndWithThread bool
}

// NewBuilder returns a builder for a recording without events. room is the account of the recording, the caller's to
// close.
func NewBuilder(sink feed.Sink, room *feed.Names, o Options) *Builder {
	b := &Builder{
		options: o, sink: sink, room: room, first: math.MaxInt64, last: math.MinInt64,
		byPID: map[string]*Process{}, byCounter: map[string]*Counter{},
	}
	b.Args = NewGathered(room)
	b.Symbols = newSymbols(sink, room, &b.Bad, o.Root)
	b.flows = newFlows()
	return b
}

// Process is a process of the recording.
type Process struct {
	// ID is the process's number as the recording has it, perhaps no number.
	ID string
	// Name is shown in place of the number; empty: unknown. Sort orders processes, then the order of their events.
	Name string
	Sort int64

	b       *Builder
	order   int
	last    int64 // ns, of its events
	threads map[string]*Thread
	list    []*Thread
	frames
}

// Thread is a thread of the recording. Its first track takes the events; further ones lie below it.
type Thread struct {
	Track
	ID   string // its number as the recording has it, perhaps no number
	Name string // empty: unknown
	Sort int64  // orders the threads of a process: the main thread first, then the order of their events
	Kind model.TrackKind
	// Sums counts spans that are sums and no calls: a thread that has nothing else is hidden at first.
	Sums int

	order     int
	more      []*Track
	samples   chunks[sample]
	allocates bool // its samples are allocations
}

// Track is a line of spans that nest. Its methods take times in ns and return the number of the event, which is that
// of its arguments; 0: there was no room for it.
type Track struct {
	// Flat means that spans do not nest, however they lie.
	Flat bool
	// Processor means that it is a processor, and its spans are the threads that it ran.
	Processor bool

	b       *Builder
	process *Process // nil: see NewTrack
	thread  *Thread  // nil: it is asynchronous
	title   Symbol   // of an asynchronous one; NoSymbol: that of its outermost spans
	out     *output
	move    func(ns int64) int64 // see Move
	joined  []*Track
	flowing int // place among flows.tracks, if it is there

	marks   chunks[mark]
	whole   chunks[span]
	notes   chunks[note]
	spans   []span // once they are nested
	depth   int
	settled bool
	last    int64
}

// Process returns the process of a number, in any form. The one without a number stands for data of no process.
func (b *Builder) Process(id []byte) *Process {
	p := b.byPID[string(id)]
	if p == nil {
		p = &Process{
			ID: string(id), b: b, order: len(b.processes), last: math.MinInt64, threads: map[string]*Thread{},
		}
		b.byPID[p.ID] = p
		b.processes = append(b.processes, p)
	}
	return p
}

// Thread returns a thread by the numbers of its process and its own, nil if there is no room for one more.
func (b *Builder) Thread(pid, tid []byte) *Thread {
	if t := b.newest; t != nil && t.ID == string(tid) && t.process.ID == string(pid) {
		return t
	}
	if p := b.byPID[string(pid)]; p != nil && p.threads[string(tid)] != nil {
		b.newest = p.threads[string(tid)]
		return b.newest
	}
	if b.threads >= maxThreads || !b.room.Take(int64(2*len(pid)+2*len(tid))+trackBytes) {
		return nil
	}
	p := b.Process(pid)
	t := &Thread{ID: string(tid), order: b.threads, Track: Track{b: b, process: p, title: NoSymbol, last: math.MinInt64}}
	b.threads++
	t.thread = t
	p.threads[t.ID] = t
	p.list = append(p.list, t)
	b.newest = t
	return t
}

// ProcessesByThread returns the id of the first process that has a thread, by the thread's id.
func (b *Builder) ProcessesByThread() map[string]string {
	byThread := map[string]string{}
	for _, p := range slices.Backward(b.processes) {
		for id := range p.threads {
			byThread[id] = p.ID
		}
	}
	return byThread
}

// NewTrack returns a track of which it is not known yet what it belongs to, nil if there is no room: before Close it is
// attached to a thread or a process, or joined to another track.
func (b *Builder) NewTrack() *Track {
	if len(b.loose) >= maxLines || !b.room.Take(trackBytes) {
		return nil
	}
	t := &Track{b: b, last: math.MinInt64}
	b.loose = append(b.loose, t)
	return t
}

// Attach makes a track one of a thread. The tracks of a thread lie below each other.
func (t *Thread) Attach(x *Track) {
	x.process, x.thread = t.process, t
	t.b.late = t.b.late || x.last != math.MinInt64
	t.more = append(t.more, x)
}

// Attach makes a track an asynchronous one of a process. Those with one title are shown as one; NoSymbol is the title
// for those that are called as their outermost spans.
func (p *Process) Attach(x *Track, title Symbol) {
	x.process, x.title = p, title
	p.b.late = p.b.late || x.last != math.MinInt64
	p.b.async = append(p.b.async, x)
}

// Join makes the events of another track, which is not attached, those of this one.
func (t *Track) Join(x *Track) {
	x.process, x.thread = t.process, t.thread
	t.joined, t.b.late = append(t.joined, x), true
}

// Move says that the times of the track's events are to be changed before the session is published: they are of
// another clock.
func (t *Track) Move(by func(ns int64) int64) { t.move, t.b.late = by, true }

// Process returns the process that the track is of.
func (t *Track) Process() *Process { return t.process }

// mark is the begin or the end of a span.
type mark struct {
	time  int64
	name  Symbol
	event uint32 // with isEnd
}

const isEnd = 1 << 31

// note is an instant: a message.
type note struct {
	time                   int64
	text, category, object Symbol
	frame                  int32 // 0: it begins no frame, 1: one without a number, else the number and 2
	severity               model.Severity
	event                  uint32
}

const (
	beginBytes = 56 // with the span that it begins
	endBytes   = 16
	spanBytes  = 56
	noteBytes  = 40
	valueBytes = 24
)

// next takes the next event, of so many bytes; 0 if there is no room for it.
func (b *Builder) next(bytes int64) uint32 {
	if b.full = b.full || b.events+1 >= maxEvents || !b.room.TakeData(b.used); b.full {
		b.Bad.Bad(NoMemory, Unknown)
		return 0
	}
	b.used = bytes
	b.events++
	return uint32(b.events)
}

// see takes a time of an event.
func (t *Track) see(ns int64) {
	b := t.b
	b.first, b.last, t.last = min(b.first, ns), max(b.last, ns), max(t.last, ns)
	if t.process != nil {
		t.process.last = max(t.process.last, ns)
	}
	b.fine = b.fine || ns%1000 != 0
}

// See takes a time that is part of the recording, though it belongs to no event.
func (t *Track) See(ns int64) {
	t.see(ns)
	t.b.seen = append(t.b.seen, ns)
	if len(t.b.seen) > 2 { // the first and the last do
		t.b.seen = append(t.b.seen[:0], slices.Min(t.b.seen), slices.Max(t.b.seen))
	}
}

// Begin takes the begin of a span.
func (t *Track) Begin(ns int64, name Symbol) uint32 { return t.mark(ns, name, 0, beginBytes) }

// End takes the end of the innermost span, for NoSymbol as name, or of the innermost one of a name with all
// inside it. EmptySymbol is the name "".
func (t *Track) End(ns int64, name Symbol) uint32 { return t.mark(ns, name, isEnd, endBytes) }

func (t *Track) mark(ns int64, name Symbol, end uint32, bytes int64) uint32 {
	event := t.b.next(bytes)
	if event != 0 {
		t.see(ns)
		t.marks.add(mark{ns, name, event | end})
	}
	return event
}

// Span takes a whole span. One that begins in another and ends after it gets a row of its own.
func (t *Track) Span(begin, end int64, name Symbol) uint32 {
	event := t.b.next(spanBytes)
	if event != 0 {
		t.see(begin)
		t.see(end)
		t.whole.add(span{begin: begin, end: end, name: name, event: event})
	}
	return event
}

// OpenSpan takes a span that has not ended.
func (t *Track) OpenSpan(begin int64, name Symbol) uint32 {
	event := t.b.next(spanBytes)
	if event != 0 {
		t.see(begin)
		t.whole.add(span{begin: begin, end: model.MaxTime, name: name, event: event, flags: model.SpanOpenEnd})
	}
	return event
}

// Note is an instant with a text: a message.
type Note struct {
	Text, Category, Object Symbol
	Severity               model.Severity
	// Ticks means that it may begin a frame, of a number, -1 for none: where two do, they are frames, and no messages.
	Ticks bool
	Frame int64
}

// Note takes a message.
func (t *Track) Note(ns int64, n Note) uint32 {
	event := t.b.next(noteBytes)
	if event == 0 {
		return 0
	}
	t.see(ns)
	x := note{time: ns, text: n.Text, category: n.Category, object: n.Object, severity: n.Severity, event: event}
	if n.Ticks {
		x.frame = 1
		if n.Frame >= 0 && n.Frame < math.MaxInt32-2 {
			x.frame = int32(n.Frame) + 2
		}
	}
	t.notes.add(x)
	return event
}

// Counter is a series of values.
type Counter struct {
	// Def describes it: where Name is empty it is called after its process or thread, or its group. Close adds
	// process or thread to the name where there are several.
	Def     model.SeriesDef
	process *Process
	thread  *Thread
}

// Counter returns the counter of a process by a key, nil if there is no room for one more. def describes a new one.
func (b *Builder) Counter(p *Process, key []byte, def func() model.SeriesDef) *Counter {
	b.key = append(append(append(b.key[:0], p.ID...), 0), key...)
	if c := b.byCounter[string(b.key)]; c != nil {
		return c
	}
	c := b.NewCounter(p, nil, def())
	if c != nil {
		b.byCounter[string(b.key)] = c
	}
	return c
}

// NewCounter returns a counter of a process, or of a thread, either may be nil; nil if there is no room for one more.
func (b *Builder) NewCounter(p *Process, t *Thread, def model.SeriesDef) *Counter {
	def.ID, def.Track = model.SeriesID(len(b.counters)), model.NoTrack
	def.Object, def.Peer = model.NoObject, model.NoObject
	if len(b.counters) >= maxCounters || !b.room.Admit(def) {
		return nil
	}
	c := &Counter{Def: def, process: p, thread: t}
	b.counters = append(b.counters, c)
	return c
}

// Value takes the value of a counter. Numbers that are none are counted.
func (b *Builder) Value(c *Counter, ns int64, v float64, place int64) {
	switch {
	case c == nil:
		b.Bad.Bad(ManyCounters, place)
	case v-v != 0:
		b.Bad.Bad(BadNumber, place)
	case b.next(valueBytes) != 0:
		b.first, b.last = min(b.first, ns), max(b.last, ns)
		if c.process != nil {
			c.process.last = max(c.process.last, ns)
		}
		b.samples.add(model.Sample{Series: c.Def.ID, Time: ns, Value: v})
	}
}

// Gap takes a moment from which on a counter has no value.
func (b *Builder) Gap(c *Counter, ns int64) {
	if c != nil && b.next(valueBytes) != 0 {
		b.samples.add(model.Sample{Series: c.Def.ID, Time: ns, Value: math.NaN()})
	}
}

// Last returns the latest time of the track's events, 0 if it has none.
func (t *Track) Last() int64 {
	if t.last == math.MinInt64 {
		return 0
	}
	return t.last
}

// InOrder returns a time of a track with events in order. Where a time goes back it counts that, and returns the
// latest one.
func (t *Track) InOrder(ns, place int64) int64 {
	if ns < t.last {
		t.b.Bad.Bad(LateEvent, place)
	}
	return max(ns, t.last)
}

// FrameName returns, in Close, the name of the spans that are frames of the session's main track; empty: none are.
func (b *Builder) FrameName() string { return b.frameName }

// HiddenSums returns, in Close, how many spans are sums on threads that have nothing else.
func (b *Builder) HiddenSums() int64 { return b.hiddenSums }

// Events returns how many events there are.
func (b *Builder) Events() int64 { return b.events }

// First returns the earliest time, which is the session's 0.
func (b *Builder) First() int64 { return b.first }

// Empty reports whether nothing has a time.
func (b *Builder) Empty() bool { return b.first > b.last }

// Cancelled reports whether the sink accepts no more data.
func (b *Builder) Cancelled() bool { return b.cancelled }

// Close publishes the session: definitions, then tracks, flows and values, and at last what was wrong. detail
// completes the session's info once time 0 is known; it may be nil. It returns feed.ErrCancelled if the sink accepts
// no more data.
func (b *Builder) Close(detail func(info *model.Info)) error {
	b.credit = emptyCredit + emptyEach*b.events
	b.flows.knots = b.flows.gathered.drain(nil)
	b.moveTimes()
	b.stage()
	main := b.findFrames()
	b.dropEmpty()
	b.define(main, detail)
	for _, o := range b.outputs {
		if o.def.ID != model.NoTrack && !b.cancelled {
			b.publishOutput(o)
		}
		b.release(o)
	}
	b.publishFlows()
	b.publishSamples()
	b.CloseEmpty()
	if b.cancelled {
		return feed.ErrCancelled
	}
	return nil
}

// CloseEmpty reports what was wrong with a recording that has no events.
func (b *Builder) CloseEmpty() {
	b.Bad.BadN(NoMemoryForArgs, b.Args.NoRoom, Unknown)
	b.Bad.BadN(ManyArgs, b.Args.Many, Unknown)
	b.Bad.BadN(ManyArgKeys, b.Args.Keys, Unknown)
	b.table.Report()
	b.Bad.Define(b.sink.Define, b.room)
	if b.uncounted {
		b.sink.Define(model.Warning{
			Text: "The frame numbers in the file do not ascend or are impossible: frames are counted from 0 instead.",
		})
	}
}

// publishSamples publishes the values of counters, in order of time.
func (b *Builder) publishSamples() {
	list := b.samples.drain(nil)
	SortRuns(list, func(x, y model.Sample) int { return SortRunPairs(x.Time, y.Time) })
	for i := 0; i < len(list) && !b.cancelled; {
		batch := b.sink.Begin()
		batch.Track = model.NoTrack
		for ; i < len(list) && len(batch.Samples) < looseSpans; i++ {
			s := list[i]
			s.Time -= b.first
			batch.Samples = append(batch.Samples, s)
		}
		b.publish(batch)
	}
}

func (b *Builder) publish(batch *model.Batch) {
	if !b.sink.Publish(batch) {
		b.cancelled = true
	}
}

// number returns the number in an id, false if it has none.
func number(id string) (n int, ok bool) {
	n, err := strconv.Atoi(id)
	return n, err == nil
}

// isMain reports whether a thread has the number of its process.
func (t *Thread) isMain() bool { return t.process.b.options.MainThreads && t.ID == t.process.ID }

// chunks is a list that grows without being copied.
type chunks[T any] struct {
	full [][]T
	last []T
	n    int
}

const chunkLength = 1 << 12

func (c *chunks[T]) add(x T) {
	if len(c.last) == cap(c.last) {
		if len(c.last) > 0 {
			c.full = append(c.full, c.last)
		}
		c.last = make([]T, 0, min(max(8, 2*c.n), chunkLength))
	}
	c.last = append(c.last, x)
	c.n++
}

// drain appends all to a list and forgets them.
func (c *chunks[T]) drain(to []T) []T {
	to = slices.Grow(to, c.n)
	for i, part := range c.full {
		to = append(to, part...)
		c.full[i] = nil
	}
	to = append(to, c.last...)
	*c = chunks[T]{}
	return to
}

func (c *chunks[T]) each(take func(x *T)) {
	for _, part := range c.full {
		for i := range part {
			take(&part[i])
		}
	}
	for i := range c.last {
		take(&c.last[i])
	}
}
