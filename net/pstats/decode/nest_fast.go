package decode

import (
	"cmp"
	"math/bits"
	"slices"

	"framescope/model"
	"framescope/net/pstats"
	"framescope/net/pstats/wire"
)

// Nearly every frame of nearly every game is well nested: times ascend, and each stop belongs to
// the start that came last; at most, what runs around the frames' borders goes on. For such a frame
// the full rules (nest.go) come to the same as one walk over the raw events with one stack: no span
// moves.
//
// The walk gives up at the first event that is not so, and leaves everything as it was before; then
// the full rules decide. So it needs no rules of its own for what is odd. What can't be left as it
// was is the definition of a new call path; before the first of a frame, the rest of the frame is
// looked at.

// fastCollector is a collector's share of the present frame; zero between frames.
type fastCollector struct {
	aloneNs int64 // charged so far
	count   int32 // starts
}

// fastRunning is a span on the stack of the walk.
type fastRunning struct {
	collector int32
	span      int32 // index in the batch
	path      model.PathID
	lane      int32
	sinceNs   int64 // when it began, or the walk if that was later
	calleesNs int64 // what it has called since took so long
	before    bool  // it began in an earlier frame
}

// fastDepth is MaxDepth rounded up to a power of two, so that an index is cut to it at no cost.
const fastDepth = 1024

// fastPass is the memory of the walk.
type fastPass struct {
	cols    []fastCollector // by collector
	touched collectorSet
	stack   [fastDepth]fastRunning // from 1 on; below is what has no caller
	open    []uint16               // see wellNested

	laneEndNs []int64 // as nestState has it
	spans     []model.Span
	begin     walkBegin
}

// walkBegin is where a walk begins.
type walkBegin struct {
	events  int // that are done
	depth   int // of the stack
	firstNs int64
	skewNs  int64 // see Decoder.convert
	ordered bool  // the spans so far are
}

// finish clears what was noted of collectors and appends it to out, ascending by collector, unless
// discard is set.
func (p *fastPass) finish(out []model.CollectorTime, discard bool) []model.CollectorTime {
	for word := range p.touched.words(len(p.cols)) {
		for set := p.touched.take(word); set != 0; set &= set - 1 {
			c := word*64 + bits.TrailingZeros64(set)
			s := &p.cols[c]
			if !discard {
				out = append(out, model.CollectorTime{Collector: model.CollectorID(c), Ns: s.aloneNs, Count: s.count})
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

// wellNested tells whether the events, the first depth entries of the stack running, are what the
// walk can do.
func (p *fastPass) wellNested(events []wire.Event, depth int, ignore int32) bool {
	p.open = p.open[:0]
	for i := range depth {
		p.open = append(p.open, uint16(p.stack[1+i].collector))
	}
	last := float32(0)
	for i := range events {
		e := &events[i]
		if !(e.Time >= last && e.Time <= pstats.MaxSeconds) { // the event before the first was looked at
			return false
		}
		last = e.Time
		if e.Word&wire.StopBit == 0 {
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
		if p.open[k] != e.Word&^wire.StopBit {
			return i == len(events)-1 && e.Word == wire.StopBit && p.open[0] == 0 && !slices.Contains(p.open[1:], 0)
		}
		p.open = p.open[:k]
	}
	return true
}

// runFast does for a well-nested frame what Decoder.convert and nestPass.run do: it fills the
// batch's Begin, End, Spans and Alone, and brings st to the frame's end. If ok is false, the frame
// is not one, and nothing has happened.
func (n *nestPass) runFast(st *nestState, number int64, events []wire.Event, ignore int32, b *model.Batch) (ok bool) {
	// While times ascend, only the lanes of running spans are not free: their limit can't be reached on
	// the way.
	if len(events) == 0 || len(events) > pstats.MaxFrameEvents || len(st.laneEndNs) >= maxLanes-pstats.MaxDepth {
		return false
	}
	if n.fast == nil {
		n.fast = new(fastPass)
	}
	p := n.fast
	n.limited, n.noPaths = 0, false
	p.laneEndNs = append(p.laneEndNs[:0], st.laneEndNs...)
	p.spans = b.Spans
	first := len(b.Spans)
	p.stack[0] = fastRunning{collector: -1, path: model.PathRoot, lane: -1}
	p.begin = walkBegin{ordered: true, skewNs: st.skewNs}
	if !p.follows(st, events) {
		p.spans = nil
		return false
	}
	if len(st.carried) > 0 && st.number+1 == number && !n.resumeFast(p, st, events[0]) {
		b.Spans, p.spans = p.spans[:first], nil
		return false
	}
	lastNs, depth, ordered, ok := n.walk(p, events, ignore)
	b.Spans, p.spans = p.spans, nil
	if !ok {
		b.Spans = b.Spans[:first]
		p.finish(nil, true)
		return false
	}
	b.Begin, _ = pstats.Nanoseconds(events[0].Time)
	b.Begin += st.skewNs
	b.End = max(b.Begin, lastNs)
	b.Alone = p.finish(b.Alone, false)
	st.carried = st.carried[:0]
	for i := range depth {
		r := &p.stack[1+i]
		s := &b.Spans[r.span]
		s.End = max(b.End, s.Begin)
		s.Flags |= model.SpanOpenEnd
		p.laneEndNs[r.lane] = s.End
		st.carried = append(st.carried, carry{r.collector, r.path, uint16(r.lane)})
	}
	st.laneEndNs, p.laneEndNs = p.laneEndNs, st.laneEndNs
	st.number, st.endNs = number, b.End
	if !ordered {
		sortSpans(b.Spans[first:])
	}
	return true
}

// follows tells whether the first event has a possible time behind all that is in st, and the last
// one a possible time.
func (p *fastPass) follows(st *nestState, events []wire.Event) bool {
	ns, valid := pstats.Nanoseconds(events[0].Time)
	if ns += st.skewNs; !valid || ns < 0 || st.number != model.NoFrame && ns < st.endNs || !(events[len(events)-1].Time <= pstats.MaxSeconds) {
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
func (n *nestPass) resumeFast(p *fastPass, st *nestState, e wire.Event) (ok bool) {
	ns, _ := pstats.Nanoseconds(e.Time)
	ns += st.skewNs
	path, known := n.paths.find(model.PathRoot, 0)
	if e.Word != 0 || !known || len(st.carried) >= pstats.MaxDepth || st.carried[0].lane == 0 {
		return false
	}
	p.begin.events, p.begin.depth, p.begin.firstNs = 1, 1+len(st.carried), ns
	p.stack[1] = fastRunning{span: int32(len(p.spans) + len(st.carried)), path: path, sinceNs: ns}
	below, lastNs := path, int64(0)
	for i := range st.carried {
		c := &st.carried[i]
		beginNs := st.laneEndNs[c.lane]
		p.room(uint(c.collector))
		if chain, known := n.paths.find(below, c.collector); !known || chain != c.path || c.collector == 0 || beginNs > ns {
			return false
		}
		below = c.path
		p.begin.ordered = p.begin.ordered && beginNs >= lastNs && beginNs < ns
		lastNs = beginNs
		p.stack[2+i] = fastRunning{collector: c.collector, span: int32(len(p.spans)), path: c.path, lane: int32(c.lane), sinceNs: ns, before: true}
		p.spans = append(p.spans, model.Span{Begin: beginNs, End: beginNs, Path: c.path, Lane: c.lane, Flags: model.SpanContinues})
	}
	p.spans = append(p.spans, model.Span{Begin: ns, End: ns, Path: path})
	p.room(0)
	p.cols[0] = fastCollector{count: 1}
	p.touched.add(0)
	return true
}

// chargeRunning charges what still runs at a time.
func (p *fastPass) chargeRunning(timeNs int64, depth int) {
	for k := depth; k > 0; k-- {
		r := &p.stack[k]
		took := timeNs - r.sinceNs
		if aloneNs := took - r.calleesNs; aloneNs > 0 {
			p.cols[r.collector].aloneNs += aloneNs
			p.touched.add(uint(r.collector))
		}
		p.stack[k-1].calleesNs += took
		r.sinceNs, r.calleesNs = timeNs, 0
	}
}

// stopFrame stops the frame, the last event, while others run: it leaves the stack from below, and
// the top one may take a free row, as in nestPass.stop (moved). ok is false if that is not so.
func (p *fastPass) stopFrame(timeNs int64, depth int) (moved, ok bool) {
	if depth == 0 || p.stack[1].collector != 0 {
		return false, false
	}
	for i := 2; i <= depth; i++ { // what stops is the frame that was started last
		if p.stack[i].collector == 0 {
			return false, false
		}
	}
	p.chargeRunning(timeNs, depth)
	p.touched.add(0)
	r := &p.stack[1]
	p.spans[r.span].End = timeNs
	p.laneEndNs[r.lane] = timeNs
	copy(p.stack[1:depth], p.stack[2:depth+1])
	top := &p.stack[depth-1]
	s := &p.spans[top.span]
	if top.before || int(top.span) < len(p.spans)-1 {
		return false, true // it was running before, or has called something
	}
	below := 0
	if depth > 2 {
		below = int(p.stack[depth-2].lane)
	}
	lane := higherLane(p.laneEndNs, below, s.Lane, s.Begin)
	moved = lane != s.Lane
	top.lane, s.Lane = int32(lane), lane
	return moved, true
}

// walk appends the spans of a frame to p.spans and charges the collectors. It returns the time of
// the last event, how many spans are still running, and whether the spans are in order of (Begin,
// Lane); ok is false at the first event that is not well nested.
//
// It is what most of the time of decoding goes to. A collector is charged when its span ends, with
// what passed less what was called, and a span lies right below its caller: all that ended before
// has left its lane free.
func (n *nestPass) walk(p *fastPass, events []wire.Event, ignore int32) (lastNs int64, depth int, ordered, ok bool) {
	spans, lanes, cols, slots, stack := p.spans, p.laneEndNs, p.cols, n.paths.slots, &p.stack
	ignored := uint16(ignore) // no collector has the index that -1 becomes
	skewNs, timeNs := p.begin.skewNs, p.begin.firstNs
	orderNs, orderLane, ordered := timeNs, int32(0), p.begin.ordered
	checked := false
	i, depth := p.begin.events, p.begin.depth
	top := &stack[depth]
	sec := events[0].Time
	for ; i < len(events); i++ {
		e := events[i]
		if !(e.Time >= sec) { // the first and the last one are possible
			break
		}
		sec = e.Time
		timeNs = int64(float64(sec)*1e9+0.5) + skewNs
		if e.Word&wire.StopBit != 0 {
			c := e.Word &^ wire.StopBit
			if top.collector != int32(c) {
				if c != 0 || i != len(events)-1 {
					break
				}
				p.spans, p.laneEndNs = spans, lanes
				moved, ok := p.stopFrame(timeNs, depth)
				if !ok {
					break
				}
				depth--
				ordered = ordered && !moved
				continue
			}
			took := timeNs - top.sinceNs
			cols[c].aloneNs += took - top.calleesNs
			if top.before {
				p.touched.add(uint(c))
			}
			spans[top.span].End = timeNs
			lanes[top.lane] = timeNs
			depth--
			top = &stack[uint(depth)%fastDepth]
			top.calleesNs += took
			continue
		}
		if depth >= pstats.MaxDepth || e.Word == ignored {
			break
		}
		c := int32(e.Word)
		var path model.PathID
		key := pathKey(top.path, c)
		if slot := hashPath(key) & uint64(len(slots)-1); slot < uint64(len(slots)) && slots[slot].key == key {
			path = slots[slot].id
		} else if id, known := n.paths.find(top.path, c); known {
			path = id
		} else {
			if !checked && !p.wellNested(events[i:], depth, ignore) {
				break
			}
			checked = true
			path = n.child(top.path, c)
			slots = n.paths.slots
		}
		if int(c) >= len(cols) {
			p.room(uint(c))
			cols = p.cols
		}
		cols[c].count++
		p.touched.add(uint(c))
		lane := top.lane + 1
		if int(lane) >= len(lanes) {
			lanes = append(lanes, 0)
		}
		if timeNs == orderNs && lane < orderLane {
			ordered = false
		}
		orderNs, orderLane = timeNs, lane
		depth++
		top = &stack[uint(depth)%fastDepth]
		top.collector, top.span, top.path, top.lane = c, int32(len(spans)), path, lane
		top.sinceNs, top.calleesNs, top.before = timeNs, 0, false
		if len(spans) == cap(spans) {
			spans = slices.Grow(spans, 1)
		}
		spans = spans[:len(spans)+1]
		sp := &spans[len(spans)-1] // field by field: a whole Span would be put together elsewhere and copied
		sp.Begin, sp.End, sp.Path, sp.Lane, sp.Flags = timeNs, timeNs, path, uint16(lane), 0
	}
	p.spans, p.laneEndNs = spans, lanes
	if i < len(events) {
		return timeNs, depth, ordered, false
	}
	p.chargeRunning(timeNs, depth)
	return timeNs, depth, ordered, true
}

// sortSpans puts spans in order of (Begin, Lane). Those of equal begin and lane, all but the last
// of which have no length, keep their order.
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
