package compare

import (
	"framescope/model"
	"framescope/model/spans"
)

// values are those of one row on one side: of the frames that it occurs in, in order.
type values struct {
	at          []int32 // index of the frame among those looked at
	total, self []float64
	starts      []float64 // if only usual values are computed
	sums        [2]int64  // of all frames: total, self
	calls       int64
}

// add adds to the values of a frame.
func (v *values) add(at int32, total, self float64) {
	if n := len(v.at); n > 0 && v.at[n-1] == at {
		v.total[n-1] += total
		v.self[n-1] += self
		return
	}
	v.at, v.total, v.self = append(v.at, at), append(v.total, total), append(v.self, self)
}

// addStarts adds to how often something started in the frame that was added to last.
func (v *values) addStarts(n float64) {
	for len(v.starts) < len(v.at) {
		v.starts = append(v.starts, 0)
	}
	v.starts[len(v.starts)-1] += n
}

// row is a row while its values come.
type row struct {
	Row
	async   bool
	sides   [2]values
	lengths []float64 // of calls of A
}

// pathKey is a call path of both sides: its caller, and its name.
type pathKey struct {
	thread, parent int // index into rowTable.paths, -1 none
	name           string
}

// nameKey is a collector of both sides.
type nameKey struct {
	thread int
	name   string
}

// rowTable finds rows by name.
type rowTable struct {
	collectors, paths []row
	byName            map[nameKey]int
	byPath            map[pathKey]int
}

// unit is a thread of one side while it is looked at: which of its ids are which rows.
type unit struct {
	thread     int
	side       int
	table      *model.Collectors
	collectors []int32 // by id: one more than the row
	paths      []int32
}

// slot returns where an id has its row, 0 as long as it has none.
func slot(list *[]int32, id int) *int32 {
	if id >= len(*list) {
		*list = append(*list, make([]int32, id+1-len(*list))...)
	}
	return &(*list)[id]
}

// collector returns the row of a collector.
func (t *rowTable) collector(u *unit, id model.CollectorID) *row {
	at := slot(&u.collectors, int(id))
	if *at == 0 {
		of := u.table.ByID(id)
		key := nameKey{u.thread, of.Title()}
		i, ok := t.byName[key]
		if !ok {
			if t.byName == nil {
				t.byName = map[nameKey]int{}
			}
			i = len(t.collectors)
			t.byName[key] = i
			t.collectors = append(t.collectors, newRow(u.thread, -1, []string{key.name}))
		}
		t.collectors[i].Collectors[u.side] = id
		t.collectors[i].async = t.collectors[i].async || of.Async
		*at = int32(i) + 1
	}
	return &t.collectors[*at-1]
}

// path returns the index of the row of a call path that is called from another, -1 of none.
func (t *rowTable) path(u *unit, n *spans.Node, parent int) int {
	at := slot(&u.paths, int(n.Path))
	if *at == 0 {
		of := u.table.ByID(n.Collector)
		key := pathKey{u.thread, parent, of.Title()}
		i, ok := t.byPath[key]
		if !ok {
			if t.byPath == nil {
				t.byPath = map[pathKey]int{}
			}
			i = len(t.paths)
			t.byPath[key] = i
			var names []string
			if parent >= 0 {
				names = t.paths[parent].Names
			}
			names = append(names[:len(names):len(names)], key.name)
			t.paths = append(t.paths, newRow(u.thread, parent, names))
		}
		t.paths[i].Paths[u.side], t.paths[i].Collectors[u.side] = n.Path, n.Collector
		t.paths[i].async = t.paths[i].async || of.Async
		*at = int32(i) + 1
	}
	return int(*at - 1)
}

func newRow(thread, parent int, names []string) row {
	none := [2]model.CollectorID{model.NoCollector, model.NoCollector}
	return row{Row: Row{Thread: thread, Parent: parent, Names: names, Collectors: none}}
}

// each calls fn for the rows of the nodes of a call tree.
func (c *Comparison) each(u *unit, fn func(v *values, total, self, count int64)) {
	c.place = c.place[:0]
	for i := range c.tree.Nodes {
		n := &c.tree.Nodes[i]
		parent := -1
		if n.Parent >= 0 {
			parent = c.place[n.Parent]
		}
		if n.Collector < 0 { // nothing is known of it: its callees are its caller's
			c.place = append(c.place, parent)
			continue
		}
		c.place = append(c.place, c.rows.path(u, n, parent))
		fn(&c.rows.paths[c.place[i]].sides[u.side], n.Total, n.Self, n.Count)
	}
	c.inside = c.tree.Inside(c.inside[:0])
	for _, x := range c.inside {
		fn(&c.rows.collector(u, x.Collector).sides[u.side], x.Total, x.Self, x.Count)
	}
}

// gather looks at one thread of one side: at all of the range, and at single frames. It is false
// when it was stopped.
func (c *Comparison) gather(thread, side int, yield func(cost int) bool) bool {
	th, s := &c.result.Threads[thread], &c.sides[side]
	id := th.Tracks[side]
	if id == model.NoTrack {
		return true
	}
	u := &unit{thread: thread, side: side, table: s.Session.Collectors()}
	look := c.byFrames
	if c.result.ByTime {
		look = c.byTime
	}
	n, single := look(th, side)
	if n == 0 {
		return true
	}
	calls := int64(0)
	c.each(u, func(v *values, total, self, count int64) {
		v.sums[0] += total
		v.sums[1] += self
		v.calls += count
		calls += count
	})
	if !yield(len(c.tree.Nodes) + 1) {
		return false
	}
	of := min(n, mostFrames, max(mostValues/(len(c.tree.Nodes)+1), 1))
	scale := c.perUnit()
	at, every := int32(0), 1+int(float64(calls)*float64(of)/float64(n)/mostCalls)
	if side != 0 || s.Session.Spans().Sampled(id) {
		every = 0
	}
	for k := range of {
		begin, end, ok := single(k * n / of)
		if !ok {
			continue
		}
		c.each(u, func(v *values, total, self, count int64) {
			v.add(at, float64(total)*scale, float64(self)*scale)
			if c.alone {
				v.addStarts(float64(count))
			}
		})
		cost := len(c.tree.Nodes) + 1
		if every > 0 && int(at)%every == 0 {
			cost += c.lengths(u, begin, end)
		}
		if at++; c.alone && !c.result.ByTime {
			c.bareFrame(end - begin)
		}
		if !yield(cost) {
			return false
		}
	}
	if th.Looked[side] = int64(at); c.alone && !c.result.ByTime {
		c.usualFrame(thread, c.periodNs)
	}
	return true
}

// perUnit is the factor from the time in a frame or slice to that per frame or second.
func (c *Comparison) perUnit() float64 {
	if c.result.ByTime {
		return 1e9 / float64(c.result.SliceNs)
	}
	return 1
}

// byFrames makes the call tree of all frames of a thread's side, and returns their number, and a
// function that makes the tree of the i-th and returns its time: false if it left memory since.
func (c *Comparison) byFrames(th *Thread, side int) (n int, single oneOf) {
	s, one := &c.sides[side], th.All[side]
	of := s.counted(one[0])
	if len(th.All[0]) > 1 || len(th.All[1]) > 1 {
		of = s.main()
	}
	first, last, ok := s.frames(of)
	if !ok {
		th.Reaches[side] = s.reachesIn(of)
		return 0, nil
	}
	t := s.Session.Track(of)
	fromNs, toNs, _ := t.FrameTimes(first, last)
	c.stops = t.LeftOut(first, last, c.stops[:0])
	var numbers []int64
	for i := first; i <= last; i++ {
		if len(c.stops) == 0 || !t.Stopped(i) {
			numbers = append(numbers, t.Frame(i).Number)
		}
	}
	for _, x := range c.stops {
		fromNs += x.End - x.Begin
	}
	c.periodNs = float64(toNs-fromNs) / float64(max(len(numbers), 1))
	th.Frames[side] = int64(len(numbers))
	s.Session.FrameTree(one, of, first, last, &c.tree)
	return len(numbers), func(i int) (begin, end int64, ok bool) {
		at, ok := t.FrameByNumber(numbers[i])
		if ok {
			s.Session.FrameTree(one, of, at, at, &c.tree)
			f := t.Frame(at)
			begin, end = f.Begin, f.End
		}
		return begin, end, ok
	}
}

// oneOf makes the call tree of one frame or slice, and returns the time that it took.
type oneOf func(i int) (begin, end int64, ok bool)

// byTime is byFrames of slices of time.
func (c *Comparison) byTime(th *Thread, side int) (n int, single oneOf) {
	s, one := &c.sides[side], th.All[side]
	if th.Frames[side] = s.EndNs - s.BeginNs; th.Frames[side] <= 0 {
		return 0, nil
	}
	s.Session.Spans().Tree(one, s.BeginNs, s.EndNs, &c.tree)
	return int(th.Frames[side] / c.result.SliceNs), func(i int) (begin, end int64, ok bool) {
		begin = s.BeginNs + int64(i)*c.result.SliceNs
		s.Session.Spans().Tree(one, begin, begin+c.result.SliceNs, &c.tree)
		return begin, begin + c.result.SliceNs, true
	}
}
