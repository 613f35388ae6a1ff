package spans

import (
	"cmp"
	"math/bits"
	"slices"

	"framescope/model"
)

// PathTile is the time of call paths in each of some frames in a row: call trees of up to 64 frames at
// once, for readers of all frames of a session. Lanes fill it lane by lane, so that spans are read
// in the order in which they lie. Its memory is reused.
type PathTile struct {
	Frames []model.Stretch
	Frame  int // the present one, which Add adds to
	// Visited is how many spans were added. For tests.
	Visited int64

	// The added times, by row, row 0 for paths without room: the path, a bit for each frame in which
	// it occurs, and from row·Stride on its ns in each frame.
	Paths  []model.PathID
	Masks  []uint64
	Ns     []int64
	Stride int
	At     []int32 // of each path: its row, 0 none

	most  int     // rows; 0 any number
	full  bool    // they were too few
	below []int64 // like Ns: for the callees
	order []int32 // rows, the innermost first

	recursive []bool // of each path, see PathTable.Recursive
	rev       uint64 // of the table then
}

// TileFrames is how many frames a tile has at most: as many as a mask has bits.
const TileFrames = 64

// tileCells bounds the values of tiles of more than one frame.
const tileCells = 1 << 18

// Begin empties the tile for its Frames, at least one.
func (y *PathTile) Begin(paths *PathTable) {
	for _, p := range y.Paths {
		y.At[p] = 0
	}
	if more := paths.Len() - len(y.At); more > 0 {
		y.At = append(y.At, make([]int32, more)...)
	}
	if y.recursive == nil || y.rev != paths.rev {
		y.recursive, y.rev = paths.Recursive(), paths.rev
	}
	n := len(y.Frames)
	y.Stride, y.most, y.full = n, tileCells/n, false
	if n == 1 {
		y.most = 0
	}
	y.Paths, y.Masks, y.Ns, y.order = y.Paths[:0], y.Masks[:0], y.Ns[:0], y.order[:0]
	y.push(model.PathRoot)
}

// Row returns the row of a path that has none yet.
func (y *PathTile) Row(p model.PathID) int32 {
	if y.most > 0 && len(y.Paths) >= y.most {
		y.full = true
		return 0
	}
	y.At[p] = int32(len(y.Paths))
	y.push(p)
	return y.At[p]
}

func (y *PathTile) push(p model.PathID) {
	y.Paths, y.Masks = append(y.Paths, p), append(y.Masks, 0)
	n := len(y.Ns)
	y.Ns = slices.Grow(y.Ns, y.Stride)[:n+y.Stride]
	clear(y.Ns[n:])
}

// Add adds ns to a path in the present frame. It does not count the spans.
func (y *PathTile) Add(p model.PathID, ns, _ int64) {
	k := y.At[p]
	if k == 0 {
		k = y.Row(p)
	}
	y.Masks[k] |= 1 << y.Frame
	y.Ns[int(k)*y.Stride+y.Frame] += ns
}

// Finish makes trees of the added times: callers that did not occur themselves get a row, and a
// caller is no shorter than its callees, as in Tree. ok is false if there were more paths than a
// tile of so many frames has room for.
func (y *PathTile) Finish(paths *PathTable) (ok bool) {
	for k := 1; k < len(y.Paths); k++ { // the list grows
		if up := paths.rows[y.Paths[k]].Parent; up != model.PathRoot && y.At[up] == 0 {
			y.Row(up)
		}
	}
	if y.full {
		return false
	}
	for k := 1; k < len(y.Paths); k++ {
		y.order = append(y.order, int32(k))
	}
	// callers have lesser ids
	slices.SortFunc(y.order, func(a, b int32) int { return cmp.Compare(y.Paths[b], y.Paths[a]) })
	y.below = slices.Grow(y.below[:0], len(y.Ns))[:len(y.Ns)]
	clear(y.below)
	for _, k := range y.order {
		up := y.At[paths.rows[y.Paths[k]].Parent] // 0, which is never read, for the outermost
		mask := y.Masks[k]
		y.Masks[up] |= mask
		own, below, above := y.row(y.Ns, k), y.row(y.below, k), y.row(y.below, up)
		for ; mask != 0; mask &= mask - 1 {
			f := bits.TrailingZeros64(mask)
			own[f] = max(own[f], below[f])
			above[f] += own[f]
		}
	}
	return true
}

func (y *PathTile) row(of []int64, k int32) []int64 {
	return of[int(k)*y.Stride : (int(k)+1)*y.Stride]
}

// Each calls f with each path of a finished tile unless its collector is among its callers: the
// collector, a bit for each frame in which the path or a callee occurs, and its total time in each.
func (y *PathTile) Each(paths *PathTable, f func(c model.CollectorID, mask uint64, ns []int64)) {
	for _, k := range y.order {
		if p := y.Paths[k]; !y.recursive[p] {
			f(paths.rows[p].Collector, y.Masks[k], y.row(y.Ns, k))
		}
	}
}

// Recursive reports for each call path whether its collector is among its callers too: the time of
// such a path is part of that of another one of the same collector. Cost: O(paths).
func (t *PathTable) Recursive() []bool {
	n := len(t.rows)
	child, next := make([]int32, n), make([]int32, n) // of each path: the first child's, the next sibling's, 0 none
	for p := n - 1; p > 0; p-- {
		up := t.rows[p].Parent
		next[p], child[up] = child[up], int32(p)
	}
	inner := make([]bool, n)
	var running []int32 // by collector: of the present path and its callers
	count := func(p int32, by int32) int32 {
		c := t.rows[p].Collector
		if c < 0 {
			return 0
		}
		for int(c) >= len(running) {
			running = append(running, 0)
		}
		running[c] += by
		return running[c]
	}
	for p := child[0]; p > 0; {
		inner[p] = count(p, 1) > 1
		if child[p] > 0 {
			p = child[p]
			continue
		}
		for count(p, -1); p > 0 && next[p] == 0; count(p, -1) {
			p = int32(t.rows[p].Parent)
		}
		p = next[p]
	}
	return inner
}
