package tracy

import (
	"encoding/binary"
	"fmt"
	"math"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// clock turns ticks of the program into ns since it began.
type clock struct {
	factor float64 // ns of a tick
	base   int64   // ticks at the session's time 0
}

func (c clock) ns(ticks int64) int64 {
	ns := float64(ticks-c.base) * c.factor
	return int64(min(max(ns, -model.MaxTime), model.MaxTime-1))
}

// What compact times begin with: shorter ones have shorter forms.
const (
	over16 = 1 << 16
	over32 = 1<<16 + 1<<32
	over8  = 1 << 8 // of the length of a text
)

// decoder turns the events of a program into a session.
type decoder struct {
	clock
	sink    feed.Sink
	room    *feed.Names
	bad     *trace.Diagnostics
	info    model.Info
	shapes  []shape
	compact bool
	names   *names
	lines   *trace.StackWriter
	threads map[uint32]*thread
	fibers  map[uint64]*thread
	nobody  thread  // takes what there is no thread for
	now     *thread // that the events are of
	nowID   uint32

	// The newest times of the queues; the next ones are relative to them.
	ofThread, ofSerial, ofGPU, ofSystem int64

	first, second []byte // texts that the next event refers to
	payload       *location
	pool          uint64 // likewise
	main          *frames
	early         []mark // of frames, before their thread is known
	sets          map[uint64]*frames
	locks         map[uint32]*lock
	plots         map[uint64]*plot
	pools         map[uint64]*memory
	contexts      [256]*gpu
	samples       []model.Sample // of series that belong to no thread
	load          *plot
	power         map[uint64]*power
	terminated    bool
	at            int64 // of the block
	blocks        int
	newest        int64 // ns
	switches      switches
	stacks        stacks
	askFrame      query // question for the functions at an address
	send          func([]byte) error
}

func newDecoder(
	sink feed.Sink, room *feed.Names, info model.Info, bad *trace.Diagnostics, shapes []shape, c clock,
) *decoder {
	d := &decoder{
		clock: c, sink: sink, room: room, info: info, bad: bad, shapes: shapes, threads: map[uint32]*thread{},
		fibers: map[uint64]*thread{}, sets: map[uint64]*frames{}, locks: map[uint32]*lock{},
		plots: map[uint64]*plot{}, pools: map[uint64]*memory{}, power: map[uint64]*power{},
		nobody: thread{full: true}, switches: switches{processors: map[uint64]*processor{}, tasks: map[uint32]*task{}},
	}
	sink.Define(info)
	d.names = newNames(sink, room, bad)
	d.lines = trace.NewStackWriter(d.names.table, bad)
	return d
}

// take takes the events of a block, which is at a place of the connection. An error ends the connection: where the
// next event begins is not known.
func (d *decoder) take(b []byte, at int64) error {
	d.at = at
	d.blocks++
	for len(b) > 0 {
		if int(b[0]) >= len(d.shapes) {
			return fmt.Errorf("the block at byte %d has an event of the unknown kind %d", at, b[0])
		}
		r := record{shape: &d.shapes[b[0]]}
		size := 1 + r.size + r.shape.text
		if len(b) < size {
			return fmt.Errorf("the block at byte %d ends within an event (%s)", at, r.layout.name)
		}
		r.body = b[1 : 1+r.size]
		if r.shape.text > 0 {
			n := textLength(b[1+r.size:size], d.compact && (r.is == singleString || r.is == secondString))
			if n > len(b)-size {
				return fmt.Errorf("the block at byte %d ends within a text of %d bytes (%s)", at, n, r.layout.name)
			}
			r.text = b[size : size+n]
			size += n
		}
		b = b[size:]
		d.event(&r)
		if d.lines.Cancelled() {
			return feed.ErrCancelled
		}
	}
	if d.lines.Cancelled() {
		return feed.ErrCancelled
	}
	return d.names.ask(d.send)
}

// textLength reads the length of a text. Long ones count from where short ones end.
func textLength(b []byte, long bool) int {
	n := 0
	for i := len(b) - 1; i >= 0; i-- {
		n = n<<8 | int(b[i])
	}
	if long {
		n += over8
	}
	return n
}

// relative returns a time of a queue from the difference to the one before.
func (d *decoder) relative(queue *int64, by int64) int64 {
	*queue += by
	ns := d.ns(*queue)
	d.newest = max(d.newest, ns)
	return ns
}

// absolute returns a time that is none of a queue.
func (d *decoder) absolute(ticks int64) int64 {
	ns := d.ns(ticks)
	d.newest = max(d.newest, ns)
	return ns
}

// step returns the difference of a compact time to the one before: 8 bytes count from where 4 end, these from where 2
// do.
func (d *decoder) step(body []byte, width int) int64 {
	switch width {
	case 2:
		return int64(binary.LittleEndian.Uint16(body))
	case 4:
		return int64(binary.LittleEndian.Uint32(body)) + over16
	}
	by := int64(binary.LittleEndian.Uint64(body))
	if d.compact && by >= 0 {
		by += over32
	}
	return by
}

// event takes an event.
func (d *decoder) event(r *record) {
	switch r.is {
	case zoneBegin:
		d.beginZone(d.step(r.body, 8), d.names.location(binary.LittleEndian.Uint64(r.body[8:])))
	case zoneBegin32:
		d.beginZone(d.step(r.body[:4], 4), d.names.location(binary.LittleEndian.Uint64(r.body[4:])))
	case zoneBegin16:
		d.beginZone(d.step(r.body[:2], 2), d.names.location(binary.LittleEndian.Uint64(r.body[2:])))
	case zoneEnd:
		d.endZone(d.step(r.body, 8))
	case zoneEnd32:
		d.endZone(d.step(r.body, 4))
	case zoneEnd16:
		d.endZone(d.step(r.body, 2))
	case threadContext:
		d.ofThread, d.nowID = 0, uint32(r.uint("thread"))
		d.now = d.thread(d.nowID)
	case zoneBeginPayload:
		if d.payload != nil {
			d.beginZone(r.int("time"), d.payload)
		}
		d.payload = nil
	case zoneText, zoneName, zoneValue:
		d.describeZone(r)
	case singleString, singleString8:
		d.first = append(d.first[:0], r.text...)
	case secondString, secondString8:
		d.second = append(d.second[:0], r.text...)
	case locationPayload:
		d.payload = d.names.payload(r.text)
	case callstackPayload:
		d.stacks.now = append(d.stacks.now[:0], r.text...)
	case fiberEnter, fiberLeave:
		d.fiberEvent(r)
	case frameMark, frameBegin, frameEnd:
		d.frameEvent(r)
	case vsync, systemLoad, systemPower, plotInt, plotFloat, plotDouble, plotConfig:
		d.plotEvent(r)
	case message, messageLiteral, appInfo, crashReport:
		d.message(r)
	case sectionEnter, sectionLeave:
		d.sectionEvent(r)
	case lockAnnounce, lockName, lockWait, lockObtain, lockObtainShared, lockRelease, lockReleaseShared:
		d.lockEvent(r)
	case poolName:
		d.pool = r.uint("name")
	case memAlloc, memAllocStack, memFree, memDiscard:
		d.memoryEvent(r)
	case gpuContext, gpuContextName, gpuBegin, gpuBeginPayload, gpuEnd, gpuBeginSerial, gpuBeginPayloadSerial,
		gpuEndSerial,
		gpuTime, gpuCalibration, gpuTimeSync:
		d.gpuEvent(r)
	case contextSwitch, threadWakeup, sample, sampleSwitch:
		d.systemEvent(r)
	case callstackFrameSize, callstackFrame:
		d.stacks.answer(d, r)
	case terminate:
		d.terminated = true
	default:
		d.names.answer(r)
	}
}

// systemEvent takes an event of the system's tracing.
func (d *decoder) systemEvent(r *record) {
	isSwitch := r.is == contextSwitch || r.is == threadWakeup
	p := r.fields["time"]
	if isSwitch { // their times have no short forms
		d.ofSystem += r.int("time")
	} else {
		d.ofSystem += d.step(r.body[p.at:p.at+p.size], p.size)
	}
	if d.ofSystem == 0 { // not known: virtual machines may give the program's clock to no event of the kernel
		if isSwitch {
			d.switches.timeless++
		}
		return
	}
	at := d.relative(&d.ofSystem, 0)
	switch r.is {
	case contextSwitch:
		d.switches.change(d, r, at)
	case threadWakeup:
		d.switches.wake(d, r, at)
	case sample:
		d.stacks.sample(d, d.thread(uint32(r.uint("thread"))), at)
	}
}

// over reports whether the program has ended and has answered everything.
func (d *decoder) over() bool { return d.terminated && d.names.settled() }

// flush publishes all data so far.
func (d *decoder) flush() {
	if d.main == nil && len(d.early) > 0 {
		d.chooseBusiest()
	}
	if d.main != nil {
		d.main.merge(d, true)
	}
	d.lines.Flush()
	for _, t := range d.threads {
		t.publishArrows(d)
	}
	d.publishSamples()
}

// publishSamples publishes the values of series that belong to no thread.
func (d *decoder) publishSamples() {
	if len(d.samples) == 0 {
		return
	}
	b := d.sink.Begin()
	b.Track = model.NoTrack
	b.Samples = append(b.Samples, d.samples...)
	d.samples = d.samples[:0]
	d.sink.Publish(b)
}

// mostSamples is how many values are kept until they are published.
const mostSamples = 4096

// value takes a value of a series of no thread.
func (d *decoder) value(s model.SeriesID, at int64, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		d.bad.Bad(trace.BadNumber, d.at)
		return
	}
	d.put(model.Sample{Series: s, Time: at, Value: v})
}

// put takes a value, or NaN: from then on it has none.
func (d *decoder) put(s model.Sample) {
	d.samples = append(d.samples, s)
	if len(d.samples) >= mostSamples {
		d.publishSamples()
	}
}

// close publishes the rest and the diagnostics.
func (d *decoder) close() {
	d.flush()
	d.stacks.close(d)
	d.switches.close(d)
	for _, t := range d.threads {
		t.close(d)
	}
	for _, t := range d.fibers {
		t.close(d)
	}
	for _, f := range d.sets {
		f.thread.frames = f
		f.thread.close(d)
	}
	for _, g := range d.contexts {
		for _, t := range g.lines() {
			t.close(d)
		}
	}
	d.lines.Close()
	d.publishSamples()
	d.names.close()
	d.bad.Define(d.sink.Define, d.room)
}
