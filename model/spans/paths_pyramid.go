package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// PathPyramid keeps totals per call path of blocks of spans or samples: a node for each block, one for
// each eight blocks, and so on. A node has a short list of (path, ns, count) with only the paths
// that occur, unsorted; the lists of a level lie one behind the other. Blocks have numbers, and
// positions that ascend with them.
//
// As in columns.Pyramid, dropped data is unreachable: block first is the oldest that is kept whole,
// a node that begins with an older block is a hole with an empty list, and node gives no holes.
type PathPyramid struct {
	Levels []Level
	First  int64 // number of a block
	Acc    *columns.Account
}

// A node is made of Fanout nodes of the level below.
const (
	UpShift = 3
	Fanout  = 1 << UpShift
)

// PathEntry is one path's share of a block.
type PathEntry struct {
	Ns    int64
	Path  model.PathID
	Count uint32
}

// PathBlock is a block, or eight nodes of the level below.
type PathBlock struct {
	SpanBegin, SpanEnd   int64 // positions
	EntryBegin, EntryEnd int64 // in the level's entries
}

// BlockColumn is a column of blocks.
type BlockColumn struct{ columns.Column }

// Ref returns the place of a block.
func (c *BlockColumn) Ref(i int64) *PathBlock { return columns.Ref[PathBlock](&c.Column, i) }

// Push appends a block.
func (c *BlockColumn) Push(b PathBlock) { columns.Append(&c.Column, b) }

// EntryColumn is a column of entries.
type EntryColumn struct{ columns.Column }

// Run returns the entries from i to end that lie in one chunk with i.
func (c *EntryColumn) Run(i, end int64) []PathEntry { return columns.Run[PathEntry](&c.Column, i, end) }

// Push appends an entry.
func (c *EntryColumn) Push(e PathEntry) { columns.Append(&c.Column, e) }

// Level holds the nodes of a level.
type Level struct {
	Nodes   BlockColumn
	Entries EntryColumn
}

// Blocks returns how many blocks there ever were.
func (y *PathPyramid) Blocks() int64 {
	if len(y.Levels) == 0 {
		return 0
	}
	return y.Levels[0].Nodes.End()
}

// kept reports whether node i of a level is complete and no hole.
func (y *PathPyramid) kept(level int, i int64) bool {
	return level < len(y.Levels) && i < y.Levels[level].Nodes.End() && i<<(UpShift*level) >= y.First
}

// Node returns node i of a level, nil if it is a hole or not complete.
func (y *PathPyramid) Node(level int, i int64) *PathBlock {
	if !y.kept(level, i) {
		return nil
	}
	return y.Levels[level].Nodes.Ref(i)
}

// FirstBlock returns the number of the first kept block for which ok holds; ok must be false up to
// some block and true from there on.
func (y *PathPyramid) FirstBlock(ok func(*PathBlock) bool) int64 {
	n := y.Blocks()
	if y.First >= n {
		return n
	}
	nodes := &y.Levels[0].Nodes
	return columns.Search(y.First, n, func(i int64) bool { return ok(nodes.Ref(i)) })
}

// Within returns the run of kept blocks that lie in the positions [from, to), as numbers [a, b) and
// as positions [begin, end). There is none if a == b.
func (y *PathPyramid) Within(from, to int64) (a, b, begin, end int64) {
	a = y.FirstBlock(func(n *PathBlock) bool { return n.SpanBegin >= from })
	nodes := y.Blocks()
	if a == nodes {
		return a, a, to, to
	}
	v := &y.Levels[0].Nodes
	b = columns.Search(a, nodes, func(i int64) bool { return v.Ref(i).SpanEnd > to })
	if a >= b {
		return a, a, to, to
	}
	return a, b, v.Ref(a).SpanBegin, v.Ref(b - 1).SpanEnd
}

// Level returns the level of the greatest node that begins with block a and ends by block b. a is
// kept.
func (y *PathPyramid) Level(a, b int64) (level int) {
	for k := 1; k < len(y.Levels); k++ {
		size := int64(1) << (UpShift * k)
		if a&(size-1) != 0 || a+size > b || a>>(UpShift*k) >= y.Levels[k].Nodes.End() {
			break
		}
		level = k
	}
	return level
}

// Push adds a block of the content of totals, and makes the nodes that are complete with it. It may
// or may not clear totals.
func (y *PathPyramid) Push(begin, end int64, totals *PathTotals) {
	if len(y.Levels) == 0 {
		y.Levels = columns.Push(y.Acc, y.Levels, newLevel(y.Acc))
	}
	y.Levels[0].push(begin, end, totals)
	for k := 0; y.Levels[k].Nodes.End()&(Fanout-1) == 0; k++ {
		if k+1 == len(y.Levels) {
			y.Levels = columns.Push(y.Acc, y.Levels, newLevel(y.Acc))
		}
		child := &y.Levels[k]
		first := child.Nodes.End() - Fanout
		totals.Clear()
		if y.kept(k, first) {
			begin = child.Nodes.Ref(first).SpanBegin
			child.add(first, child.Nodes.End(), totals)
		}
		y.Levels[k+1].push(begin, end, totals)
	}
}

// Hole adds a block that has left before it was made.
func (y *PathPyramid) Hole(begin, end int64, totals *PathTotals) {
	totals.Clear()
	y.First = max(y.First, y.Blocks()+1)
	y.Push(begin, end, totals)
}

func newLevel(acc *columns.Account) Level {
	return Level{Nodes: BlockColumn{columns.Column{Acc: acc}}, Entries: EntryColumn{columns.Column{Acc: acc}}}
}

func (v *Level) push(spanBegin, spanEnd int64, totals *PathTotals) {
	n := PathBlock{SpanBegin: spanBegin, SpanEnd: spanEnd, EntryBegin: v.Entries.End()}
	for _, p := range totals.Used {
		t := &totals.Sums[p]
		v.Entries.Push(PathEntry{Ns: t.Ns, Path: p, Count: uint32(min(t.Count, 1<<32-1))})
	}
	n.EntryEnd = v.Entries.End()
	v.Nodes.Push(n)
}

// add adds the lists of nodes [from, to); none of them is a hole.
func (v *Level) add(from, to int64, totals *PathTotals) {
	if from >= to {
		return
	}
	i, end := v.Nodes.Ref(from).EntryBegin, v.Nodes.Ref(to-1).EntryEnd
	for i < end {
		run := v.Entries.Run(i, end)
		totals.AddList(run)
		i += int64(len(run))
	}
}

// Add adds the blocks [a, b), all of them kept, by the greatest nodes.
func (y *PathPyramid) Add(a, b int64, totals *PathTotals) {
	for k := 0; a < b; k++ {
		v := &y.Levels[k]
		if k+1 == len(y.Levels) {
			v.add(a, b, totals)
			return
		}
		up := min((a+Fanout-1)&^(Fanout-1), b)
		v.add(a, up, totals)
		down := max(min(b&^(Fanout-1), y.Levels[k+1].Nodes.End()<<UpShift), up)
		v.add(down, b, totals)
		a, b = (up+Fanout-1)>>UpShift, down>>UpShift
	}
}

// Truncate forgets the blocks from number n on, which is none that has left.
func (y *PathPyramid) Truncate(n int64) {
	for k := range y.Levels {
		v := &y.Levels[k]
		if keep := n >> (UpShift * k); keep < v.Nodes.End() {
			if keep >= v.Nodes.Start() {
				v.Entries.Truncate(v.Nodes.Ref(keep).EntryBegin)
			}
			v.Nodes.Truncate(keep)
		}
	}
}

// DropBefore makes block first the oldest that is kept.
func (y *PathPyramid) DropBefore(first int64) {
	y.First = max(y.First, first)
	for k := range y.Levels {
		v := &y.Levels[k]
		size := int64(1) << (UpShift * k)
		keep := (y.First + size - 1) >> (UpShift * k)
		if keep < v.Nodes.End() {
			v.Entries.DropBefore(v.Nodes.Ref(keep).EntryBegin)
		} else {
			v.Entries.DropBefore(v.Entries.End())
		}
		v.Nodes.DropBefore(keep)
	}
}

// Clear frees everything.
func (y *PathPyramid) Clear() {
	for k := range y.Levels {
		y.Levels[k].Nodes.Clear()
		y.Levels[k].Entries.Clear()
	}
	columns.LetGo(y.Acc, y.Levels)
	y.Levels = nil
}
