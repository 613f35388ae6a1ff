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
	before    bool  // it began in an earlier frame
	path      model.PathID
	lane      int32
	under     model.PathID // path and lane of the entry below
	underLane int32
}

// fastDepth is MaxDepth rounded up to a power of two, so that an index is cut to it at no cost.
const fastDepth = 1024

// fastPass is the memory of the walk.
type fastPass struct {
	cols    []fastCollector // by collector
	touched collectorSet
	stack   [fastDepth]fastRunning
	open    []uint16 // see wellNested

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
		p.open = append(p.open, uint16(p.stack[i].collector))
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
	// While times ascend, only the lanes of the frame before and those of running spans are not free:
	// their limit can't be reached on the way.
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
	p.begin = walkBegin{ordered: true, skewNs: st.skewNs}
	if ns, valid := pstats.Nanoseconds(events[0].Time); !valid || ns+st.skewNs < 0 || st.number != model.NoFrame && ns+st.skewNs < st.endNs {
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
		r := &p.stack[i]
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

// resumeFast puts the spans on the stack that were open at the end of the frame before, and the
// frame itself below them (see nestPass.startFrame): Panda3D's task loop, which begins a frame
// while it renders, makes such frames all the time. ok is false if this is another case.
func (n *nestPass) resumeFast(p *fastPass, st *nestState, e wire.Event) (ok bool) {
	ns, _ := pstats.Nanoseconds(e.Time)
	ns += st.skewNs
	path, known := n.paths.find(model.PathRoot, 0)
	if e.Word != 0 || !known || len(st.carried) >= pstats.MaxDepth || st.carried[0].lane == 0 || st.laneEndNs[0] > ns {
		return false
	}
	p.begin.events, p.begin.depth, p.begin.firstNs = 1, 1+len(st.carried), ns
	p.stack[0] = fastRunning{span: int32(len(p.spans) + len(st.carried)), path: path, underLane: -1}
	below := path
	under, underLane, lastNs := path, int32(0), int64(0)
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
		p.stack[1+i] = fastRunning{collector: c.collector, span: int32(len(p.spans)), before: true, path: c.path, lane: int32(c.lane), under: under, underLane: underLane}
		under, underLane = c.path, int32(c.lane)
		p.spans = append(p.spans, model.Span{Begin: beginNs, End: beginNs, Path: c.path, Lane: c.lane, Flags: model.SpanContinues})
	}
	p.spans = append(p.spans, model.Span{Begin: ns, End: ns, Path: path})
	p.room(0)
	p.cols[0] = fastCollector{count: 1}
	p.touched.add(0)
	return true
}

// stopFrame stops the frame, the last event, while others run: it leaves the stack from below, and
// the top one may take a free row, as in nestPass.stop (moved). ok is false if that is not so.
func (p *fastPass) stopFrame(timeNs int64, depth int) (moved, ok bool) {
	if p.stack[0].collector != 0 {
		return false, false
	}
	for i := 1; i < depth; i++ { // what stops is the frame that was started last
		if p.stack[i].collector == 0 {
			return false, false
		}
	}
	r := &p.stack[0]
	p.spans[r.span].End = timeNs
	p.laneEndNs[r.lane] = timeNs
	copy(p.stack[:depth-1], p.stack[1:depth])
	top := &p.stack[depth-2]
	s := &p.spans[top.span]
	if top.before || int(top.span) < len(p.spans)-1 {
		return false, true // it was running before, or has called something
	}
	below := 0
	if depth > 2 {
		below = int(p.stack[depth-3].lane)
	}
	lane := higherLane(p.laneEndNs, below, s.Lane, s.Begin)
	moved = lane != s.Lane
	top.lane, s.Lane = int32(lane), lane
	return moved, true
}

// walk appends the spans of a frame to p.spans and charges the collectors. It returns the time of
// the last event, how many spans are still running, and whether the spans are in order of (Begin,
// Lane); ok is false at the first event that is not well nested.
func (n *nestPass) walk(p *fastPass, events []wire.Event, ignore int32) (lastNs int64, depth int, ordered, ok bool) {
	spans, lanes, cols, stack := p.spans, p.laneEndNs, p.cols, &p.stack
	ignored := uint16(ignore)                                                                 // no collector has the index that -1 becomes
	charged, sinceNs, firstNs, skewNs := int32(-1), int64(0), p.begin.firstNs, p.begin.skewNs // charged: the innermost span's collector, -1 none
	topLane, topPath := int32(-1), model.PathRoot
	checked := false
	slots := n.paths.slots
	timeNs, orderNs := firstNs, firstNs
	orderLane, ordered := int32(0), p.begin.ordered
	sec := float32(0)
	i := p.begin.events
	if depth = p.begin.depth; depth > 0 {
		charged, sinceNs, sec = stack[depth-1].collector, firstNs, events[0].Time
		topLane, topPath = stack[depth-1].lane, stack[depth-1].path
	}
	for ; i < len(events); i++ {
		e := events[i]
		if !(e.Time >= sec && e.Time <= pstats.MaxSeconds) { // Nanoseconds, and never back
			break
		}
		sec = e.Time
		timeNs = int64(float64(sec)*1e9+0.5) + skewNs
		c := uint(e.Word &^ wire.StopBit)
		if c >= uint(len(cols)) {
			p.room(c)
			cols = p.cols
		}
		if charged >= 0 && timeNs > sinceNs {
			cols[charged].aloneNs += timeNs - sinceNs
			p.touched.add(uint(charged))
		}
		sinceNs = timeNs
		if e.Word&wire.StopBit != 0 {
			if depth == 0 {
				break
			}
			r := &stack[uint(depth-1)%fastDepth]
			if r.collector != int32(c) {
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
				p.touched.add(0)
				continue
			}
			depth--
			spans[r.span].End = timeNs
			lanes[r.lane] = timeNs
			p.touched.add(c)
			if charged = -1; depth > 0 {
				charged = stack[uint(depth-1)%fastDepth].collector
			}
			topLane, topPath = r.underLane, r.under
			continue
		}
		if depth >= pstats.MaxDepth || e.Word == ignored {
			break
		}
		var path model.PathID
		key := pathKey(topPath, int32(c))
		if slot := hashPath(key) & uint64(len(slots)-1); slot < uint64(len(slots)) && slots[slot].key == key {
			path = slots[slot].id
		} else if id, known := n.paths.find(topPath, int32(c)); known {
			path = id
		} else {
			if !checked && !p.wellNested(events[i:], depth, ignore) {
				break
			}
			checked = true
			path = n.child(topPath, int32(c))
			slots = n.paths.slots
		}
		lane := topLane + 1
		for int(lane) < len(lanes) && lanes[lane] > timeNs {
			lane++
		}
		if int(lane) >= len(lanes) {
			lanes = append(lanes, 0)
		}
		r := &stack[uint(depth)%fastDepth]
		depth++
		cols[c].count++
		p.touched.add(c)
		charged = int32(c)
		r.before, r.collector, r.span, r.path, r.lane = false, int32(c), int32(len(spans)), path, lane
		r.under, r.underLane = topPath, topLane
		if timeNs == orderNs && lane < orderLane {
			ordered = false
		}
		orderNs, orderLane = timeNs, lane
		if len(spans) == cap(spans) {
			spans = slices.Grow(spans, 1)
		}
		spans = spans[:len(spans)+1]
		sp := &spans[len(spans)-1] // field by field: a whole Span would be put together elsewhere and copied
		sp.Begin, sp.End, sp.Path, sp.Lane, sp.Flags = timeNs, timeNs, path, uint16(lane), 0
		topLane, topPath = lane, path
	}
	p.spans, p.laneEndNs = spans, lanes
	return timeNs, depth, ordered, i == len(events)
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
