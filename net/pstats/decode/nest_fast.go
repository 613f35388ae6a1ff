package decode

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"framescope/model"
	"framescope/net/pstats"
)

// Nearly every frame of nearly every game is well nested: times ascend, and each stop belongs to
// the start that came last; at most, what runs around the frames' borders goes on. For such a frame
// the full rules (nest.go) come to the same as one walk over the raw events with one stack: no span
// moves.
//
// The walk gives up at the first irregular event, and restores the previous state; then the full rules
// decide. So it needs no rules for irregular events. Only the definition of a new call path cannot be
// undone; before the first one of a frame, the rest of the frame is checked.

// fastCollector is a collector's share of the present frame; zero between frames.
type fastCollector struct {
	selfNs int64 // charged so far
	count  int32 // starts
}

// fastRunning is a span on the stack of the walk.
type fastRunning struct {
	sinceNs   int64 // when it began, or the walk if that was later
	calleesNs int64 // what it has called since took so long
	path      model.PathID
	span      int32 // index in the batch
	collector uint16
	lane      uint16
	before    bool // it began in an earlier frame
}

// fastNobody is the caller of outermost spans: it is never stopped, and the lane below its own is 0.
var fastNobody = fastRunning{path: model.PathRoot, collector: math.MaxUint16, lane: math.MaxUint16}

// fastDepth is MaxDepth rounded up to a power of two, so that an index is cut to it at no cost.
const fastDepth = 1024

// fastPass is the memory of the walk.
type fastPass struct {
	cols    []fastCollector // by collector
	touched collectorSet
	stack   [fastDepth]fastRunning // from 1 on; below is fastNobody
	open    []uint16               // see wellNested

	lanes     int
	laneEndNs [maxLanes]int64 // as nestState has it
	spans     []model.Span

	// Where the walk is.
	done            int // events
	depth           int // of the stack
	firstNs, skewNs int64
	ordered         bool // the spans so far are
	checked         bool // the rest of the frame is well nested
}

// finish clears the state of collectors and appends it to out, ascending by collector, unless discard
// is set.
func (p *fastPass) finish(out []model.CollectorTime, discard bool) []model.CollectorTime {
	for word := range p.touched.wordsBelow(len(p.cols)) {
		for set := p.touched.clearWord(word); set != 0; set &= set - 1 {
			c := word*64 + bits.TrailingZeros64(set)
			s := &p.cols[c]
			if !discard {
				out = append(out, model.CollectorTime{Collector: model.CollectorID(c), Ns: s.selfNs, Count: s.count})
			}
			*s = fastCollector{}
		}
	}
	return out
}

// room makes room for a collector.
func (p *fastPass) room(c uint) {
	if c >= uint(len(p.cols)) {
		p.cols = append(p.cols, make([]fastCollector, int(c)+64-len(p.cols))...)
	}
}

// wellNested reports whether the walk can handle the events, given the first depth entries of the
// stack as running.
func (p *fastPass) wellNested(events []pstats.Event, depth int, ignore int32) bool {
	p.open = p.open[:0]
	for i := range depth {
		p.open = append(p.open, p.stack[1+i].collector)
	}
	last := float32(0)
	for i := range events {
		e := &events[i]
		if !(e.Time >= last && e.Time <= pstats.MaxSeconds) { // the event before the first was looked at
			return false
		}
		last = e.Time
		if e.Word&pstats.StopBit == 0 {
			if len(p.open) >= pstats.MaxDepth || int32(e.Word) == ignore {
				return false
			}
			p.open = append(p.open, e.Word)
			continue
		}
		k := len(p.open) - 1
		if k < 0 {
			return false
		}
		if p.open[k] != e.Word&^pstats.StopBit {
			return i == len(events)-1 && e.Word == pstats.StopBit && p.open[0] == 0 && !slices.Contains(p.open[1:], 0)
		}
		p.open = p.open[:k]
	}
	return true
}

// runFast does for a well-nested frame what Decoder.convert and nestPass.run do: it fills the
// batch's Begin, End, Spans and Self, and brings st to the frame's end. If ok is false, the frame
// is not one, and nothing has happened.
func (n *nestPass) runFast(st *nestState, number int64, events []pstats.Event, ignore int32, b *model.Batch) (ok bool) {
	// While times ascend, only running spans occupy lanes: the lane limit is out of reach.
	if len(events) == 0 || len(events) > pstats.MaxFrameEvents || len(st.laneEndNs) >= maxLanes-pstats.MaxDepth {
		return false
	}
	if n.fast == nil {
		n.fast = new(fastPass)
	}
	if st.number == model.NoFrame && events[0].Word != 0 { // see inherited
		return false
	}
	p := n.fast
	n.limited, n.noPaths = 0, false
	if !p.follows(st, events) {
		return false
	}
	p.lanes = copy(p.laneEndNs[:], st.laneEndNs)
	p.spans = b.Spans
	first := len(b.Spans)
	p.stack[0] = fastNobody
	p.done, p.depth, p.ordered, p.checked = 0, 0, true, false
	resumes := len(st.carried) > 0 && st.number+1 == number
	ok = !resumes || n.resumeFast(p, st, events[0])
	for ok && p.done < len(events) {
		p.walk(events, n.paths.slots, uint16(ignore)) // no collector has the index that -1 becomes
		if p.done < len(events) {
			ok = n.help(p, events, ignore)
		}
	}
	b.Spans, p.spans = p.spans, nil
	if !ok {
		b.Spans = b.Spans[:first]
		p.finish(nil, true)
		return false
	}
	b.Begin, b.End = p.firstNs, p.timeNs(events[len(events)-1])
	p.chargeRunning(b.End)
	b.Self = p.finish(b.Self, false)
	st.carried = st.carried[:0]
	for i := range p.depth {
		r := &p.stack[1+i]
		s := &b.Spans[r.span]
		s.End = b.End
		s.Flags |= model.SpanOpenEnd
		p.laneEndNs[r.lane] = s.End
		st.carried = append(st.carried, carry{int32(r.collector), r.path, r.lane})
	}
	st.laneEndNs = append(st.laneEndNs[:0], p.laneEndNs[:p.lanes]...)
	st.number, st.endNs = number, b.End
	if !p.ordered {
		sortSpans(b.Spans[first:])
	}
	return true
}

// timeNs returns the time of an event, which is a possible one.
func (p *fastPass) timeNs(e pstats.Event) int64 {
	ns, _ := pstats.Nanoseconds(e.Time)
	return ns + p.skewNs
}

// follows reports whether the first event has a valid time behind all of st, and the last one a valid
// time. It notes the first time.
func (p *fastPass) follows(st *nestState, events []pstats.Event) bool {
	ns, valid := pstats.Nanoseconds(events[0].Time)
	ns += st.skewNs
	p.firstNs, p.skewNs = ns, st.skewNs
	if !valid || ns < 0 || st.number != model.NoFrame && ns < st.endNs ||
		!(events[len(events)-1].Time <= pstats.MaxSeconds) {
		return false
	}
	for _, endNs := range st.laneEndNs { // those of a GPU may end after its newest frame
		if endNs > ns {
			return false
		}
	}
	return true
}

// resumeFast puts the spans on the stack that were open at the end of the frame before, and the
// frame itself below them (see nestPass.startFrame): Panda3D's task loop, which begins a frame
// while it renders, makes such frames all the time. ok is false if this is another case.
func (n *nestPass) resumeFast(p *fastPass, st *nestState, e pstats.Event) (ok bool) {
	ns := p.firstNs
	path, known := n.paths.find(model.PathRoot, 0)
	if e.Word != 0 || !known || len(st.carried) >= pstats.MaxDepth || st.carried[0].lane == 0 {
		return false
	}
	p.done, p.depth = 1, 1+len(st.carried)
	p.stack[1] = fastRunning{sinceNs: ns, path: path, span: int32(len(p.spans) + len(st.carried))}
	below, lastNs := path, int64(0)
	for i := range st.carried {
		c := &st.carried[i]
		beginNs := st.laneEndNs[c.lane]
		p.room(uint(c.collector))
		if chain, known := n.paths.find(below, c.collector); !known || chain != c.path || c.collector == 0 || beginNs > ns {
			return false
		}
		below = c.path
		p.ordered = p.ordered && beginNs >= lastNs && beginNs < ns
		lastNs = beginNs
		p.stack[2+i] = fastRunning{
			sinceNs: ns, path: c.path, span: int32(len(p.spans)), collector: uint16(c.collector), lane: c.lane,
			before: true,
		}
		p.spans = append(p.spans, model.Span{
			Begin: beginNs, End: beginNs, Path: c.path, Lane: c.lane, Flags: model.SpanContinues,
		})
	}
	p.spans = append(p.spans, model.Span{Begin: ns, End: ns, Path: path})
	p.room(0)
	p.cols[0] = fastCollector{count: 1}
	p.touched.add(0)
	return true
}

// chargeRunning charges the spans still running at a time.
func (p *fastPass) chargeRunning(timeNs int64) {
	for k := p.depth; k > 0; k-- {
		r := &p.stack[k]
		took := timeNs - r.sinceNs
		if aloneNs := took - r.calleesNs; aloneNs > 0 {
			p.cols[r.collector].selfNs += aloneNs
			p.touched.add(uint(r.collector))
		}
		p.stack[k-1].calleesNs += took
		r.sinceNs, r.calleesNs = timeNs, 0
	}
}

// stopFrame stops the frame, the last event, while others run: it leaves the stack from below, and
// the top one may take a free row, as in nestPass.stop. ok is false if that is not so.
func (p *fastPass) stopFrame(timeNs int64) (ok bool) {
	if p.depth < 2 || p.stack[1].collector != 0 {
		return false
	}
	for i := 2; i <= p.depth; i++ { // the frame started last stops
		if p.stack[i].collector == 0 {
			return false
		}
	}
	p.chargeRunning(timeNs)
	p.touched.add(0)
	r := &p.stack[1]
	p.spans[r.span].End = timeNs
	p.laneEndNs[r.lane] = timeNs
	copy(p.stack[1:p.depth], p.stack[2:p.depth+1])
	p.depth--
	top := &p.stack[p.depth]
	s := &p.spans[top.span]
	if top.before || int(top.span) < len(p.spans)-1 {
		return true // it was running before, or has called something
	}
	below := 0
	if p.depth > 1 {
		below = int(p.stack[p.depth-1].lane)
	}
	lane := higherLane(p.laneEndNs[:p.lanes], below, s.Lane, s.Begin)
	p.ordered = p.ordered && lane == s.Lane
	top.lane, s.Lane = lane, lane
	return true
}

// walk appends the spans of a frame to p.spans and charges the collectors, up to the first event
// that is not well nested, or needs what help has.
//
// Most of the decoding time is spent here, so it calls nothing: calls would force its variables into
// memory. A collector is charged when its span ends, with its duration less that of its callees; a
// span lies right below its caller, since all ended spans have left its lane free.
func (p *fastPass) walk(events []pstats.Event, slots []pathSlot, ignored uint16) {
	i, depth, skewNs := p.done, p.depth, p.skewNs
	cols, spans, n := p.cols, p.spans[:cap(p.spans)], len(p.spans)
	sec := events[max(i-1, 0)].Time
	mask := uint64(len(slots) - 1)
	for ; i < len(events); i++ {
		word, t := events[i].Word, events[i].Time
		if !(t >= sec) { // the first and the last one are possible
			break
		}
		sec = t
		timeNs := int64(float64(t)*1e9+0.5) + skewNs
		top := &p.stack[uint(depth)%fastDepth]
		if word&pstats.StopBit != 0 {
			c := word &^ pstats.StopBit
			if c != top.collector || int(c) >= len(cols) || uint(top.span) >= uint(len(spans)) {
				break
			}
			took := timeNs - top.sinceNs
			cols[c].selfNs += took - top.calleesNs
			if top.before {
				p.touched.add(uint(c))
			}
			spans[top.span].End = timeNs
			p.laneEndNs[top.lane%maxLanes] = timeNs
			depth--
			p.stack[uint(depth)%fastDepth].calleesNs += took
			continue
		}
		path, lane := top.path, top.lane+1
		if depth >= pstats.MaxDepth || word == ignored || int(lane) >= p.lanes || int(word) >= len(cols) ||
			uint(n) >= uint(len(spans)) {
			break
		}
		key := pathKey(path, int32(word))
		slot := hashPath(key) & mask
		for slot < uint64(len(slots)) && slots[slot].key() != key && slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		if slot >= uint64(len(slots)) || slots[slot] == 0 {
			break
		}
		path = slots[slot].id()
		cols[word].count++
		p.touched.add(uint(word))
		depth++
		r := &p.stack[uint(depth)%fastDepth]
		r.sinceNs, r.calleesNs, r.path, r.span, r.collector, r.lane, r.before = timeNs, 0, path, int32(n), word, lane, false
		if n > 0 && spans[n-1].Begin == timeNs && spans[n-1].Lane > lane {
			p.ordered = false
		}
		s := &spans[n] // field by field: a whole Span would be put together elsewhere and copied
		s.Begin, s.End, s.Path, s.Lane, s.Flags = timeNs, timeNs, path, lane, 0
		n++
	}
	p.done, p.depth, p.spans = i, depth, spans[:n]
}

// help makes the walk go on at the event where it is. It returns false if that is not well nested.
func (n *nestPass) help(p *fastPass, events []pstats.Event, ignore int32) (ok bool) {
	e := events[p.done]
	if p.done > 0 && !(e.Time >= events[p.done-1].Time) {
		return false
	}
	if e.Word&pstats.StopBit != 0 {
		if e.Word != pstats.StopBit || p.done != len(events)-1 || !p.stopFrame(p.timeNs(e)) {
			return false
		}
		p.done++
		return true
	}
	if p.depth >= pstats.MaxDepth || int32(e.Word) == ignore {
		return false
	}
	top := &p.stack[p.depth]
	if _, known := n.paths.find(top.path, int32(e.Word)); !known {
		if !p.checked && !p.wellNested(events[p.done:], p.depth, ignore) {
			return false
		}
		p.checked = true
		if n.child(top.path, int32(e.Word)); n.noPaths {
			return false
		}
	}
	p.room(uint(e.Word))
	if lane := int(top.lane + 1); lane == p.lanes {
		p.laneEndNs[lane] = 0
		p.lanes++
	}
	p.spans = slices.Grow(p.spans, 1)
	return true
}

// sortSpans puts spans in order of (Begin, Lane). Spans with equal begin and lane, where all but the
// last have no length, keep their order.
func sortSpans(spans []model.Span) {
	for from := 0; from < len(spans); {
		to := from + 1
		for to < len(spans) && spans[to].Begin == spans[from].Begin {
			to++
		}
		if to < len(spans) && spans[to].Begin < spans[from].Begin { // a clock went back
			slices.SortStableFunc(spans, orderOfSpans)
			return
		}
		if run := spans[from:to]; len(run) > 1 {
			slices.SortStableFunc(run, func(a, b model.Span) int { return cmp.Compare(a.Lane, b.Lane) })
		}
		from = to
	}
}
