package profilelib

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/profilelib/record"
)

// Options says how to read a stream. The zero value is good.
type Options struct {
	// Peer is the address of the program, or the path of the file.
	Peer string
	// File tells that a recording is read, not a live stream.
	File bool
	// Layout is the layout of the records; nil to find out.
	Layout *record.Layout
	// Rate is the number of ticks per second; 0 to take it from the stream, and 1e9 where the stream does not tell.
	Rate int64
	// MainThread is the thread whose frames count; nil for the one with most frame records.
	MainThread *uint32
	// KeepPieces shows the pieces of a block that the library split, because its thread went to another processor, as blocks of their own. Otherwise they are joined,
	// so that calls are counted once.
	KeepPieces bool

	rates []rateAt // from a survey of the whole file
	phase int      // bytes before its first record
	lagNs int64    // how far a live view may lag behind while a frame goes on; 0 for the usual
}

// ErrNotStream is the error for what is no profile stream in any layout.
var ErrNotStream = errors.New("not a profile stream")

// Sizes of the part of a stream that is looked through before anything is shown.
const (
	detectFirst = 2 << 10   // bytes after which the layout is looked for the first time
	detectMost  = 256 << 10 // bytes without a layout after which the stream is refused
	holdMost    = 8 << 20   // bytes that wait for the tick rate
	holdFlushes = 14        // flushes that wait for it; the library tells it at the twelfth
	holdIdles   = 8         // idle moments that end the waiting
	assumedRate = 1e9
)

const (
	minTime = math.MinInt64 / 8
	maxTime = math.MaxInt64 / 8
)

// usualLagNs is how long a frame of the main thread may take before a live view shows what other threads did in it.
const usualLagNs = 5e8

// joinGapNs is how far apart the pieces of a split block may lie (FORMAT.md section 4.1).
const joinGapNs = 5000

// Decoder turns a stream into the model's terms and hands it to a sink. The same code reads files, connections, pipes and files that grow. One goroutine at a time
// may use it.
//
// What a stream holds is not in order of time: within a flush the newest comes first. So the decoder gathers what came of each thread until it is sure that the flush is
// over, puts it in order, cuts it at the frames of the main thread, and publishes a thread's frames as far as nothing older can come. Idle moments show more than that, and
// take it back when the stream goes on.
type Decoder struct {
	sink   feed.Sink
	opt    Options
	info   model.Info
	layout record.Layout

	hold     []byte // what came before the layout and the tick rate were known
	tried    int    // bytes of it that were tried
	skipped  int64  // bytes before it
	idles    int
	survey   *survey
	surveyed int
	frm      *framer // nil before

	names      *nameTable
	byID       map[uint32]*thread
	threads    []*thread
	last       *thread
	main       *thread
	trackNames map[string]int
	numSeries  model.SeriesID

	walk    treeWalk
	records int64
	message message
	queue   []*thread // with an open group, by its first record
	inQueue int64     // records in them
	dirty   []*thread
	await   []*thread // caught up with the frames: they wait for the next
	scratch []node
	counts  []int32
	// low is the earliest begin that a block of a depth can have, high the latest end: scratch.
	low, high [maxDepth + 2]int64
	alone     aloneTable
	frames    frameState
	run       run
	tree      *thread // whose tree is being read
	held      []byte  // records behind an end of stream, or with numbers that were seen, until it is known whether a new run began
	holding   bool
	suspect   bool // they are held because of their numbers
	replayed  bool
	heldEnd   int64 // end of the last tree among them
	ends      int   // end-of-stream records in a row, from byte endsAt on
	endsAt    int64

	rates          []rateAt
	rate           int64
	told           bool // the stream told its rate
	baseNs, baseAt int64

	crowded   bool // see tooMuch
	waiting   int  // blocks and events that wait for their frame, of all threads
	loss      [model.NumLossReasons]pendingLoss
	notes     int
	spec      bool // what is published is to be taken back
	cancelled bool
	closed    bool
	closing   bool
	err       error
}

// NewDecoder returns a decoder that writes to sink.
func NewDecoder(sink feed.Sink, o Options) *Decoder {
	d := &Decoder{sink: sink, opt: o, byID: map[uint32]*thread{}, trackNames: map[string]int{}, rates: o.rates}
	d.info = model.Info{Source: "profilelib", Peer: o.Peer, PID: -1, Version: "profile stream", File: o.File}
	if !o.File && o.lagNs == 0 {
		d.opt.lagNs = usualLagNs
	}
	d.walk.lost = true
	d.frames.last, d.frames.lastEnd = model.NoFrame, minTime
	d.frames.credit = 1 << 18
	d.frames.minStart, d.frames.looseTo = maxTime, minTime
	d.run.curMinNs, d.run.floorNs = maxTime, minTime
	return d
}

// Cancelled tells that the sink wants no more, because the loading of a file was cancelled.
func (d *Decoder) Cancelled() bool { return d.cancelled }

// Layout returns the layout of the stream; ok is false while it is not known.
func (d *Decoder) Layout() (l record.Layout, ok bool) {
	return d.layout, d.frm != nil || d.survey != nil
}

// Write takes the next bytes of the stream, in pieces of any size. The error is ErrNotStream when what came so far is no profile stream; no more can be written then.
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
		return len(p), nil
	}
	d.hold = append(d.hold, p...)
	if d.prepare(false) {
		d.release()
	}
	return len(p), d.err
}

// prepare looks for what must be known before anything is shown: the layout, the tick rate, whether there are frames. It returns whether there is enough of it.
func (d *Decoder) prepare(last bool) bool {
	if d.survey == nil {
		if !d.detect(last) {
			return false
		}
		d.survey = newSurvey(d.layout)
	}
	if d.opt.File {
		return true // the file was surveyed before
	}
	d.survey.frm.write(d.hold[d.surveyed:], false)
	d.surveyed = len(d.hold)
	return last || len(d.survey.rates) > 0 || d.opt.Rate > 0 || len(d.hold) >= holdMost || d.survey.flushes >= holdFlushes
}

// detect looks for the layout in what is held. It sets d.err when there is none.
func (d *Decoder) detect(last bool) bool {
	if d.opt.Layout != nil {
		d.layout = *d.opt.Layout
		d.skipPhase(d.opt.phase)
		return true
	}
	if !last && (len(d.hold) < detectFirst || len(d.hold) < 2*d.tried) {
		return false
	}
	d.tried = len(d.hold)
	found, ok := record.Detect(d.hold)
	switch {
	case ok && (found.Confidence >= 0.8 || last):
		d.layout = found.Layout
		d.skipPhase(found.Phase)
		return true
	case last || len(d.hold) >= detectMost:
		why := "nothing came"
		if len(found.Reasons) > 0 {
			why = found.Reasons[len(found.Reasons)-1]
		}
		d.err = fmt.Errorf("%w: %s", ErrNotStream, why)
	}
	return false
}

// skipPhase leaves out the part of a record with which a stream begins that was joined in the middle.
func (d *Decoder) skipPhase(n int) {
	n = min(n, len(d.hold))
	if n > 0 {
		d.lose(model.LossMalformed, model.NoTrack, 1, "the stream begins within a record: its %d bytes are left out", n)
		d.hold, d.skipped = d.hold[n:], int64(n)
	}
}

// look looks at all that is held again: the first few records may not tell all.
func (d *Decoder) look() {
	if d.opt.Layout != nil {
		return
	}
	if found, ok := record.Detect(d.hold); ok && found.Layout != d.layout && found.Phase == 0 {
		d.layout = found.Layout
		d.survey = newSurvey(d.layout)
		d.survey.frm.write(d.hold, false)
	}
}

// release begins to decode, with what was held.
func (d *Decoder) release() {
	d.look()
	s := d.survey
	d.rates = append(d.rates, s.rates...)
	d.frm = newFramer(d.layout, d.take, d.damaged)
	d.frm.at = d.skipped
	d.setRate(0)
	if !d.opt.File && d.opt.MainThread == nil {
		if id, ok := s.mainThread(); ok {
			d.opt.MainThread = &id
		}
	}
	d.names = newNameTable(d.sink.Define, func(what string) { d.lose(model.LossLimit, model.NoTrack, 1, "%s", what) })
	if d.opt.MainThread != nil {
		d.frames.expected = true
	}
	hold := d.hold
	d.hold, d.survey = nil, nil
	d.frm.write(hold, false)
}

// setRate takes the tick rate that is told at or behind a place in the stream.
func (d *Decoder) setRate(at int64) {
	rate, ok := rateFrom(d.rates, at)
	switch {
	case d.opt.Rate > 0:
		rate = d.opt.Rate
	case ok:
		d.told = true
	case d.rate > 0:
		rate = d.rate
	default:
		rate = assumedRate
	}
	d.rate = rate
	d.tellInfo()
}

// tellInfo tells what is known of the stream.
func (d *Decoder) tellInfo() {
	info := d.info
	info.Version = d.layout.Words()
	if !d.told && d.opt.Rate == 0 {
		info.Version += "; no tick rate in the stream, nanoseconds assumed"
	}
	info.Clock.StepNs = max(1, 1e9/d.rate)
	d.sink.Define(info)
}

// ns turns ticks into the session's time.
func (d *Decoder) ns(ticks uint64) int64 {
	t := int64(ticks) - d.baseAt
	if d.rate == 1e9 {
		return d.baseNs + t
	}
	neg := t < 0
	if neg {
		t = -t
	}
	hi, lo := bits.Mul64(uint64(t), 1e9)
	q := uint64(maxTime)
	if hi < uint64(d.rate) {
		q, _ = bits.Div64(hi, lo, uint64(d.rate))
	}
	n := int64(min(q, maxTime))
	if neg {
		n = -n
	}
	return min(d.baseNs+n, maxTime)
}

// take decodes one record of the current layout.
func (d *Decoder) take(b []byte, at int64) record.Fault {
	_ = b[record.Size-1]
	o := binary.LittleEndian
	id, parent := o.Uint32(b), o.Uint32(b[record.AtParent:])
	if d.message.th != nil && !(id <= uint32(record.SignalMore) && parent != 0) {
		d.finishMessage()
	}
	if id < record.FirstBlock {
		return d.takeOther(b, id, parent, at)
	}
	start, end := o.Uint64(b[record.AtStart:]), o.Uint64(b[record.AtEnd:])
	if start > end || end > record.MaxTicks {
		return record.FaultTime
	}
	if parent != 0 && (parent < record.FirstBlock || parent == id) {
		return record.FaultParent
	}
	name, ok := d.names.block(b)
	if !ok {
		return record.FaultName
	}
	if d.ends > 0 {
		d.endOfStream()
	}
	if d.holding || parent == 0 && d.walk.whole() {
		if d.restarted(b, id, parent, end, at) {
			return record.NoFault
		}
	}
	if d.run.seen.add(id) {
		d.lose(model.LossMalformed, model.NoTrack, 1, "block %d came twice; the second was left out (byte %d)", id, at)
		d.breakWalk()
		return record.NoFault
	}
	th := d.thread(o.Uint32(b[record.AtThread:]))
	if th == nil {
		d.lose(model.LossLimit, model.NoTrack, 1, "more than %d threads: the blocks of further ones are left out", maxThreads)
		d.breakWalk()
		return record.NoFault
	}
	n := node{start: d.ns(start), end: d.ns(end), id: id, parent: parent, processor: o.Uint32(b[record.AtProcessor:]), collector: name}
	depth, broken := d.walk.place(id, parent, th.id, o.Uint16(b[record.AtSibling:]), o.Uint16(b[record.AtChild:]))
	if broken {
		d.tree.st.group.stray = true
	}
	n.depth = int32(depth)
	if depth <= 0 {
		d.root(th, n.start, n.end, id, depth == stray)
		if parent == 0 {
			th.countRoot(name)
		}
	}
	if depth == 0 {
		d.tree = th
	}
	th.st.group.nodes = append(th.st.group.nodes, n)
	d.records++
	d.run.maxNs = max(d.run.maxNs, n.end)
	return record.NoFault
}

// takeOther decodes a record that is no block.
func (d *Decoder) takeOther(b []byte, id, parent uint32, at int64) record.Fault {
	if f := record.Check(b); f != record.NoFault {
		return f
	}
	if d.ends > 0 && id != uint32(record.EndOfStream) {
		d.endOfStream()
	}
	o := binary.LittleEndian
	start, end := o.Uint64(b[record.AtStart:]), o.Uint64(b[record.AtEnd:])
	kind := record.Current.Kind(id, parent)
	switch {
	case kind == record.EndOfStream:
		if !d.walk.whole() && !d.holding {
			return record.FaultContents // zeros within a tree are a hole
		}
		if d.ends == 0 {
			d.endsAt = at
		}
		d.ends++
		return record.NoFault
	case d.holding:
		d.keep(b)
		return record.NoFault
	case kind == record.SysInfo:
		d.sysInfo(int64(start))
		return record.NoFault
	}
	thread := o.Uint32(b[record.AtThread:])
	th := d.thread(thread)
	if th == nil {
		d.lose(model.LossLimit, model.NoTrack, 1, "more than %d threads: the messages of further ones are left out", maxThreads)
		d.breakWalk()
		return record.NoFault
	}
	number := uint32(end)
	if kind != record.Frame && d.run.seen.add(number) {
		d.lose(model.LossMalformed, th.track, 1, "message %d came twice; the second was left out (byte %d)", number, at)
		d.breakWalk()
		return record.NoFault
	}
	depth, broken := d.walk.place(id, parent, thread, o.Uint16(b[record.AtSibling:]), o.Uint16(b[record.AtChild:]))
	if broken {
		d.tree.st.group.stray = true
	}
	timeNs := d.ns(start)
	if kind == record.Frame {
		number = 0
	}
	if depth <= 0 && !(kind.More() && th.st.group.open) { // a continuation is no tree, though links may be lost
		d.root(th, timeNs, timeNs, number, false)
	}
	if depth == 0 {
		d.tree = th
	}
	d.records++
	d.run.maxNs = max(d.run.maxNs, timeNs)
	if kind == record.Frame {
		th.st.group.events = append(th.st.group.events, event{timeNs: timeNs, kind: kind, counter: int64(end)})
		return record.NoFault
	}
	text := b[record.AtName : record.AtName+record.NameBytes]
	n := 0
	for n < len(text) && text[n] != 0 {
		n++
	}
	d.takeMessage(th, kind, parent, number, timeNs, text[:n])
	return record.NoFault
}

// breakWalk is called when a record is left out: if that was within a tree, its links lead nowhere.
func (d *Decoder) breakWalk() {
	if d.walk.lose() && d.tree != nil {
		d.tree.st.group.stray = true
	}
}

// damaged is told of bytes that are no records.
func (d *Decoder) damaged(reason model.LossReason, at, bytes int64, records int, why string) {
	d.finishMessage()
	d.breakWalk()
	if reason == model.LossTruncated {
		d.lose(reason, model.NoTrack, 1, "byte %d: %s", at, why)
		return
	}
	text := fmt.Sprintf("byte %d: %d records skipped: %s", at, records, why)
	if records == 0 {
		text = fmt.Sprintf("byte %d: %s", at, why)
	}
	d.loseN(reason, model.NoTrack, max(int64(records), 1), "%s", text)
	if !d.holding {
		d.note(d.last, d.run.maxNs, model.SeverityWarning, "the stream is damaged here; "+text)
	}
}

// Close tells that nothing more comes, and why: what waits is published, and the session ends.
func (d *Decoder) Close(reason string) {
	if d.closed {
		return
	}
	if d.frm == nil && d.err == nil && !d.cancelled {
		if d.prepare(true) {
			d.release()
		}
	}
	d.closed = true
	if d.frm != nil && !d.cancelled {
		d.frm.write(nil, true)
		if d.ends > 0 {
			d.endOfStream()
		}
		d.settleSuspects(d.frm.at)
		d.finishMessage()
		if !d.walk.whole() {
			d.tree.st.group.stray = true // the tree is not whole
		}
		d.closing = true
		d.commitAll()
		for _, th := range d.threads {
			d.publishNow(th)
			d.publishLoose(th, maxTime)
		}
		d.reportMissing()
	}
	d.flushLosses()
	d.sink.Define(model.End{Reason: reason})
}

// Err returns ErrNotStream, with the reason, when what came was no profile stream.
func (d *Decoder) Err() error { return d.err }

// pendingLoss gathers losses of a kind, so that a hostile stream cannot flood the log.
type pendingLoss struct {
	n      int64
	events int
	told   bool
	track  model.TrackID
	detail string
}

// lossEvery is how many losses of a kind are gathered before they are told.
const lossEvery = 64

// lose counts n things lost. The first of a kind is told at once.
func (d *Decoder) lose(reason model.LossReason, track model.TrackID, n int64, format string, args ...any) {
	if d.spec {
		return
	}
	p := &d.loss[reason]
	if p.events == 0 {
		p.track, p.detail = track, fmt.Sprintf(format, args...)
	} else if p.track != track {
		p.track = model.NoTrack
	}
	p.n += n
	p.events++
	if !p.told || p.events >= lossEvery {
		p.told = true
		d.flushLoss(reason)
	}
}

// loseN is lose for a count that may be 0.
func (d *Decoder) loseN(reason model.LossReason, track model.TrackID, n int64, format string, args ...any) {
	if n > 0 {
		d.lose(reason, track, n, format, args...)
	}
}

func (d *Decoder) flushLoss(reason model.LossReason) {
	p := &d.loss[reason]
	if p.events > 0 {
		d.sink.Define(model.Loss{Reason: reason, Track: p.track, N: p.n, Detail: p.detail})
		p.n, p.events, p.detail = 0, 0, ""
	}
}

func (d *Decoder) flushLosses() {
	for reason := range d.loss {
		d.flushLoss(model.LossReason(reason))
	}
}
