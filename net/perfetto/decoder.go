package perfetto

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// errNoEvents is the error for a file without anything that is shown.
var errNoEvents = errors.New("no events: it has no track events and no frame timeline")

// frameNames are the names of spans that are frames.
var frameNames = []string{"Frame", "frame", "doFrame"}

// decoder hands the events of a file to a builder, each line of a track on the clock that it has.
type decoder struct {
	b     *trace.Builder
	sink  feed.Sink
	room  *feed.Names
	want  feed.Frames
	split Splitter

	// The packet that is read.
	at     int64
	pid    processKey
	now    Packet
	event  Event
	key    []byte
	inside bool // of a compressed one
	unpack []byte
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
	snapshots []Snapshot
	units     map[uint32]uint64 // ns, of clocks that all sequences share, where they are others
	ways      *Ways
	step      int64 // ns, of the finest clock that an event has
	timeline  []timed
	cookies   map[uint64]int
	stats     []byte

	notes     Reader
	namer     *sequence // that gives names to the annotation that is read
	arg       uint32    // event that gets the annotation that is read
	number    int64     // of the frame that an instant may begin, -1: none
	note      trace.Note
	oldEvents int64
	others    int64
	values    int64
}

func newDecoder(sink feed.Sink, room *feed.Names, path string, frames feed.Frames) *decoder {
	d := &decoder{
		sink: sink, room: room, want: frames, primary: Boot, step: math.MaxInt64,
		sequences: map[uint32]*sequence{}, lines: map[lineKey]*line{}, units: map[uint32]uint64{},
		tracks: map[uint64]*track{}, oldAsync: map[string]*track{}, cookies: map[uint64]int{},
		processes: map[processKey]*process{}, threads: map[threadKey]*thread{},
	}
	d.b = trace.NewBuilder(sink, room, trace.Options{
		Root: "All spans", Frames: frames, FrameNames: frameNames, LeastFrames: 10, DeepestFrame: 3,
		Slack: 1000, MainThreads: true, FramesOf: "span of a thread and no layer",
	})
	d.b.Info = model.Info{
		Source: Kind, Program: programOf(path), Peer: path, PID: -1, Version: "Perfetto trace", File: true,
	}
	d.split.Take, d.split.Limit = d.packet, mostPacket()
	d.notes.Key = func(iid uint64) (string, bool) { return d.nameIn(d.namer.keys, iid) }
	d.notes.Text = func(iid uint64) (string, bool) { return d.nameIn(d.namer.values, iid) }
	sink.Define(d.b.Info)
	return d
}

// finish publishes the events. broken is why the file could not be read to its end, or nil.
func (d *decoder) finish(broken error) error {
	cut := d.split.Close()
	d.b.Bad.BadN(trace.BigEvent, d.split.TooBig.N, d.split.TooBig.At)
	switch {
	case d.split.Damage != "":
		d.lose(model.LossMalformed, d.split.Damage+"; the rest of the file is left out")
	case broken != nil:
		d.lose(model.LossTruncated, broken.Error())
	case cut != "":
		d.lose(model.LossTruncated, cut)
	}
	d.sequences, d.lastSeq, d.cookies = nil, nil, nil
	d.findClocks()
	d.attachLines()
	d.addTimeline()
	d.addCounters()
	d.b.Bad.BadN(trace.BadEvent, d.notes.Wrong, trace.Unknown)
	d.tellStats()
	d.tellUnshown()
	if d.b.Events() == 0 {
		d.b.CloseEmpty()
		return fmt.Errorf("%w; %d packets were read", errNoEvents, d.packets)
	}
	return d.b.Close(d.describe)
}

// lose reports that the rest of the file is missing.
func (d *decoder) lose(reason model.LossReason, detail string) {
	d.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: 1, Detail: detail})
}

// describe completes the info of the session.
func (d *decoder) describe(info *model.Info) {
	clock := map[uint32]string{
		0: "the trace's own clock", Realtime: "REALTIME", Monotonic: "MONOTONIC", Boot: "BOOTTIME",
	}[d.primary]
	if clock == "" {
		clock = fmt.Sprintf("clock %d", d.primary)
	}
	if len(d.snapshots) == 0 && d.primary == Boot {
		clock = "an unknown clock"
	}
	sign, first := "", uint64(d.b.First())
	if d.b.First() < 0 {
		sign, first = "−", -first
	}
	info.Detail = fmt.Sprintf("%d packets; 0 is %s%d.%09d s of %s", d.packets, sign, first/1e9, first%1e9, clock)
	if d.step < math.MaxInt64 {
		info.Clock.StepNs = d.step
	}
}

// lossFields are losses in the statistics of a buffer (trace_stats.proto).
var lossFields = []struct {
	num   uint32
	words string
}{
	{3, "pieces of buffers were overwritten by newer ones before the trace was written, says the tracing service"},
	{18, "pieces of buffers were given up because there was no room, says the tracing service"},
	{19, "times a program's own buffer was full and packets were lost, says the tracing service"},
}

// tellStats reports the losses of all buffers in the last statistics of the tracing service.
func (d *decoder) tellStats() {
	lost := map[uint32]uint64{}
	for w := (Fields{Rest: d.stats}); w.Next(); {
		for b := (Fields{Rest: w.Data}); w.Num == 1 && w.Kind == Bytes && b.Next(); {
			lost[b.Num] += b.V
		}
	}
	losses := trace.Losses{Define: d.sink.Define}
	for _, l := range lossFields {
		losses.Lose(model.LossSource, int64(min(lost[l.num], 1<<62)), l.words)
	}
}

// tellUnshown warns of what is not shown from the file.
func (d *decoder) tellUnshown() {
	var parts []string
	for _, x := range []struct {
		n         int64
		one, more string
	}{
		{d.notes.Own, "value of an annotation in a form of its program's own", "values of annotations in forms of programs' own"},
		{d.oldEvents, "event of an old kind", "events of old kinds"},
		{d.others, "packet of another kind", "packets of other kinds (kernel, memory, settings, …)"},
	} {
		switch {
		case x.n == 1:
			parts = append(parts, "1 "+x.one)
		case x.n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.more))
		}
	}
	if len(parts) > 0 {
		d.sink.Define(model.Warning{Text: "Not shown from the file: " + strings.Join(parts, ", ") + "."})
	}
}

// packet takes a packet of the file, or one that was compressed in it.
func (d *decoder) packet(data []byte, at int64) {
	d.at = at
	d.packets++
	p := &d.now
	whole := p.Read(data)
	d.pid = processKey{p.Machine, p.Pid}
	if !whole {
		d.b.Bad.Bad(trace.BadEvent, at)
		return
	}
	if p.Other {
		d.others++
	}
	s, first := d.sequenceOf(p.Seq)
	if s == nil {
		return
	}
	if p.Dropped && !first {
		s.valid = false
		d.b.Bad.Bad(trace.Dropped, at)
	}
	if p.Cleared || p.Flags&FlagCleared != 0 {
		s.clear()
	}
	if p.Shares {
		p.each(Defaults, s.defaults)
		p.each(Interned, func(data []byte) { d.intern(s, data) })
	}
	if p.Flags&FlagNeedsState != 0 && !s.valid {
		d.b.Bad.Bad(trace.Overwritten, at)
		return
	}
	if p.Shares {
		p.each(HeadsSnapshot, func(data []byte) { d.snapshot(s, data) })
	}
	d.content(s, p)
}

// content takes the messages of a packet.
func (d *decoder) content(s *sequence, p *Packet) {
	time, clock, ok := d.time(s, p)
	if p.Event != nil {
		d.trackEvent(s, p.Event, time, clock, ok)
	}
	for _, x := range p.Parts {
		switch x.Num {
		case Track:
			d.trackDescriptor(x.Data)
		case Timeline:
			d.timelineEvent(x.Data, time, clock, ok)
		case ProcessTree:
			d.processTree(x.Data)
		case Process:
			d.process(x.Data)
		case Thread:
			d.oldThread(s, x.Data)
		case Stats:
			d.stats = append(d.stats[:0], x.Data...)
		case Zlib, Zstd:
			d.compressed(x.Data, x.Num == Zstd, d.at)
			return // its packets have taken the place of this one
		}
	}
}

// sequence is the shared state of one writer's packets.
type sequence struct {
	valid  bool // all needed state is present
	names  interned
	cats   interned
	bodies interned // of log messages
	keys   interned // names of annotations
	values interned // texts of annotations

	clock    uint32 // of packets that do not say
	track    uint64 // of events that do not say
	hasTrack bool
	extra    [2][]uint64 // tracks of what counters say beside an event: numbers, fractions
	clocks   []*Own
	thread   *thread // packet 44
	oldTime  int64   // µs, base of deltas
	epoch    uint32  // how often it was cleared

	recent [4]*line // last ones used
	turn   int
}

// interned are the strings of a sequence, by their IDs.
type interned map[uint64]trace.Symbol

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
	for _, t := range []*interned{&s.names, &s.cats, &s.bodies, &s.keys, &s.values} {
		*t = interned{}
	}
	s.clock, s.track, s.hasTrack, s.clocks = 0, 0, false, nil
	s.extra[0], s.extra[1] = s.extra[0][:0], s.extra[1][:0]
	s.epoch++
	s.valid = true
}

// defaults sets the defaults of a sequence's packets.
func (s *sequence) defaults(data []byte) {
	s.clock, s.track, s.hasTrack = 0, 0, false
	s.extra[0], s.extra[1] = s.extra[0][:0], s.extra[1][:0]
	for w := (Fields{Rest: data}); w.Next(); {
		switch w.Num {
		case Clock:
			s.clock = uint32(min(w.V, Lost))
		case TrackEvent:
			for e := (Fields{Rest: w.Data}); w.Kind == Bytes && e.Next(); {
				switch e.Num {
				case 11:
					s.track, s.hasTrack = e.V, true
				case 31:
					s.extra[0] = bounded(e.Numbers(s.extra[0], false))
				case 45:
					s.extra[1] = bounded(e.Numbers(s.extra[1], false))
				}
			}
		}
	}
}

// bounded cuts a list of extra counters.
func bounded(list []uint64) []uint64 { return list[:min(len(list), 64)] }

// intern takes names that have numbers from now on.
func (d *decoder) intern(s *sequence, data []byte) {
	for w := (Fields{Rest: data}); w.Next(); {
		t := map[uint32]interned{1: s.cats, 2: s.names, 3: s.keys, 20: s.bodies, 29: s.values}[w.Num]
		if t == nil || w.Kind != Bytes {
			continue
		}
		var iid uint64
		var text []byte
		for e := (Fields{Rest: w.Data}); e.Next(); {
			switch e.Num {
			case 1:
				iid = e.V
			case 2:
				text = e.Data
			}
		}
		if _, known := t[iid]; iid != 0 && (known || d.room.TakeData(48)) {
			t[iid] = d.b.Symbol(text)
		} else if iid != 0 {
			d.b.Bad.Bad(trace.NoMemoryForNames, d.at)
		}
	}
}
