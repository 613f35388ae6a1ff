package topology

import (
	"cmp"
	"math"
	"slices"
)

// The limits of the search for a good order.
const (
	maxSweeps = 12
	maxLinks  = 4000 // between two ranks; among more no crossings are counted
	tolerated = 3    // crossings that are no reason to change an order that the user knows
)

// rank gives each vertex the smallest rank that is greater than those of its predecessors, and then
// draws vertices with more successors than predecessors near to these. A walk in depth, from vertices
// that nothing leads to, finds the edges that close a cycle: they lead to a vertex that comes earlier.
func (lv *level) rank() {
	out, in := lv.neighbours()
	var order []int32
	seen := make([]bool, len(lv.vs))
	var walk func(v int32)
	walk = func(v int32) {
		if seen[v] {
			return
		}
		seen[v] = true
		for _, w := range slices.Backward(out[v]) {
			walk(w)
		}
		order = append(order, v)
	}
	for v := len(lv.vs) - 1; v >= 0; v-- {
		if in[v] == 0 {
			walk(int32(v))
		}
	}
	for v := range lv.vs {
		walk(int32(v))
	}
	slices.Reverse(order)
	for i, v := range order {
		lv.vs[v].first = float64(i)
	}
	last := lv.rankInOrder(order, out)
	for _, v := range slices.Backward(order) {
		x, to := &lv.vs[v], int32(math.MaxInt32)
		for _, w := range out[v] {
			if y := &lv.vs[w]; y.kind == vertexNode && y.rank > x.rank {
				to = min(to, y.rank-1)
			}
		}
		if x.kind == vertexNode && len(out[v]) > int(in[v]) && to < math.MaxInt32 {
			x.rank = to
		}
	}
	lv.ranks = make([][]int32, last+2)
	for i := range lv.vs {
		x := &lv.vs[i]
		if x.kind == vertexRight {
			x.rank = last + 1
		}
		if x.linked {
			lv.ranks[x.rank] = append(lv.ranks[x.rank], int32(i))
		}
	}
	if len(lv.ranks[last+1]) == 0 {
		lv.ranks = lv.ranks[:last+1]
	}
}

// rankInOrder ranks the vertices by their predecessors and returns the last rank of a node.
func (lv *level) rankInOrder(order []int32, out [][]int32) (last int32) {
	base := int32(0)
	if slices.ContainsFunc(lv.vs, func(v vertex) bool { return v.kind == vertexLeft }) {
		base = 1
	}
	for _, v := range order {
		x := &lv.vs[v]
		if x.kind == vertexNode {
			x.rank = max(x.rank, base)
			last = max(last, x.rank)
		}
		for _, w := range out[v] {
			if y := &lv.vs[w]; y.first > x.first {
				y.rank = max(y.rank, x.rank+1)
			}
		}
	}
	return last
}

// neighbours returns where the arcs of each vertex lead, and how many lead to it. Those that lead back into
// a left port of the frame or out of a right one do not count.
func (lv *level) neighbours() (out [][]int32, in []int32) {
	out, in = make([][]int32, len(lv.vs)), make([]int32, len(lv.vs))
	for i := range lv.arcs {
		a := &lv.arcs[i]
		if a.u != a.v && lv.vs[a.v].kind != vertexLeft && lv.vs[a.u].kind != vertexRight {
			out[a.u] = append(out[a.u], a.v)
			in[a.v]++
		}
	}
	return out, in
}

// bend puts a bend into every rank that an arc passes, and links all neighbours.
func (lv *level) bend() {
	for i := range lv.arcs {
		a := &lv.arcs[i]
		from, to := lv.vs[a.u].rank, lv.vs[a.v].rank
		n := int(to-from) - 1
		if n < 0 || n > lv.bendsLeft {
			continue
		}
		lv.bendsLeft -= n
		known := lv.former.bends[lv.g.Edges[a.edge].Key]
		at, y := a.u, a.yu
		for k := range n {
			b := vertex{kind: vertexBend, rank: from + 1 + int32(k), linked: true, first: lv.vs[a.u].first + 0.5, seed: math.NaN()}
			if len(known) == n {
				b.seed = float64(known[k])
			}
			id := int32(len(lv.vs))
			lv.vs = append(lv.vs, b)
			lv.ranks[b.rank] = append(lv.ranks[b.rank], id)
			a.bends = append(a.bends, id)
			lv.link(at, y, id, 0)
			at, y = id, 0
		}
		lv.link(at, y, a.v, a.yv)
	}
}

// link links two vertices of neighbouring ranks. The more bends, the straighter.
func (lv *level) link(a int32, ya float64, b int32, yb float64) {
	va, vb := &lv.vs[a], &lv.vs[b]
	weight := 1.0
	for _, v := range [...]*vertex{va, vb} {
		if v.kind == vertexBend {
			weight *= 2.5
		}
	}
	va.ties[behind] = append(va.ties[behind], tie{b, ya, yb, weight})
	vb.ties[before] = append(vb.ties[before], tie{a, yb, ya, weight})
}

// sort finds an order of the vertices in each rank in which few edges cross: it sweeps over the ranks,
// forward and backward, and keeps the best order that it sees. That of a former layout stays unless
// the other one has a few crossings less.
func (lv *level) sort() {
	lv.sortBy(func(v *vertex) float64 { return v.first })
	best, least := lv.copyRanks(), lv.count()
	sweeps := min(max(100_000/(len(lv.vs)+len(lv.arcs)+1), 2), maxSweeps)
	for k := 0; k < sweeps && least > 0; k++ {
		lv.sweep(k%2 == 0)
		if n := lv.count(); n < least {
			best, least = lv.copyRanks(), n
		}
	}
	if lv.seed() {
		lv.sortBy(func(v *vertex) float64 { return v.seed })
		if n := lv.count(); n <= least+tolerated {
			best, least = lv.ranks, n
		}
	}
	lv.ranks = best
	lv.number()
	lv.out.Crossings += least
}

// sortBy sorts each rank. Vertices without a number are last, and equal ones are in the order of the walk.
func (lv *level) sortBy(by func(*vertex) float64) {
	height := func(v int32) float64 {
		if h := by(&lv.vs[v]); h == h {
			return h
		}
		return math.Inf(1)
	}
	for _, rank := range lv.ranks {
		slices.SortStableFunc(rank, func(a, b int32) int {
			return cmp.Or(cmp.Compare(height(a), height(b)), cmp.Compare(lv.vs[a].first, lv.vs[b].first))
		})
	}
	lv.number()
}

// seed gives vertices that are not in the former layout the height of a neighbour. It reports whether
// anything was in it.
func (lv *level) seed() (known bool) {
	for range 4 {
		for i := range lv.vs {
			x := &lv.vs[i]
			for _, ties := range x.ties {
				for _, t := range ties {
					if math.IsNaN(x.seed) {
						x.seed = lv.vs[t.to].seed + 1e-3
					}
				}
			}
			known = known || x.linked && !math.IsNaN(x.seed)
		}
	}
	return known
}

// number writes each vertex' place in its rank into it.
func (lv *level) number() {
	for _, rank := range lv.ranks {
		for i, v := range rank {
			lv.vs[v].pos = int32(i)
		}
	}
}

func (lv *level) copyRanks() [][]int32 {
	to := make([][]int32, len(lv.ranks))
	for r := range to {
		to[r] = slices.Clone(lv.ranks[r])
	}
	return to
}

// placeAt is where a link ends in a rank: the vertex' place, and how far down on it.
func (lv *level) placeAt(v int32, y float64) float64 {
	x := &lv.vs[v]
	return float64(x.pos) + 0.99*min(y/max(x.h, 1), 1)
}

// sweep orders each rank by the mean place of its vertices' neighbours in the rank before it (or
// behind it). Vertices without neighbours there keep their places.
func (lv *level) sweep(forward bool) {
	for i := 1; i < len(lv.ranks); i++ {
		r, side := i, before
		if !forward {
			r, side = len(lv.ranks)-1-i, behind
		}
		var move, places []int32
		for at, v := range lv.ranks[r] {
			x := &lv.vs[v]
			if len(x.ties[side]) == 0 {
				continue
			}
			sum := 0.0
			for _, t := range x.ties[side] {
				sum += lv.placeAt(t.to, t.yTo)
			}
			x.mean = sum / float64(len(x.ties[side]))
			move, places = append(move, v), append(places, int32(at))
		}
		slices.SortStableFunc(move, func(a, b int32) int { return cmp.Compare(lv.vs[a].mean, lv.vs[b].mean) })
		for i, v := range move {
			lv.ranks[r][places[i]] = v
			lv.vs[v].pos = places[i]
		}
	}
}

// count returns the number of crossings: pairs of links in different order at their two ends.
func (lv *level) count() (n int) {
	for _, rank := range lv.ranks {
		var links [][2]float64
		for _, v := range rank {
			for _, t := range lv.vs[v].ties[behind] {
				links = append(links, [2]float64{lv.placeAt(v, t.yOwn), lv.placeAt(t.to, t.yTo)})
			}
		}
		if len(links) > maxLinks {
			continue
		}
		slices.SortFunc(links, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
		var seen []float64 // sorted
		for _, k := range links {
			at, _ := slices.BinarySearchFunc(seen, k[1], func(y, to float64) int {
				if y <= to {
					return -1
				}
				return 1
			})
			n += len(seen) - at
			seen = slices.Insert(seen, at, k[1])
		}
	}
	return n
}
