package spans

import (
	"framescope/model"
	"framescope/model/lanes"
)

// SelfNs returns how much of a call in a lane was its own, without callees, and how much work that
// was, in spans looked at. It is what the call tree of its time says; mostly SelfByRow tells it for
// less.
func (x *Table) SelfNs(of Ref, c *lanes.Found) (ns, work int64) {
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

// SelfByRow is SelfNs by the row below alone; false where that does not do: there are many callees,
// or not all that ran there was called from the call. near is a position in that row about where the
// callees are, and afterwards behind them. It may be asked by several goroutines at once.
func (x *Table) SelfByRow(of Ref, c *lanes.Found, near *int64) (ns, work int64, ok bool) {
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
	from := l.FirstBeginNear(c.Begin, *near)
	if from > l.First() && l.End(from-1) > c.Begin {
		from--
	}
	rows := x.host.Paths.Rows()
	to, behind := from, l.Behind()
	for ns = c.Ns; to < behind; to++ {
		a, b := l.Times(to)
		if a >= end {
			break
		}
		if p := l.Path(to); to-from == mostCallees || p == model.PathRoot || rows[p].Parent != c.Path {
			*near = to
			return 0, 0, false
		}
		ns -= max(min(b, end)-max(a, c.Begin), 0)
	}
	if *near = to; l.MovesIn(from, to) {
		return 0, 0, false
	}
	return min(max(ns, 0), c.Ns), to - from + 1, true
}
