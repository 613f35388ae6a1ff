package spans

import (
	"framescope/model"
)

// SelfNs returns the self time of a call in a lane, and its cost in spans looked at. It uses the
// call tree of its time; SelfByRow is mostly cheaper.
func (x *Table) SelfNs(of Ref, c *Found) (ns, work int64) {
	tree := &x.host.Work.sums.tree
	of.Index = c.Index
	x.SpanTree(of, c.Begin, c.Begin+max(c.Ns, 1), tree)
	for i := range tree.Nodes {
		if n := &tree.Nodes[i]; n.Path == c.Path {
			return min(max(n.Self, 0), c.Ns), tree.Visited + 16
		}
	}
	return c.Ns, tree.Visited + 16
}

// mostCallees bounds how many spans of the row below are looked at one by one.
const mostCallees = 64

// Below reads the callees of calls of a lane, queried in order of time. It is valid until something is
// appended. The zero value is ready.
type Below struct {
	spans Cursor
	near  int64 // behind the callees of the last call
}

// from returns the first callee of a call that begins at a time, or else the first that begins
// later.
func (b *Below) from(l *Lane, timeNs int64) int64 {
	if i := b.near; i > l.First() && i < l.Behind() {
		begin, _, _ := b.spans.At(i)
		before, end, _ := b.spans.At(i - 1)
		switch {
		case begin < timeNs || before >= timeNs:
		case end > timeNs:
			return i - 1
		default:
			return i
		}
	}
	i := l.FirstBeginNear(timeNs, b.near)
	if i > l.First() && l.End(i-1) > timeNs {
		i--
	}
	return i
}

// SelfByRow is SelfNs by the row below alone; false if that is not enough: there are many callees, something
// there was not called from the call, or a deeper callee outlived its caller. It is safe for several goroutines,
// each with its own below.
func (x *Table) SelfByRow(of Ref, c *Found, below *Below) (ns, work int64, ok bool) {
	t := x.lanes.Track(of.Track)
	stack := t.Stack()
	row := int(of.Lane) + 1
	if row >= len(stack) {
		return c.Ns, 1, !t.Overlaps()
	}
	l, end := stack[row], c.Begin+c.Ns
	if l == nil || t.Overlaps() {
		return 0, 0, false
	}
	for _, deeper := range stack[row+1:] {
		if deeper != nil && deeper.MovesWithin(c.Begin, end) {
			return 0, 0, false
		}
	}
	below.spans.Of(l)
	from := below.from(l, c.Begin)
	rows := x.host.Paths.Rows()
	to, behind := from, l.Behind()
	for ns = c.Ns; to < behind; to++ {
		a, b, p := below.spans.At(to)
		if a >= end {
			break
		}
		if to-from == mostCallees || p == model.PathRoot || rows[p].Parent != c.Path {
			below.near = to
			return 0, 0, false
		}
		ns -= max(min(b, end)-max(a, c.Begin), 0)
	}
	if below.near = to; l.MovesIn(from, to) {
		return 0, 0, false
	}
	return min(max(ns, 0), c.Ns), to - from + 1, true
}
