package spans

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/internal/sizes"
	"framescope/model/lanes"
	"framescope/model/paths"
)

// CallQuery says which calls a CallSearch looks for. A call is a span.
type CallQuery struct {
	Tracks []model.TrackID
	T0, T1 int64 // calls that touch [T0, T1); their lengths are not cut
	// Times returns the T0 and T1 of a track; nil: they are those of all.
	Times func(track model.TrackID) (t0, t1 int64)
	// Wanted tells of each collector, by id, whether its calls are looked for; collectors beyond it
	// are not. Path tells whether its calls along a path are; nil: along every one.
	Wanted []bool
	Path   func(p model.PathID) bool
	// Inner tells that a call inside another one that is wanted is a call as well; otherwise it is a
	// part of that.
	Inner bool
	// MinNs is the least length, ns, and all are shorter than BelowNs, unless that is 0.
	MinNs, BelowNs int64
	// Accept chooses among calls of a lane, in order of time, for which all the above holds; nil: all
	// are wanted. It moves those that are to the front and returns how many they are, how many of all
	// it looked at, one at least, and how much work that was, in spans: it stops when that is budget.
	Accept func(of Ref, found []lanes.Found, budget int64) (kept, seen int, work int64)
	// All tells that every call is looked at and counted (CallSearch.Sums), not only those that may
	// be kept.
	All bool
	// Bare tells that calls need no self time and no stack.
	Bare bool
	// Limit is how many calls are kept at most: the longest. 0 is 2,000.
	Limit int
}

// defaultCallLimit is how many calls are kept when a query does not say.
const defaultCallLimit = 2000

// Call is a span that a CallSearch found.
type Call struct {
	Ref       Ref
	Path      model.PathID
	Collector model.CollectorID
	Begin     int64
	Ns        int64 // its length
	Flags     model.SpanFlags
	SelfNs    int64 // without callees
	// Stack is the number of the call's primary stack among CallSearch.Stacks: the call, then again
	// and again the callee that took most, as long as that took a good part of it.
	Stack int32
}

// CallSearch looks for the longest calls of some collectors, a little at a time, so that a viewer
// can go on in between. Blocks of a lane whose wanted paths have less time in all than a call must
// have to be kept are passed over by their lists. The zero value is ready for Start.
//
// Afterwards each call gets its own time and its primary stack, from the call tree of its time. The
// session may grow between two steps: what comes then is found or not.
type CallSearch struct {
	// More tells that there are more calls than were kept: shorter ones.
	More bool
	// Visited is the work done: spans and list entries looked at.
	Visited int64

	// Sums are of all calls found so far, kept or not; of those that were passed over where not All is
	// asked for, nothing is in them.
	Sums CallSums

	table   *Table
	q       CallQuery
	tracks  []model.TrackID
	wanted  []bool
	paths   []uint8 // by path: see pathWanted
	track   int     // of what is searched now
	lane    int
	pos     int64
	inLane  bool
	lanes   int // all that there are to search, and those done
	done    int
	calls   []Call // a heap, the shortest first, while searching; then by Ns descending
	sorted  bool
	details int // calls that have their details
	tree    paths.Tree
	most    []int32 // of each node of tree the callee that took most, -1 none
	stack   []model.PathID
	found   []lanes.Found
	stacks  []model.PathID // of all primary stacks, one after another
	starts  []int32
	index   map[string]int32
	key     []byte
}

// What pathWanted knows of a path.
const (
	pathUnknown uint8 = iota
	pathOther
	pathHit    // its collector is wanted, none of its callers
	pathInside // a caller is wanted
)

// Start begins a search. What the one before found is forgotten.
func (c *CallSearch) Start(s *Table, q CallQuery) {
	c.table, c.More, c.Visited = s, false, 0
	c.tracks = append(c.tracks[:0], q.Tracks...)
	slices.Sort(c.tracks)
	c.tracks = slices.Compact(c.tracks)
	c.wanted = append(c.wanted[:0], q.Wanted...)
	q.Tracks, q.Wanted = nil, nil
	q.T0, q.T1, q.MinNs = model.ClampTime(q.T0), model.ClampTime(q.T1), max(q.MinNs, 0)
	if q.Limit <= 0 {
		q.Limit = defaultCallLimit
	}
	if q.BelowNs <= 0 {
		q.BelowNs = math.MaxInt64
	}
	c.Sums.start()
	if c.found == nil {
		c.found = make([]lanes.Found, 0, foundAtOnce)
	}
	c.q = q
	clear(c.paths)
	c.paths = c.paths[:0]
	c.track, c.lane, c.inLane, c.sorted, c.details, c.done, c.lanes = 0, 0, false, false, 0, 0, 0
	for _, id := range c.tracks {
		if t := s.lanes.Track(id); t != nil {
			c.lanes += len(t.Stack())
		}
	}
	c.calls, c.stacks, c.starts = c.calls[:0], c.stacks[:0], c.starts[:0]
	if c.index == nil {
		c.index = map[string]int32{}
	}
	clear(c.index)
}

// Step goes on with the search for about as many spans and list entries as work says, and tells
// whether it is complete. It must not run beside Session.Append.
func (c *CallSearch) Step(work int64) (done bool) {
	if c.table == nil {
		return true
	}
	c.growPaths()
	until := c.Visited + max(work, 1)
	for c.Visited < until {
		switch {
		case !c.sorted:
			if !c.search(until) {
				c.sorted = true
				if c.q.Bare {
					c.details = len(c.calls)
				}
				slices.SortFunc(c.calls, func(a, b Call) int {
					return cmp.Or(
						cmp.Compare(b.Ns, a.Ns), cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Ref.Track, b.Ref.Track),
						cmp.Compare(a.Ref.Lane, b.Ref.Lane), cmp.Compare(a.Ref.Index, b.Ref.Index),
					)
				})
			}
		case c.details < len(c.calls):
			c.detail(&c.calls[c.details])
			c.details++
		default:
			return true
		}
	}
	return c.sorted && c.details == len(c.calls)
}

// Progress returns the share of the search that is done, from 0 to 1.
func (c *CallSearch) Progress() float64 {
	switch {
	case !c.sorted:
		return 0.5 * min(float64(c.done)/float64(max(c.lanes, 1)), 1)
	case len(c.calls) == 0:
		return 1
	}
	return 0.5 + 0.5*float64(c.details)/float64(len(c.calls))
}

// Calls returns the calls found, the longest first, as far as their details are known: all of them
// once Step has returned true. The slice is the search's own.
func (c *CallSearch) Calls() []Call { return c.calls[:c.details] }

// Stacks returns the number of different primary stacks so far.
func (c *CallSearch) Stacks() int { return len(c.starts) }

// PrimaryStack returns the paths of a primary stack from the call in: each is the callee of the one
// before that took most of it. The slice is the search's own.
func (c *CallSearch) PrimaryStack(i int32) []model.PathID {
	end := int32(len(c.stacks))
	if int(i)+1 < len(c.starts) {
		end = c.starts[i+1]
	}
	return c.stacks[c.starts[i]:end]
}

// growPaths classifies the paths that are new. A path comes after its caller.
func (c *CallSearch) growPaths() {
	rows := c.table.host.Paths.Rows()
	for p := len(c.paths); p < len(rows); p++ {
		k := pathOther
		r := rows[p]
		if p > 0 {
			if up := c.paths[r.Parent]; !c.q.Inner && (up == pathHit || up == pathInside) {
				k = pathInside
			} else if c.wants(r.Collector) && (c.q.Path == nil || c.q.Path(model.PathID(p))) {
				k = pathHit
			}
		}
		c.paths = append(c.paths, k)
	}
}

func (c *CallSearch) wants(id model.CollectorID) bool {
	return id >= 0 && int(id) < len(c.wanted) && c.wanted[id]
}

// times returns what of a track's time is searched.
func (c *CallSearch) times(track model.TrackID) (t0, t1 int64) {
	if c.q.Times == nil {
		return c.q.T0, c.q.T1
	}
	t0, t1 = c.q.Times(track)
	return model.ClampTime(t0), model.ClampTime(t1)
}

// search goes on with the lanes; false when there is no more.
func (c *CallSearch) search(until int64) bool {
	for c.track < len(c.tracks) {
		t := c.table.lanes.Track(c.tracks[c.track])
		if t == nil || c.lane >= len(t.Stack()) {
			c.track, c.lane, c.inLane = c.track+1, 0, false
			continue
		}
		l := t.Stack()[c.lane]
		if l == nil || l.Behind() == l.First() || !c.searchLane(l, until) {
			c.lane, c.inLane = c.lane+1, false
			c.done++
			c.Visited++
		}
		if c.Visited >= until {
			return true
		}
	}
	return false
}

// searchLane goes on with a lane; false when it is done.
func (c *CallSearch) searchLane(l *lanes.Lane, until int64) bool {
	t0, t1 := c.times(c.tracks[c.track])
	if t0 >= t1 {
		return false // nothing runs in no time
	}
	from, to := l.FirstBeginAt(t0), l.FirstBeginAt(t1)
	if from > l.First() && l.End(from-1) > t0 {
		from--
	}
	if !c.inLane {
		c.pos, c.inLane = from, true
	}
	c.pos = max(c.pos, from)
	for c.pos < to {
		if c.Visited >= until {
			return true
		}
		stop := min(c.pos+sizes.FlameMinBlock, to)
		at := l.CallPaths().FirstBlock(func(b *paths.Block) bool { return b.SpanEnd > c.pos })
		if b := l.CallPaths().Node(0, at); b != nil {
			if b.SpanBegin == c.pos {
				if skip := c.skip(l, at, to); skip > c.pos {
					c.pos = skip
					continue
				}
			}
			if b.SpanBegin <= c.pos {
				stop = min(b.SpanEnd, to)
			}
		}
		c.walk(l, stop, until)
	}
	return false
}

// skip returns the position behind the greatest node that begins with block at and has too little
// time in wanted paths to hold a call that is kept; the block's begin where it must be walked.
func (c *CallSearch) skip(l *lanes.Lane, at, to int64) int64 {
	y := l.CallPaths()
	end := y.Node(0, at).SpanBegin
	for k := range y.Levels {
		n := y.Node(k, at)
		if n == nil || n.SpanEnd > to || l.MovesIn(n.SpanBegin, n.SpanEnd) || c.mayHold(l, k, at) {
			break
		}
		end = n.SpanEnd
		if at&(paths.Fanout-1) != 0 {
			break
		}
		at >>= paths.UpShift
	}
	return end
}

// mayHold tells whether a call that is kept can be in a node.
func (c *CallSearch) mayHold(l *lanes.Lane, level int, node int64) bool {
	y := l.CallPaths()
	v, n := &y.Levels[level], y.Node(level, node)
	least, full := c.q.MinNs, len(c.calls) == c.q.Limit && !c.q.All
	if full { // only longer ones are kept
		least = max(least, c.calls[0].Ns+1)
	}
	c.Visited += n.EntryEnd - n.EntryBegin
	long := c.long(l, level, node, least)
	for i := n.EntryBegin; i < n.EntryEnd; {
		run := v.Entries.Run(i, n.EntryEnd)
		for k := range run {
			if c.paths[run[k].Path] != pathHit {
				continue
			}
			if long && run[k].Ns >= least {
				return true
			}
			c.More = c.More || full && run[k].Ns >= c.q.MinNs*int64(run[k].Count) // one of them, at least, is long enough
		}
		i += int64(len(run))
	}
	return false
}

// long tells whether a call of a wanted collector in a node is as long as least, by what was measured
// of collectors where somebody asked for that before; else it may be.
func (c *CallSearch) long(l *lanes.Lane, level int, node, least int64) bool {
	list := l.Extremes().At(level, node)
	c.Visited += int64(len(list))
	for i := range list {
		if list[i].Max >= least && c.wants(list[i].Collector) {
			return true
		}
	}
	return list == nil
}

// foundAtOnce is how many calls are looked at one after the other before the next are looked for.
const foundAtOnce = 1024

// walk looks at the spans up to a position one by one, and stops when that was enough work: after the
// first of them at the earliest, as it may have been too much to come here.
func (c *CallSearch) walk(l *lanes.Lane, to, until int64) {
	for first := true; c.pos < to && (first || c.Visited < until); first = false {
		from := c.pos
		c.found, c.pos = l.Scan(from, to, c.paths, pathHit, c.q.MinNs, c.q.BelowNs, c.found[:0])
		c.Visited += c.pos - from
		if c.q.Accept == nil || len(c.found) == 0 {
			c.take(l, c.found)
			continue
		}
		of := Ref{Track: c.tracks[c.track], Lane: uint16(c.lane)}
		kept, seen, work := c.q.Accept(of, c.found, until-c.Visited)
		if c.Visited += work; seen < len(c.found) {
			c.pos = c.found[seen].Index
		}
		c.take(l, c.found[:kept])
	}
}

// take counts calls, and keeps those that are among the longest.
func (c *CallSearch) take(l *lanes.Lane, found []lanes.Found) {
	c.Sums.add(c.tracks[c.track], found)
	for len(found) > 0 && len(c.calls) < c.q.Limit {
		c.calls = append(c.calls, c.call(l, &found[0]))
		c.up(len(c.calls) - 1)
		found = found[1:]
	}
	if len(found) == 0 {
		return
	}
	c.More = true
	shortest := c.calls[0].Ns
	for i := range found {
		if found[i].Ns > shortest {
			c.calls[0] = c.call(l, &found[i])
			c.down()
			shortest = c.calls[0].Ns
		}
	}
}

// call returns a span of the present lane as a call.
func (c *CallSearch) call(l *lanes.Lane, f *lanes.Found) Call {
	return Call{
		Ref:  Ref{Track: c.tracks[c.track], Lane: uint16(c.lane), Index: f.Index},
		Path: f.Path, Collector: c.table.host.Paths.Rows()[f.Path].Collector,
		Begin: f.Begin, Ns: f.Ns, Flags: l.Flags(f.Index),
	}
}

// Wants tells whether calls along a path on a track are searched, if they are long enough.
func (c *CallSearch) Wants(track model.TrackID, p model.PathID) bool {
	if c.table == nil {
		return false
	}
	c.growPaths()
	_, among := slices.BinarySearch(c.tracks, track)
	return among && int64(p) < int64(len(c.paths)) && c.paths[p] == pathHit
}

// Is tells whether a bar of a single span is one of the calls that are searched, found already or
// not. Cost: O(1), but for what Accept looks at.
func (c *CallSearch) Is(b *Bar) bool {
	if b.Count != 1 || !c.Wants(b.Ref.Track, b.Path) {
		return false
	}
	if ns := b.End - b.Begin; ns < c.q.MinNs || ns >= c.q.BelowNs {
		return false
	}
	if t0, t1 := c.times(b.Ref.Track); t0 >= t1 || b.Begin >= t1 || b.End <= t0 && b.Begin < t0 {
		return false
	}
	if c.q.Accept == nil {
		return true
	}
	x := [1]lanes.Found{{Index: b.Ref.Index, Begin: b.Begin, Ns: b.End - b.Begin, Path: b.Path}}
	kept, _, _ := c.q.Accept(b.Ref, x[:], 1)
	return kept > 0
}

// up and down keep calls a heap with the shortest at its top.
func (c *CallSearch) up(i int) {
	for i > 0 && c.calls[i].Ns < c.calls[(i-1)/2].Ns {
		c.calls[i], c.calls[(i-1)/2] = c.calls[(i-1)/2], c.calls[i]
		i = (i - 1) / 2
	}
}

func (c *CallSearch) down() {
	for i := 0; ; {
		k := 2*i + 1
		if k+1 < len(c.calls) && c.calls[k+1].Ns < c.calls[k].Ns {
			k++
		}
		if k >= len(c.calls) || c.calls[i].Ns <= c.calls[k].Ns {
			return
		}
		c.calls[i], c.calls[k] = c.calls[k], c.calls[i]
		i = k
	}
}

// maxPrimaryNs is what a callee must take at most to be part of a primary stack (flare, section
// 6.7: 50 ms).
const maxPrimaryNs = 50_000_000

// detail finds a call's own time and its primary stack: as long as a callee takes a third of the
// call, or the least length that is looked for, or 50 ms, whichever is least.
func (c *CallSearch) detail(x *Call) {
	c.table.SpanTree(x.Ref, x.Begin, x.Begin+max(x.Ns, 1), &c.tree)
	c.Visited += c.tree.Visited + 16
	limit := min(x.Ns/3, maxPrimaryNs)
	if c.q.MinNs > 0 {
		limit = min(limit, c.q.MinNs)
	}
	nodes := c.tree.Nodes
	at := slices.IndexFunc(nodes, func(n paths.Node) bool { return n.Path == x.Path })
	c.stack = append(c.stack[:0], x.Path)
	x.SelfNs = x.Ns
	if at >= 0 {
		x.SelfNs = min(max(nodes[at].Self, 0), x.Ns)
		c.most = slices.Grow(c.most[:0], len(nodes))[:len(nodes)]
		c.most[at] = -1
		for i := at + 1; i < len(nodes) && nodes[i].Depth > nodes[at].Depth; i++ {
			c.most[i] = -1
			if m := &c.most[nodes[i].Parent]; *m < 0 || nodes[i].Total > nodes[*m].Total {
				*m = int32(i)
			}
		}
		for m := c.most[at]; m >= 0 && nodes[m].Total >= max(limit, 1); m = c.most[m] {
			c.stack = append(c.stack, nodes[m].Path)
		}
	}
	x.Stack = c.intern()
}

// intern returns the number of the primary stack in c.stack. Stacks are the same when the
// collectors are, whoever called.
func (c *CallSearch) intern() int32 {
	c.key = c.key[:0]
	for _, p := range c.stack {
		id := c.table.host.Paths.Rows()[p].Collector
		c.key = append(c.key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	if i, ok := c.index[string(c.key)]; ok {
		return i
	}
	i := int32(len(c.starts))
	c.index[string(c.key)] = i
	c.starts = append(c.starts, int32(len(c.stacks)))
	c.stacks = append(c.stacks, c.stack...)
	return i
}
