package topology

import (
	"math"

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
