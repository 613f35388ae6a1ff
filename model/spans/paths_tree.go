package spans

import (
	"math"

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
// collector id (VIEWER.md section 10.2).
type Tree struct {
	Nodes []Node
	Ends  []int32 // of each node: the index behind its sub-tree
	Rows  int     // one more than the greatest depth
	Total int64   // sum over the outermost nodes

	// Visited is the work that the answer took: spans walked and list entries added. For tests and
	// the metrics panel.
	Visited int64

	sums  PathTotals
	kept  KeptPaths
	build builder

	beside []int32 // nodes with spans that are no calls, see PathKeeper.MarkBeside
	inside insides
}

// Begin empties the tree and returns its sums, to be filled. Its capacity is reused.
func (f *Tree) Begin(paths *PathTable) *PathTotals {
	f.reset()
	f.sums.Clear()
	f.sums.Grow(paths.Len())
	f.sums.Visited = 0
	return &f.sums
}

// reset takes the nodes away.
func (f *Tree) reset() {
	f.Nodes, f.Ends, f.beside, f.Rows, f.Total = f.Nodes[:0], f.Ends[:0], f.beside[:0], 0, 0
	f.build.phase, f.build.at, f.build.own = 0, 0, false
	f.inside.clear()
}

// Fill makes the tree of the runs that add gives to Kept, and of its other additions to the sums. add
// returns false if Kept.Add did, and is then called again.
func (f *Tree) Fill(paths *PathTable, add func(k *KeptPaths, sums *PathTotals) (ok bool)) {
	f.Sum(paths, add)
	f.Finish(paths)
}

// Sum is Fill without the nodes: Step makes them.
func (f *Tree) Sum(paths *PathTable, add func(k *KeptPaths, sums *PathTotals) (ok bool)) {
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
}

// Used returns how many paths have sums.
func (f *Tree) Used() int { return len(f.sums.Used) }

// Own notes that the sums are of each path alone: callers include their callees, too.
func (f *Tree) Own() { f.build.own = true }

// Finish makes the tree of the sums since Begin.
func (f *Tree) Finish(paths *PathTable) {
	f.build.whole = math.MaxInt64
	f.Step(paths, &f.build.whole)
}
