package topology

import (
	"cmp"
	"slices"
)

// layComponent gives the vertices of a connected part their places, from (0, 0).
func (lv *level) layComponent(c *component) {
	if len(c.vs) == 1 && len(c.arcs) == 0 {
		v := &lv.vs[c.vs[0]]
		c.w, c.h = v.w, v.h
		return
	}
	lv.cutCycles(c)
	ranks := lv.rank(c)
	lv.bend(c)
	o := newOrdering(lv, c, ranks)
	o.search()
	lv.place(c, o)
}

// cutCycles decides which arcs go back. A walk in depth, from vertices that nothing leads to, finds
// those that close a cycle; arcs into the left and out of the right ports of the frame go back in
// any case.
func (lv *level) cutCycles(c *component) {
	out := make(map[int32][]int32, len(c.vs))
	entered := make(map[int32]bool, len(c.vs))
	for _, i := range c.arcs {
		a := &lv.arcs[i]
		switch {
		case a.u == a.v, lv.vs[a.v].kind == vertexLeft, lv.vs[a.u].kind == vertexRight:
			a.back = true
		default:
			out[a.u] = append(out[a.u], i)
			entered[a.v] = true
		}
	}
	state := make(map[int32]uint8, len(c.vs)) // 1: on the way, 2: done
	type step struct {
		v    int32
		next int
	}
	var way []step
	walk := func(from int32) {
		if state[from] != 0 {
			return
		}
		state[from] = 1
		way = append(way[:0], step{v: from})
		for len(way) > 0 {
			s := &way[len(way)-1]
			if s.next == len(out[s.v]) {
				state[s.v] = 2
				way = way[:len(way)-1]
				continue
			}
			a := &lv.arcs[out[s.v][s.next]]
			s.next++
			switch state[a.v] {
			case 0:
				state[a.v] = 1
				way = append(way, step{v: a.v})
			case 1:
				a.back = true
			}
		}
	}
	for _, v := range c.vs {
		if !entered[v] {
			walk(v)
		}
	}
	for _, v := range c.vs {
		walk(v)
	}
}

// rank gives each vertex the smallest rank that is greater than those of its predecessors, and then
// draws vertices with more successors than predecessors near to these. It returns the number of
// ranks.
func (lv *level) rank(c *component) int32 {
	in := make(map[int32]int32, len(c.vs))
	out := make(map[int32][]int32, len(c.vs))
	pred := make(map[int32]int32, len(c.vs))
	for _, i := range c.arcs {
		if a := &lv.arcs[i]; !a.back {
			in[a.v]++
			pred[a.v]++
			out[a.u] = append(out[a.u], a.v)
		}
	}
	base, last := int32(0), int32(0)
	for _, v := range c.vs {
		if lv.vs[v].kind == vertexLeft {
			base = 1
		}
	}
	var order []int32
	for _, v := range c.vs {
		if lv.vs[v].kind != vertexLeft {
			lv.vs[v].rank = base
		}
		if in[v] == 0 {
			order = append(order, v)
		}
	}
	for k := 0; k < len(order); k++ {
		v := order[k]
		for _, w := range out[v] {
			lv.vs[w].rank = max(lv.vs[w].rank, lv.vs[v].rank+1)
			if in[w]--; in[w] == 0 {
				order = append(order, w)
			}
		}
		if lv.vs[v].kind == vertexNode {
			last = max(last, lv.vs[v].rank)
		}
	}
	for k := len(order) - 1; k >= 0; k-- {
		v := order[k]
		if lv.vs[v].kind != vertexNode || len(out[v]) == 0 || int32(len(out[v])) <= pred[v] {
			continue
		}
		to := int32(1 << 30)
		for _, w := range out[v] {
			if lv.vs[w].kind == vertexRight {
				continue
			}
			to = min(to, lv.vs[w].rank-1)
		}
		if to < 1<<30 {
			lv.vs[v].rank = max(lv.vs[v].rank, to)
		}
	}
	ranks := last + 1
	right := false
	for _, v := range c.vs {
		switch lv.vs[v].kind {
		case vertexRight:
			lv.vs[v].rank, right = ranks, true
		case vertexLeft:
			lv.vs[v].rank = 0
		}
	}
	if right {
		ranks++
	}
	return ranks
}

// bend puts a bend into every rank that an arc passes; into those of its ends, too, where it goes
// back. The longest arcs get none when there are too many.
func (lv *level) bend(c *component) {
	byLength := slices.Clone(c.arcs)
	need := func(i int32) int32 {
		a := &lv.arcs[i]
		u, v := &lv.vs[a.u], &lv.vs[a.v]
		if v.rank <= u.rank {
			a.back = true
			return u.rank - v.rank + 1
		}
		a.back = false // arcs between neighbours on a cycle may go forward after all
		return v.rank - u.rank - 1
	}
	slices.SortStableFunc(byLength, func(i, j int32) int { return cmp.Compare(need(i), need(j)) })
	for _, i := range byLength {
		a := &lv.arcs[i]
		n := need(i)
		if a.back && (!a.uRight || !a.vLeft) || lv.bendsOut+int(n) > maxBends {
			a.direct = true
			continue
		}
		lv.bendsOut += int(n)
		ru := lv.vs[a.u].rank
		var former []float32
		if lv.former != nil {
			if f := lv.former.bends[lv.partKey(a.edge, lv.id)]; len(f) == int(n) {
				former = f
			}
		}
		for k := range n {
			b := vertex{kind: vertexBend, near: -1, w: 1, h: 1, rank: ru + 1 + k}
			if a.back {
				b.rank = ru - k
				if k == 0 {
					b.near = a.u
				} else if k == n-1 {
					b.near = a.v
				}
			}
			if former != nil {
				b.seed, b.hasSeed = float64(former[k]), true
			}
			a.chain = append(a.chain, int32(len(lv.vs)))
			c.vs = append(c.vs, int32(len(lv.vs)))
			lv.vs = append(lv.vs, b)
		}
	}
}
