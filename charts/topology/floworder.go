package topology

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/store"
)

// flowOrder returns the objects' places in the order in which they become nodes: that of definition,
// which links then override. Without links, nothing else orders them: then first the sources of
// things on their way, last their targets, and in between the objects by their first thing; equals
// by name.
func flowOrder(g *topologyGraph, s *store.Session) []int {
	objects := s.Topology().Objects()
	order := make([]int, len(objects))
	for i := range order {
		order[i] = i
	}
	if len(s.Topology().Links()) > 0 {
		return order
	}
	type place struct {
		rank  int
		first int64 // ns, when it had the first
	}
	const between = 1
	places := make([]place, len(objects))
	for i := range places {
		places[i] = place{between, math.MaxInt64}
	}
	at := func(id model.ObjectID) *place {
		if id = g.owner(s, id); id == model.NoObject {
			return &place{}
		}
		return &places[id]
	}
	for id := range model.SeriesID(s.Series().Len()) {
		x := s.Series().ByID(id)
		if x.Def.Object == model.NoObject {
			continue
		}
		if x.Def.Role == model.RoleLatency && x.Def.Peer != model.NoObject && g.owner(s, x.Def.Peer) != g.owner(s, x.Def.Object) {
			at(x.Def.Object).rank--
			at(x.Def.Peer).rank++
		}
		if begin, _, ok := x.Bounds(); ok {
			p := at(x.Def.Object)
			p.first = min(p.first, begin)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		p, q := &places[a], &places[b]
		sign := func(rank int) int { return min(max(rank-between, -1), 1) }
		return cmp.Or(cmp.Compare(sign(p.rank), sign(q.rank)), cmp.Compare(p.first, q.first), cmp.Compare(objects[a].Name, objects[b].Name))
	})
	return order
}
