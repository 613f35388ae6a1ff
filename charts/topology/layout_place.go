package topology

import (
	"cmp"
	"math"
	"slices"
)

// place finds the heights of the vertices, one connected part below the other, then the places of the ranks.
func (lv *level) place() {
	for _, ranks := range lv.parts() {
		for _, rank := range ranks {
			y := 0.0
			for i, v := range rank {
				y += lv.apart(rank, i)
				lv.vs[v].y = y
				y += lv.vs[v].h
			}
		}
		const passes = 6
		for range passes {
			for _, rank := range slices.Backward(ranks) {
				lv.settle(rank, behind)
			}
			for _, rank := range ranks {
				lv.settle(rank, before)
			}
		}
		lv.stack(ranks)
	}
	back := 0
	for i := range lv.arcs {
		if a := &lv.arcs[i]; lv.vs[a.u].rank >= lv.vs[a.v].rank {
			back++
		}
	}
	lv.linked = lv.h
	lv.h += float64(lv.opt.EdgeGap) * float64(min(back, lanes))
	lv.columns()
}

// parts returns the ranks of each connected part.
func (lv *level) parts() (parts [][][]int32) {
	part := make([]int, len(lv.vs)) // from 1
	var flood func(v int32)
	flood = func(v int32) {
		part[v] = len(parts)
		for _, ties := range lv.vs[v].ties {
			for _, t := range ties {
				if part[t.to] == 0 {
					flood(t.to)
				}
			}
		}
	}
	for r, rank := range lv.ranks {
		for _, v := range rank {
			if part[v] == 0 {
				parts = append(parts, nil)
				flood(v)
			}
			p := &parts[part[v]-1]
			for len(*p) <= r {
				*p = append(*p, nil)
			}
			(*p)[r] = append((*p)[r], v)
		}
	}
	return parts
}

// stack moves a part below those before it.
func (lv *level) stack(ranks [][]int32) {
	all := slices.Concat(ranks...)
	top := math.Inf(1)
	for _, v := range all {
		top = min(top, lv.vs[v].y)
	}
	if lv.h > 0 {
		top -= lv.h + math.Floor(float64(lv.opt.GapY)*1.5)
	}
	for _, v := range all {
		x := &lv.vs[v]
		x.y -= top
		lv.h = max(lv.h, x.y+x.h)
	}
}

// columns places the ranks side by side, farther apart where an edge climbs far.
func (lv *level) columns() {
	x, gap := 0.0, float64(lv.opt.GapX)
	for _, rank := range lv.ranks {
		w, climb, room := 0.0, 0.0, gap
		for _, v := range rank {
			d := &lv.vs[v]
			w = max(w, d.w)
			for _, t := range d.ties[behind] {
				climb = max(climb, math.Abs(d.y+t.yOwn-lv.vs[t.to].y-t.yTo))
				if d.kind == vertexLeft || lv.vs[t.to].kind == vertexRight {
					room = gap / 2
				}
			}
		}
		for _, v := range rank {
			d := &lv.vs[v]
			switch d.kind {
			case vertexLeft:
				d.x = x
			case vertexRight:
				d.x = x + w - d.w
			default:
				d.x = x + math.Floor((w-d.w)/2)
			}
		}
		lv.left, lv.right = append(lv.left, x), append(lv.right, x+w)
		lv.w = max(lv.w, x+w)
		x += w + math.Ceil(room+min(climb/8, 1.5*room))
	}
}

// apart is the least distance between a vertex of a rank and the one above it.
func (lv *level) apart(rank []int32, i int) float64 {
	if i == 0 {
		return 0
	}
	a, b := lv.vs[rank[i-1]].kind, lv.vs[rank[i]].kind
	switch {
	case a == vertexBend && b == vertexBend:
		return float64(lv.opt.EdgeGap)
	case a == vertexBend || b == vertexBend:
		return math.Ceil(float64(lv.opt.EdgeGap+lv.opt.GapY) / 2)
	}
	return float64(lv.opt.GapY)
}

// wish is where a link would be level, less the room that the vertices above need.
type wish struct{ y, weight float64 }

// run is vertices of a rank that want to pass one another, and therefore stand as close as they may.
type run struct {
	wishes []wish
	n      int
}

// settle moves the vertices of a rank to where their links to the rank at one side become level, as near
// as their order and the distances between them allow. Of wishes that do not go together the middle one
// counts: most edges are then level, and a few climb all the more.
func (lv *level) settle(rank []int32, side int) {
	var runs []run
	offsets := make([]float64, len(rank))
	for i, v := range rank {
		x := &lv.vs[v]
		if i > 0 {
			offsets[i] = offsets[i-1] + lv.vs[rank[i-1]].h + lv.apart(rank, i)
		}
		r := run{n: 1}
		for _, t := range x.ties[side] {
			r.wishes = append(r.wishes, wish{lv.vs[t.to].y + t.yTo - t.yOwn - offsets[i], t.weight})
		}
		if len(r.wishes) == 0 {
			r.wishes = append(r.wishes, wish{x.y - offsets[i], 0.1})
		}
		runs = append(runs, r.join(run{}))
		for n := len(runs); n > 1 && runs[n-2].middle() > runs[n-1].middle(); n = len(runs) {
			runs[n-2] = runs[n-2].join(runs[n-1])
			runs = runs[:n-1]
		}
	}
	i := 0
	for _, r := range runs {
		y := r.middle()
		for range r.n {
			lv.vs[rank[i]].y = y + offsets[i]
			i++
		}
	}
}

// join returns two runs as one, with sorted wishes. Of very many every second one stays.
func (r run) join(s run) run {
	const most = 200
	all := append(r.wishes, s.wishes...)
	slices.SortFunc(all, func(a, b wish) int { return cmp.Compare(a.y, b.y) })
	if len(all) > most {
		for i := range len(all) / 2 {
			all[i] = wish{all[2*i].y, all[2*i].weight + all[2*i+1].weight}
		}
		all = all[:len(all)/2]
	}
	return run{all, r.n + s.n}
}

// middle returns the weighted median of the wishes.
func (r run) middle() float64 {
	total, sum := 0.0, 0.0
	for _, w := range r.wishes {
		total += w.weight
	}
	for _, w := range r.wishes {
		if sum += w.weight; 2*sum >= total {
			return w.y
		}
	}
	return 0
}
