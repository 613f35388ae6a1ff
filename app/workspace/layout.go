package workspace

import (
	"framescope/charts/draw"
)

// Node is one cell of the tiled layout: a pane, or a row or column of cells. The tree is complete
// at all times: panes that float keep their cell, which then takes no room, so that docking them
// again brings them back to where they were.
type Node struct {
	Column   bool      `json:"column,omitempty"` // children below each other instead of side by side
	Weights  []float64 `json:"weights,omitempty"`
	Children []*Node   `json:"children,omitempty"`
	Pane     string    `json:"pane,omitempty"`
	// Auto: the outer columns have never been dragged; their widths follow the window's, within limits
	// (see autoColumns).
	Auto bool `json:"auto,omitempty"`
}

// splitter is the draggable gap between two neighbours of a row or column.
type splitter struct {
	rect          draw.Rect
	of            *Node
	before, after int     // indices of the two children
	pxPerWeight   float32 // how far one unit of weight reaches
	column        bool
}

// cellState says how much room a pane's cell takes.
type cellState uint8

const (
	cellOpen   cellState = iota
	cellFolded           // its title row only
	cellGone             // floats or is closed
)

// tiling is the outcome of laying a tree out in a rectangle.
type tiling struct {
	rects     map[string]draw.Rect
	splitters []splitter
}

// tile lays the tree out in rect. gapPx is the room between neighbours, titlePx the height of a
// folded pane; state tells what each pane's cell takes. Sizes are whole pixels and fill rect
// exactly.
func tile(n *Node, rect draw.Rect, gapPx, titlePx float32, state func(pane string) cellState) *tiling {
	t := &tiling{rects: map[string]draw.Rect{}}
	t.lay(n, rect, gapPx, titlePx, state)
	return t
}

// nodeState is cellGone when nothing below n takes room, and cellFolded when all that does is
// folded.
func nodeState(n *Node, state func(string) cellState) cellState {
	if n.Pane != "" {
		return state(n.Pane)
	}
	best := cellGone
	for _, c := range n.Children {
		best = min(best, nodeState(c, state))
	}
	return best
}

// foldedHeight is the height that a subtree takes when everything in it is folded.
func foldedHeight(n *Node, gapPx, titlePx float32, state func(string) cellState) float32 {
	if n.Pane != "" {
		return titlePx
	}
	var sum, most float32
	for _, c := range n.Children {
		if nodeState(c, state) == cellGone {
			continue
		}
		h := foldedHeight(c, gapPx, titlePx, state)
		if sum > 0 {
			sum += gapPx
		}
		sum += h
		most = max(most, h)
	}
	if n.Column {
		return sum
	}
	return most
}

func (t *tiling) lay(n *Node, rect draw.Rect, gapPx, titlePx float32, state func(string) cellState) {
	if n.Pane != "" {
		if s := state(n.Pane); s != cellGone {
			if s == cellFolded {
				rect.Y1 = min(rect.Y1, rect.Y0+titlePx)
			}
			t.rects[n.Pane] = rect
		}
		return
	}
	if n.Column {
		t.share(n, rect, gapPx, titlePx, state, func(s cellState) bool { return s != cellGone })
		return
	}
	// The titles of what is folded in a row lie above its neighbours, which get all of its room.
	var high float32
	open := false
	for _, c := range n.Children {
		switch nodeState(c, state) {
		case cellFolded:
			high = max(high, foldedHeight(c, gapPx, titlePx, state))
		case cellOpen:
			open = true
		}
	}
	if !open {
		t.share(n, rect, gapPx, titlePx, state, func(s cellState) bool { return s == cellFolded })
		return
	}
	if high > 0 {
		titles := rect
		titles.Y1 = min(rect.Y1, rect.Y0+high)
		t.share(n, titles, gapPx, titlePx, state, func(s cellState) bool { return s == cellFolded })
		rect.Y0 = min(rect.Y1, titles.Y1+gapPx)
	}
	t.share(n, rect, gapPx, titlePx, state, func(s cellState) bool { return s == cellOpen })
}

// share divides rect among those children of a row or column whose state is wanted. Folded children
// of a column take their title rows; the others share what is left by weight.
func (t *tiling) share(
	n *Node, rect draw.Rect, gapPx, titlePx float32, state func(string) cellState, wanted func(cellState) bool,
) {
	start, end := rect.X0, rect.X1
	if n.Column {
		start, end = rect.Y0, rect.Y1
	}
	var weights float64
	room := end - start
	shown := 0
	fixed := make([]float32, len(n.Children))
	for i, c := range n.Children {
		switch s := nodeState(c, state); {
		case !wanted(s):
			fixed[i] = -1
			continue
		case s == cellFolded && n.Column:
			fixed[i] = foldedHeight(c, gapPx, titlePx, state)
			room -= fixed[i]
		default:
			weights += n.weight(i)
		}
		shown++
	}
	if shown == 0 {
		return
	}
	room -= gapPx * float32(shown-1)
	pos, last, acc := start, -1, 0.0
	var used float32
	for i, c := range n.Children {
		if fixed[i] < 0 {
			continue
		}
		size := fixed[i]
		if size == 0 {
			acc += n.weight(i)
			upto := float32(int32(float64(room)*acc/weights + 0.5))
			size = max(0, upto-used)
			used += size
		}
		if last >= 0 {
			s := splitter{of: n, before: last, after: i, column: n.Column}
			s.pxPerWeight = room / float32(max(weights, 1e-9))
			if n.Column {
				s.rect = draw.Rect{X0: rect.X0, Y0: pos, X1: rect.X1, Y1: pos + gapPx}
			} else {
				s.rect = draw.Rect{X0: pos, Y0: rect.Y0, X1: pos + gapPx, Y1: rect.Y1}
			}
			// Nothing can be taken from or given to a folded neighbour.
			if fixed[i] == 0 && fixed[last] == 0 && nodeState(c, state) == cellOpen {
				t.splitters = append(t.splitters, s)
			}
			pos += gapPx
		}
		r := rect
		if n.Column {
			r.Y0, r.Y1 = pos, pos+size
		} else {
			r.X0, r.X1 = pos, pos+size
		}
		t.lay(c, r, gapPx, titlePx, state)
		pos += size
		last = i
	}
}

func (n *Node) weight(i int) float64 {
	if i < len(n.Weights) && n.Weights[i] > 0 {
		return n.Weights[i]
	}
	return 1
}

// along returns the coordinate along which a splitter is dragged.
func (s *splitter) along(x, y float32) float32 {
	if s.column {
		return y
	}
	return x
}

// drag moves a splitter by px pixels; neither neighbour gets smaller than minPx.
func (s *splitter) drag(px, minPx float32) {
	s.of.Auto = false
	for len(s.of.Weights) < len(s.of.Children) {
		s.of.Weights = append(s.of.Weights, 1)
	}
	a, b := s.of.weight(s.before), s.of.weight(s.after)
	d := float64(px / s.pxPerWeight)
	least := float64(minPx / s.pxPerWeight)
	sum := a + b
	if sum < 2*least {
		return
	}
	a = min(max(a+d, least), sum-least)
	s.of.Weights[s.before], s.of.Weights[s.after] = a, sum-a
}

// valid tells whether the tree names every pane of want exactly once and nothing else, with sane
// weights: a settings file is not trusted.
func (n *Node) valid(want []string) bool {
	seen := map[string]int{}
	ok := true
	count := 0
	var walk func(n *Node, depth int)
	walk = func(n *Node, depth int) {
		count++
		if n == nil || depth > 8 || count > 200 || (n.Pane != "") == (len(n.Children) > 0) {
			ok = false
			return
		}
		for _, w := range n.Weights {
			if !(w > 0 && w < 1e6) {
				ok = false
			}
		}
		if n.Pane != "" {
			seen[n.Pane]++
		}
		for _, c := range n.Children {
			walk(c, depth+1)
		}
	}
	walk(n, 0)
	if !ok || len(seen) != len(want) {
		return false
	}
	for _, w := range want {
		if seen[w] != 1 {
			return false
		}
	}
	return true
}

// panes appends the panes of the tree in its order.
func (n *Node) panes(to []string) []string {
	if n.Pane != "" {
		return append(to, n.Pane)
	}
	for _, c := range n.Children {
		to = c.panes(to)
	}
	return to
}

// autoColumns gives the side columns of an untouched layout a share of the window, but not more
// than lists need: on a large screen the middle gets the room. width is in pixels at scale 1.
func (n *Node) autoColumns(width float64) {
	if !n.Auto || len(n.Weights) != 3 || !(width > 0) {
		return
	}
	const left, right, most = 0.188, 0.19, 330
	n.Weights[0], n.Weights[2] = min(left, most/width), min(right, most/width)
	n.Weights[1] = 1 - n.Weights[0] - n.Weights[2]
}
