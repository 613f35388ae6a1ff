// Package perfetto reads traces of Perfetto: packets of its SDK, of its tracing service, of Chromium,
// Android and custom writers. It reads track events, counters and frame timelines, keeps the shared state of
// each packet sequence (names, clocks, defaults), and hands spans, messages, series and frames to a trace.Builder.
//
// Sequences come in any order and descriptions after what they describe, so all events are gathered,
// before they are put in order and published, a track after the other.
package perfetto

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/ftrace"
	"framescope/net/trace"
)

// errNoEvents is the error for a file without anything that is shown.
var errNoEvents = errors.New("no events: it has no track events, no frame timeline, and nothing of a kernel or GPU")

// decoder hands the events of a file to a builder, each line of a track on the clock that it has.
type decoder struct {
	b    *trace.Builder
	sink feed.Sink
	room *feed.Names
	want feed.Frames

	// The packet that is read.
	file   trace.Records
	at     int64
	pid    processKey
	now    packet
	event  event
	inside bool  // of a compressed one
	unit   int64 // ns, of its clock

	packets   int64
	sequences map[uint32]*sequence
	lastSeq   *sequence
	lastID    uint32
	lines     map[lineKey]*line
	tracks    map[uint64]*track
	order     []*track // all, as they came
	oldAsync  map[string]*track
	processes map[processKey]*process
	threads   map[threadKey]*thread

	primary   uint32
	snapshots []snapshot
	units     map[uint32]uint64 // ns, of clocks that all sequences share, where they are others
	ways      ways
	step      int64 // ns, of the finest clock that an event has
	timeline  []timed
	cookies   map[uint64]int
	kernels   map[uint32]*kernel // by machine
	gpu       gpu
	stats     []byte

	notes     notes
	arg       uint32 // event that gets the annotation that is read
	note      trace.Note
	text      []byte // scratch
	oldEvents int64
	others    int64 // packets
	unshown   trace.Unshown
}

func newDecoder(sink feed.Sink, room *feed.Names, path string, frames feed.Frames) *decoder {
	d := &decoder{
		sink: sink, room: room, want: frames, primary: boot, step: math.MaxInt64,
		sequences: map[uint32]*sequence{}, lines: map[lineKey]*line{}, units: map[uint32]uint64{},
		tracks: map[uint64]*track{}, oldAsync: map[string]*track{}, cookies: map[uint64]int{}, kernels: map[uint32]*kernel{},
		processes: map[processKey]*process{}, threads: map[threadKey]*thread{},
	}
	d.b = trace.NewBuilder(sink, room, trace.Options{
		Root: "All spans", Frames: frames, FrameNames: ftrace.FrameNames, LeastFrames: 10, DeepestFrame: 3,
		Slack: 1000, MainThreads: true, FramesOf: "span of a thread and no layer",
	})
	d.b.Info = model.Info{
		Source: Kind, Program: programOf(path), Peer: path, PID: -1, Version: "Perfetto trace", File: true,
	}
	d.gpu.tracks, d.gpu.last = map[string]*track{}, map[*line]int64{}
	d.file, d.notes.words = newPackets(d.packet, d.lost), d.internedName
	sink.Define(d.b.Info)
	return d
}

// finish publishes the events. broken is why the file could not be read to its end, or nil.
func (d *decoder) finish(broken error) error {
	d.file.End() //nolint:errcheck // d.packet has none
	if broken != nil {
		d.b.Bad.Explain(trace.Unread, d.file.Place(), "%v", broken)
	}
	d.sequences, d.lastSeq, d.cookies = nil, nil, nil
	d.findClocks()
	d.attachLines()
	d.addTimeline()
	d.addCounters()
	d.b.Bad.BadN(trace.BadEvent, d.notes.wrong, trace.Unknown)
	d.reportStats()
	d.reportUnshown()
	if d.b.Events() == 0 {
		d.b.CloseEmpty()
		return cmp.Or(broken, fmt.Errorf("%w; %d packets were read", errNoEvents, d.packets))
	}
	return cmp.Or(d.b.Close(d.describe), broken)
}

// describe completes the info of the session.
func (d *decoder) describe(info *model.Info) {
	clock := map[uint32]string{
		0: "the trace's own clock", realtime: "REALTIME", monotonic: "MONOTONIC", boot: "BOOTTIME",
	}[d.primary]
	clock = cmp.Or(clock, fmt.Sprintf("clock %d", d.primary))
	if len(d.snapshots) == 0 && d.primary == boot {
		clock = "an unknown clock"
	}
	sign, first := "", uint64(d.b.First())
	if d.b.First() < 0 {
		sign, first = "−", -first
	}
	info.Detail = fmt.Sprintf("%d packets; 0 is %s%d.%09d s of %s", d.packets, sign, first/1e9, first%1e9, clock)
	info.ZeroAt.UnixNs = d.firstOn(realtime)
	info.Monotonic, info.Boottime = d.firstOn(monotonic), d.firstOn(boot)
	if d.step < math.MaxInt64 {
		info.Clock.StepNs = d.step
	}
}

// firstOn returns the time of the first event on a clock, 0 where nothing ties it to the primary one.
func (d *decoder) firstOn(clock uint32) int64 {
	c, ok := newWays(clock, d.snapshots)[d.primary]
	if !ok || d.primary == 0 {
		return 0
	}
	return c.at(d.b.First())
}

// lossFields are losses in the statistics of a buffer (trace_stats.proto).
var lossFields = map[uint64]string{
	3:  "pieces of buffers were overwritten by newer ones before the trace was written, says the tracing service",
	18: "pieces of buffers were given up because there was no room, says the tracing service",
	19: "times a program's own buffer was full and packets were lost, says the tracing service",
}

// reportStats reports the losses of all buffers in the last statistics of the tracing service.
func (d *decoder) reportStats() {
	lost := map[uint64]uint64{}
	for w := (fields{rest: d.stats}); w.next(); {
		for b := (fields{rest: w.data}); w.num == 1 && b.next(); {
			lost[b.num] += b.v
		}
	}
	for _, num := range slices.Sorted(maps.Keys(lossFields)) {
		trace.Lose(d.sink, model.LossSource, int64(min(lost[num], 1<<62)), lossFields[num])
	}
}

// reportUnshown warns of the data in the file that are not shown.
func (d *decoder) reportUnshown() {
	u := &d.unshown
	u.Add(d.notes.own, "value of an annotation in a form of its program's own",
		"values of annotations in forms of programs' own")
	u.Add(d.oldEvents, "event of an old kind", "events of old kinds")
	u.Add(d.others, "packet of another kind", "packets of other kinds (memory, settings, …)")
	u.Report(d.sink.Define)
}

// lost takes a place of the file that is no packet.
func (d *decoder) lost(at int64, why error) {
	if errors.Is(why, trace.ErrCut) {
		d.b.Bad.Bad(trace.Cut, at)
	} else {
		d.b.Bad.Explain(trace.Gap, at, "%v", why)
	}
}

// packet takes a packet of the file, or one that was compressed in it.
func (d *decoder) packet(data []byte, at int64) {
	d.at = at
	d.packets++
	p := &d.now
	whole := p.read(data)
	d.pid = processKey{p.machine, p.pid}
	if !whole {
		d.b.Bad.Bad(trace.BadEvent, at)
		return
	}
	if p.other {
		d.others++
	}
	s, first := d.sequenceOf(p.seq)
	if s == nil {
		return
	}
	if p.dropped && !first {
		s.valid = false
		d.b.Bad.Bad(trace.Dropped, at)
	}
	if p.cleared || p.flags&flagCleared != 0 {
		s.clear()
	}
	p.each(packetDefaults, s.defaults)
	p.each(internedData, func(data []byte) { d.intern(s, data) })
	if p.flags&flagNeedsState != 0 && !s.valid {
		d.b.Bad.Bad(trace.Overwritten, at)
		return
	}
	p.each(clockSnapshot, func(data []byte) { d.snapshot(s, data) })
	d.content(s, p)
}

// content takes the messages of a packet.
func (d *decoder) content(s *sequence, p *packet) {
	time, clock, ok := d.time(s, p)
	if p.event != nil {
		d.trackEvent(s, p.event, time, clock, ok)
	}
	for _, x := range p.parts {
		switch x.num {
		case trackDescriptor:
			d.trackDescriptor(x.data)
		case ftraceBundle:
			d.bundle(x.data)
		case gpuRenderStage:
			d.renderStage(s, x.data, time, clock, ok)
		case gpuCounterEvent:
			d.gpuCounters(s, x.data, time, clock, ok)
		case frameTimeline:
			d.timelineEvent(x.data, time, clock, ok)
		case processTree:
			d.processTree(x.data)
		case processDesc:
			d.process(x.data)
		case threadDesc:
			d.oldThread(s, x.data)
		case traceStats:
			d.stats = append(d.stats[:0], x.data...)
		case zlibPackets, zstdPackets:
			d.compressed(x.data, x.num == zstdPackets)
			return // its packets have taken the place of this one
		}
	}
}

// Limits of compressed packets.
const (
	mostUnpacked = 1 << 30 // bytes that one packet may hold compressed
	zstdWindow   = 64 << 20
	leastWindow  = 8 << 20 // that all levels but the highest look back on
)

// compressed reads the packets that are compressed in one.
func (d *decoder) compressed(data []byte, isZstd bool) {
	at := d.at
	if d.inside {
		d.b.Bad.Bad(trace.BadEvent, at) // they do not nest
		return
	}
	d.packets--
	d.inside = true
	defer func() { d.inside = false }()
	r, err := unpack(data, isZstd)
	if err == nil {
		defer r.Close()
		packed := newPackets(
			func(packet []byte, _ int64) { d.packet(packet, at) },
			func(_ int64, why error) { d.b.Bad.Explain(trace.Gap, at, "within a compressed packet, %v", why) },
		)
		_, err = io.Copy(&packed, io.LimitReader(r, mostUnpacked))
		packed.End() //nolint:errcheck // d.packet has none
	}
	if err != nil {
		d.b.Bad.Explain(trace.Gap, at, "the rest of a compressed packet, %v", err)
	}
}

// unpack returns a reader of the packets that are compressed in one.
func unpack(data []byte, isZstd bool) (io.ReadCloser, error) {
	if !isZstd {
		return zlib.NewReader(bytes.NewReader(data))
	}
	window := zstd.WithDecoderMaxWindow(uint64(max(feed.Room(zstdWindow, packetParts), leastWindow)))
	z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), window, zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// sequence is the shared state of one writer's packets.
type sequence struct {
	valid  bool // all needed state is present
	names  interned
	cats   interned
	bodies interned // of log messages
	keys   interned // names of annotations
	values interned // texts of annotations
	places map[uint64]place

	gpuNames    interned // of queues and stages
	gpuSpecs    map[uint64][]byte
	gpuSpec     uint64 // the one that was read last
	gpuCounters map[uint32]gpuCounter

	packetsDefaults
	clocks  []*ownClock
	thread  *thread // packet 44
	oldTime int64   // µs, base of deltas
	epoch   uint32  // how often it was cleared

	recent [4]*line // last ones used
	turn   int
}

// packetsDefaults are what packets and events have that do not say.
type packetsDefaults struct {
	clock    uint32
	track    uint64
	hasTrack bool
	extra    [2][]uint64 // tracks of what counters say beside an event: numbers, fractions
}

// interned are the strings of a sequence, by their IDs.
type interned map[uint64]trace.Symbol

// place is one in the source code.
type place struct {
	file trace.Symbol
	line int64
}

// sequenceOf returns what packets of a sequence share, nil where there is no room, and whether this is the first.
func (d *decoder) sequenceOf(id uint32) (s *sequence, first bool) {
	if d.lastSeq != nil && d.lastID == id {
		return d.lastSeq, false
	}
	s = d.sequences[id]
	if s == nil {
		if !d.room.TakeData(640) {
			d.b.Bad.Bad(trace.NoMemory, d.at)
			return nil, false
		}
		s, first = &sequence{}, true
		s.clear()
		s.valid, s.epoch = false, 0
		d.sequences[id] = s
	}
	d.lastSeq, d.lastID = s, id
	return s, first
}

// clear forgets what packets shared.
func (s *sequence) clear() {
	s.names, s.cats, s.bodies, s.keys, s.values = interned{}, interned{}, interned{}, interned{}, interned{}
	s.places = map[uint64]place{}
	s.gpuNames, s.gpuSpecs, s.gpuSpec, s.gpuCounters = interned{}, map[uint64][]byte{}, 0, nil
	s.packetsDefaults, s.clocks = packetsDefaults{}, nil
	s.epoch++
	s.valid = true
}

// defaults sets the defaults of a sequence's packets.
func (s *sequence) defaults(data []byte) {
	s.packetsDefaults = packetsDefaults{}
	for w := (fields{rest: data}); w.next(); {
		switch w.num {
		case defaultClock:
			s.clock = uint32(min(w.v, lostClock))
		case trackEvent:
			for e := (fields{rest: w.data}); e.next(); {
				switch e.num {
				case 11:
					s.track, s.hasTrack = e.v, true
				case 31:
					s.extra[0] = bounded(e.numbers(s.extra[0], false))
				case 45:
					s.extra[1] = bounded(e.numbers(s.extra[1], false))
				}
			}
		}
	}
}

// bounded cuts a list of extra counters.
func bounded(list []uint64) []uint64 { return list[:min(len(list), 64)] }

// intern takes names that have numbers from now on.
func (d *decoder) intern(s *sequence, data []byte) {
	for w := (fields{rest: data}); w.next(); {
		switch w.num {
		case 4:
			d.internPlace(s, w.data)
			continue
		case gpuSpecifications, gpuDescriptors:
			d.internGPU(s, w.num, w.data)
			continue
		}
		t := map[uint64]interned{1: s.cats, 2: s.names, 3: s.keys, 20: s.bodies, 29: s.values}[w.num]
		if t == nil {
			continue
		}
		f := flatten(w.data)
		iid := f.v[1]
		if _, known := t[iid]; iid != 0 && (known || d.room.TakeData(48)) {
			t[iid] = d.b.Symbol(f.data[2])
		} else if iid != 0 {
			d.b.Bad.Bad(trace.NoMemoryForNames, d.at)
		}
	}
}

// internPlace takes a place in the source that has a number from now on.
func (d *decoder) internPlace(s *sequence, data []byte) {
	iid := flatten(data).v[1]
	if _, known := s.places[iid]; iid != 0 && (known || d.room.TakeData(64)) {
		s.places[iid] = d.readPlace(data)
	}
}

// readPlace reads a place in the source.
func (d *decoder) readPlace(data []byte) place {
	f := flatten(data)
	return place{d.b.Symbol(f.data[2]), int64(f.v[4])}
}

// internedName returns a name that a sequence has given a number.
func (d *decoder) internedName(t interned, iid uint64) (string, bool) {
	n, ok := t[iid]
	return d.b.Words(n), ok
}
