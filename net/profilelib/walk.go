package profilelib

// maxDepth bounds the nesting of blocks; the store has room for 4,096 rows of a track.
const maxDepth = 4000

// treeWalk follows the links that the library leaks into its records, by which a tree is written: a
// node, then its children's trees, the newest first. It knows the depth of every record without a
// table. Where the links contradict the ids, something is missing or damaged; it then waits for the
// next sure beginning of a tree (FORMAT.md section 4).
type treeWalk struct {
	depth  int // of the next record; 0 is the begin of a tree
	lost   bool
	thread uint32
	ids    [maxDepth + 1]uint32
	more   [maxDepth + 1]bool // a sibling is to come
}

// stray is the depth of a record with an unknown place in its tree.
const stray = -1

// place returns the depth of the next record. broken reports that the tree before it, on w.thread, is
// incomplete.
func (w *treeWalk) place(id, parent, thread uint32, sibling, child uint16) (depth int, broken bool) {
	block := id >= FirstBlock
	d := w.depth
	if !w.lost {
		switch {
		case d == 0:
			w.lost = sibling != 0 || block && parent != 0
		case thread != w.thread || block && parent != w.ids[d-1]:
			w.lost, broken = true, true
		}
	}
	if w.lost {
		if !block || parent != 0 || sibling != 0 {
			return stray, broken
		}
		w.lost, d = false, 0
	}
	if d == 0 {
		w.thread = thread
	}
	w.ids[d], w.more[d] = id, sibling != 0
	depth = d
	if child != 0 {
		if d == maxDepth {
			w.lost = true
			return depth, broken
		}
		w.depth = d + 1
		return depth, broken
	}
	for d > 0 && !w.more[d] {
		d--
	}
	w.depth = d
	return depth, broken
}

// whole reports whether the walk is between two trees.
func (w *treeWalk) whole() bool { return w.depth == 0 || w.lost }

// lose notes a missing record. It returns whether that was within a tree.
func (w *treeWalk) lose() (within bool) {
	within = !w.lost && w.depth > 0
	w.lost, w.depth = true, 0
	return within
}
