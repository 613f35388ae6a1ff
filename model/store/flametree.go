package store

import (
	"cmp"
	"slices"

	"framescope/model"
)

// FlameNode is one call path in a flame tree.
type FlameNode struct {
	Path      model.PathID
	Collector model.CollectorID
	Parent    int32 // index of the parent node, -1 for the outermost
	Depth     int32
	Total     int64 // ns inside, callees included
	Self      int64 // ns inside, callees excluded
	Count     int64 // spans
}

// FlameTree is the dynamic call tree of a range. Nodes are in depth-first order, siblings in ascending collector id (pstats-viewer section 10.2).
type FlameTree struct {
	Nodes  []FlameNode
	Total  int64 // sum over the outermost nodes
	Frames int64 // received frames that begin in the range, for averages: of several tracks, the most that one of them has

	// Visited is the work that the answer took: spans walked and list entries added. For tests and the metrics panel.
	Visited int64

	sums        pathTotals
	slot        []int32 // of each path: its place in sums.used
	child, next []int32 // of each place: the first child's, the next sibling's, -1 none

	within []insideAt          // by collector, for Inside
	open   []model.CollectorID // callers of the node that Inside is at, the outermost first
}

// FlameTree fills out with the call tree of [t0, t1) over the given tracks; spans are cut at the range's edges and count once for each range that they
// touch. out's capacity is reused. Cost: O(call paths · log n) plus the two edge blocks of each lane.
//
// A caller without spans of its own in the range (its frame was lost) gets the time of its callees, so that callees never exceed their caller.
func (s *Session) FlameTree(tracks []model.TrackID, t0, t1 int64, out *FlameTree) {
	out.Nodes, out.Total, out.Frames = out.Nodes[:0], 0, 0
	sums := &out.sums
	sums.grow(len(s.paths.rows))
	sums.visited = 0
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	for k, id := range tracks {
		t := s.Track(id)
		if t == nil || slices.Contains(tracks[:k], id) || t0 >= t1 {
			continue
		}
		out.Frames = max(out.Frames, t.frames.at(t1-1)-t.frames.at(t0-1))
		for _, l := range t.lanes {
			if l != nil && l.n > l.first {
				l.addTime(t0, t1, sums)
			}
		}
	}
	out.build(s.paths.rows)
	out.Visited = sums.visited
	sums.clear()
}

// build makes the nodes from the sums.
func (f *FlameTree) build(rows []pathRow) {
	sums := &f.sums
	if sums.seen[model.PathRoot] { // spans without a path are on no tree
		k := slices.Index(sums.used, model.PathRoot)
		sums.used = slices.Delete(sums.used, k, k+1)
		sums.sums[model.PathRoot], sums.seen[model.PathRoot] = pathTotal{}, false
	}
	for k := 0; k < len(sums.used); k++ { // the list grows by callers that have no spans in the range
		if p := rows[sums.used[k]].parent; p != model.PathRoot {
			sums.add(p, 0, 0)
		}
	}
	slices.SortFunc(sums.used, func(a, b model.PathID) int {
		if d := cmp.Compare(rows[b].collector, rows[a].collector); d != 0 {
			return d
		}
		return cmp.Compare(b, a)
	})
	n := len(sums.used)
	f.slot = slices.Grow(f.slot[:0], len(rows))[:len(rows)]
	f.child = slices.Grow(f.child[:0], n)[:n]
	f.next = slices.Grow(f.next[:0], n)[:n]
	for k, p := range sums.used {
		f.slot[p] = int32(k)
		f.child[k] = -1
	}
	top := int32(-1)
	for k, p := range sums.used { // descending: each put in front of its siblings
		first := &top
		if parent := rows[p].parent; parent != model.PathRoot {
			first = &f.child[f.slot[parent]]
		}
		f.next[k] = *first
		*first = int32(k)
	}
	f.walk(rows, top)
	for i := len(f.Nodes) - 1; i >= 0; i-- { // Self holds the callees' sum until its turn
		node := &f.Nodes[i]
		node.Total = max(node.Total, node.Self)
		node.Self = node.Total - node.Self
		if node.Parent >= 0 {
			f.Nodes[node.Parent].Self += node.Total
		} else {
			f.Total += node.Total
		}
	}
}

// walk appends the nodes depth first.
func (f *FlameTree) walk(rows []pathRow, k int32) {
	parent, depth := int32(-1), int32(0)
	for k >= 0 {
		p := f.sums.used[k]
		t := f.sums.sums[p]
		f.Nodes = append(f.Nodes, FlameNode{Path: p, Collector: rows[p].collector, Parent: parent, Depth: depth, Total: t.ns, Count: t.count})
		if f.child[k] >= 0 {
			parent, depth, k = int32(len(f.Nodes)-1), depth+1, f.child[k]
			continue
		}
		for f.next[k] < 0 {
			if parent < 0 {
				return
			}
			k = f.slot[f.Nodes[parent].Path]
			parent, depth = f.Nodes[parent].Parent, depth-1
		}
		k = f.next[k]
	}
}
