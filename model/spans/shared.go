package spans

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// SharedTree is the call tree of a range in a measure (TreeOf), with the total of each collector, made
// once for all users of the same one. It is complete when it is ready, and does not change after that.
type SharedTree struct {
	Tree
	Measure Measure

	of       *Table // nil: the session was closed
	tracks   []model.TrackID
	t0, t1   int64
	revision uint64
	users    int    // number of users that show it or wait for it
	asked    uint64 // when it was used last

	phase, at int
	whole     int64   // work for users that wait for all of it
	able      []int64 // of each node: hot samples, callees included
	own       []int64 // by collector: hot samples
	all       int64   // hot samples
}

// sharedTrees are the trees of all sessions.
type sharedTrees struct {
	list  []*SharedTree
	asks  uint64
	paced bool
	left  int64 // work
	built int   // trees that were begun
}

// spareTrees is the number of kept trees without users.
const spareTrees = 3

// StepWork is how much work a tick of a window leaves for shared trees, see Table.Pace: some milliseconds.
const StepWork = 300_000

// Pace sets the work for shared trees until its next call, in all sessions queried by the same goroutine;
// one is a few loads from memory. Before the first call there is no limit.
func (x *Table) Pace(work int64) {
	w := &x.host.Work.shared
	w.paced, w.left = true, work
}

// Shared returns the number of shared trees begun and the rest of the work that Pace allowed them; negative
// if a tick needed more.
func (x *Table) Shared() (built int, left int64) {
	w := &x.host.Work.shared
	return w.built, w.left
}

// share returns the shared tree of a query, begun if there is none.
func (x *Table) share(m Measure, tracks []model.TrackID, t0, t1 int64) *SharedTree {
	w := &x.host.Work.shared
	w.asks++
	var free *SharedTree
	spare := 0
	for _, s := range w.list {
		alike := s.of == x && s.Measure == m && slices.Equal(s.tracks, tracks)
		if alike && s.t0 == t0 && s.t1 == t1 && s.revision == *x.host.Revision {
			s.asked = w.asks
			return s
		}
		if s.users > 0 {
			continue
		}
		if spare++; alike { // its sums are nearly those that are wanted
			s.asked, free = 0, s
		}
		if free == nil || s.asked < free.asked {
			free = s
		}
	}
	if free == nil || spare <= spareTrees && !(free.of == x && free.asked == 0) {
		free = &SharedTree{}
		w.list = append(w.list, free)
	}
	w.built++
	s := free
	s.of, s.Measure, s.tracks = x, m, append(s.tracks[:0], tracks...)
	s.t0, s.t1, s.revision, s.asked = t0, t1, *x.host.Revision, w.asks
	s.phase, s.at, s.all = 0, 0, 0
	return s
}

// Whole returns the tree of TreeOf at once. It is valid until the next query.
func (x *Table) Whole(m Measure, tracks []model.TrackID, t0, t1 int64) *SharedTree {
	s := x.share(m, tracks, t0, t1)
	s.whole = math.MaxInt64
	s.step(&s.whole)
	return s
}

// forget drops the trees of a table that is cleared. Those in use stay as they are.
func (w *sharedTrees) forget(x *Table) {
	w.list = slices.DeleteFunc(w.list, func(s *SharedTree) bool {
		if s.of == x {
			s.of = nil
		}
		return s.of == nil
	})
}

// drop drops the unused trees of a table.
func (w *sharedTrees) drop(x *Table) {
	w.list = slices.DeleteFunc(w.list, func(s *SharedTree) bool { return s.of == x && s.users == 0 })
}

// The phases of a shared tree.
const (
	sharedSums = iota
	sharedNodes
	sharedInside
	sharedBurning
	sharedReady
)

// step goes on with the tree, and returns true when it is ready.
func (s *SharedTree) step(work *int64) bool {
	for s.phase < sharedReady && s.of != nil {
		done := false
		switch s.phase {
		case sharedSums:
			done = s.sum(work)
		case sharedNodes:
			done = s.Tree.Step(s.of.host.Paths, work)
		case sharedInside:
			done = s.StepInside(work)
		case sharedBurning:
			done = s.Measure == MeasureDuration || s.burn(work)
		}
		if !done {
			return false
		}
		s.phase, s.at = s.phase+1, 0
	}
	return true
}

// sum indexes the samples, as far as work lasts, and then sums up the range in one go: the next phase may have to wait
// for the next tick.
func (s *SharedTree) sum(work *int64) bool {
	const each = 5
	if *work <= 0 {
		return false
	}
	x := s.of
	if !x.index(s.Measure, s.tracks, work) {
		return false
	}
	s.revision = *x.host.Revision
	x.sumOf(s.Measure, s.tracks, s.t0, s.t1, &s.Tree)
	*work -= each * int64(s.Used())
	return true
}

// burn adds up hot samples.
func (s *SharedTree) burn(work *int64) bool {
	const each = 3
	x, n := s.of, len(s.Nodes)
	if s.at == 0 {
		s.able = columns.Sized(s.able, n)
		s.own = append(s.own[:0], make([]int64, x.host.Collectors.Len()+1)...)
	}
	for ; s.at < n && *work > 0; s.at++ {
		*work--
		s.able[s.at] = 0
	}
	for ; s.at >= n && s.at < 2*n && *work > 0; s.at++ { // callees before their callers
		*work -= each
		i := 2*n - 1 - s.at
		node := &s.Nodes[i]
		if node.Self > 0 && x.burns(s.Measure, node.Path) {
			s.able[i] += node.Self
			s.all += node.Self
			if c := int(node.Collector) + 1; c < len(s.own) {
				s.own[c] += node.Self
			}
		}
		if node.Parent >= 0 {
			s.able[node.Parent] += s.able[i]
		}
	}
	return s.at == 2*n
}

// TreeUser is a user of shared trees. It keeps the previous tree while one is being made. The zero value has
// none.
type TreeUser struct {
	shown, next *SharedTree
}

// Ask requests the tree of TreeOf, which Step makes. An earlier pending one is dropped.
func (u *TreeUser) Ask(x *Table, m Measure, tracks []model.TrackID, t0, t1 int64) {
	s := x.share(m, tracks, t0, t1)
	s.users++
	u.drop(&u.next)
	u.next = s
}

// Waits reports whether a tree is waited for.
func (u *TreeUser) Waits() bool { return u.next != nil }

// Step continues the pending tree, as far as Pace leaves work, or to the end without a pace. It returns
// true when it has become the shown one.
func (u *TreeUser) Step() bool {
	if u.next == nil {
		return false
	}
	u.next.whole = math.MaxInt64
	work := &u.next.whole
	if x := u.next.of; x != nil && x.host.Work.shared.paced {
		work = &x.host.Work.shared.left
	}
	if !u.next.step(work) {
		return false
	}
	u.drop(&u.shown)
	u.shown, u.next = u.next, nil
	return true
}

// Tree returns the tree that is shown, nil: there is none yet.
func (u *TreeUser) Tree() *SharedTree { return u.shown }

// Drop releases the trees.
func (u *TreeUser) Drop() {
	u.drop(&u.shown)
	u.drop(&u.next)
}

func (u *TreeUser) drop(s **SharedTree) {
	if *s != nil {
		(*s).users--
		*s = nil
	}
}
