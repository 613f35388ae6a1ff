package profilelib

import (
	"fmt"
	"slices"

	"framescope/model"
	"framescope/net/feed"
)

// Limits of the decoder's memory for a stream.
const (
	maxThreads   = 1<<16 - 1
	maxGroup     = 1 << 18 // records since the last end of a flush; the library's buffer holds 65,535
	maxPending   = 1 << 21 // blocks and messages that wait for the end of a frame, where memory allows
	leastPending = 1 << 16 // and where it hardly does
	pendingBytes = 32      // of a block that waits
	maxBorders   = 1 << 18 // frames that wait for slow threads
	maxRootNames = 8       // names of outermost blocks that are counted to name a thread
)

// outputBlock is the name of the block in which the library times its own output.
const outputBlock = "profile_io"

// node is a block as it came, with its times in ns.
type node struct {
	start, end int64
	id, parent uint32
	processor  uint32
	collector  int32
	depth      int32 // by the links; stray where they are not to be trusted
}

// group holds the records of a thread in one flush: the newest tree first, and in a tree each node
// before its children, the newest of them first.
type group struct {
	open           bool
	stray          bool // depths are not to be trusted
	newest         int64
	newestSeq      uint32 // number of the newest root, 0 if it has none
	firstAt, endAt int64  // counts of records: of the first and behind the last
	nodes          []node
	events         []event
}

// span is a block in its place: in order of begin, callers before those that they call.
type span struct {
	begin, end int64
	path       model.PathID
	collector  int32
	depth      uint16
	flags      model.SpanFlags
}

// piece is the newest record of the last block of a row, which another may continue.
type piece struct {
	begin     int64
	end       int64
	gap       int64 // between it and the record that it continues; 0 for the first of a block
	at        int   // its place in the thread's count of spans
	path      model.PathID
	collector int32
	processor uint32
}

// thread is one thread of the program.
type thread struct {
	id     uint32
	track  model.TrackID
	name   string
	roots  []rootName
	best   int32 // collector after which it is named
	series model.SeriesID

	group group

	// spans and events wait to be published; those before next are done. base is how many spans came
	// before spans[0].
	spans      []span
	base, next int
	events     []event
	nextEvent  int
	final      int64 // what began before is known
	// the border to be published next, counted from the first of the session; -1 before the thread's first data
	seg  int
	open []span
	rows []piece
	// sent and sentEvents are how many were published ahead of their frames (see publishAhead).
	sent, sentEvents int

	eventNs int64 // time of the newest event of an earlier group

	waiting   bool // a wait without an end so far
	waitLock  model.CollectorID
	processor uint32
	known     bool // processor is
	samples   []model.Sample
}

type rootName struct {
	collector int32
	n         int64
}

// compact drops published records.
func (th *thread) compact() {
	if th.next == len(th.spans) || th.next > 1<<12 && th.next > len(th.spans)/2 {
		n := copy(th.spans, th.spans[th.next:])
		th.spans, th.base, th.sent, th.next = th.spans[:n], th.base+th.next, max(th.sent-th.next, 0), 0
	}
	if th.nextEvent == len(th.events) || th.nextEvent > 1<<10 && th.nextEvent > len(th.events)/2 {
		n := copy(th.events, th.events[th.nextEvent:])
		clear(th.events[n:])
		th.events, th.sentEvents, th.nextEvent = th.events[:n], max(th.sentEvents-th.nextEvent, 0), 0
	}
}

// known returns the thread of an id, nil before its first record.
func (d *Decoder) known(id uint32) *thread {
	if d.last != nil && d.last.id == id {
		return d.last
	}
	th := d.byID[id]
	if th != nil {
		d.last = th
	}
	return th
}

// thread returns the thread of an id; nil when there are too many.
func (d *Decoder) thread(id uint32) *thread {
	if th := d.known(id); th != nil {
		return th
	}
	def := model.TrackDef{ID: model.TrackID(len(d.threads)), Index: int(id)}
	if len(d.threads) >= maxThreads || len(d.threads) >= feed.SureThreads && !d.room.Admit(def) {
		return nil
	}
	th := &thread{id: id, track: def.ID, series: model.NoSeries, seg: -1, final: minTime, eventNs: minTime}
	d.byID[id], d.last = th, th
	d.threads = append(d.threads, th)
	d.sink.Define(def)
	return th
}

// threadOf returns the thread of a block. Each time profiling is switched on the library starts
// another thread for its output; they follow each other, and share one track.
func (d *Decoder) threadOf(id, parent uint32, name int32) *thread {
	th := d.known(id)
	switch {
	case th != nil:
	case parent != 0 || d.names.text(name) != outputBlock:
		th = d.thread(id)
	case d.output != nil && len(d.byID) < 2*maxThreads:
		th = d.output
		d.byID[id], d.last = th, th
	default:
		th = d.thread(id)
		d.output = th
	}
	return th
}

// countRoot counts an outermost block, after which a thread may be named.
func (th *thread) countRoot(c int32) {
	if i := slices.IndexFunc(th.roots, func(r rootName) bool { return r.collector == c }); i >= 0 {
		th.roots[i].n++
	} else if len(th.roots) < maxRootNames {
		th.roots = append(th.roots, rootName{c, 1})
	}
}

// nameThread names a thread after its most frequent outermost block: the stream has no names of
// threads.
func (d *Decoder) nameThread(th *thread) {
	best := rootName{}
	for _, r := range th.roots {
		if r.n > best.n {
			best = r
		}
	}
	name := th.name
	switch {
	case th == d.main:
		name = "main"
	case best.n > 0 && best.collector != th.best:
		th.best = best.collector
		name = d.names.text(best.collector)
		if name == outputBlock {
			name = "profiler (" + outputBlock + ")"
		}
	}
	if name == th.name || th.name != "" && th == d.main && th.name == "main" {
		return
	}
	base := name
	d.trackNames[base]++
	if n := d.trackNames[base]; n > 1 {
		name = fmt.Sprintf("%s %d", base, n)
	}
	th.name = base
	d.sink.Define(model.TrackDef{ID: th.track, Name: name, Index: int(th.id), Main: th == d.main})
	if th.series != model.NoSeries {
		d.defineSeries(th, name)
	}
}

func (d *Decoder) defineSeries(th *thread, name string) {
	d.sink.Define(model.SeriesDef{
		ID: th.series, Name: name, Group: "processor",
		Description: "the logical processor on which blocks of the thread began", Kind: model.SeriesState,
		Role: model.RoleProcessor, Track: th.track, Object: model.NoObject, Peer: model.NoObject,
	})
}
