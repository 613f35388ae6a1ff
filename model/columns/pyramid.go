package columns

// Pyramid summarises the values of a list by their positions: a leaf stands for 1<<leaf of them, a
// node of the next level for 1<<up leaves, and so on. A node is made once, when its last value is
// there, and never changes.
//
// Data that left memory is unreachable, by construction. first is the oldest kept position; it
// never goes back, as a list is never cut back behind it. A node with a run that begins before it
// is a hole: it has its number, but it is not made, never read and never summed. A node that is no
// hole begins no earlier than first, and so do all nodes and values below it: all of its data is
// there. The rule is written in this file alone; callers take nodes from node and greatest, which
// give no holes.
//
// Like a Column it is no generic type: its owner declares one for his kind of node.
type Pyramid struct {
	levels   []Column
	first    int64
	leaf, up uint8
	Acc      *Account
}

// Summarizer makes the nodes of a pyramid.
type Summarizer[N any] interface {
	// LeafOf summarises the values at positions [from, to). All of them are kept.
	LeafOf(from, to int64) N
	// JoinOf summarises neighbouring nodes of one level. None of them is a hole.
	JoinOf(nodes []N) N
}

// Shift returns the binary logarithm of the values that a node of a level stands for.
func (p *Pyramid) Shift(level int) int { return int(p.leaf) + int(p.up)*level }

// Grow makes the nodes of a pyramid of N that are complete in a list of n values.
func Grow[N any](p *Pyramid, n int64, leaf, up uint8, of Summarizer[N]) {
	p.leaf, p.up = leaf, up
	for k := 0; n>>p.Shift(k) > 0; k++ {
		if k == len(p.levels) {
			p.levels = Push(p.Acc, p.levels, Column{Acc: p.Acc})
		}
		v := &p.levels[k]
		if v.End() >= n>>p.Shift(k) {
			return // so are all above
		}
		for i := v.End(); i < n>>p.Shift(k); i++ {
			var node N
			switch {
			case i<<p.Shift(k) < p.first:
			case k == 0:
				node = of.LeafOf(i<<leaf, (i+1)<<leaf)
			default:
				node = of.JoinOf(Run[N](&p.levels[k-1], i<<up, (i+1)<<up)) // aligned: in one chunk
			}
			Append(&p.levels[k], node)
		}
	}
}

// Node returns node i of a level of a pyramid of N, nil if it is a hole or not complete.
func Node[N any](p *Pyramid, level int, i int64) *N {
	if level >= len(p.levels) || i >= p.levels[level].End() || i<<p.Shift(level) < p.first {
		return nil
	}
	return Ref[N](&p.levels[level], i)
}

// Greatest returns the greatest node of a pyramid of N that begins at position from and ends by to,
// and where it ends; nil where there is none.
func Greatest[N any](p *Pyramid, from, to int64) (node *N, end int64) {
	if from < p.first {
		return nil, from
	}
	level := -1
	for k := range p.levels {
		size := int64(1) << p.Shift(k)
		if from&(size-1) != 0 || from+size > to || from>>p.Shift(k) >= p.levels[k].End() {
			break
		}
		level = k
	}
	if level < 0 {
		return nil, from
	}
	return Ref[N](&p.levels[level], from>>p.Shift(level)), from + 1<<p.Shift(level)
}

// Depth returns the number of levels.
func (p *Pyramid) Depth() int { return len(p.levels) }

// Nodes returns the number of complete nodes of a level, holes included.
func (p *Pyramid) Nodes(level int) int64 {
	if level >= len(p.levels) {
		return 0
	}
	return p.levels[level].End()
}

// NodeRun returns nodes from number i to end of a level of a pyramid of N that lie in one chunk with
// i. Node i is no hole.
func NodeRun[N any](p *Pyramid, level int, i, end int64) []N { return Run[N](&p.levels[level], i, end) }

// Truncate forgets the nodes that stand for values at position n or later.
func (p *Pyramid) Truncate(n int64) {
	for k := range p.levels {
		p.levels[k].Truncate(n >> p.Shift(k))
	}
}

// DropBefore makes position first the oldest that is kept.
func (p *Pyramid) DropBefore(first int64) {
	p.first = max(p.first, first)
	for k := range p.levels {
		size := int64(1) << p.Shift(k)
		p.levels[k].DropBefore((p.first + size - 1) >> p.Shift(k))
	}
}

// Clear frees everything.
func (p *Pyramid) Clear() {
	for k := range p.levels {
		p.levels[k].Clear()
	}
	LetGo(p.Acc, p.levels)
	p.levels = nil
}
