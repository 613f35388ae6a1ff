package spans

import (
	"math"
	"slices"

	"framescope/model"
)

// CallQuery selects the calls that a CallSearch looks for. A call is a span.
type CallQuery struct {
	Tracks []model.TrackID
	T0, T1 int64 // calls that touch [T0, T1); their lengths are not cut
	// Times returns the T0 and T1 of a track; nil: they are those of all.
	Times func(track model.TrackID) (t0, t1 int64)
	// Wanted marks, by collector id, the collectors to search; those beyond its end are not
	// searched. Path reports whether calls along a path count; nil: along every one.
	Wanted []bool
	Path   func(p model.PathID) bool
	// Inner makes a call inside another wanted one a call as well; otherwise it is a part of that.
	Inner bool
	// MinNs is the least length, ns, and all are shorter than BelowNs, unless that is 0.
	MinNs, BelowNs int64
	// Runs returns a filter of the positions of a lane that can be wanted calls; nil: all can. Each
	// goroutine gets another one.
	Runs func() Runs
	// Accept returns a filter of calls that meet all the above; nil: all are wanted. Each goroutine
	// gets another one.
	Accept func() Accept
	// Seen returns a function that receives the found calls of a lane, in order of time; nil: none. Each
	// goroutine gets another one.
	Seen func() func(of Ref, found []Found)
	// All looks at and counts every call (CallSearch.Sums), not only those that may be kept.
	All bool
	// Bare leaves out self time and stack of calls.
	Bare bool
	// Limit is how many calls are kept at most: the longest. 0 is 2,000.
	Limit int
}

// Runs returns the next run [a, b) of positions of a lane that can be calls from one on, before to, and
// the work done, in spans: positions between from and a cannot. If that is more than budget, the run
// may be empty: the search continues at b.
type Runs func(of Ref, from, to, budget int64) (a, b, work int64)

// Accept chooses among calls of a lane, in order of time. It moves those that are wanted to the front
// and returns how many they are, how many of all it looked at, one at least, and how much work that
// was, in spans: it stops when that is budget.
type Accept func(of Ref, found []Found, budget int64) (kept, seen int, work int64)

// defaultCallLimit is the default limit of kept calls.
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
// can continue in between. It skips blocks of a lane with less total time in the wanted paths than
// a call needs to be kept, by their lists. If every call is looked at, several goroutines share the
// lanes. The zero value is ready for Start.
//
// At the end each call gets its self time and its primary stack, from the call tree of its time.
// The session may grow between two steps: the search may or may not find the new calls.
type CallSearch struct {
	// More means that shorter calls exist that were not kept.
	More bool
	// Visited is the work done: spans and list entries looked at.
	Visited int64

	// Sums cover all calls found so far, kept or not, without skipped ones unless All is set.
	Sums CallSums

	table   *Table
	q       CallQuery
	tracks  []model.TrackID
	wanted  []bool
	paths   []uint8 // by path: see pathWanted
	shards  []*callShard
	is      Accept // for Is
	isIn    Runs   // for Is
	calls   []Call // by Ns descending, once all are found
	sorted  bool
	details int // calls that have their details
	tree    Tree
	most    []int32 // of each node of tree the callee that took most, -1 none
	stack   []model.PathID
	stacks  []model.PathID // of all primary stacks, one after another
	starts  []int32
	index   map[string]int32
	key     []byte
}

// The states of a path in pathWanted.
const (
	pathUnknown uint8 = iota
	pathOther
	pathHit    // its collector is wanted, none of its callers
	pathInside // a caller is wanted
)

// Start begins a search. The results of the one before are forgotten.
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
	c.q, c.is, c.isIn = q, nil, nil
	clear(c.paths)
	c.paths = c.paths[:0]
	c.sorted, c.details = false, 0
	c.divide()
	c.calls, c.stacks, c.starts = c.calls[:0], c.stacks[:0], c.starts[:0]
	if c.index == nil {
		c.index = map[string]int32{}
	}
	clear(c.index)
}

// Step continues the search for about work spans and list entries, and reports whether it is
// complete. It must not run beside Session.Append.
func (c *CallSearch) Step(work int64) (done bool) {
	if c.table == nil {
		return true
	}
	c.growPaths()
	work = max(work, 1)
	if !c.sorted {
		left := work
		if work, c.sorted = c.searchAll(work); !c.sorted {
			return false
		}
		work = left - work
		c.gather()
	}
	for until := c.Visited + work; c.Visited < until && c.details < len(c.calls); c.details++ {
		c.detail(&c.calls[c.details])
	}
	return c.details == len(c.calls)
}

// Progress returns the share of the search that is done, from 0 to 1.
func (c *CallSearch) Progress() float64 {
	switch {
	case !c.sorted:
		done, all := 0, 0
		for _, h := range c.shards {
			done, all = done+h.at, all+len(h.lanes)
		}
		return 0.5 * float64(done) / float64(max(all, 1))
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

// times returns the searched part of a track's time.
func (c *CallSearch) times(track model.TrackID) (t0, t1 int64) {
	if c.q.Times == nil {
		return c.q.T0, c.q.T1
	}
	t0, t1 = c.q.Times(track)
	return model.ClampTime(t0), model.ClampTime(t1)
}

// Wants reports whether calls along a path on a track are searched, if they are long enough.
func (c *CallSearch) Wants(track model.TrackID, p model.PathID) bool {
	if c.table == nil {
		return false
	}
	c.growPaths()
	_, among := slices.BinarySearch(c.tracks, track)
	return among && int64(p) < int64(len(c.paths)) && c.paths[p] == pathHit
}

// Is reports whether a bar of a single span is one of the searched calls, found already or not.
// Cost: O(1), plus that of Accept.
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
	if c.q.Runs != nil {
		if c.isIn == nil {
			c.isIn = c.q.Runs()
		}
		if from, to, _ := c.isIn(b.Ref, b.Ref.Index, b.Ref.Index+1, 1); from >= to {
			return false
		}
	}
	if c.q.Accept == nil {
		return true
	}
	if c.is == nil {
		c.is = c.q.Accept()
	}
	x := [1]Found{{Index: b.Ref.Index, Begin: b.Begin, Ns: b.End - b.Begin, Path: b.Path}}
	kept, _, _ := c.is(b.Ref, x[:], 1)
	return kept > 0
}

// maxPrimaryNs is the greatest length of a callee that is part of a primary stack (flare, section
// 6.7: 50 ms).
const maxPrimaryNs = 50_000_000

// detail finds a call's self time and its primary stack: as long as a callee takes a third of the
// call, or the least length that is looked for, or 50 ms, whichever is least.
func (c *CallSearch) detail(x *Call) {
	c.table.SpanTree(x.Ref, x.Begin, x.Begin+max(x.Ns, 1), &c.tree)
	c.Visited += c.tree.Visited + 16
	limit := min(x.Ns/3, maxPrimaryNs)
	if c.q.MinNs > 0 {
		limit = min(limit, c.q.MinNs)
	}
	nodes := c.tree.Nodes
	at := slices.IndexFunc(nodes, func(n Node) bool { return n.Path == x.Path })
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
