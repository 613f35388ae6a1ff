package client

import (
	"math"
	"slices"
	"sync/atomic"
	"time"

	"framescope/net/pstats"
)

// Thread records the frames of one line of execution: a goroutine, the GPU, a stage of a pipeline. It
// belongs to one goroutine at a time. A nil Thread records nothing, so that instrumented code need not
// check for a client.
//
// A frame lasts from one EndFrame to the next. Recording starts with the first EndFrame or
// BeginFrame after a viewer connected.
type Thread struct {
	// on is all that Start and Stop look at while nobody listens. It changes only when a frame begins
	// or ends, on the thread's own goroutine.
	on     bool
	open   bool // a frame is being recorded
	nested bool // starts of running collectors are sent
	tooBig bool // the frame has more points than can be sent
	closed bool
	ticks  bool // Start and Stop note ticks, see mark
	index  uint16
	number uint32 // of the frame being recorded
	c      *Client
	sess   *session // for which is recorded
	epoch  int64    // time that is 0 on the wire, ns
	buf    *frame
	// running counts the starts of each collector that were not stopped yet.
	running []uint32
	levels  []level // ascending by collector
	levelAt []int32 // position in levels by collector, plus 1
	due     int64   // no frame is sent before this time: the rate limit, ns
	// pending is how many of the thread's frames are queued, so that its end is announced behind them.
	pending atomic.Int32
}

// level is a counter of a thread. It is sent with every frame, times the collector's factor.
type level struct {
	collector Collector
	value     float64
}

// frame is one recorded frame on its way to the writer.
type frame struct {
	thread *Thread
	number uint32
	events []event
	levels []level
	// What the ticks of its events lie between, and the time that is 0 on the wire.
	from, to TickMark
	epoch    int64 // ns
}

// event is a start or stop, at a time of the client's clock in ns, or at a tick.
type event struct {
	at    int64
	word  uint16
	ticks bool
}

// wire appends the frame's events as they are sent. An event at a tick is never before the event
// before it.
func (f *frame) wire(out []pstats.Event) []pstats.Event {
	scale := Between(f.from, f.to)
	last := int64(math.MinInt64)
	for i := range f.events {
		e := &f.events[i]
		ns := e.at
		if e.ticks {
			ns = max(scale.Ns(ns), last)
		}
		last = ns
		out = append(out, pstats.Event{Word: e.word, Time: float32(float64(max(0, ns-f.epoch)) / 1e9)})
	}
	return out
}

// firstEvents is the room of a new buffer.
const firstEvents = 256

// maxEvents bounds a frame where the protocol does not (96 MiB on the wire).
const maxEvents = 1 << 24

// Start says that the collector begins to run now.
func (t *Thread) Start(c Collector) {
	if t != nil && t.on {
		t.startNow(c)
	}
}

// Stop says that the collector no longer runs.
func (t *Thread) Stop(c Collector) {
	if t != nil && t.on {
		t.stopNow(c)
	}
}

// startNow and stopNow stand apart so that Start and Stop are small enough to be inlined into the
// game.
func (t *Thread) startNow(c Collector) {
	if !t.ticks {
		t.start(c, int64(t.c.Now()), false)
		return
	}
	t.start(c, ReadTicks(), true)
}

func (t *Thread) stopNow(c Collector) {
	if !t.ticks {
		t.stop(c, int64(t.c.Now()), false)
		return
	}
	t.stop(c, ReadTicks(), true)
}

// mark returns the present on the client's clock and in ticks. Start and Stop note ticks, which cost
// less than the time; the marks at the two ends of the frame, between which they lie, make them
// times when the frame is sent. A clock that the program brings has no ticks.
func (t *Thread) mark() (m TickMark) {
	m.Ns = int64(t.c.Now())
	if !t.ticks {
		return m
	}
	for range 3 { // again where the goroutine was interrupted between the two
		m.Ticks = ReadTicks()
		ns := int64(t.c.Now())
		if ns-m.Ns < markNs {
			break
		}
		m.Ns = ns
	}
	return m
}

// markNs is how far the two readings of a mark may lie apart, in ns, without another try.
const markNs = 1000

// StartAt is Start at a time of the client's clock (see Client.Now).
func (t *Thread) StartAt(c Collector, at time.Duration) {
	if t != nil && t.on {
		t.start(c, int64(at), false)
	}
}

// StopAt is Stop at a time of the client's clock (see Client.Now).
func (t *Thread) StopAt(c Collector, at time.Duration) {
	if t != nil && t.on {
		t.stop(c, int64(at), false)
	}
}

// Scope starts the collector and returns a Scope that stops it:
//
//	defer main.Scope(physics).End()
func (t *Thread) Scope(c Collector) Scope {
	t.Start(c)
	return Scope{t, c}
}

// Scope is a collector that runs until End.
type Scope struct {
	t *Thread
	c Collector
}

// End stops the collector.
func (s Scope) End() { s.t.Stop(s.c) }

// Level sets a counter of the thread, in the collector's raw units (bytes, where the viewer shows
// MB). It is sent with this frame and every later one until it is changed.
func (t *Thread) Level(c Collector, value float64) {
	if l := t.level(c); l != nil {
		l.value = value
	}
}

// AddLevel changes a counter of the thread by delta.
func (t *Thread) AddLevel(c Collector, delta float64) {
	if l := t.level(c); l != nil {
		l.value += delta
	}
}

func (t *Thread) level(c Collector) *level {
	if t == nil || c == 0 || c >= maxCollectors {
		return nil
	}
	if int(c) >= len(t.levelAt) {
		t.levelAt = append(t.levelAt, make([]int32, int(c)+1-len(t.levelAt))...)
	}
	if at := t.levelAt[c]; at > 0 {
		return &t.levels[at-1]
	}
	at, _ := slices.BinarySearchFunc(t.levels, c, func(l level, c Collector) int { return int(l.collector) - int(c) })
	t.levels = slices.Insert(t.levels, at, level{collector: c})
	for i := at; i < len(t.levels); i++ {
		t.levelAt[t.levels[i].collector] = int32(i + 1)
	}
	return &t.levels[at]
}

func (t *Thread) start(c Collector, at int64, tick bool) {
	if c == 0 || c >= maxCollectors {
		return
	}
	if !t.open {
		t.beginBy(at, tick)
	}
	if int(c) >= len(t.running) {
		t.running = append(t.running, make([]uint32, int(c)+1-len(t.running))...)
	}
	t.running[c]++
	if t.running[c] == 1 || t.nested {
		t.event(uint16(c), at, tick)
	}
}

func (t *Thread) stop(c Collector, at int64, tick bool) {
	if int(c) >= len(t.running) || t.running[c] == 0 {
		return // was started before anybody listened, or not at all
	}
	if !t.open {
		t.beginBy(at, tick)
	}
	t.running[c]--
	if t.running[c] == 0 || t.nested {
		t.event(uint16(c)|pstats.StopBit, at, tick)
	}
}

func (t *Thread) event(word uint16, at int64, tick bool) {
	f := t.buf
	if len(f.events) == cap(f.events) && !t.room() {
		return
	}
	f.events = append(f.events, event{at, word, tick})
}

// room makes room for more events. It is also where a thread that never ends its frames finds out that
// there is no viewer any more.
func (t *Thread) room() bool {
	if t.sess.over() {
		t.off()
		t.buf.events = t.buf.events[:0]
		return true // the rest of this call has no effect
	}
	if len(t.buf.events) >= t.maxEvents() {
		t.tooBig = true
		return false
	}
	t.buf.events = slices.Grow(t.buf.events, max(firstEvents, len(t.buf.events)))
	return true
}

func (t *Thread) maxEvents() int { return min(t.sess.version.MaxPoints(), maxEvents) }

// off stops recording.
func (t *Thread) off() { t.on, t.open = false, false }

// beginBy begins a frame because something happens in it.
func (t *Thread) beginBy(at int64, tick bool) {
	m := t.mark()
	if tick {
		at = m.Ns
	}
	t.begin(at, m)
}

// begin begins a frame. m is a mark of the present.
func (t *Thread) begin(at int64, m TickMark) {
	if t.buf == nil {
		t.buf = t.c.buffer()
	}
	t.buf.events, t.buf.from = t.buf.events[:0], m
	t.open, t.tooBig = true, false
	t.event(0, at, false)
}

// attach makes the thread record for another session, or for none.
func (t *Thread) attach(s *session) {
	t.off()
	t.sess = s
	if s == nil || t.closed {
		return
	}
	clear(t.running)
	t.pending.Store(0)
	t.on, t.epoch, t.due = true, s.epoch, math.MinInt64
	t.nested = t.c.opt.Nested && s.version.HasNestedStarts()
}

// Frame returns the number of the frame being recorded.
func (t *Thread) Frame() uint32 {
	if t == nil {
		return 0
	}
	return t.number
}

// SetFrame sets the number of the frame being recorded; the next frames count on from there. Threads
// that work on the same frame of the game, such as a render thread and the GPU, give it the same
// number, so that viewers can match them (section 7).
func (t *Thread) SetFrame(number uint32) {
	if t != nil {
		t.number = number
	}
}

// BeginFrame begins a frame now. It is needed only for threads that work now and then, such as
// loaders: elsewhere EndFrame begins the next frame. A frame that is being recorded is ended.
func (t *Thread) BeginFrame() {
	if t != nil && (t.on || t.c.Connected()) {
		m := t.mark()
		t.beginFrame(m.Ns, m)
	}
}

// BeginFrameAt is BeginFrame at a time of the client's clock.
func (t *Thread) BeginFrameAt(at time.Duration) {
	if t != nil {
		t.beginFrame(int64(at), t.mark())
	}
}

func (t *Thread) beginFrame(at int64, m TickMark) {
	if t.open {
		t.finish(at, m, true)
	}
	t.look()
	if t.on {
		t.begin(at, m)
	}
}

// EndFrame ends the frame, hands it over to be sent, and begins the next one.
func (t *Thread) EndFrame() {
	if t == nil {
		return
	}
	if !t.on && !t.c.Connected() {
		t.number++
		return
	}
	m := t.mark()
	t.endFrame(m.Ns, m, true)
}

// EndFrameAt is EndFrame at a time of the client's clock.
func (t *Thread) EndFrameAt(at time.Duration) {
	if t != nil {
		t.endFrame(int64(at), t.mark(), true)
	}
}

func (t *Thread) endFrame(at int64, m TickMark, send bool) {
	t.finish(at, m, send)
	if t.on {
		t.begin(at, m)
	}
}

// FinishFrame ends the frame and hands it over without beginning another one; for threads that work
// now and then.
func (t *Thread) FinishFrame() {
	if t != nil {
		m := t.mark()
		t.finish(m.Ns, m, true)
	}
}

// FinishFrameAt is FinishFrame at a time of the client's clock. Collectors that still run are left
// running; their stop comes in a later frame.
func (t *Thread) FinishFrameAt(at time.Duration) {
	if t != nil {
		t.finish(int64(at), t.mark(), true)
	}
}

// finish ends the frame at a time. m is a mark of the present.
func (t *Thread) finish(at int64, m TickMark, send bool) {
	if t.open {
		t.event(pstats.StopBit, at, false)
		t.buf.to = m
		t.open = false
		if t.on && send {
			t.send()
		}
	}
	t.number++
	t.look()
}

// DropFrameAt ends the frame at a time of the client's clock without sending it, as if the rate
// limit had been hit: viewers see a gap in the numbers. For loading screens that would only blur
// the picture, and for trying out viewers.
func (t *Thread) DropFrameAt(at time.Duration) {
	if t != nil {
		t.endFrame(int64(at), t.mark(), false)
	}
}

// look finds out whether a viewer has come or gone.
func (t *Thread) look() {
	if s := t.c.session.Load(); s != t.sess {
		t.attach(s)
	}
}

// send hands the recorded frame to the writer, or drops it.
func (t *Thread) send() {
	f, s, n := t.buf, t.sess, &t.c.count
	if t.tooBig || len(f.events) > t.maxEvents() || len(t.levels) > s.version.MaxPoints() {
		n.size.Add(1)
		return
	}
	now := int64(t.c.Now())
	if now < t.due {
		n.rate.Add(1)
		return
	}
	if rate := t.c.opt.MaxRate; rate > 0 {
		t.due = now + int64(rateCost(pstats.FrameSize(s.version, len(f.events), len(t.levels)))*1e9/rate)
	}
	f.thread, f.number, f.epoch = t, t.number, t.epoch
	f.levels = append(f.levels[:0], t.levels...)
	t.pending.Add(1)
	if !s.enqueue(f, t.c.opt.Lossless) {
		t.pending.Add(-1)
		return
	}
	t.buf = t.c.buffer()
}

// buffer returns an empty buffer, a used one if there is any.
func (c *Client) buffer() *frame {
	select {
	case f := <-c.free:
		f.events, f.levels = f.events[:0], f.levels[:0]
		return f
	default:
		return &frame{events: make([]event, 0, firstEvents)}
	}
}

// recycle takes a buffer back, unless it is so much larger than what it was used for that keeping
// it would waste memory.
func (c *Client) recycle(f *frame) {
	if cap(f.events) > 1<<17 && len(f.events) < cap(f.events)/8 {
		return
	}
	f.thread = nil
	select {
	case c.free <- f:
	default:
	}
}

// Close ends the thread: it hands over a frame that is being recorded and notifies viewers (section
// 3.6). The thread records nothing any more. Close has no effect on the main thread.
func (t *Thread) Close() {
	if t == nil || t.closed || t.index == 0 && t == t.c.main {
		return
	}
	if t.open && len(t.buf.events) > 1 {
		t.FinishFrame()
	}
	t.closed = true
	t.off()
	t.c.endThread(t)
}
