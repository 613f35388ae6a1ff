package spans

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// builder makes the nodes of a tree from its sums, in phases that each can stop anywhere. A place is
// that of a path in PathTotals.Used.
type builder struct {
	phase, at   int
	own         bool   // see Tree.Own
	fixed       uint64 // PathTable.fixed when the first phase began
	slot        []int32
	child, next []int32 // of each place: the first child's, the next sibling's, -1 none
	top         int32   // the first outermost
	walk        walker
	row         []int32 // siblings that are being sorted
	used        []model.PathID
	whole       int64 // work for users that wait for all of it
}

// walker is where the walk over the nodes is.
type walker struct {
	place         int32 // -1: at the end
	parent, depth int32
}

// The phases. Each returns true when it is over.
var phases = [...]func(f *Tree, rows []Row, work *int64) bool{
	(*Tree).addCallers, (*Tree).orderPaths, (*Tree).link, (*Tree).walk, (*Tree).sumUp, (*Tree).clearSums,
}

// Step continues with the nodes for about so much work, and returns true when the tree is complete. It
// reduces work to the rest, one being a few loads from memory. The store may change between steps.
func (f *Tree) Step(paths *PathTable, work *int64) bool {
	b := &f.build
	if b.phase < len(phases)-1 && b.at+b.phase > 0 && b.fixed != paths.fixed { // callers may be others now
		own := b.own
		f.reset()
		b.own = own
	}
	for b.phase < len(phases) {
		if b.phase == 0 && b.at == 0 {
			b.fixed = paths.fixed
			f.sums.Grow(paths.Len())
		}
		if *work <= 0 {
			return false
		}
		if !phases[b.phase](f, paths.rows, work) {
			return false
		}
		b.phase, b.at = b.phase+1, 0
	}
	return true
}

// upTo returns how far a loop to n gets that takes so much work each time, and takes it.
func (b *builder) upTo(n, each int, work *int64) int {
	to := n
	if most := *work / int64(each); most < int64(n-b.at) {
		to = b.at + int(most) + 1
	}
	*work -= int64(to-b.at) * int64(each)
	return to
}

// addCallers adds callers that have no spans in the range.
func (f *Tree) addCallers(rows []Row, work *int64) bool {
	b, sums := &f.build, &f.sums
	for b.at < len(sums.Used) { // the list grows
		for to := b.upTo(len(sums.Used), 1, work); b.at < to; b.at++ {
			if p := rows[sums.Used[b.at]].Parent; p != model.PathRoot && !sums.seen[p] {
				sums.Add(p, 0, 0)
			}
		}
		if *work <= 0 {
			return b.at == len(sums.Used)
		}
	}
	return true
}

// orderPaths orders the used paths, callers before callees, and leaves out the empty one: spans without a
// path are in no tree.
func (f *Tree) orderPaths(rows []Row, work *int64) bool {
	b, sums := &f.build, &f.sums
	if b.at == 0 && sums.seen[model.PathRoot] {
		sums.Sums[model.PathRoot], sums.seen[model.PathRoot] = PathTotal{}, false
		k := slices.Index(sums.Used, model.PathRoot)
		sums.Used = slices.Delete(sums.Used, k, k+1)
	}
	if b.at == 0 && len(sums.Used) < len(rows)/16 {
		*work -= int64(len(sums.Used)) * 4
		slices.Sort(sums.Used)
		return true
	}
	if b.at == 0 {
		b.used = columns.Sized(b.used, len(sums.Used))[:0]
	}
	for to := b.upTo(len(rows), 1, work); b.at < to; b.at++ {
		if sums.seen[b.at] {
			b.used = append(b.used, model.PathID(b.at))
		}
	}
	if b.at < len(rows) {
		return false
	}
	sums.Used, b.used = b.used, sums.Used
	return true
}

// link makes lists of siblings, ascending by path.
func (f *Tree) link(rows []Row, work *int64) bool {
	b, used := &f.build, f.sums.Used
	n := len(used)
	if b.at == 0 {
		b.slot = columns.Sized(b.slot, len(rows))
		b.child = columns.Sized(b.child, n)
		b.next = columns.Sized(b.next, n)
		b.top = -1
	}
	// Ascending: a caller has its place first. Then descending: each is put in front of its siblings.
	for to := b.upTo(2*n, 1, work); b.at < to; b.at++ {
		if b.at < n {
			b.slot[used[b.at]], b.child[b.at] = int32(b.at), -1
			continue
		}
		k := 2*n - 1 - b.at
		first := &b.top
		if parent := rows[used[k]].Parent; parent != model.PathRoot {
			first = &b.child[b.slot[parent]]
		}
		b.next[k] = *first
		*first = int32(k)
	}
	return b.at == 2*n
}

// arrange sorts a list of siblings by collector and returns its first.
func (f *Tree) arrange(rows []Row, first int32, work *int64) int32 {
	b, used := &f.build, f.sums.Used
	if first < 0 || b.next[first] < 0 {
		return first
	}
	b.row = b.row[:0]
	ordered, last := true, rows[used[first]].Collector
	for k := first; k >= 0; k = b.next[k] {
		c := rows[used[k]].Collector
		ordered, last = ordered && last <= c, c
		b.row = append(b.row, k)
	}
	if *work -= int64(len(b.row)); ordered {
		return first
	}
	*work -= int64(len(b.row)) * 4
	slices.SortFunc(b.row, func(x, y int32) int {
		if d := cmp.Compare(rows[used[x]].Collector, rows[used[y]].Collector); d != 0 {
			return d
		}
		return cmp.Compare(x, y)
	})
	for i, k := range b.row[1:] {
		b.next[b.row[i]] = k
	}
	b.next[b.row[len(b.row)-1]] = -1
	return b.row[0]
}

// walk appends the nodes depth first.
func (f *Tree) walk(rows []Row, work *int64) bool {
	const each = 4
	b, sums, w := &f.build, &f.sums, &f.build.walk
	if b.at == 0 {
		b.at = 1
		n := len(sums.Used)
		f.Nodes, f.Ends = columns.Sized(f.Nodes, n)[:0], columns.Sized(f.Ends, n)
		*w = walker{place: f.arrange(rows, b.top, work), parent: -1}
		f.Rows = min(n, 1)
	}
	for w.place >= 0 && *work > 0 {
		*work -= each
		k := w.place
		p := sums.Used[k]
		t := sums.Sums[p]
		if rows[p].beside {
			f.beside = append(f.beside, int32(len(f.Nodes)))
		}
		f.Nodes = append(f.Nodes, Node{
			Path: p, Collector: rows[p].Collector, Parent: w.parent, Depth: w.depth, Total: t.Ns, Count: t.Count,
		})
		if first := f.arrange(rows, b.child[k], work); first >= 0 {
			w.parent, w.depth, w.place = int32(len(f.Nodes)-1), w.depth+1, first
			f.Rows = max(f.Rows, int(w.depth)+1)
			continue
		}
		for w.place = b.next[k]; w.place < 0 && w.parent >= 0; w.place = b.next[k] {
			*work -= 1
			k = b.slot[f.Nodes[w.parent].Path]
			w.parent, w.depth = f.Nodes[w.parent].Parent, w.depth-1
		}
	}
	return w.place < 0
}

// sumUp turns the nodes' own values into values with and without callees.
func (f *Tree) sumUp(_ []Row, work *int64) bool {
	b, n := &f.build, len(f.Nodes)
	for to := b.upTo(2*n, 1, work); b.at < to; b.at++ {
		if b.at < n {
			f.Ends[b.at] = int32(b.at + 1)
			continue
		}
		i := 2*n - 1 - b.at
		node := &f.Nodes[i]
		if b.own { // Self holds the callees' sum until its turn
			node.Total, node.Self = node.Total+node.Self, node.Total
		} else {
			node.Total = max(node.Total, node.Self)
			node.Self = node.Total - node.Self
		}
		if node.Parent < 0 {
			f.Total += node.Total
			continue
		}
		up := &f.Nodes[node.Parent]
		up.Self += node.Total
		if b.own {
			up.Count += node.Count
		}
		f.Ends[node.Parent] = max(f.Ends[node.Parent], f.Ends[i])
	}
	return b.at == 2*n
}

// clearSums empties the sums.
func (f *Tree) clearSums(_ []Row, work *int64) bool {
	b, sums := &f.build, &f.sums
	f.Visited = sums.Visited
	for to := b.upTo(len(sums.Used), 1, work); b.at < to; b.at++ {
		p := sums.Used[b.at]
		sums.Sums[p], sums.seen[p] = PathTotal{}, false
	}
	if b.at < len(sums.Used) {
		return false
	}
	sums.Used = sums.Used[:0]
	return true
}
