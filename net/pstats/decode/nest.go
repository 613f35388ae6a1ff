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

// Nesting, the hard part of the timeline (pstats-viewer section 11.2), and how it becomes rows that never change afterwards:
//
// A stack holds the running spans, each in a lane (row) below the one that was started before it. A stop takes its span out of the stack wherever it is, so overlap
// that is not nesting leaves a hole: the spans above keep their rows. To avoid a staircase, a span that is then on top and has had no children moves up into a free row.
//
// Official servers move bars around afterwards, when a stop turns up whose start was in an earlier frame: it gets row 1 from the frame's start on and all others go
// down by one. Here the view pass, which runs first, has listed these stops, so that they are put on the stack before the first event, the last to stop outermost. The rows
// come out the same, and nothing moves.
//
// What is open at the end of frame n continues in frame n+1, in its lane and with its call path: its next piece carries SpanContinues and begins where the last ended.
// A missing frame ends that: nobody knows what happened in it.
//
// Call paths follow the flame graph's rule (section 10.1): when a caller stops, those that it called are closed with it, for the flame graph only. Unlike the
// official one, ours remembers spans across frames, and the stop of the frame itself (collector 0, last event) closes nothing: what still runs goes on.

// carry is a span that was open when a frame ended.
type carry struct {
	flameEndNs int64 // if closed for the flame graph, else 0
	collector  int32
	path       model.PathID
	lane       uint16
}

// running is a span on the stack.
type running struct {
	flameEndNs int64 // 0 while it counts for the flame graph
	beginNs    int64
	collector  int32
	span       int32 // index in the batch
	path       model.PathID
	lane       uint16
	before     bool // began before this frame: its lane is fixed
	children   bool
}

// nestState is what a thread's nesting remembers from frame to frame.
type nestState struct {
	number    int64 // of the last frame, model.NoFrame before the first
	endNs     int64 // of the last frame
	carried   []carry
	laneEndNs []int64 // end of the last span of each lane
}

// set makes s a copy of from, reusing its memory.
func (s *nestState) set(from *nestState) {
	s.number, s.endNs = from.number, from.endNs
	s.carried = append(s.carried[:0], from.carried...)
	s.laneEndNs = append(s.laneEndNs[:0], from.laneEndNs...)
}

// size returns the bytes that s keeps.
func (s *nestState) size() int { return 24*cap(s.carried) + 8*cap(s.laneEndNs) }

// nestPass turns the events of one frame into spans.
type nestPass struct {
	stack   []running
	orphans []int32
	paths   pathTable
	spans   []model.Span
	fast    *fastPass

	intern  *pathIntern // of the session; paths are those of it that were asked for
	limited int64       // starts that were not taken in this frame
	noPaths bool        // paths ran out in this frame
}

// run appends the spans of one frame to spans, in order of (Begin, Lane), and brings st to the frame's end. view must have run on the same events. ignore is a collector
// that has no spans, -1 none.
func (n *nestPass) run(st *nestState, view *viewPass, number int64, events []event, endNs int64, ignore int32, spans []model.Span) []model.Span {
	n.spans = spans
	n.stack = n.stack[:0]
	n.limited, n.noPaths = 0, false
	first := len(spans)
	if st.number+1 == number && st.number != model.NoFrame {
		n.resume(st)
	}
	beginNs := endNs
	if len(events) > 0 {
		beginNs = events[0].timeNs
	}
	n.adopt(st, view, beginNs, len(events) > 0 && !events[0].stop && events[0].collector == 0, ignore)
	for i := range events {
		e := &events[i]
		if e.collector == ignore {
			continue
		}
		if e.stop {
			n.stop(st, view, e, i == len(events)-1)
		} else {
			n.start(st, view, e)
		}
	}
	st.carried = st.carried[:0]
	for i := range n.stack {
		r := &n.stack[i]
		n.finish(st, r, endNs)
		n.spans[r.span].Flags |= model.SpanOpenEnd
		st.carried = append(st.carried, carry{r.flameEndNs, r.collector, r.path, r.lane})
	}
	st.number, st.endNs = number, endNs
	spans, n.spans = n.spans, nil
	sortSpans(spans[first:])
	return spans
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
		beginNs := st.laneEndNs[c.lane]
		n.push(running{flameEndNs: c.flameEndNs, beginNs: beginNs, collector: c.collector, path: c.path, lane: c.lane, before: true}, model.SpanContinues)
	}
}

// adopt puts the spans on the stack of whose start nothing was received: those of the early stops that no resumed span accounts for.
func (n *nestPass) adopt(st *nestState, view *viewPass, beginNs int64, underFrame bool, ignore int32) {
	if len(view.early) == 0 {
		return
	}
	for i := range n.stack {
		view.state(n.stack[i].collector).carried++
	}
	n.orphans = n.orphans[:0]
	for _, c := range view.early {
		if s := view.state(c); s.carried > 0 {
			s.carried--
		} else if c == ignore {
			continue
		} else if len(n.stack)+len(n.orphans) < pstats.MaxDepth {
			n.orphans = append(n.orphans, c)
		} else {
			n.limited++
		}
	}
	parent := model.PathRoot
	if len(n.stack) > 0 {
		parent = n.callee()
	} else if underFrame && len(n.orphans) > 0 {
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
	}
}

// callee returns the path below which a span that starts now belongs.
func (n *nestPass) callee() model.PathID {
	for i := len(n.stack) - 1; i >= 0; i-- {
		if n.stack[i].flameEndNs == 0 {
			return n.stack[i].path
		}
	}
	return model.PathRoot
}

func (n *nestPass) child(parent model.PathID, c int32) model.PathID {
	id, known := n.paths.find(parent, c)
	if known {
		return id
	}
	id, full := n.intern.child(parent, c)
	if full {
		n.noPaths = true
	} else {
		n.paths.add(parent, c, id)
	}
	return id
}

// freeLane returns the first lane from low on, and below everything on the stack, in which a span can begin at beginNs.
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
	if k := len(n.stack) - 1; k >= 0 {
		n.stack[k].children = true
	}
	r.span = int32(len(n.spans))
	if len(n.spans) == cap(n.spans) {
		n.spans = slices.Grow(n.spans, 1)
	}
	n.spans = n.spans[:len(n.spans)+1]
	s := &n.spans[len(n.spans)-1] // field by field: a whole Span would be put together elsewhere and copied
	s.Begin, s.End, s.Path, s.Lane, s.Flags, s.FlameEnd = r.beginNs, r.beginNs, r.path, r.lane, flags, 0
	n.stack = append(n.stack, r)
}

func (n *nestPass) start(st *nestState, view *viewPass, e *event) {
	if e.collector == 0 && n.startFrame(st, e.timeNs) {
		return
	}
	lane, ok := n.freeLane(st, 0, e.timeNs)
	if !ok || len(n.stack) >= pstats.MaxDepth {
		view.cols[e.collector].overLimit++
		n.limited++
		return
	}
	n.push(running{beginNs: e.timeNs, collector: e.collector, path: n.child(n.callee(), e.collector), lane: lane}, 0)
}

// startFrame starts collector 0 while spans from before the frame are running: it goes below them, to row 0.
func (n *nestPass) startFrame(st *nestState, timeNs int64) bool {
	if len(n.stack) == 0 || len(n.stack) >= pstats.MaxDepth || !n.stack[len(n.stack)-1].before || n.stack[0].lane == 0 {
		return false
	}
	if len(st.laneEndNs) > 0 && st.laneEndNs[0] > timeNs {
		return false
	}
	n.push(running{beginNs: timeNs, path: n.child(model.PathRoot, 0), children: true}, 0)
	k := len(n.stack) - 1
	frame := n.stack[k]
	copy(n.stack[1:], n.stack[:k])
	n.stack[0] = frame
	return true
}

func (n *nestPass) stop(st *nestState, view *viewPass, e *event, last bool) {
	top := len(n.stack) - 1
	if top >= 0 && n.stack[top].collector == e.collector && n.stack[top].flameEndNs == 0 {
		n.finish(st, &n.stack[top], e.timeNs)
		n.stack = n.stack[:top]
		return
	}
	if s := &view.cols[e.collector]; s.overLimit > 0 {
		s.overLimit--
		return
	}
	at, flameAt := -1, -1
	for i := top; i >= 0 && flameAt < 0; i-- {
		if r := &n.stack[i]; r.collector == e.collector {
			if at < 0 {
				at = i
			}
			if r.flameEndNs == 0 {
				flameAt = i
			}
		}
	}
	if at < 0 {
		return // beyond a limit
	}
	if flameAt >= 0 && !(e.collector == 0 && last) {
		for i := flameAt; i <= top; i++ {
			if r := &n.stack[i]; r.flameEndNs == 0 && i != at {
				r.flameEndNs = max(e.timeNs, 1) // 0 means not closed
			}
		}
	}
	n.finish(st, &n.stack[at], e.timeNs)
	n.stack = append(n.stack[:at], n.stack[at+1:]...)
	if at < top {
		n.avoidStaircase(st)
	}
}

// finish gives a span its end, which is never before its begin.
func (n *nestPass) finish(st *nestState, r *running, endNs int64) {
	endNs = max(endNs, r.beginNs)
	s := &n.spans[r.span]
	s.End = endNs
	if r.flameEndNs != 0 && r.flameEndNs < endNs {
		s.FlameEnd = r.flameEndNs
		if !r.before {
			s.FlameEnd = max(s.FlameEnd, r.beginNs)
		}
	}
	for int(r.lane) >= len(st.laneEndNs) {
		st.laneEndNs = append(st.laneEndNs, 0)
	}
	st.laneEndNs[r.lane] = endNs
}

// avoidStaircase moves the top of the stack up into a row that has become free, if nothing was started inside it yet.
func (n *nestPass) avoidStaircase(st *nestState) {
	k := len(n.stack) - 1
	top := &n.stack[k]
	if top.children || top.before {
		return
	}
	low := 0
	if k > 0 {
		low = int(n.stack[k-1].lane) + 1
	}
	for ; low < int(top.lane); low++ {
		if low >= len(st.laneEndNs) || st.laneEndNs[low] <= top.beginNs {
			top.lane = uint16(low)
			n.spans[top.span].Lane = top.lane
			return
		}
	}
}
