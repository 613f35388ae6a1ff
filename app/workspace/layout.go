package workspace

import (
	"math"
	"slices"

	"framescope/charts/draw"
)

// Node is one cell of the tiled layout: a pane, or a row or column of cells. Panes that float or
// have nothing to show keep their cell, which then takes no room.
type Node struct {
	Column   bool      `json:"column,omitempty"` // children below each other instead of side by side
	Weights  []float64 `json:"weights,omitempty"`
	Children []*Node   `json:"children,omitempty"`
	// Pane is the name of the pane that the cell is for, Tabs the panels in it, in their order.
	Pane string   `json:"pane,omitempty"`
	Tabs []string `json:"tabs,omitempty"`
	// Side makes the pane one of sections beside the charts: Left or Right. Size is its width at scale
	// 1 as the user dragged it; 0: the side's default.
	Side string  `json:"side,omitempty"`
	Size float64 `json:"size,omitempty"`
	// Half: of a column the first child has at least half of the window, until the user drags the border
	// below it.
	Half bool `json:"half,omitempty"`
	// grown is the pane below that the user wants to see, where there is room for title rows only;
	// empty: none. It is not saved: with enough room there is no such request.
	grown string
}

// The sides.
const (
	Left  = "left"
	Right = "right"
)

// splitter is the draggable gap between two neighbours of a row or column.
type splitter struct {
	rect          draw.Rect
	of            *Node
	before, after int     // indices of the two children
	side          *Node   // the neighbour with a width of its own, nil: both go by weights
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
	width     func(*Node) float32 // of sides, in physical pixels
}

// tile lays the tree out in rect. gapPx is the room between neighbours, titlePx the height of a folded
// pane; state returns the size state of each pane's cell, width the width of a side. Sizes are whole
// pixels and fill rect exactly.
func tile(
	n *Node, rect draw.Rect, gapPx, titlePx float32, state func(pane string) cellState, width func(*Node) float32,
) *tiling {
	t := &tiling{rects: map[string]draw.Rect{}, width: width}
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
	// The titles of folded cells in a row lie above their neighbours, which get all of their room.
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

// share divides rect among the children of a row or column with a wanted state. Folded children of a
// column take their title rows; the others share the rest by weight.
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
		case c.Side != "" && !n.Column:
			fixed[i] = min(t.width(c), end-start)
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
			s := splitter{of: n, before: last, after: i, column: n.Column, pxPerWeight: room / float32(max(weights, 1e-9))}
			for _, k := range [...]int{last, i} {
				if n.Children[k].Side != "" && fixed[k] > 0 {
					s.side = n.Children[k]
				}
			}
			if n.Column {
				s.rect = draw.Rect{X0: rect.X0, Y0: pos, X1: rect.X1, Y1: pos + gapPx}
			} else {
				s.rect = draw.Rect{X0: pos, Y0: rect.Y0, X1: pos + gapPx, Y1: rect.Y1}
			}
			// Nothing can be taken from or given to a folded neighbour.
			if s.side != nil || fixed[i] == 0 && fixed[last] == 0 && nodeState(c, state) == cellOpen {
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

// The bounds of a side's width at scale 1.
const (
	leastSide = 140
	mostSide  = 640
)

// drag moves a splitter by px pixels, at a scale; neither neighbour gets smaller than minPx. width is
// how wide the side has been.
func (s *splitter) drag(px, minPx, scale, width float32) {
	if s.side != nil {
		if s.of.Children[s.after] == s.side {
			px = -px
		}
		s.side.Size = min(max(float64((width+px)/scale), leastSide), mostSide)
		return
	}
	s.of.Half = false
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

// leaf returns the cell of a pane, or nil.
func (n *Node) leaf(pane string) *Node {
	if n.Pane == pane {
		return n
	}
	for _, c := range n.Children {
		if l := c.leaf(pane); l != nil {
			return l
		}
	}
	return nil
}

// leaves calls f with the cells of panes in the order of the tree.
func (n *Node) leaves(f func(*Node)) {
	if n.Pane != "" {
		f(n)
		return
	}
	for _, c := range n.Children {
		c.leaves(f)
	}
}

// clone returns a copy that shares nothing.
func (n *Node) clone() *Node {
	c := *n
	c.Weights, c.Tabs = slices.Clone(n.Weights), slices.Clone(n.Tabs)
	c.Children = nil
	for _, k := range n.Children {
		c.Children = append(c.Children, k.clone())
	}
	return &c
}

// prune removes the cells of panes without tabs, and rows and columns of one cell.
func (n *Node) prune() {
	for i := 0; i < len(n.Children); {
		c := n.Children[i]
		c.prune()
		if c.Pane == "" && len(c.Children) == 1 {
			*c = *c.Children[0]
		}
		if c.Pane != "" && len(c.Tabs) > 0 || len(c.Children) > 0 {
			i++
			continue
		}
		n.weigh()
		n.Children = slices.Delete(n.Children, i, i+1)
		n.Weights = slices.Delete(n.Weights, i, i+1)
	}
}

// weigh gives each child a weight.
func (n *Node) weigh() {
	for len(n.Weights) < len(n.Children) {
		n.Weights = append(n.Weights, 1)
	}
	n.Weights = n.Weights[:len(n.Children)]
}

// shareHalf sets the weights of columns that give their first child at least half of the window. window
// is the area of the whole window, rect that of the panes, in physical pixels; width is the width of
// sides as they take room.
func (n *Node) shareHalf(
	window float32, rect draw.Rect, gapPx, titlePx, scale float32, sides float32, state func(string) cellState,
) {
	for _, c := range n.Children {
		c.shareHalf(window, rect, gapPx, titlePx, scale, sides, state)
	}
	if !n.Half || len(n.Children) != 2 || rect.H() <= 0 || rect.W() <= sides {
		return
	}
	lower := lowerHeight(window, rect.H()-gapPx, rect.W()-sides, titlePx, scale)
	if lower > titlePx {
		n.grown = ""
	}
	if n.grown != "" {
		n.Weights = []float64{0.5, 0.5}
		return
	}
	if lower <= titlePx {
		lower = n.Children[1].leastHeight(gapPx, titlePx, state)
	}
	n.Weights = []float64{float64(rect.H() - gapPx - lower), float64(lower)}
}

// leastHeight is the height of a cell with title rows only, whether its panes are folded or lack room:
// in a row, folded cells lie above the others.
func (n *Node) leastHeight(gapPx, titlePx float32, state func(string) cellState) (px float32) {
	if n.Pane != "" {
		return titlePx
	}
	var most [cellGone]float32 // of a row, of the open cells and of the folded ones
	for _, c := range n.Children {
		s := nodeState(c, state)
		if s == cellGone {
			continue
		}
		h := c.leastHeight(gapPx, titlePx, state)
		if n.Column && px > 0 {
			px += gapPx
		}
		if n.Column {
			px += h
		} else {
			most[s] = max(most[s], h)
		}
	}
	if most[cellOpen] > 0 && most[cellFolded] > 0 {
		px = gapPx
	}
	return px + most[cellOpen] + most[cellFolded]
}

// lowerHeight returns the height of the area below the timeline that leaves the timeline half of the
// window: of height pixels in all, where it is width wide. If that leaves no useful room, the timeline
// gives some away, up to two fifths of the window; if that is not enough either, only the title row
// remains.
func lowerHeight(window, height, width, titlePx, scale float32) float32 {
	const useful, small = 88, 136 // pixels at scale 1
	left := func(share float32) float32 { return height - float32(math.Ceil(float64(window*share/width))) }
	h := min(left(0.5), height*0.28)
	if h < useful*scale {
		h = min(left(0.4), small*scale)
	}
	if h < useful*scale {
		return titlePx
	}
	return float32(int(h))
}
