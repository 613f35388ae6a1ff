package spans

import (
	"cmp"
	"slices"
	"sync"

	"framescope/internal/heap"
	"framescope/model/columns"
)

const (
	// callShards is the number of parts that the lanes are divided into if every call is looked at.
	// It is independent of the processors, so that the results are, too.
	callShards = 4

	// shardWork is the least work for each part, spans, that is given to goroutines.
	shardWork = 4096
)

// callShard searches some of the lanes, with the query, the paths and the table of a CallSearch, of
// which it changes nothing.
type callShard struct {
	c       *CallSearch
	accept  Accept // nil: all are wanted
	seen    func(of Ref, found []Found)
	runs    Runs  // nil: all positions are looked at
	run     int64 // where the present run of them ends
	block   int64 // that may hold a call, of a lane with runs; -1 none
	lanes   []Ref // its lanes; the indices mean nothing
	at      int   // in lanes
	lane    Ref   // searched now
	pos     int64
	inLane  bool
	more    bool
	visited int64
	calls   []Call // a heap, the first to give up at its top
	sums    partSums
	found   []Found
}

// divide gives each shard its lanes, with about as many spans as those of the others.
func (c *CallSearch) divide() {
	n := 1
	if c.q.All {
		n = callShards
	}
	for len(c.shards) < n {
		c.shards = append(c.shards, &callShard{c: c, found: make([]Found, 0, foundAtOnce)})
	}
	c.shards = c.shards[:n]
	for _, h := range c.shards {
		h.lanes, h.calls = h.lanes[:0], h.calls[:0]
		h.at, h.inLane, h.more, h.visited = 0, false, false, 0
		h.sums.start()
		if h.accept = nil; c.q.Accept != nil {
			h.accept = c.q.Accept()
		}
		if h.seen = nil; c.q.Seen != nil {
			h.seen = c.q.Seen()
		}
		if h.runs = nil; c.q.Runs != nil {
			h.runs = c.q.Runs()
		}
	}
	all, before := int64(0), int64(0)
	for _, id := range c.tracks {
		if t := c.table.lanes.Track(id); t != nil {
			all += t.Stored()
		}
	}
	for _, id := range c.tracks {
		t := c.table.lanes.Track(id)
		if t == nil {
			continue
		}
		for k, l := range t.Stack() {
			if l == nil || l.Behind() == l.First() {
				continue
			}
			n := l.Behind() - l.First()
			h := c.shards[min(int((before+n/2)*int64(len(c.shards))/max(all, 1)), len(c.shards)-1)]
			h.lanes = append(h.lanes, Ref{Track: id, Lane: uint16(k)})
			before += n
		}
	}
	c.Sums.start(c.shards)
}

// searchAll goes on with all lanes, and returns how much work that was and whether it was the rest.
func (c *CallSearch) searchAll(work int64) (did int64, done bool) {
	var going []*callShard
	for _, h := range c.shards {
		if h.at < len(h.lanes) {
			going = append(going, h)
		}
	}
	before := c.Visited
	if each := work / int64(max(len(going), 1)); len(going) > 1 && each >= shardWork {
		var wg sync.WaitGroup
		for _, h := range going[1:] {
			wg.Go(func() { h.search(each) })
		}
		going[0].search(each)
		wg.Wait()
	} else if len(going) > 0 {
		going[0].search(work)
	}
	c.Visited, done = 0, true
	for _, h := range c.shards {
		c.Visited, c.More = c.Visited+h.visited, c.More || h.more
		done = done && h.at == len(h.lanes)
	}
	c.Sums.sum()
	return c.Visited - before, done
}

// gather takes over the longest found calls.
func (c *CallSearch) gather() {
	for _, h := range c.shards {
		c.calls = append(c.calls, h.calls...)
	}
	slices.SortFunc(c.calls, func(a, b Call) int { return compareCalls(&a, &b) })
	if len(c.calls) > c.q.Limit {
		c.calls, c.More = c.calls[:c.q.Limit], true
	}
	if c.q.Bare {
		c.details = len(c.calls)
	}
}

// search goes on with the lanes for about as much work.
func (h *callShard) search(work int64) {
	for until := h.visited + work; h.at < len(h.lanes) && h.visited < until; {
		h.lane = h.lanes[h.at]
		if l := h.c.table.lanes.Lane(h.lane.Track, int(h.lane.Lane)); l == nil || !h.searchLane(l, until) {
			h.at, h.inLane = h.at+1, false
			h.visited++
		}
	}
}

// searchLane goes on with a lane; false when it is done.
func (h *callShard) searchLane(l *Lane, until int64) bool {
	t0, t1 := h.c.times(h.lane.Track)
	if t0 >= t1 {
		return false // nothing runs in no time
	}
	from, to := l.FirstKept(t0), l.FirstBeginAt(t1)
	if !h.inLane {
		h.pos, h.inLane = from, true
	}
	h.pos = max(h.pos, from)
	h.run, h.block = h.pos, -1
	for h.pos < to {
		if h.visited >= until {
			return true
		}
		if h.runs != nil && h.pos >= h.run {
			var work int64
			h.pos, h.run, work = h.runs(h.lane, h.pos, to, until-h.visited)
			if h.visited += work; h.pos >= h.run {
				continue
			}
		}
		stop := min(h.pos+columns.FlameMinBlock, to)
		at := l.CallPaths().FirstBlock(func(b *PathBlock) bool { return b.SpanEnd > h.pos })
		if b := l.CallPaths().Node(0, at); b != nil {
			if b.SpanBegin == h.pos || h.runs != nil && b.SpanBegin < h.pos && at != h.block {
				h.block = at
				if skip := h.skip(l, at, to); skip > h.pos {
					h.pos = skip
					continue
				}
			}
			if b.SpanBegin <= h.pos {
				stop = min(b.SpanEnd, to)
			}
		}
		if h.runs != nil {
			stop = min(stop, h.run)
		}
		h.walk(l, stop, until)
	}
	return false
}

// skip returns the position behind the greatest node that begins with block at and has too little
// time in wanted paths to hold a call that is kept; the block's begin where it must be walked.
func (h *callShard) skip(l *Lane, at, to int64) int64 {
	y := l.CallPaths()
	end := y.Node(0, at).SpanBegin
	for k := range y.Levels {
		n := y.Node(k, at)
		if n == nil || n.SpanEnd > to || l.MovesIn(n.SpanBegin, n.SpanEnd) || h.mayHold(l, k, at) {
			break
		}
		end = n.SpanEnd
		if at&(Fanout-1) != 0 {
			break
		}
		at >>= UpShift
	}
	return end
}

// mayHold reports whether a call that is kept can be in a node.
func (h *callShard) mayHold(l *Lane, level int, node int64) bool {
	y := l.CallPaths()
	v, n := &y.Levels[level], y.Node(level, node)
	least, full := h.c.q.MinNs, len(h.calls) == h.c.q.Limit && !h.c.q.All
	if full { // only longer ones are kept
		least = max(least, h.calls[0].Ns+1)
	}
	h.visited += n.EntryEnd - n.EntryBegin
	long := h.long(l, level, node, least)
	for i := n.EntryBegin; i < n.EntryEnd; {
		run := v.Entries.Run(i, n.EntryEnd)
		for k := range run {
			if h.c.paths[run[k].Path] != pathHit {
				continue
			}
			if long && run[k].Ns >= least {
				return true
			}
			h.more = h.more || full && run[k].Ns >= h.c.q.MinNs*int64(run[k].Count) // one of them, at least, is long enough
		}
		i += int64(len(run))
	}
	return false
}

// long reports whether a call of a wanted collector in a node is as long as least, by extremes from
// earlier queries of its collectors; without these it may be.
func (h *callShard) long(l *Lane, level int, node, least int64) bool {
	list := l.Extremes().At(level, node)
	h.visited += int64(len(list))
	for i := range list {
		if list[i].Max >= least && h.c.wants(list[i].Collector) {
			return true
		}
	}
	return list == nil
}

// foundAtOnce is how many calls are looked at one after the other before the next are looked for.
const foundAtOnce = 1024

// walk looks at the spans up to a position one by one, and stops when that was enough work: after the
// first of them at the earliest, as it may have been too much to come here.
func (h *callShard) walk(l *Lane, to, until int64) {
	for first := true; h.pos < to && (first || h.visited < until); first = false {
		from := h.pos
		h.found, h.pos = l.Scan(from, to, h.c.paths, pathHit, h.c.q.MinNs, h.c.q.BelowNs, h.found[:0])
		h.visited += h.pos - from
		if h.accept == nil || len(h.found) == 0 {
			h.addCalls(l, h.found)
			continue
		}
		kept, seen, work := h.accept(h.lane, h.found, until-h.visited)
		if h.visited += work; seen < len(h.found) {
			h.pos = h.found[seen].Index
		}
		h.addCalls(l, h.found[:kept])
	}
}

// addCalls counts calls, and keeps those that are among the longest.
func (h *callShard) addCalls(l *Lane, found []Found) {
	if h.sums.add(h.lane.Track, found); h.seen != nil && len(found) > 0 {
		h.seen(h.lane, found)
	}
	for len(found) > 0 && len(h.calls) < h.c.q.Limit {
		x := h.call(&found[0])
		x.Flags = l.Flags(x.Ref.Index)
		h.calls = heap.Push(h.calls, x, after)
		found = found[1:]
	}
	if len(found) == 0 {
		return
	}
	h.more = true
	last := &h.calls[0]
	for i := range found {
		if found[i].Ns < last.Ns {
			continue
		}
		if x := h.call(&found[i]); compareCalls(&x, last) < 0 {
			x.Flags = l.Flags(x.Ref.Index)
			*last = x
			heap.Sink(h.calls, 0, after)
		}
	}
}

// compareCalls orders calls as they are listed: the longest first, of these the earliest.
func compareCalls(a, b *Call) int {
	return cmp.Or(
		cmp.Compare(b.Ns, a.Ns), cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Ref.Track, b.Ref.Track),
		cmp.Compare(a.Ref.Lane, b.Ref.Lane), cmp.Compare(a.Ref.Index, b.Ref.Index),
	)
}

// call returns a span of the present lane as a call, without its flags.
func (h *callShard) call(f *Found) Call {
	return Call{
		Ref:  Ref{Track: h.lane.Track, Lane: h.lane.Lane, Index: f.Index},
		Path: f.Path, Collector: h.c.table.host.Paths.Rows()[f.Path].Collector,
		Begin: f.Begin, Ns: f.Ns,
	}
}

// after reports whether a call is listed behind another.
func after(a, b *Call) bool { return compareCalls(a, b) > 0 }
