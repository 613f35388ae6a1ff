package spans

import (
	"math"

	"framescope/model"
	"framescope/model/columns"
)

// The level-of-detail pyramid of a lane: a leaf summarises 32 spans, a node of the next level 4
// leaves, and so on. Each is made once, when its last span gets a successor. A leaf is 16 bytes, as
// its begin is the base of its block of rows; a node above is 40: 0.92 bytes a span in all.

const (
	lodShift  = 2
	lodFanout = 1 << lodShift
)

// lodNode summarises a run of spans.
type lodNode struct {
	begin, end int64        // of the first span, of the last
	busy       int64        // sum of durations
	weight     int64        // ns of path: exact in a leaf, above it a lower bound from the children
	path       model.PathID // dominant
}

// lodLeaf summarises a block in 32 bits each. A longer block has no summary (dur is leafWide): it
// is summarised again on demand.
type lodLeaf struct {
	dur, busy, weight uint32
	path              model.PathID
}

const leafWide = math.MaxUint32

type leafColumn struct{ columns.Column }

func (c *leafColumn) Ref(i int64) *lodLeaf { return columns.Ref[lodLeaf](&c.Column, i) }
func (c *leafColumn) Push(f lodLeaf)       { columns.Append(&c.Column, f) }

type lodPyramid struct{ columns.Pyramid }

func (p *lodPyramid) Node(level int, i int64) *lodNode {
	return columns.Node[lodNode](&p.Pyramid, level, i)
}

func (p *lodPyramid) Run(level int, i, end int64) []lodNode {
	return columns.NodeRun[lodNode](&p.Pyramid, level, i, end)
}

// nodesAt returns the number of complete nodes of a level.
func (l *Lane) nodesAt(k int) int64 {
	if k == 0 {
		return l.leaves.End()
	}
	return l.lod.Nodes(k - 1)
}

// leaf returns the summary of a block.
func (l *Lane) leaf(at int64) lodNode {
	f := l.leaves.Ref(at)
	if f.dur == leafWide {
		var top dominant
		return l.wideLeaf(at<<columns.BlockShift, &top)
	}
	const perChunk = columns.ChunkShift - columns.BlockShift
	begin := l.chunks[at>>perChunk-l.firstChunk].base[at&(1<<perChunk-1)]
	return lodNode{begin, begin + int64(f.dur), int64(f.busy), int64(f.weight), f.path}
}

// lodBlockDone makes the nodes that end at position i, a multiple of blockSpans. work is clear,
// before and after.
func (l *Lane) lodBlockDone(i int64, work *Work) {
	var leaf lodLeaf // a hole, where the block has left in part
	if first := i - blockSpans; first >= l.first {
		leaf = l.makeLeaf(first, work.totals.Sums)
	}
	l.leaves.Push(leaf)
	if i&(1<<(columns.BlockShift+lodShift)-1) == 0 {
		work.lod.l = l
		columns.Grow(&l.lod.Pyramid, i, columns.BlockShift+lodShift, lodShift, &work.lod)
		work.lod.l = nil
	}
}

// Work is the working memory for summaries of blocks of spans that close during an append. Each
// goroutine that appends has its own. The zero value is ready.
type Work struct {
	totals PathTotals
	lod    lodMaker
}

// lodMaker makes the nodes above the leaves of a lane.
type lodMaker struct {
	l   *Lane
	top dominant
}

func (m *lodMaker) LeafOf(from, _ int64) lodNode {
	m.top.reset()
	at := from >> columns.BlockShift
	n := m.l.leaf(at)
	m.top.add(n.path, n.weight)
	for j := int64(1); j < lodFanout; j++ {
		leaf := m.l.leaf(at + j)
		m.join(&n, &leaf)
	}
	n.path, n.weight = m.top.best()
	return n
}

func (m *lodMaker) JoinOf(nodes []lodNode) lodNode {
	m.top.reset()
	n := nodes[0]
	m.top.add(n.path, n.weight)
	for j := 1; j < len(nodes); j++ {
		m.join(&n, &nodes[j])
	}
	n.path, n.weight = m.top.best()
	return n
}

// join lets n stand for next, which follows it, too.
func (m *lodMaker) join(n, next *lodNode) {
	n.end = next.end
	n.busy += next.busy
	m.top.add(next.path, next.weight)
}

// makeLeaf summarises the block that begins at position first. The dominant path is found as
// dominant does it, in the table of sums, which is all 0 before and after: a block has few enough
// paths for either to be exact.
func (l *Lane) makeLeaf(first int64, sums []PathTotal) lodLeaf {
	c := l.chunks[(first>>columns.ChunkShift)-l.firstChunk]
	k := first & chunkMask
	begin := c.base[k>>columns.BlockShift]
	if l.End(first+blockMask)-begin >= leafWide {
		return lodLeaf{dur: leafWide}
	}
	rows := (*[blockSpans]lanesRow)(c.rows[k : k+blockSpans])
	last := &rows[blockMask]
	n := lodLeaf{dur: last.begin + last.dur, path: model.PathID(rows[0].meta >> metaShift)}
	var metas uint32
	for i := range rows {
		r := &rows[i]
		metas |= r.meta
		n.busy += r.dur
		p := r.meta >> metaShift
		sums[p].Ns += int64(r.dur)
		if w := uint32(sums[p].Ns); w > n.weight {
			n.path, n.weight = model.PathID(p), w
		}
	}
	for i := range rows {
		sums[rows[i].meta>>metaShift].Ns = 0
	}
	if metas&metaWide != 0 { // a span that was long, until it was cut
		return lodLeaf{dur: leafWide}
	}
	return n
}

// wideLeaf summarises a block of any length.
func (l *Lane) wideLeaf(first int64, top *dominant) lodNode {
	n := lodNode{begin: l.Begin(first), end: l.End(first + blockMask)}
	top.reset()
	for i := first; i < first+blockSpans; i++ {
		begin, end, path := l.At(i)
		n.busy += end - begin
		top.add(path, end-begin)
	}
	n.path, n.weight = top.best()
	return n
}

func (l *Lane) lodTruncate(n int64) {
	final := max(n-1, 0) // the last span is not
	l.leaves.Truncate(final >> columns.BlockShift)
	l.lod.Truncate(final)
}

// lodDropBefore makes position from the oldest that is kept.
func (l *Lane) lodDropBefore(from int64) {
	l.leaves.DropBefore(from >> columns.BlockShift)
	l.lod.DropBefore(from)
}

// dominant finds the path with the greatest weight of a stream of (path, weight). It is exact up to
// 32 different paths. Whenever there are more, it forgets all but the 8 heaviest, so that a path
// with a large share of the whole is not lost. Up to four paths are searched one by one, as most
// bars have no more; a small hash table finds those of more: the next path is unpredictable for the
// processor, the place of a lookup is not.
type dominant struct {
	slots   [dominantSlots]uint8 // 1 + place in paths and weights, 0 free; unused up to dominantFew paths
	paths   [dominantPaths]model.PathID
	weights [dominantPaths]int64
	used    int
	top     int // the heaviest; of equals the one that was so first
}

const (
	dominantPaths = 32
	dominantSlots = 64
	dominantKeep  = 8
	dominantFew   = 4
)

func (d *dominant) reset() { d.used, d.top = 0, 0 }

func (d *dominant) add(p model.PathID, weight int64) {
	if d.used > dominantFew {
		d.addHashed(p, weight)
		return
	}
	for k := range d.used {
		if d.paths[k%dominantPaths] == p {
			d.grow(k, weight)
			return
		}
	}
	if d.used == dominantFew {
		d.slots = [dominantSlots]uint8{}
		for k := range dominantFew {
			d.slots[d.free(d.paths[k])] = uint8(k + 1)
		}
		d.addHashed(p, weight)
		return
	}
	k := d.used
	d.used++
	d.paths[k%dominantPaths], d.weights[k%dominantPaths] = p, weight
	if weight > d.weights[d.top%dominantPaths] {
		d.top = k
	}
}

// grow adds to the weight of place k.
func (d *dominant) grow(k int, weight int64) {
	w := d.weights[k%dominantPaths] + weight
	d.weights[k%dominantPaths] = w
	if w > d.weights[d.top%dominantPaths] {
		d.top = k
	}
}

func slotOf(p model.PathID) uint32 { return uint32(p) * 0x9E3779B1 >> 26 % dominantSlots }

// free returns the free slot for a path that has none.
func (d *dominant) free(p model.PathID) uint32 {
	h := slotOf(p)
	for d.slots[h%dominantSlots] != 0 {
		h++
	}
	return h % dominantSlots
}

func (d *dominant) addHashed(p model.PathID, weight int64) {
	h := slotOf(p)
	k := int(d.slots[h]) - 1
	for k >= 0 && d.paths[k%dominantPaths] != p {
		h = (h + 1) % dominantSlots
		k = int(d.slots[h]) - 1
	}
	if k < 0 {
		if d.used == dominantPaths {
			d.prune()
			d.add(p, weight)
			return
		}
		k = d.used
		d.used++
		d.paths[k], d.weights[k] = p, 0
		d.slots[h] = uint8(k + 1)
	}
	d.grow(k, weight)
}

// prune keeps the heaviest paths.
func (d *dominant) prune() {
	for k := range dominantKeep {
		most := k
		for i := k + 1; i < d.used; i++ {
			if d.weights[i] > d.weights[most] {
				most = i
			}
		}
		d.paths[k], d.paths[most] = d.paths[most], d.paths[k]
		d.weights[k], d.weights[most] = d.weights[most], d.weights[k]
	}
	paths, weights := d.paths, d.weights
	d.reset()
	for k := range dominantKeep {
		d.add(paths[k], weights[k])
	}
}

// best returns the path with the greatest weight.
func (d *dominant) best() (model.PathID, int64) {
	if d.used == 0 {
		return model.PathRoot, 0
	}
	return d.paths[d.top], d.weights[d.top]
}
