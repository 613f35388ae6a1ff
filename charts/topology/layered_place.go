package topology

import (
	"cmp"
	"math"
	"slices"

	"framescope/charts/format"
)

// place finds the heights of the vertices, then the places of the ranks.
//
// In each step the vertices of one rank are put where their links to the neighbouring ranks become
// straight, as near as their order and the distances between them allow: with z the height without
// the room that those above need, "in order and apart" is "z does not fall", and the nearest such z
// in the sense of least squares is found by pooling neighbours that want to change places (isotonic
// regression), in one pass. Least squares alone would make every edge a little oblique; so after
// some steps links count the more the less they climb, which minimizes the sum of the climbs
// instead of that of their squares: most edges are then straight, and a few climb all the more. The
// last step makes nearly straight edges exactly so, and slide then straightens those that need
// whole chains to move.
func (lv *level) place(c *component, o *ordering) {
	for _, rank := range o.ranks {
		y := 0.0
		for i, v := range rank {
			if i > 0 {
				y += lv.apart(rank[i-1], v)
			}
			lv.vs[v].y = y
			y += lv.vs[v].h
		}
		for _, v := range rank {
			lv.vs[v].y -= math.Floor(y / 2)
		}
	}
	var s settler
	rough, fine := 6, 14
	if len(o.links) > 20_000 {
		rough, fine = 2, 3
	}
	for k := range rough + fine {
		s.mode = format.Pick(k >= rough, settleStraight, settleEven)
		for r := len(o.ranks) - 1; r >= 0; r-- {
			s.straighten(lv, o.ranks[r])
		}
		for r := range o.ranks {
			s.straighten(lv, o.ranks[r])
		}
	}
	s.mode = settleSnap
	for r := range o.ranks {
		s.straighten(lv, o.ranks[r])
	}
	lv.slide(c, o)
	top := math.Inf(1)
	for _, v := range c.vs {
		top = min(top, lv.vs[v].y)
	}
	for _, v := range c.vs {
		x := &lv.vs[v]
		x.y = math.Floor(x.y - top + 0.5 + 1e-4)
		c.h = max(c.h, x.y+x.h)
	}
	lv.columns(c, o)
}

// columns places the ranks side by side, farther apart where an edge climbs far.
func (lv *level) columns(c *component, o *ordering) {
	x := 0.0
	for r, rank := range o.ranks {
		w := 0.0
		for _, v := range rank {
			w = max(w, lv.vs[v].w)
		}
		for _, v := range rank {
			d := &lv.vs[v]
			switch d.kind {
			case vertexBend:
				d.x, d.w = x, w // a bend is as wide as its rank
			case vertexRight:
				d.x = x + w - d.w
			case vertexLeft:
				d.x = x
			default:
				d.x = x + math.Floor((w-d.w)/2)
			}
		}
		x += w
		c.w = max(c.w, x)
		climb := 0.0
		for _, k := range o.byRank[r] {
			l := &o.links[k]
			climb = max(climb, math.Abs(lv.vs[l.a].y+l.ya-lv.vs[l.b].y-l.yb))
		}
		gap := float64(lv.opt.GapX)
		if len(rank) > 0 && lv.vs[rank[0]].kind == vertexLeft ||
			r+1 < len(o.ranks) && len(o.ranks[r+1]) > 0 && lv.vs[o.ranks[r+1][0]].kind == vertexRight {
			gap *= 0.5 // to a port of the frame
		}
		x += math.Ceil(gap + min(climb/8, 1.5*gap))
	}
}

// apart is the least distance between two neighbours in a rank.
func (lv *level) apart(v, w int32) float64 {
	a, b := lv.vs[v].kind, lv.vs[w].kind
	switch {
	case a == vertexBend && b == vertexBend:
		return float64(lv.opt.EdgeGap)
	case a == vertexBend || b == vertexBend || a != vertexNode && b != vertexNode:
		return math.Ceil(float64(lv.opt.EdgeGap+lv.opt.GapY) / 2)
	}
	return float64(lv.opt.GapY)
}

// settleMode is how much the links of a vertex count.
type settleMode uint8

const (
	settleEven     settleMode = iota // each by its weight
	settleStraight                   // the more the less it climbs
	settleSnap                       // only links from the rank before that climb next to nothing
)

// snapClimb is how much a link may climb to be made straight in the end.
const snapClimb = 4

// settler moves the vertices of ranks.
type settler struct {
	mode   settleMode
	offset []float64
	blocks []block
}

// block is a run of vertices that want to pass one another, and therefore stand as close as they
// may.
type block struct {
	sum, weight float64
	n           int
}

// straighten moves the vertices of a rank to where their links become straight.
func (s *settler) straighten(lv *level, rank []int32) {
	s.offset, s.blocks = s.offset[:0], s.blocks[:0]
	offset := 0.0
	for i, v := range rank {
		x := &lv.vs[v]
		if i > 0 {
			offset += lv.vs[rank[i-1]].h + lv.apart(rank[i-1], v)
		}
		s.offset = append(s.offset, offset)
		sum, weight := s.wish(lv, x)
		s.blocks = append(s.blocks, block{sum - offset*weight, weight, 1})
		for n := len(s.blocks); n > 1; n = len(s.blocks) {
			a, b := &s.blocks[n-2], &s.blocks[n-1]
			if a.sum*b.weight <= b.sum*a.weight {
				break
			}
			*a = block{a.sum + b.sum, a.weight + b.weight, a.n + b.n}
			s.blocks = s.blocks[:n-1]
		}
	}
	i := 0
	for _, b := range s.blocks {
		z := b.sum / b.weight
		for range b.n {
			lv.vs[rank[i]].y = z + s.offset[i]
			i++
		}
	}
}

// wish returns where a vertex wants to be, as a weighted sum of heights and the weight.
func (s *settler) wish(lv *level, x *vertex) (sum, weight float64) {
	add := func(y, w float64) {
		climb := math.Abs(y - x.y)
		switch s.mode {
		case settleStraight:
			w /= 1 + climb
		case settleSnap:
			if climb > snapClimb {
				return
			}
			w *= 1000
		}
		sum, weight = sum+y*w, weight+w
	}
	for side, ties := range x.ties {
		for _, t := range ties {
			if s.mode == settleSnap && (side == behind || weight > 0) {
				break // straight to one of several
			}
			add(lv.vs[t.to].y+t.yTo-t.yOwn, t.weight)
		}
	}
	if x.near >= 0 { // as near to the vertex that it turns around as the order allows
		n := &lv.vs[x.near]
		y := n.y - float64(lv.opt.GapY)
		if n.pos < x.pos {
			y = n.y + n.h + float64(lv.opt.GapY)
		}
		sum, weight = sum+y, weight+1
	}
	if weight == 0 {
		sum, weight = x.y*0.1, 0.1
	}
	return sum, weight
}

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

// The limits of slide.
const (
	maxSlides = 12
	level0    = 0.5 // a link that climbs less is straight
)

// misfit is how far a run of vertices would have to move for a link to be straight.
type misfit struct{ by, weight float64 }

// slide moves whole runs of vertices that are linked by straight links. One vertex of a run can't
// go anywhere without bending the run, so settle never moves it; but the run as a whole can, where
// its ranks have room, until one more of its links becomes straight and it grows. The sum of all
// climbs never becomes greater by it.
func (lv *level) slide(c *component, o *ordering) {
	if len(o.links) > 20_000 {
		return
	}
	climb := func(k *link) float64 { return lv.vs[k.b].y + k.yb - lv.vs[k.a].y - k.ya }
	for range maxSlides {
		lv.sets.alone(c.vs)
		for i := range o.links {
			if k := &o.links[i]; math.Abs(climb(k)) < level0 {
				lv.sets.join(k.a, k.b)
			}
		}
		members := make(map[int32][]int32, len(c.vs))
		var order []int32
		for _, v := range c.vs {
			r := lv.sets.find(v)
			if len(members[r]) == 0 {
				order = append(order, r)
			}
			members[r] = append(members[r], v)
		}
		moved := false
		for _, r := range order {
			if by := lv.slideBy(o, members[r], r); by != 0 {
				for _, v := range members[r] {
					lv.vs[v].y += by
				}
				moved = true
			}
		}
		if !moved {
			return
		}
	}
}

// slideBy returns how far a run moves: to where the sum of the climbs of its links is least, at the
// nearer end of such a range; as far as its neighbours allow.
func (lv *level) slideBy(o *ordering, vs []int32, r int32) float64 {
	up, down := math.Inf(1), math.Inf(1)
	var fits []misfit
	total := 0.0
	for _, v := range vs {
		x := &lv.vs[v]
		rank := o.ranks[x.rank]
		if i := int(x.pos); i > 0 && lv.sets.find(rank[i-1]) != r {
			w := rank[i-1]
			up = min(up, x.y-lv.vs[w].y-lv.vs[w].h-lv.apart(w, v))
		}
		if i := int(x.pos); i+1 < len(rank) && lv.sets.find(rank[i+1]) != r {
			w := rank[i+1]
			down = min(down, lv.vs[w].y-x.y-x.h-lv.apart(v, w))
		}
		for _, ties := range x.ties {
			for _, t := range ties {
				if lv.sets.find(t.to) != r {
					fits = append(fits, misfit{lv.vs[t.to].y + t.yTo - t.yOwn - x.y, t.weight})
					total += t.weight
				}
			}
		}
	}
	if len(fits) == 0 {
		return 0
	}
	slices.SortFunc(fits, func(a, b misfit) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.weight, b.weight)) })
	low, high, sum := fits[0].by, fits[len(fits)-1].by, 0.0
	for i := range fits { // the weighted medians
		sum += fits[i].weight
		if 2*sum >= total {
			low, high = fits[i].by, fits[i].by
			if 2*sum == total && i+1 < len(fits) {
				high = fits[i+1].by
			}
			break
		}
	}
	best, by := math.Inf(1), 0.0
	for _, want := range [2]float64{low, high} {
		if want >= -max(up, 0) && want <= max(down, 0) {
			if math.Abs(want) < best {
				best, by = math.Abs(want), want
			}
		}
	}
	if !math.IsInf(best, 1) {
		return by
	}
	// There is not room enough for any: as near as there is room, where that is better than here.
	switch {
	case low > 0 && down > level0:
		return math.Floor(down)
	case high < 0 && up > level0:
		return -math.Floor(up)
	}
	return 0
}
