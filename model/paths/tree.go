package paths

import (
	"cmp"
	"slices"

	"framescope/model"
)

// Node is one call path in a flame tree.
type Node struct {
	Path      model.PathID
	Collector model.CollectorID
	Parent    int32 // index of the parent node, -1 for the outermost
	Depth     int32
	Total     int64 // ns inside, callees included
	Self      int64 // ns inside, callees excluded
	Count     int64 // spans
}

// Tree is the dynamic call tree of a range. Nodes are in depth-first order, siblings in ascending
// collector id (pstats-viewer section 10.2).
type Tree struct {
	Nodes []Node
	Total int64 // sum over the outermost nodes

	// Visited is the work that the answer took: spans walked and list entries added. For tests and
	// the metrics panel.
	Visited int64

	sums        Totals
	kept        Kept
	slot        []int32 // of each path: its place in sums.used
	child, next []int32 // of each place: the first child's, the next sibling's, -1 none

	beside []int32             // nodes whose spans are no calls, see Keeper.MarkBeside
	within []insideAt          // by collector, for Inside
	open   []model.CollectorID // callers of the node that Inside is at, the outermost first
}

// Begin empties the tree and returns what it is summed with. Its capacity is reused.
func (f *Tree) Begin(paths *Table) *Totals {
	f.Nodes, f.beside, f.Total = f.Nodes[:0], f.beside[:0], 0
	f.sums.Grow(paths.Len())
	f.sums.Visited = 0
	return &f.sums
}

// Fill makes the tree of runs that add gives to Kept, and of what else it adds to the sums. add returns
// false where Kept.Add did, and is then called again.
func (f *Tree) Fill(paths *Table, add func(k *Kept, sums *Totals) (ok bool)) {
	sums := f.Begin(paths)
	f.kept.begin(paths.Len())
	if !add(&f.kept, sums) || !f.kept.addTo(sums) {
		sums.Clear()
		sums.Visited = 0
		f.kept.Forget()
		f.kept.begin(paths.Len())
		add(&f.kept, sums)
		f.kept.addTo(sums)
	}
	f.Finish(paths)
}

// Finish makes the tree of what was summed since Begin.
func (f *Tree) Finish(paths *Table) {
	f.build(paths.rows)
	f.Visited = f.sums.Visited
	f.sums.Clear()
}

// build makes the nodes from the sums.
func (f *Tree) build(rows []Row) {
	sums := &f.sums
	if sums.seen[model.PathRoot] { // spans without a path are on no tree
		k := slices.Index(sums.Used, model.PathRoot)
		sums.Used = slices.Delete(sums.Used, k, k+1)
		sums.Sums[model.PathRoot], sums.seen[model.PathRoot] = Total{}, false
	}
	for k := 0; k < len(sums.Used); k++ { // the list grows by callers that have no spans in the range
		if p := rows[sums.Used[k]].Parent; p != model.PathRoot {
			sums.Add(p, 0, 0)
		}
	}
	slices.SortFunc(sums.Used, func(a, b model.PathID) int {
		if d := cmp.Compare(rows[b].Collector, rows[a].Collector); d != 0 {
			return d
		}
		return cmp.Compare(b, a)
	})
	n := len(sums.Used)
	f.slot = slices.Grow(f.slot[:0], len(rows))[:len(rows)]
	f.child = slices.Grow(f.child[:0], n)[:n]
	f.next = slices.Grow(f.next[:0], n)[:n]
	for k, p := range sums.Used {
		f.slot[p] = int32(k)
		f.child[k] = -1
	}
	top := int32(-1)
	for k, p := range sums.Used { // descending: each put in front of its siblings
		first := &top
		if parent := rows[p].Parent; parent != model.PathRoot {
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
func (f *Tree) walk(rows []Row, k int32) {
	parent, depth := int32(-1), int32(0)
	for k >= 0 {
		p := f.sums.Used[k]
		t := f.sums.Sums[p]
		if rows[p].beside {
			f.beside = append(f.beside, int32(len(f.Nodes)))
		}
		f.Nodes = append(f.Nodes, Node{
			Path: p, Collector: rows[p].Collector, Parent: parent, Depth: depth, Total: t.Ns, Count: t.Count,
		})
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
