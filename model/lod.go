package model

// The level-of-detail pyramid of a lane: a leaf summarises 32 spans, a node of the next level 8 nodes. A node is made once, when its last
// span gets a successor, and is 40 bytes: 1.43 bytes a span in all.

const (
	lodShift  = 3
	lodFanout = 1 << lodShift
)

// lodNode summarises a run of spans.
type lodNode struct {
	begin, end int64  // of the first span, of the last
	busy       int64  // sum of durations
	weight     int64  // ns of path: exact in a leaf, above it what the children named of it (a lower bound)
	path       PathID // dominant
}

// lodBlockDone makes the nodes that end at position i, a multiple of blockSpans.
func (l *lane) lodBlockDone(i int64) {
	if len(l.lod) == 0 {
		l.lod = append(l.lod, column[lodNode]{})
	}
	if first := i - blockSpans; l.lod[0].n == first>>blockShift {
		l.lod[0].push(l.leafNode(first))
	}
	for k := 0; l.lod[k].n > 0 && l.lod[k].n&(lodFanout-1) == 0; k++ {
		if k+1 == len(l.lod) {
			l.lod = append(l.lod, column[lodNode]{})
		}
		if l.lod[k+1].n != l.lod[k].n>>lodShift-1 {
			break
		}
		l.lod[k+1].push(l.innerNode(k, l.lod[k].n-lodFanout))
	}
}

func (l *lane) leafNode(first int64) lodNode {
	var n lodNode
	n.begin, _ = l.times(first)
	var paths [blockSpans]PathID
	var sums [blockSpans]int64
	used := 0
	for i := first; i < first+blockSpans; i++ {
		begin, end := l.times(i)
		dur := end - begin
		n.busy += dur
		n.end = end
		p := l.path(i)
		k := 0
		for k < used && paths[k] != p {
			k++
		}
		if k == used {
			paths[k] = p
			used++
		}
		sums[k] += dur
		if sums[k] > n.weight || k == 0 && n.weight == 0 {
			n.weight, n.path = sums[k], p
		}
	}
	return n
}

func (l *lane) innerNode(k int, first int64) lodNode {
	children := l.lod[k].run(first, first+lodFanout) // aligned: always in one chunk
	n := lodNode{begin: children[0].begin, end: children[lodFanout-1].end, path: children[0].path}
	var top dominant
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

// dominant finds the path with the greatest weight of a stream of (path, weight). It keeps 8 candidates: exact up to 8 different paths; beyond
// that the least gives way and leaves its weight to the newcomer (the "space saving" rule), so that a path with more than an eighth of the
// whole is never lost.
type dominant struct {
	paths   [8]PathID
	weights [8]int64
	used    int
}

func (d *dominant) add(p PathID, weight int64) {
	least := 0
	for k := range d.used {
		if d.paths[k] == p {
			d.weights[k] += weight
			return
		}
		if d.weights[k] < d.weights[least] {
			least = k
		}
	}
	if d.used < len(d.paths) {
		d.paths[d.used], d.weights[d.used] = p, weight
		d.used++
		return
	}
	d.paths[least] = p
	d.weights[least] += weight
}

// best returns the path with the greatest weight; of equal ones that which came first.
func (d *dominant) best() (PathID, int64) {
	at := 0
	for k := 1; k < d.used; k++ {
		if d.weights[k] > d.weights[at] {
			at = k
		}
	}
	if d.used == 0 {
		return PathRoot, 0
	}
	return d.paths[at], d.weights[at]
}
