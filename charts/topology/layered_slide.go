package topology

import (
	"cmp"
	"math"
	"slices"
)

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
