package topology

import (
	"cmp"
	"math"
	"slices"
)

// link is a piece of an edge between two neighbouring ranks.
type link struct {
	a, b   int32   // vertices, b one rank behind a
	fa, fb float64 // where on the vertices, 0…1
	ya, yb float64
}

// The sides of a vertex' ties.
const (
	before = iota
	behind
)

// ordering finds an order of the vertices in each rank in which few edges cross.
type ordering struct {
	*level
	ranks     [][]int32
	links     []link
	byRank    [][]int32 // links that begin in a rank
	crossings int

	old               bool // some of it was in the former layout
	size              int  // vertices
	tree, sort, place []int32
}

func newOrdering(lv *level, c *component, ranks int32) *ordering {
	o := &ordering{level: lv, ranks: make([][]int32, ranks), byRank: make([][]int32, ranks), size: len(c.vs)}
	for _, v := range c.vs {
		r := lv.vs[v].rank
		o.ranks[r] = append(o.ranks[r], v)
	}
	for _, i := range c.arcs {
		o.addLinks(&lv.arcs[i])
	}
	o.start(c)
	return o
}

// addLinks adds the pieces of an arc.
func (o *ordering) addLinks(a *arc) {
	switch {
	case a.direct:
	case a.back:
		for k := 1; k < len(a.chain); k++ {
			o.link(a.chain[k], 0, a.chain[k-1], 0)
		}
	default:
		at, y := a.u, a.yu
		for _, b := range a.chain {
			o.link(at, y, b, 0)
			at, y = b, 0
		}
		o.link(at, y, a.v, a.yv)
	}
}

func (o *ordering) link(a int32, ya float64, b int32, yb float64) {
	va, vb := &o.vs[a], &o.vs[b]
	k := link{a: a, b: b, ya: ya, yb: yb, fa: min(ya/va.h, 1), fb: min(yb/vb.h, 1)}
	weight := 1.0
	switch {
	case va.kind == vertexBend && vb.kind == vertexBend:
		weight = 8
	case va.kind == vertexBend || vb.kind == vertexBend:
		weight = 2
	}
	o.byRank[va.rank] = append(o.byRank[va.rank], int32(len(o.links)))
	o.links = append(o.links, k)
	va.ties[behind] = append(va.ties[behind], tie{b, ya, yb, k.fb, weight})
	vb.ties[before] = append(vb.ties[before], tie{a, yb, ya, k.fa, weight})
}

// start finds the first order: that of the former layout, new vertices beside those they are linked
// with; else the order in which a walk along the edges meets the vertices.
func (o *ordering) start(c *component) {
	met := make(map[int32]int, len(c.vs))
	o.meet(c, met)
	seeded := 0
	for _, v := range c.vs {
		if x := &o.vs[v]; x.hasSeed {
			x.old = true
			seeded++
		}
	}
	o.old = seeded > 0
	if seeded > 0 && seeded < len(c.vs) {
		o.guessSeeds(c)
	}
	height := func(v int32) float64 {
		if x := &o.vs[v]; x.hasSeed {
			return x.seed
		}
		return math.Inf(1) // below the others
	}
	for _, rank := range o.ranks {
		slices.SortStableFunc(rank, func(a, b int32) int {
			return cmp.Or(cmp.Compare(height(a), height(b)), cmp.Compare(met[a], met[b]))
		})
	}
	o.number()
}

// meet numbers the vertices in the order of a walk along the links, in depth; bends at which an
// edge turns back come right after the vertex that they turn around.
func (o *ordering) meet(c *component, met map[int32]int) {
	near := map[int32][]int32{}
	for _, v := range c.vs {
		if n := o.vs[v].near; n >= 0 {
			near[n] = append(near[n], v)
		}
	}
	var stack []int32
	for _, first := range c.vs {
		stack = append(stack[:0], first)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if _, ok := met[v]; ok {
				continue
			}
			met[v] = len(met)
			for _, ties := range o.vs[v].ties {
				for _, t := range slices.Backward(ties) {
					stack = append(stack, t.to)
				}
			}
			stack = append(stack, near[v]...)
		}
	}
}

// guessSeeds gives new vertices the mean height of their neighbours.
func (o *ordering) guessSeeds(c *component) {
	for range 4 {
		changed := false
		for _, v := range c.vs {
			x := &o.vs[v]
			if x.hasSeed {
				continue
			}
			sum, n := 0.0, 0
			add := func(w int32) {
				if o.vs[w].hasSeed {
					sum += o.vs[w].seed
					n++
				}
			}
			for _, ties := range x.ties {
				for _, t := range ties {
					add(t.to)
				}
			}
			if x.near >= 0 {
				add(x.near)
			}
			if n > 0 {
				x.seed, x.hasSeed, changed = sum/float64(n)+1e-3, true, true
			}
		}
		if !changed {
			return
		}
	}
}

// number writes each vertex' place in its rank into it.
func (o *ordering) number() {
	for _, rank := range o.ranks {
		for i, v := range rank {
			o.vs[v].pos = int32(i)
		}
	}
}

// search sweeps over the ranks, forward and backward, and keeps the best order that it sees. It
// takes only a better order, so a graph without crossings, or with none that sweeps can undo, stays
// as it was. After a former layout only new vertices move, unless letting all move saves more than
// a few crossings.
func (o *ordering) search() {
	o.crossings = o.count()
	if o.old {
		o.exchange(true)
		kept := o.copyRanks(nil)
		crossings := o.crossings
		o.sweeps()
		o.exchange(false)
		if crossings-o.crossings <= tolerated {
			o.crossings = crossings
			o.setRanks(kept)
		}
	} else {
		o.sweeps()
		o.exchange(false)
	}
	o.out.Crossings += o.crossings
}

// sweeps sweeps until there are no crossings, or the last few did not help, or the work is too
// much.
func (o *ordering) sweeps() {
	best := o.copyRanks(nil)
	n := len(o.links) + o.size/4 + 1
	sweeps := min(max(o.workLeft/n/2, 1), maxSweeps)
	for k, idle := 0, 0; k < sweeps && o.crossings > 0 && idle < 4; k++ {
		o.sweep(k%2 == 0)
		o.workLeft -= 2 * n
		o.out.Work += 2 * n
		idle++
		if now := o.count(); now < o.crossings {
			o.crossings, idle = now, 0
			best = o.copyRanks(best)
		}
	}
	o.setRanks(best)
}

// copyRanks copies the present order into to, where that is not nil.
func (o *ordering) copyRanks(to [][]int32) [][]int32 {
	if to == nil {
		to = make([][]int32, len(o.ranks))
	}
	for r := range o.ranks {
		to[r] = append(to[r][:0], o.ranks[r]...)
	}
	return to
}

// setRanks makes an order the present one.
func (o *ordering) setRanks(from [][]int32) {
	for r := range o.ranks {
		copy(o.ranks[r], from[r])
	}
	o.number()
}

// sweep orders each rank by the mean place of its vertices' neighbours in the rank before it (or
// behind it). Vertices without neighbours there keep their places.
func (o *ordering) sweep(forward bool) {
	for i := 1; i < len(o.ranks); i++ {
		r, side := i, before
		if !forward {
			r, side = len(o.ranks)-1-i, behind
		}
		rank := o.ranks[r]
		o.sort, o.place = o.sort[:0], o.place[:0]
		for at, v := range rank {
			x, sum := &o.vs[v], 0.0
			for _, t := range x.ties[side] {
				sum += float64(o.vs[t.to].pos) + t.share
			}
			if len(x.ties[side]) == 0 {
				continue
			}
			x.mean = sum / float64(len(x.ties[side]))
			o.sort, o.place = append(o.sort, v), append(o.place, int32(at))
		}
		slices.SortStableFunc(o.sort, func(a, b int32) int { return cmp.Compare(o.vs[a].mean, o.vs[b].mean) })
		for i, v := range o.sort {
			rank[o.place[i]] = v
		}
		for at, v := range rank {
			o.vs[v].pos = int32(at)
		}
	}
}

// count returns the number of crossings.
func (o *ordering) count() (n int) {
	for r := range o.byRank {
		n += o.countRank(o.byRank[r])
	}
	return n
}

// countRank counts the crossings of the links between two ranks: pairs in different order at the
// two ends.
func (o *ordering) countRank(ids []int32) (n int) {
	if len(ids) < 2 {
		return 0
	}
	atA := func(k *link) float64 { return float64(o.vs[k.a].pos) + k.fa*0.999 }
	atB := func(k *link) float64 { return float64(o.vs[k.b].pos) + k.fb*0.999 }
	slices.SortFunc(ids, func(i, j int32) int {
		a, b := &o.links[i], &o.links[j]
		return cmp.Or(cmp.Compare(atB(a), atB(b)), cmp.Compare(atA(a), atA(b)), cmp.Compare(i, j))
	})
	if cap(o.place) < len(o.links) {
		o.place = make([]int32, 0, len(o.links))
	}
	number := o.place[:len(o.links)] // by link: which height at the right end; equal heights are one
	last, height := int32(0), math.Inf(-1)
	for _, id := range ids {
		if y := atB(&o.links[id]); y > height {
			last, height = last+1, y
		}
		number[id] = last
	}
	slices.SortFunc(ids, func(i, j int32) int {
		a, b := &o.links[i], &o.links[j]
		return cmp.Or(cmp.Compare(atA(a), atA(b)), cmp.Compare(number[i], number[j]), cmp.Compare(i, j))
	})
	if cap(o.tree) < int(last)+1 {
		o.tree = make([]int32, 2*int(last)+1)
	}
	tree := o.tree[:last+1]
	clear(tree)
	seen := 0
	for i := 0; i < len(ids); {
		j := i
		for ; j < len(ids) && atA(&o.links[ids[j]]) == atA(&o.links[ids[i]]); j++ {
			below := 0
			for k := number[ids[j]]; k > 0; k -= k & -k {
				below += int(tree[k])
			}
			n += seen - below
		}
		for ; i < j; i++ {
			for k := number[ids[i]]; k <= last; k += k & -k {
				tree[k]++
			}
			seen++
		}
	}
	return n
}

// exchange swaps neighbours in a rank while that undoes crossings; if fresh, never two that were in
// the former layout.
func (o *ordering) exchange(fresh bool) {
	for round := 0; round < 8 && o.crossings > 0 && o.workLeft > 0; round++ {
		better := false
		for _, rank := range o.ranks {
			for i := 0; i+1 < len(rank) && o.workLeft > 0; i++ {
				v, w := rank[i], rank[i+1]
				if fresh && o.vs[v].old && o.vs[w].old {
					continue
				}
				now, then := o.between(v, w)
				if then < now {
					rank[i], rank[i+1] = w, v
					o.vs[v].pos, o.vs[w].pos = int32(i+1), int32(i)
					o.crossings -= now - then
					better = true
				}
			}
		}
		if !better {
			return
		}
	}
}

// between counts the crossings of the links of two neighbours v, w of a rank in this order and in
// the other one.
func (o *ordering) between(v, w int32) (now, then int) {
	x, y := &o.vs[v].ties, &o.vs[w].ties
	work := len(x[before])*len(y[before]) + len(x[behind])*len(y[behind])
	if work > o.workLeft {
		o.workLeft = 0
		return 0, 0
	}
	o.workLeft -= work + 2
	o.out.Work += work + 2
	at := func(t *tie) float64 { return float64(o.vs[t.to].pos) + t.share*0.999 }
	for side := range x {
		for i := range x[side] {
			for j := range y[side] {
				switch a, b := at(&x[side][i]), at(&y[side][j]); {
				case a > b:
					now++
				case a < b:
					then++
				}
			}
		}
	}
	return now, then
}
