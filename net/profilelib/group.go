package profilelib

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

// root takes note of a tree, a message or a record without a known tree: [start, end] is its time, seq
// its number or 0. When it begins behind the thread's earlier records, a new flush began in between:
// within a flush, time runs backwards (FORMAT.md section 4).
func (d *Decoder) root(th *thread, start, end int64, seq uint32, isStray bool) {
	g := &th.group
	if g.open && g.newest != minTime && (start > g.newest || start == g.newest && g.newestSeq != 0 && seq > g.newestSeq) {
		d.boundary(g.endAt)
	}
	if d.inQueue++; d.inQueue > maxGroup {
		d.commitAll()
	}
	d.openGroup(th)
	if g.newest == minTime { // nothing but remarks came before
		g.newest, g.newestSeq = end, seq
	}
	g.newest = max(g.newest, end)
	g.stray = g.stray || isStray
	g.endAt = d.records + 1
	d.run.curMinNs = min(d.run.curMinNs, end)
	d.frames.minStart = min(d.frames.minStart, start)
	if p := &d.run.pause; p.on && start >= p.at {
		p.until = min(p.until, start)
	}
}

// openGroup puts a thread into the queue of threads with new records.
func (d *Decoder) openGroup(th *thread) {
	g := &th.group
	if g.open {
		return
	}
	g.open, g.newest, g.newestSeq = true, minTime, 0
	g.firstAt, g.endAt = d.records, d.records+1
	d.queue = append(d.queue, th)
}

// boundary is called when a flush began behind the record before endAt. All groups that began
// before are whole.
func (d *Decoder) boundary(endAt int64) {
	d.run.floorNs, d.run.curMinNs = d.run.curMinNs, maxTime
	d.resumed()
	n, frames := 0, d.frames.total()
	for n < len(d.queue) && d.queue[n].group.firstAt < endAt {
		d.commit(d.queue[n])
		n++
	}
	for _, th := range d.queue[:n] {
		d.publish(th)
	}
	if d.frames.total() > frames { // they cut all threads
		for _, th := range d.threads {
			if th.seg >= 0 {
				d.publish(th)
			}
		}
	}
	d.queue = d.queue[:copy(d.queue, d.queue[n:])]
	d.inQueue = 0
	for _, th := range d.queue {
		d.inQueue += int64(len(th.group.nodes) + len(th.group.events))
	}
}

// commitAll is called where a flush surely ended.
func (d *Decoder) commitAll() {
	if len(d.queue) > 0 {
		d.boundary(math.MaxInt64)
	}
}

// commit puts the records of a thread in order: it is final then.
func (d *Decoder) commit(th *thread) {
	g := &th.group
	before := len(th.spans) + len(th.events)
	nodes := d.chronological(g, th.final)
	if nodes == nil && len(g.nodes) > 0 {
		nodes = d.contained(th)
	}
	th.sortEvents()
	for i := range nodes {
		d.emit(th, &nodes[i])
		th.final = max(th.final, nodes[i].end) // that of a tree, but where a block outlived it
	}
	th.settleEvents(nodes, &d.high)
	th.final = max(th.final, g.newest)
	if th == d.main || d.main == nil {
		for i := range g.events {
			if g.events[i].kind == Frame {
				d.addFrame(th, &g.events[i])
			}
		}
	}
	clear(g.events)
	*g = group{nodes: g.nodes[:0], events: g.events[:0]}
	d.waiting += len(th.spans) + len(th.events) - before
	d.nameThread(th)
}

// chronological returns the blocks of a group in order of begin, callers first. The stream has them
// backwards: read from its end, it is a walk of the trees in order of time that visits callers
// last. A subtree of s blocks that ends at place p of that walk begins at place p-s+1 plus its
// depth of the walk wanted. So no sorting is needed. It returns nil when the blocks do not lie
// within each other as they should.
func (d *Decoder) chronological(g *group, final int64) []node {
	n := len(g.nodes)
	if n == 0 || g.stray {
		return nil
	}
	d.scratch = slices.Grow(d.scratch[:0], n)[:n]
	counts := d.counts
	for i := range g.nodes {
		nd := &g.nodes[n-1-i]
		depth := int(nd.depth)
		for depth+1 >= len(counts) {
			counts = append(counts, 0)
		}
		size := 1 + counts[depth+1]
		counts[depth+1] = 0
		counts[depth] += size
		at := i - int(size) + 1 + depth
		if uint(at) >= uint(n) {
			d.counts = counts
			clear(counts)
			return nil
		}
		d.scratch[at] = *nd
	}
	clear(counts)
	d.counts = counts
	low, high := &d.low, &d.high
	low[0], high[0] = final, maxTime
	last := -1
	for i := range d.scratch {
		nd := &d.scratch[i]
		depth := int(nd.depth)
		if depth > last+1 || nd.start < low[depth] || nd.end > high[depth] {
			return nil
		}
		low[depth] = nd.end
		low[depth+1], high[depth+1] = nd.start, nd.end
		last = depth
	}
	return d.scratch
}

// contained puts the blocks of a damaged group in order by time alone: a block lies in the innermost
// one that was running when it began. Impossible blocks are made to fit and counted; late ones are
// left out.
func (d *Decoder) contained(th *thread) []node {
	g, final := &th.group, th.final
	d.scratch = append(d.scratch[:0], g.nodes...)
	list := d.scratch
	slices.SortFunc(list, func(a, b node) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(a.id, b.id))
	})
	ends, ids := &d.high, make([]uint32, maxDepth+1)
	depth := 0
	kept := list[:0]
	var last node
	for i, nd := range list {
		if i > 0 && nd == last { // it came twice
			continue
		}
		last = nd
		if nd.start < final {
			if nd.end <= final && nd.start < nd.end || nd.end < final {
				d.late++
				continue
			}
			nd.start = final
			d.bad.Bad(trace.MissingEnd, trace.Unknown)
		}
		for depth > 0 && ends[depth-1] <= nd.start && !(ends[depth-1] == nd.start && nd.end == nd.start &&
			ids[depth-1] == nd.parent) {
			depth--
		}
		if depth == maxDepth {
			d.bad.Bad(trace.ManyRows, trace.Unknown)
			continue
		}
		if depth > 0 && nd.end > ends[depth-1] {
			nd.end = ends[depth-1]
			d.bad.Bad(trace.MissingEnd, trace.Unknown)
		}
		if nd.parent != 0 && (depth == 0 || ids[depth-1] != nd.parent) {
			d.bad.Bad(trace.BadReference, trace.Unknown)
			nd.depth = stray // marked below
		} else {
			nd.depth = 0
		}
		ends[depth], ids[depth] = nd.end, nd.id
		if nd.depth == stray {
			nd.id = 0 // a mark: its caller is not known
		}
		nd.depth = int32(depth)
		depth++
		kept = append(kept, nd)
	}
	return kept
}

// emit appends a block to the thread's unpublished ones, or joins it to the previous piece of the same
// block.
func (d *Decoder) emit(th *thread, n *node) {
	if !th.known || th.processor != n.processor {
		if th.series == model.NoSeries {
			th.series = d.numSeries
			d.numSeries++
			d.defineSeries(th, th.name)
		}
		th.known, th.processor = true, n.processor
		th.samples = append(th.samples, model.Sample{Series: th.series, Time: n.start, Value: float64(n.processor)})
	}
	depth := min(int(n.depth), len(th.rows))
	if depth < len(th.rows) && !d.opt.KeepPieces && d.goesOn(th, depth, n) {
		r := &th.rows[depth]
		r.begin, r.gap = n.start, n.start-r.end
		r.end, r.processor = n.end, n.processor
		if at := r.at - th.base; at >= max(th.next, th.sent) {
			th.spans[at].end = n.end
			return
		}
		r.at = th.base + len(th.spans)
		th.spans = append(th.spans, span{n.start, n.end, r.path, r.collector, uint16(depth), model.SpanContinues})
		return
	}
	parent := model.PathRoot
	if depth > 0 {
		parent = th.rows[depth-1].path
	}
	path := d.names.Path(parent, model.CollectorID(n.collector))
	if depth == len(th.rows) {
		th.rows = append(th.rows, piece{})
	}
	th.rows = th.rows[:depth+1]
	th.rows[depth] = piece{n.start, n.end, 0, th.base + len(th.spans), path, n.collector, n.processor}
	var flags model.SpanFlags
	if n.id == 0 {
		flags = model.SpanUncertain
	}
	th.spans = append(th.spans, span{n.start, n.end, path, n.collector, uint16(depth), flags})
}
