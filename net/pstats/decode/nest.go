package decode

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/net/pstats"
)

// maxLanes bounds the rows of a thread; more than MaxDepth are only needed when spans overlap
// without nesting, by the thousand.
const maxLanes = 2048

// Nesting, the hard part of the timeline (VIEWER.md section 11.2), and how it becomes rows that
// never change afterwards:
//
// A stack holds the running spans, each in a lane (row) below the one that was started before it. A
// stop takes its span out of the stack wherever it is, so overlap that is not nesting leaves a
// hole: the spans above keep their rows. To avoid a staircase, a span that is then on top and was
// started by the event before moves up into a row that has become free.
//
// Official servers move bars around afterwards, when a stop turns up with a start in an earlier frame:
// it gets row 1 from the frame's start on and all others go down by one. Here these stops are looked
// for first, so that their spans are put on the stack before the first event, the last to stop
// outermost. The rows come out the same, and nothing moves.
//
// A span open at the end of frame n continues in frame n+1, in its lane and with its call path: its
// next piece carries SpanContinues and begins where the last ended. A missing frame ends it, as its
// content is unknown.
//
// A span's call path is always the chain of those below it on the stack. When a caller stops before
// one that it called, that one goes on as what its caller's caller called (SpanMoves): whoever
// starts a collector in a function that returns, as Python code under the Python profiler does,
// does not lose it. The official flame graph closes it with its caller. The stop of the frame
// itself (collector 0, last event) moves nothing: what still runs goes on in the next.

// carry is a span that was open when a frame ended.
type carry struct {
	collector int32
	path      model.PathID
	lane      uint16
}

// running is a span on the stack.
type running struct {
	beginNs   int64
	collector int32
	first     int32 // index in the batch of its first piece of this frame
	span      int32 // and of its newest
	path      model.PathID
	lane      uint16
	before    bool // began before this frame: its lane is fixed
}

// nestState is a thread's nesting state between frames.
type nestState struct {
	number    int64 // of the last frame, model.NoFrame before the first
	endNs     int64 // of the last frame
	skewNs    int64 // how far the client's clock has gone back, see Decoder.convert
	carried   []carry
	laneEndNs []int64 // end of the last span of each lane
}

// nestPass turns the events of one frame into spans and self times.
type nestPass struct {
	stack   []running
	early   []int32 // collectors of stops that had no start in this frame, in order of the stops
	orphans []int32
	charge  charge
	paths   *pathTable // intern's, unless several goroutines use that
	spans   []model.Span
	fast    *fastPass
	started bool // nothing was stopped inside the span that was started last
	low     int  // row at or below which spans start, see outlived

	intern  *pathIntern // of the session
	limited int64       // starts that were not taken in this frame
	noPaths bool        // paths ran out in this frame
}

// run appends the spans of one frame to the batch's, in order of (Begin, Lane), and its self
// times, and brings st to the frame's end. ignore is a collector that has no spans, -1 none.
func (n *nestPass) run(st *nestState, number int64, events []event, ignore int32, b *model.Batch) {
	n.spans = b.Spans
	n.stack = n.stack[:0]
	n.limited, n.noPaths, n.started, n.low = 0, false, false, 0
	first := len(n.spans)
	beginNs, endNs := b.End, b.End
	if len(events) > 0 {
		beginNs = events[0].timeNs
	}
	n.charge.begin(beginNs)
	var before []event
	if st.number == model.NoFrame {
		before, events = inherited(events)
	}
	n.findEarly(events, ignore)
	n.inherit(st, before)
	if st.number+1 == number && st.number != model.NoFrame {
		n.resume(st)
	}
	n.adopt(st, beginNs, len(events) > 0 && !events[0].stop && events[0].collector == 0)
	for i := range events {
		e := &events[i]
		if e.collector == ignore {
			continue
		}
		n.chargeUntil(e.timeNs)
		if e.stop {
			n.stop(st, e, i == len(events)-1)
		} else {
			n.start(st, e)
		}
	}
	n.chargeUntil(endNs)
	st.carried = st.carried[:0]
	for i := range n.stack {
		r := &n.stack[i]
		n.finish(st, r, endNs)
		n.spans[r.span].Flags |= model.SpanOpenEnd
		st.carried = append(st.carried, carry{r.collector, r.path, r.lane})
	}
	st.number, st.endNs = number, endNs
	b.Spans, n.spans = n.spans, nil
	b.Self = n.charge.finish(b.Self)
	sortSpans(b.Spans[first:])
}

// chargeUntil charges the innermost span with the time since the last event.
func (n *nestPass) chargeUntil(ns int64) {
	if k := len(n.stack) - 1; k >= 0 {
		n.charge.until(ns, n.stack[k].collector)
	} else {
		n.charge.sinceNs = ns
	}
}

// findEarly lists the stops of spans started before the frame.
func (n *nestPass) findEarly(events []event, ignore int32) {
	n.early = n.early[:0]
	for i := range events {
		e := &events[i]
		switch s := n.charge.state(e.collector); {
		case e.collector == ignore:
		case !e.stop:
			s.depth++
		case s.depth > 0:
			s.depth--
		default:
			n.early = append(n.early, e.collector)
		}
	}
}

func orderOfSpans(a, b model.Span) int {
	if c := cmp.Compare(a.Begin, b.Begin); c != 0 {
		return c
	}
	return cmp.Compare(a.Lane, b.Lane)
}

// resume puts the spans that were open at the end of the frame before back on the stack.
func (n *nestPass) resume(st *nestState) {
	for _, c := range st.carried {
		n.push(
			running{beginNs: st.laneEndNs[c.lane], collector: c.collector, path: c.path, lane: c.lane, before: true},
			model.SpanContinues,
		)
	}
}

// inherited divides the events of the first frame of a thread: those of spans from before it (see
// pstats.Inherit), and its own.
func inherited(events []event) (before, own []event) {
	for i, e := range events {
		switch {
		case e.stop || e.timeNs != events[0].timeNs:
			return nil, events
		case e.collector == 0:
			return events[:i], events[i:]
		}
	}
	return nil, events
}

// inherit puts the spans on the stack that ran before the first frame that was received.
func (n *nestPass) inherit(st *nestState, before []event) {
	if len(before) == 0 {
		return
	}
	path := n.child(model.PathRoot, 0)
	for _, e := range before[:min(len(before), pstats.MaxDepth-1)] {
		lane, ok := n.freeLane(st, 1, e.timeNs)
		if !ok {
			break
		}
		path = n.child(path, e.collector)
		n.push(running{beginNs: e.timeNs, collector: e.collector, path: path, lane: lane, before: true}, model.SpanContinues)
	}
}

// adopt puts spans with unknown starts on the stack: those of the early stops that match no resumed
// span.
func (n *nestPass) adopt(st *nestState, beginNs int64, underFrame bool) {
	if len(n.early) == 0 {
		return
	}
	for i := range n.stack {
		n.charge.state(n.stack[i].collector).carried++
	}
	n.orphans = n.orphans[:0]
	for _, c := range n.early {
		if s := n.charge.state(c); s.carried > 0 {
			s.carried--
		} else if len(n.stack)+len(n.orphans) < pstats.MaxDepth {
			n.orphans = append(n.orphans, c)
		} else {
			n.limited++
		}
	}
	parent := n.callee()
	if len(n.stack) == 0 && underFrame && len(n.orphans) > 0 {
		parent = n.child(parent, 0)
	}
	for _, c := range slices.Backward(n.orphans) {
		lane, ok := n.freeLane(st, 1, beginNs)
		if !ok {
			n.limited++
			continue
		}
		parent = n.child(parent, c)
		n.push(running{beginNs: beginNs, collector: c, path: parent, lane: lane, before: true}, model.SpanOpenBegin)
		n.charge.touched.add(uint(c))
	}
}

// callee returns the path below which a span that starts now belongs.
func (n *nestPass) callee() model.PathID { return n.pathBelow(len(n.stack)) }

// pathBelow returns the path of the span below a place of the stack.
func (n *nestPass) pathBelow(at int) model.PathID {
	if at == 0 {
		return model.PathRoot
	}
	return n.stack[at-1].path
}

// setIntern sets the source of path ids. alone declares that no other goroutine uses it.
func (n *nestPass) setIntern(p *pathIntern, alone bool) {
	n.intern, n.paths = p, &p.table
	if !alone {
		n.paths = new(pathTable)
	}
}

func (n *nestPass) child(parent model.PathID, c int32) model.PathID {
	id, known := n.paths.find(parent, c)
	if known {
		return id
	}
	id, full := n.intern.child(parent, c)
	if full {
		n.noPaths = true
	} else if n.paths != &n.intern.table {
		n.paths.add(parent, c, id)
	}
	return id
}

// freeLane returns the first lane from low on, and below everything on the stack, in which a span
// can begin at beginNs.
func (n *nestPass) freeLane(st *nestState, low int, beginNs int64) (lane uint16, ok bool) {
	if k := len(n.stack) - 1; k >= 0 {
		low = max(low, int(n.stack[k].lane)+1)
	}
	for low < len(st.laneEndNs) && st.laneEndNs[low] > beginNs {
		low++
	}
	return uint16(low), low < maxLanes
}

func (n *nestPass) push(r running, flags model.SpanFlags) {
	r.span = n.piece(r.beginNs, r.path, r.lane, flags)
	r.first = r.span
	n.stack = append(n.stack, r)
}

// piece appends a span, or a piece of one, to the batch.
func (n *nestPass) piece(beginNs int64, path model.PathID, lane uint16, flags model.SpanFlags) int32 {
	if len(n.spans) == cap(n.spans) {
		n.spans = slices.Grow(n.spans, 1)
	}
	n.spans = n.spans[:len(n.spans)+1]
	s := &n.spans[len(n.spans)-1] // field by field: a whole Span would be put together elsewhere and copied
	s.Begin, s.End, s.Path, s.Lane, s.Flags = beginNs, beginNs, path, lane, flags
	return int32(len(n.spans) - 1)
}

func (n *nestPass) start(st *nestState, e *event) {
	s := n.charge.state(e.collector)
	s.count++
	n.charge.touched.add(uint(e.collector))
	if e.collector == 0 && n.startFrame(st, e.timeNs) {
		return
	}
	lane, ok := n.freeLane(st, n.low, e.timeNs)
	if !ok || len(n.stack) >= pstats.MaxDepth {
		s.overLimit++
		n.limited++
		return
	}
	n.push(running{beginNs: e.timeNs, collector: e.collector, path: n.child(n.callee(), e.collector), lane: lane}, 0)
	n.started = true
}

// startFrame starts collector 0 while spans from before the frame are running: it goes below them,
// to row 0.
func (n *nestPass) startFrame(st *nestState, timeNs int64) bool {
	if len(n.stack) == 0 || len(n.stack) >= pstats.MaxDepth || !n.stack[len(n.stack)-1].before || n.stack[0].lane == 0 {
		return false
	}
	if len(st.laneEndNs) > 0 && st.laneEndNs[0] > timeNs {
		return false
	}
	n.push(running{beginNs: timeNs, path: n.child(model.PathRoot, 0)}, 0)
	k := len(n.stack) - 1
	frame := n.stack[k]
	copy(n.stack[1:], n.stack[:k])
	n.stack[0] = frame
	n.moveFrom(1, timeNs)
	return true
}

// moveFrom gives the spans of the stack from a place on the call path that follows from those below
// them.
func (n *nestPass) moveFrom(at int, timeNs int64) {
	for i := at; i < len(n.stack); i++ {
		r := &n.stack[i]
		path := n.child(n.pathBelow(i), r.collector)
		if path == r.path {
			return // and so are those above
		}
		r.path = path
		s := &n.spans[r.span]
		if s.Begin >= timeNs && !r.before { // nothing of it was in the other place
			s.Path = path
			continue
		}
		s.End = max(s.Begin, timeNs)
		r.span = n.piece(s.End, path, r.lane, model.SpanMoves)
	}
}

func (n *nestPass) stop(st *nestState, e *event, last bool) {
	top := len(n.stack) - 1
	n.charge.touched.add(uint(e.collector))
	if top >= 0 && n.stack[top].collector == e.collector {
		r := &n.stack[top]
		n.finish(st, r, e.timeNs)
		n.stack = n.stack[:top]
		if !n.outlived(r) {
			n.started, n.low = false, 0
		}
		return
	}
	if s := n.charge.state(e.collector); s.overLimit > 0 {
		s.overLimit--
		return
	}
	at := top
	for at >= 0 && n.stack[at].collector != e.collector {
		at--
	}
	if at < 0 {
		return // beyond a limit
	}
	stopped := n.stack[at]
	n.finish(st, &stopped, e.timeNs)
	n.stack = append(n.stack[:at], n.stack[at+1:]...)
	if !n.outlived(&stopped) {
		n.avoidStaircase(st)
	}
	if e.collector != 0 || !last {
		n.moveFrom(at, e.timeNs)
	}
}

// outlived reports whether the start of a span that has been stopped was never received. By the
// official rule its row then stays taken until the innermost span that has a start is stopped.
func (n *nestPass) outlived(r *running) bool {
	if n.spans[r.first].Flags&model.SpanOpenBegin == 0 {
		return false
	}
	if len(n.stack) > 0 && n.stack[0].lane == 0 {
		n.low = max(n.low, int(r.lane)+1)
	}
	return true
}

// finish gives a span its end, which is never before its begin.
func (n *nestPass) finish(st *nestState, r *running, endNs int64) {
	s := &n.spans[r.span]
	s.End = max(endNs, s.Begin)
	for int(r.lane) >= len(st.laneEndNs) {
		st.laneEndNs = append(st.laneEndNs, 0)
	}
	st.laneEndNs[r.lane] = s.End
}

// avoidStaircase moves the top of the stack up into a row that has become free, by the official
// rule: if nothing was stopped inside it, not to the row right above its own, and never to row 0.
// What began in an earlier frame stays where that frame has it.
func (n *nestPass) avoidStaircase(st *nestState) {
	k := len(n.stack) - 1
	if top := &n.stack[k]; n.started && !top.before {
		below := 0
		if k > 0 {
			below = int(n.stack[k-1].lane)
		}
		was := top.lane
		if top.lane = higherLane(st.laneEndNs, below, was, top.beginNs); top.lane == was {
			return
		}
		n.low = 0
		for i := top.first; i <= top.span; i++ { // nothing else began in its row since
			if s := &n.spans[i]; s.Lane == was {
				s.Lane = top.lane
			}
		}
	}
}

// higherLane returns the lane to which a span without callees moves up, lane if there is none: the
// lowest above it, but for the one right above it, that was free for good when it began. below is
// the lane of its caller.
func higherLane(laneEndNs []int64, below int, lane uint16, beginNs int64) uint16 {
	for j := int(lane) - 2; j > max(below, 0); j-- {
		if j >= len(laneEndNs) || laneEndNs[j] < beginNs || laneEndNs[j] == 0 {
			return uint16(j)
		}
	}
	return lane
}
