package store

import (
	"framescope/model"
	"framescope/model/columns"
)

// pathPyramid keeps totals per call path of blocks of spans or samples: a node for each block, one
// for each eight blocks, and so on. A node has a short list of (path, ns, count) with only the
// paths that occur, unsorted; the lists of a level lie one behind the other. Blocks have numbers,
// and positions that ascend with them.
//
// As in pyramid, what has left can't be reached: block first is the oldest that is kept whole, a
// node that begins with an older block is a hole with an empty list, and node gives no holes.
type pathPyramid struct {
	levels []flameLevel
	first  int64 // number of a block
	acc    *columns.Account
}

const (
	flameShift  = 3
	flameFanout = 1 << flameShift
)

// flameEntry is one path's share of a block.
type flameEntry struct {
	ns    int64
	path  model.PathID
	count uint32
}

// flameNode is a block, or eight nodes of the level below.
type flameNode struct {
	spanBegin, spanEnd   int64 // positions
	entryBegin, entryEnd int64 // in the level's entries
}

type flameLevel struct {
	nodes   columns.Column[flameNode]
	entries columns.Column[flameEntry]
}

// blocks returns how many blocks there ever were.
func (y *pathPyramid) blocks() int64 {
	if len(y.levels) == 0 {
		return 0
	}
	return y.levels[0].nodes.End()
}

// kept tells whether node i of a level is complete and no hole.
func (y *pathPyramid) kept(level int, i int64) bool {
	return level < len(y.levels) && i < y.levels[level].nodes.End() && i<<(flameShift*level) >= y.first
}

// node returns node i of a level, nil if it is a hole or not complete.
func (y *pathPyramid) node(level int, i int64) *flameNode {
	if !y.kept(level, i) {
		return nil
	}
	return y.levels[level].nodes.Ref(i)
}

// firstBlock returns the number of the first kept block for which ok holds; ok must be false up to
// some block and true from there on.
func (y *pathPyramid) firstBlock(ok func(*flameNode) bool) int64 {
	n := y.blocks()
	if y.first >= n {
		return n
	}
	nodes := &y.levels[0].nodes
	return columns.Search(y.first, n, func(i int64) bool { return ok(nodes.Ref(i)) })
}

// within returns the run of kept blocks that lie in the positions [from, to), as numbers [a, b) and
// as positions [begin, end). There is none if a == b.
func (y *pathPyramid) within(from, to int64) (a, b, begin, end int64) {
	a = y.firstBlock(func(n *flameNode) bool { return n.spanBegin >= from })
	nodes := y.blocks()
	if a == nodes {
		return a, a, to, to
	}
	v := &y.levels[0].nodes
	b = columns.Search(a, nodes, func(i int64) bool { return v.Ref(i).spanEnd > to })
	if a >= b {
		return a, a, to, to
	}
	return a, b, v.Ref(a).spanBegin, v.Ref(b - 1).spanEnd
}

// level returns the level of the greatest node that begins with block a and ends by block b. a is
// kept.
func (y *pathPyramid) level(a, b int64) (level int) {
	for k := 1; k < len(y.levels); k++ {
		size := int64(1) << (flameShift * k)
		if a&(size-1) != 0 || a+size > b || a>>(flameShift*k) >= y.levels[k].nodes.End() {
			break
		}
		level = k
	}
	return level
}

// push adds a block of what is in totals, and makes the nodes that are complete with it. Whether
// totals is clear afterwards is not said.
func (y *pathPyramid) push(begin, end int64, totals *pathTotals) {
	if len(y.levels) == 0 {
		y.levels = columns.Push(y.acc, y.levels, flameLevel{nodes: columns.Column[flameNode]{Acc: y.acc}, entries: columns.Column[flameEntry]{Acc: y.acc}})
	}
	y.levels[0].push(begin, end, totals)
	for k := 0; y.levels[k].nodes.End()&(flameFanout-1) == 0; k++ {
		if k+1 == len(y.levels) {
			y.levels = columns.Push(y.acc, y.levels, flameLevel{nodes: columns.Column[flameNode]{Acc: y.acc}, entries: columns.Column[flameEntry]{Acc: y.acc}})
		}
		child := &y.levels[k]
		first := child.nodes.End() - flameFanout
		totals.clear()
		if y.kept(k, first) {
			begin = child.nodes.Ref(first).spanBegin
			child.add(first, child.nodes.End(), totals)
		}
		y.levels[k+1].push(begin, end, totals)
	}
}

// hole adds a block that has left before it was made.
func (y *pathPyramid) hole(begin, end int64, totals *pathTotals) {
	totals.clear()
	y.first = max(y.first, y.blocks()+1)
	y.push(begin, end, totals)
}

func (v *flameLevel) push(spanBegin, spanEnd int64, totals *pathTotals) {
	n := flameNode{spanBegin: spanBegin, spanEnd: spanEnd, entryBegin: v.entries.End()}
	for _, p := range totals.used {
		t := &totals.sums[p]
		v.entries.Push(flameEntry{ns: t.ns, path: p, count: uint32(min(t.count, 1<<32-1))})
	}
	n.entryEnd = v.entries.End()
	v.nodes.Push(n)
}

// add adds the lists of nodes [from, to), none of which is a hole.
func (v *flameLevel) add(from, to int64, totals *pathTotals) {
	if from >= to {
		return
	}
	i, end := v.nodes.Ref(from).entryBegin, v.nodes.Ref(to-1).entryEnd
	totals.visited += end - i
	for i < end {
		run := v.entries.Run(i, end)
		for k := range run {
			totals.add(run[k].path, run[k].ns, int64(run[k].count))
		}
		i += int64(len(run))
	}
}

// add adds the blocks [a, b), all of them kept, by the greatest nodes.
func (y *pathPyramid) add(a, b int64, totals *pathTotals) {
	for k := 0; a < b; k++ {
		v := &y.levels[k]
		if k+1 == len(y.levels) {
			v.add(a, b, totals)
			return
		}
		up := min((a+flameFanout-1)&^(flameFanout-1), b)
		v.add(a, up, totals)
		down := max(min(b&^(flameFanout-1), y.levels[k+1].nodes.End()<<flameShift), up)
		v.add(down, b, totals)
		a, b = (up+flameFanout-1)>>flameShift, down>>flameShift
	}
}

// truncate forgets the blocks from number n on, which is none that has left.
func (y *pathPyramid) truncate(n int64) {
	for k := range y.levels {
		v := &y.levels[k]
		if keep := n >> (flameShift * k); keep < v.nodes.End() {
			if keep >= v.nodes.Start() {
				v.entries.Truncate(v.nodes.Ref(keep).entryBegin)
			}
			v.nodes.Truncate(keep)
		}
	}
}

// DropBefore makes block first the oldest that is kept.
func (y *pathPyramid) dropBefore(first int64) {
	y.first = max(y.first, first)
	for k := range y.levels {
		v := &y.levels[k]
		size := int64(1) << (flameShift * k)
		keep := (y.first + size - 1) >> (flameShift * k)
		if keep < v.nodes.End() {
			v.entries.DropBefore(v.nodes.Ref(keep).entryBegin)
		} else {
			v.entries.DropBefore(v.entries.End())
		}
		v.nodes.DropBefore(keep)
	}
}

// clear lets go of everything.
func (y *pathPyramid) clear() {
	for k := range y.levels {
		y.levels[k].nodes.Clear()
		y.levels[k].entries.Clear()
	}
	columns.LetGo(y.acc, y.levels)
	y.levels = nil
}
