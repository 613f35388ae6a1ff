package model

// The level-of-detail pyramid of a lane: a leaf summarises 32 spans, a node of the next level 4 nodes. A node is made once, when its last
// span gets a successor, and is 40 bytes: 1.67 bytes a span in all.

const (
	lodShift  = 2
	lodFanout = 1 << lodShift
)

// lodNode summarises a run of spans.
type lodNode struct {
	begin, end int64  // of the first span, of the last
	busy       int64  // sum of durations
	weight     int64  // ns of path: exact in a leaf, above it what the children named of it (a lower bound)
	path       PathID // dominant
}

// lodBlockDone makes the nodes that end at position i, a multiple of blockSpans. totals is clear, before and after.
func (l *lane) lodBlockDone(i int64, totals *pathTotals) {
	if len(l.lod) == 0 {
		l.lod = append(l.lod, column[lodNode]{})
	}
	if first := i - blockSpans; l.lod[0].n == first>>blockShift {
		l.lod[0].push(l.leafNode(first, totals.sums))
	}
	for k := 0; l.lod[k].n > 0 && l.lod[k].n&(lodFanout-1) == 0; k++ {
		if k+1 == len(l.lod) {
			l.lod = append(l.lod, column[lodNode]{})
		}
		if l.lod[k+1].n != l.lod[k].n>>lodShift-1 {
			break
		}
		l.lod[k+1].push(l.innerNode(k, l.lod[k].n-lodFanout, &totals.top))
	}
}

// leafNode summarises the block that begins at position first. The dominant path is found as dominant does it, in the table of sums, which is all 0
// before and after: a block has few enough paths for either to be exact.
func (l *lane) leafNode(first int64, sums []pathTotal) lodNode {
	c := l.chunks[(first>>chunkShift)-l.firstChunk]
	k := first & chunkMask
	rows := (*[blockSpans]spanRow)(c.rows[k : k+blockSpans])
	n := lodNode{path: PathID(rows[0].meta >> metaShift)}
	n.begin, _ = l.times(first)
	for i := range rows {
		r := &rows[i]
		dur := int64(r.dur)
		if r.meta&metaWide != 0 {
			b, e := l.times(first + int64(i))
			dur = e - b
		}
		n.busy += dur
		p := r.meta >> metaShift
		sums[p].ns += dur
		if w := sums[p].ns; w > n.weight {
			n.path, n.weight = PathID(p), w
		}
	}
	for i := range rows {
		sums[rows[i].meta>>metaShift].ns = 0
	}
	_, n.end = l.times(first + blockMask)
	return n
}

func (l *lane) innerNode(k int, first int64, top *dominant) lodNode {
	children := l.lod[k].run(first, first+lodFanout) // aligned: always in one chunk
	n := lodNode{begin: children[0].begin, end: children[lodFanout-1].end, path: children[0].path}
	top.reset()
	for i := range children {
		n.busy += children[i].busy
		top.add(children[i].path, children[i].weight)
	}
	n.path, n.weight = top.best()
	return n
}

func (l *lane) lodTruncate(n int64) {
	keep := max(n-1, 0) >> blockShift
	for k := range l.lod {
		l.lod[k].truncate(keep)
		keep >>= lodShift
	}
}

// dominant finds the path with the greatest weight of a stream of (path, weight). It is exact up to 32 different paths. Whenever there are
// more, it forgets all but the 8 heaviest, so that a path with a large share of the whole is not lost. Up to four paths are searched one by one, as most
// bars have no more; a small hash table finds those of more: which path comes next can't be predicted, where it is found can.
type dominant struct {
	slots   [dominantSlots]uint8 // 1 + place in paths and weights, 0 free; unused up to dominantFew paths
	paths   [dominantPaths]PathID
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

func (d *dominant) add(p PathID, weight int64) {
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

func slotOf(p PathID) uint32 { return uint32(p) * 0x9E3779B1 >> 26 % dominantSlots }

// free returns the free slot for a path that has none.
func (d *dominant) free(p PathID) uint32 {
	h := slotOf(p)
	for d.slots[h%dominantSlots] != 0 {
		h++
	}
	return h % dominantSlots
}

func (d *dominant) addHashed(p PathID, weight int64) {
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
func (d *dominant) best() (PathID, int64) {
	if d.used == 0 {
		return PathRoot, 0
	}
	return d.paths[d.top], d.weights[d.top]
}
