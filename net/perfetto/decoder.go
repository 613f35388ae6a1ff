package perfetto

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// errNoEvents is the error for a file without anything that is shown.
var errNoEvents = errors.New("no events: it has no track events and no frame timeline")

const mostEvents = NestingMost

// decoder gathers the packets of a file and then passes their events to a sink, in order of time.
type decoder struct {
	sink  feed.Sink
	want  feed.Frames
	info  model.Info
	room  *feed.Names
	texts *Table
	names *trace.Table
	split Splitter

	// The packet that is read.
	at     int64
	pid    processKey
	now    Packet
	event  Event
	key    []byte
	inside bool // of a compressed one
	unpack []byte

	full    bool
	packets int64
	events  int64

	sequences  map[uint32]*sequence
	lists      map[listKey]*list
	lastSeq    *sequence
	lastID     uint32
	tracks     map[uint64]*track
	order      []*track // all, as they came
	oldAsync   map[string]*track
	processes  map[processKey]*process
	threads    map[threadKey]*thread
	threadList []*thread

	primary   uint32
	snapshots []Snapshot
	units     map[uint32]uint64 // ns, of clocks that all sequences share, where they are others
	ways      *Ways
	unit      int64 // ns, of the clock of the packet that is read
	step      int64 // ns, of the finest clock that an event has
	timeline  []timed
	deadlines map[deadlineKey]int64
	cookies   map[uint64]int
	stats     []byte

	first, last int64 // ns, of all events
	outputs     []*output
	flat        []Row // scratch: the rows of a track
	open        []int32
	series      []*gauge
	samples     []model.Sample

	args      *trace.Gathered
	notes     Reader
	namer     *sequence // that gives names to the annotation that is read
	noted     *note     // the instant of the annotations being read
	knots     []knot
	knotAt    int // last one found
	flowNames map[uint32]model.FlowID
	number    int64 // of the frame that the current instant may begin, -1: none

	takeArg, takeMessage, takeSaid, takeNumber func(key []byte, v *Value)

	oldEvents, others int64

	alone     trace.SelfTimes
	unframed  int64 // spans in no frame
	credit    int64 // empty frames that may be published
	faults    Account
	uncounted bool // the file's numbers of frames are not those that are shown
	cancelled bool
}

func newDecoder(sink feed.Sink, path string, frames feed.Frames) *decoder {
	d := &decoder{
		sink: sink, want: frames, room: feed.NamesOf(sink), first: math.MaxInt64, last: math.MinInt64, primary: Boot, step: math.MaxInt64,
		sequences: map[uint32]*sequence{}, lists: map[listKey]*list{}, units: map[uint32]uint64{},
		tracks: map[uint64]*track{}, oldAsync: map[string]*track{},
		processes: map[processKey]*process{}, threads: map[threadKey]*thread{}, cookies: map[uint64]int{},
		info: model.Info{
			Source: Kind, Program: programOf(path), Peer: path, PID: -1, Version: "Perfetto trace", File: true,
		},
	}
	d.split.Take, d.split.Limit = d.packet, mostPacket()
	d.texts = New(d.room.TakeData, func() { d.faults.Count(NoNames, d.at) })
	d.args = trace.NewGathered(d.room)
	d.notes.Key = func(iid uint64) (string, bool) { return d.nameIn(&d.namer.keys, iid) }
	d.notes.Text = func(iid uint64) (string, bool) { return d.nameIn(&d.namer.values, iid) }
	d.takeArg, d.takeMessage, d.takeSaid, d.takeNumber = d.arg, d.message, d.sayMore, d.numberOf
	d.sink.Define(d.info)
	d.names = trace.New(sink, d.room, "All spans")
	return d
}

// finish publishes the gathered events. broken is why the file could not be read to its end, or nil.
func (d *decoder) finish(broken error) error {
	cut := d.split.Close()
	if t := d.split.TooBig; t.N > 0 {
		d.faults[TooBig].AddN(t.N, t.At)
	}
	switch {
	case d.split.Damage != "":
		d.lose(model.LossMalformed, d.split.Damage+"; the rest of the file is left out")
	case broken != nil:
		d.lose(model.LossTruncated, broken.Error())
	case cut != "":
		d.lose(model.LossTruncated, cut)
	}
	d.sequences, d.lists, d.lastSeq, d.cookies = nil, nil, nil, nil
	d.settleClocks()
	d.settleTimeline()
	d.bound()
	if d.first > d.last {
		d.tellProblems()
		return fmt.Errorf("%w; %d packets were read", errNoEvents, d.packets)
	}
	d.settleKnots()
	d.credit = emptyCredit + emptyEach*d.events
	d.stage()
	d.define(d.framed())
	for _, o := range d.outputs {
		if o.def.ID != model.NoTrack && !d.cancelled {
			d.publishTrack(o)
		}
		for _, t := range o.tracks {
			t.lists = nil
		}
		o.tracks, o.notes = nil, nil
	}
	d.publishFlows()
	d.publishSamples()
	d.names.Tell()
	d.tellProblems()
	return nil
}

// lose reports that the rest of the file is missing.
func (d *decoder) lose(reason model.LossReason, detail string) {
	d.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: 1, Detail: detail})
}

// bound finds the first and the last time.
func (d *decoder) bound() {
	var p *process
	see := func(t int64) {
		if d.first, d.last = min(d.first, t), max(d.last, t); p != nil {
			p.last = max(p.last, t)
		}
	}
	rows := func(part []Row) {
		for i := range part {
			see(part[i].Time)
		}
	}
	for _, t := range d.order {
		_, p = d.owner(t)
		for _, l := range t.lists {
			switch {
			case l.rows.N == 0:
			case l.moved == nil:
				see(l.rows.Least)
				see(l.rows.Most)
			default:
				l.rows.Each(func(time int64, _ uint32, _ bool, _ uint32) { see(l.moved.At(time)) })
			}
			l.states.Each(rows)
			l.whole.Each(func(part []Whole) {
				for i := range part {
					see(part[i].Begin)
					see(part[i].End)
				}
			})
			l.notes.Each(func(part []note) {
				for i := range part {
					see(part[i].time)
				}
			})
			l.values.Each(func(part []value) {
				for i := range part {
					see(part[i].time)
				}
			})
		}
	}
	for _, f := range d.timeline {
		p = d.processes[f.pid]
		see(f.begin)
		see(f.end)
	}
	for i := range d.timeline {
		if f := &d.timeline[i]; f.open {
			f.end = d.last
		}
	}
}

// publishSamples publishes the values of counters, in order of time.
func (d *decoder) publishSamples() {
	trace.SortRuns(d.samples, func(a, b model.Sample) int { return cmp.Compare(a.Time, b.Time) })
	for i := 0; i < len(d.samples) && !d.cancelled; {
		b := d.sink.Begin()
		b.Track = model.NoTrack
		n := min(looseSpans, len(d.samples)-i)
		b.Samples = append(b.Samples, d.samples[i:i+n]...)
		i += n
		d.cancelled = !d.sink.Publish(b)
	}
	d.samples = nil
}
