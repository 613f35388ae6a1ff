package profilelib

import (
	"encoding/binary"
	"errors"
	"math"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Options says how to read a stream. The zero value is good.
type Options struct {
	// Peer is the address of the program, or the path of the file.
	Peer string
	// File marks a recording, not a live stream.
	File bool
	// Layout is the layout of the records; nil to find out.
	Layout *Layout
	// KeepPieces shows the pieces of a block that the library split, because its thread went to
	// another processor, as blocks of their own. Otherwise they are joined, so that calls are counted
	// once.
	KeepPieces bool

	survey *survey // of the whole file
	lagNs  int64   // how far a live view may lag behind while a frame goes on; 0 for the usual
}

// ErrNotStream is the error for data that are no profile stream in any layout.
var ErrNotStream = errors.New("not a profile stream")

// Sizes of the part of a stream that is looked through before anything is shown.
const (
	detectFirst = 2 << 10   // bytes after which the layout is looked for the first time
	detectMost  = 256 << 10 // bytes without a layout after which the stream is refused
	holdMost    = 8 << 20   // bytes that wait for the tick rate
	holdFlushes = 14        // flushes that wait for it; the library sends it at the twelfth
	holdIdles   = 8         // idle moments that end the waiting
	assumedRate = 1e9
)

const (
	minTime = math.MinInt64 / 8
	maxTime = math.MaxInt64 / 8
)

// usualLagNs is how long a frame of the main thread may take before a live view shows the other
// threads' blocks in it.
const usualLagNs = 5e8

// Decoder turns a stream into the model's terms and hands it to a sink. The same code reads files,
// connections, pipes and files that grow. One goroutine at a time may use it.
//
// A stream is not in order of time: within a flush the newest comes first. So the decoder gathers the
// records of each thread until it is sure that the flush is over, puts them in order, cuts them at the
// frames of the main thread, and publishes a thread's frames as far as nothing older can come.
type Decoder struct {
	sink feed.Sink
	opt  Options

	hold   []byte // the bytes before the layout and the tick rate were known
	idles  int
	survey *survey
	frm    *framer // nil before

	room       *feed.Names
	names      *nameTable
	byID       map[uint32]*thread
	threads    []*thread
	last       *thread
	output     *thread // the library's own
	main       *thread
	trackNames map[string]int
	numSeries  model.SeriesID

	walk    treeWalk
	records int64
	message message
	queue   []*thread // with an open group, by its first record
	inQueue int64     // records in them
	scratch []node
	counts  []int32
	// low is the earliest begin that a block of a depth can have, high the latest end: scratch.
	low, high [maxDepth + 2]int64
	alone     trace.SelfTimes
	frames    frameState
	run       run
	jumps     trace.Jumps[record]
	tree      *thread // thread of the current tree
	held      []byte  // records behind an end of stream, until it is known whether a new run began
	holding   bool
	replayed  bool
	ends      int // end-of-stream records in a row, from byte endsAt on
	endsAt    int64

	rates          []rateAt
	rate           int64
	told           bool // the stream gave its rate
	baseNs, baseAt int64

	mostPending int
	waiting     int // blocks and events that wait for their frame, of all threads
	bad         trace.Diagnostics
	late        int64 // blocks left out as they came after later ones of their thread
	unframed    int64 // calls in no frame
	notes       int
	cancelled   bool
	closed      bool
	closing     bool
	err         error
}

// NewDecoder returns a decoder that writes to sink.
func NewDecoder(sink feed.Sink, o Options) *Decoder {
	d := &Decoder{sink: sink, opt: o, byID: map[uint32]*thread{}, trackNames: map[string]int{}}
	if !o.File && o.lagNs == 0 {
		d.opt.lagNs = usualLagNs
	}
	if d.survey = o.survey; d.survey == nil {
		d.survey = newSurvey(o.Layout)
	}
	d.jumps = trace.Jumps[record]{Far: leapNs, Most: mostLept, Ahead: true, Enter: d.enter, Lost: d.leave}
	d.room = feed.NamesOf(sink)
	d.mostPending = int(min(maxPending, max(leastPending, d.room.Share()/pendingBytes)))
	d.walk.lost = true
	d.frames.last, d.frames.lastEnd = model.NoFrame, minTime
	d.frames.credit = 1 << 18
	d.frames.minStart, d.frames.looseTo = maxTime, minTime
	d.run.curMinNs, d.run.floorNs = maxTime, minTime
	return d
}

// Recognised reports whether the stream is known to be a profile stream.
func (d *Decoder) Recognised() bool { return d.frm != nil }

// Err returns why the stream takes nothing more, nil while it does. After Close it is ErrNotStream where little came
// and none of it is a profile stream.
func (d *Decoder) Err() error { return d.err }

// Write takes the next bytes of the stream, in pieces of any size. The error is ErrNotStream when the
// bytes so far are no profile stream, or feed.ErrCancelled; no more can be written then.
func (d *Decoder) Write(p []byte) (int, error) {
	switch {
	case d.err != nil:
		return 0, d.err
	case d.closed || d.cancelled:
		return len(p), nil
	}
	d.idles = 0
	if d.frm != nil {
		d.frm.write(p, false)
	} else if d.hold = append(d.hold, p...); d.prepare(p, false) {
		d.release()
	}
	if d.cancelled {
		return len(p), feed.ErrCancelled
	}
	return len(p), d.err
}

// decodeRecord decodes one record of the current layout.
func (d *Decoder) decodeRecord(b []byte, at int64) Fault {
	_ = b[RecordSize-1]
	o := binary.LittleEndian
	id, parent := o.Uint32(b), o.Uint32(b[AtParent:])
	if d.message.th != nil && !(id <= uint32(SignalMore) && parent != 0) {
		d.finishMessage()
	}
	if f := CheckFields(b); f != NoFault {
		return f
	}
	if id < FirstBlock {
		return d.takeOther(b, id, parent, at)
	}
	start, end := o.Uint64(b[AtStart:]), o.Uint64(b[AtEnd:])
	name, ok := d.names.block(b)
	if !ok {
		return FaultName
	}
	if d.ends > 0 {
		d.endOfStream()
	}
	if d.jump(b, d.ns(end), at) {
		return NoFault
	}
	if d.holding && d.restarted(b, id, parent, end, at) {
		return NoFault
	}
	d.run.seen.add(id)
	th := d.threadOf(o.Uint32(b[AtThread:]), parent, name)
	if th == nil {
		d.bad.Bad(trace.ManyThreads, at)
		d.breakWalk()
		return NoFault
	}
	n := node{
		start: d.ns(start), end: d.ns(end), id: id, parent: parent, processor: o.Uint32(b[AtProcessor:]),
		collector: name,
	}
	n.depth = int32(d.locate(th, b, n.start, n.end, id, false))
	if n.depth <= 0 && parent == 0 {
		th.countRoot(name)
	}
	th.group.nodes = append(th.group.nodes, n)
	return NoFault
}

// locate finds the depth of a record in its tree, and takes note of the tree that it begins. number is its own, or 0;
// more marks the rest of a message, which begins none though links may be lost.
func (d *Decoder) locate(th *thread, b []byte, start, end int64, number uint32, more bool) (depth int) {
	o := binary.LittleEndian
	id, parent := o.Uint32(b), o.Uint32(b[AtParent:])
	depth, broken := d.walk.place(id, parent, th.id, o.Uint16(b[AtSibling:]), o.Uint16(b[AtChild:]))
	if broken {
		d.tree.group.stray = true
	}
	if depth <= 0 && !(more && th.group.open) {
		d.root(th, start, end, number, depth == stray && id >= FirstBlock)
	}
	if depth == 0 {
		d.tree = th
	}
	d.records++
	d.run.maxNs = max(d.run.maxNs, end)
	return depth
}

// takeOther decodes a record that is no block.
func (d *Decoder) takeOther(b []byte, id, parent uint32, at int64) Fault {
	if f := CheckName(b); f != NoFault {
		return f
	}
	if d.ends > 0 && id != uint32(EndOfStream) {
		d.endOfStream()
	}
	o := binary.LittleEndian
	start, end := o.Uint64(b[AtStart:]), o.Uint64(b[AtEnd:])
	kind := Current.Kind(id, parent)
	switch {
	case kind == EndOfStream:
		d.jumps.Settle()
		if !d.walk.whole() && !d.holding {
			return FaultContents // zeros within a tree are a hole
		}
		if d.ends == 0 {
			d.endsAt = at
		}
		d.ends++
		return NoFault
	case d.holding:
		d.keep(b)
		return NoFault
	case kind == SysInfo:
		d.sysInfo(int64(start))
		return NoFault
	}
	if d.jump(b, d.ns(start), at) {
		return NoFault
	}
	th := d.thread(o.Uint32(b[AtThread:]))
	if th == nil {
		d.bad.Bad(trace.ManyThreads, at)
		d.breakWalk()
		return NoFault
	}
	timeNs := d.ns(start)
	if kind == Frame {
		d.locate(th, b, timeNs, timeNs, 0, false)
		th.group.events = append(th.group.events, event{timeNs: timeNs, kind: kind, counter: int64(end)})
		return NoFault
	}
	number := uint32(end)
	d.run.seen.add(number)
	d.locate(th, b, timeNs, timeNs, number, kind.More())
	d.takeMessage(th, kind, parent, number, timeNs, cutNUL(b[AtName:AtName+NameBytes]))
	return NoFault
}
