// Package layout owns how the panes of a workspace lie: the tree of cells, the sizes that it gives them in a
// window, the workspaces that the program brings along, and what a file of settings keeps of them. It knows
// panels by name only.
package layout

import (
	"math"
	"slices"
	"strconv"

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
	// Fit: what the cells of a column can't use goes to the others, until the user drags a border of it.
	Fit bool `json:"fit,omitempty"`
	// grown is the pane below that the user wants to see, where there is room for title rows only;
	// empty: none. It is not saved: with enough room there is no such request.
	Grown string `json:"-"`
}

// The sides.
const (
	Left  = "left"
	Right = "right"
)

// Splitter is the draggable gap between two neighbours of a row or column.
type Splitter struct {
	Rect          draw.Rect
	of            *Node
	weights       []float64 // that all children have at present
	before, after int       // indices of the two children
	Side          *Node     // the neighbour with a width of its own, nil: both go by weights
	pxPerWeight   float32   // how far one unit of weight reaches
	Column        bool
}

// State says how much room a pane's cell takes.
type State uint8

const (
	Open   State = iota
	Folded       // its title row only
	Gone         // floats or is closed
)

// Tiling is the outcome of laying a tree out in a rectangle.
type Tiling struct {
	Rects     map[string]draw.Rect
	Splitters []Splitter
	room      Room
}

// Room is what panes ask for.
type Room struct {
	State  func(pane string) State   // how much room its cell takes
	Width  func(side *Node) float32  // of a side, in physical pixels
	Useful func(pane string) float32 // the height that it can use, in physical pixels; 0: any
}

// Tile lays the tree out in rect. gapPx is the room between neighbours, titlePx the height of a folded
// pane. Sizes are whole pixels and fill rect exactly.
func Tile(n *Node, rect draw.Rect, gapPx, titlePx float32, room Room) *Tiling {
	t := &Tiling{Rects: map[string]draw.Rect{}, room: room}
	t.lay(n, rect, gapPx, titlePx, room.State)
	return t
}

// stateOf is Gone when nothing below n takes room, and Folded when all that does is
// folded.
func stateOf(n *Node, state func(string) State) State {
	if n.Pane != "" {
		return state(n.Pane)
	}
	best := Gone
	for _, c := range n.Children {
		best = min(best, stateOf(c, state))
	}
	return best
}

// foldedHeight is the height that a subtree takes when everything in it is folded.
func foldedHeight(n *Node, gapPx, titlePx float32, state func(string) State) float32 {
	if n.Pane != "" {
		return titlePx
	}
	var sum, most float32
	for _, c := range n.Children {
		if stateOf(c, state) == Gone {
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

func (t *Tiling) lay(n *Node, rect draw.Rect, gapPx, titlePx float32, state func(string) State) {
	if n.Pane != "" {
		if s := state(n.Pane); s != Gone {
			if s == Folded {
				rect.Y1 = min(rect.Y1, rect.Y0+titlePx)
			}
			t.Rects[n.Pane] = rect
		}
		return
	}
	if n.Column {
		t.share(n, rect, gapPx, titlePx, state, func(s State) bool { return s != Gone })
		return
	}
	// The titles of folded cells in a row lie above their neighbours, which get all of their room.
	var high float32
	open := false
	for _, c := range n.Children {
		switch stateOf(c, state) {
		case Folded:
			high = max(high, foldedHeight(c, gapPx, titlePx, state))
		case Open:
			open = true
		}
	}
	if !open {
		t.share(n, rect, gapPx, titlePx, state, func(s State) bool { return s == Folded })
		return
	}
	if high > 0 {
		titles := rect
		titles.Y1 = min(rect.Y1, rect.Y0+high)
		t.share(n, titles, gapPx, titlePx, state, func(s State) bool { return s == Folded })
		rect.Y0 = min(rect.Y1, titles.Y1+gapPx)
	}
	t.share(n, rect, gapPx, titlePx, state, func(s State) bool { return s == Open })
}

// share divides rect among the children of a row or column with a wanted state. Folded children of a
// column take their title rows; the others share the rest by weight.
func (t *Tiling) share(
	n *Node, rect draw.Rect, gapPx, titlePx float32, state func(string) State, wanted func(State) bool,
) {
	start, end := rect.X0, rect.X1
	if n.Column {
		start, end = rect.Y0, rect.Y1
	}
	room := end - start
	shown := 0
	fixed := make([]float32, len(n.Children))
	for i, c := range n.Children {
		switch s := stateOf(c, state); {
		case !wanted(s):
			fixed[i] = -1
			continue
		case s == Folded && n.Column:
			fixed[i] = foldedHeight(c, gapPx, titlePx, state)
			room -= fixed[i]
		case c.Side != "" && !n.Column:
			fixed[i] = min(t.room.Width(c), end-start)
			room -= fixed[i]
		}
		shown++
	}
	if shown == 0 {
		return
	}
	room -= gapPx * float32(shown-1)
	share := t.weights(n, room, fixed, gapPx)
	var weights float64
	for i := range share {
		if fixed[i] == 0 {
			weights += share[i]
		}
	}
	pos, last, acc := start, -1, 0.0
	var used float32
	for i, c := range n.Children {
		if fixed[i] < 0 {
			continue
		}
		size := fixed[i]
		if size == 0 {
			acc += share[i]
			upto := float32(int32(float64(room)*acc/weights + 0.5))
			size = max(0, upto-used)
			used += size
		}
		if last >= 0 {
			s := Splitter{of: n, weights: share, before: last, after: i, Column: n.Column}
			s.pxPerWeight = room / float32(max(weights, 1e-9))
			for _, k := range [...]int{last, i} {
				if n.Children[k].Side != "" && fixed[k] > 0 {
					s.Side = n.Children[k]
				}
			}
			if n.Column {
				s.Rect = draw.Rect{X0: rect.X0, Y0: pos, X1: rect.X1, Y1: pos + gapPx}
			} else {
				s.Rect = draw.Rect{X0: pos, Y0: rect.Y0, X1: pos + gapPx, Y1: rect.Y1}
			}
			// Nothing can be taken from or given to a folded neighbour.
			if s.Side != nil || fixed[i] == 0 && fixed[last] == 0 && stateOf(c, state) == Open {
				t.Splitters = append(t.Splitters, s)
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

// weights returns the weights by which the cells without a fixed size share room pixels: their own, or in a
// column whose cells give away what they can't use, their heights.
func (t *Tiling) weights(n *Node, room float32, fixed []float32, gapPx float32) []float64 {
	own := make([]float64, len(n.Children))
	for i := range own {
		own[i] = n.weight(i)
	}
	if !n.Column || !n.Fit || t.room.Useful == nil {
		return own
	}
	out := make([]float64, len(own)) // heights; 0: not known yet
	rest := float64(room)
	for again := true; again; {
		again = false
		sum := 0.0
		for i := range own {
			if fixed[i] == 0 && out[i] == 0 {
				sum += own[i]
			}
		}
		if sum == 0 { // nobody can use the rest
			return own
		}
		for i, c := range n.Children {
			if fixed[i] != 0 || out[i] > 0 {
				continue
			}
			if h := float64(t.useful(c, gapPx)); h > 0 && h < rest*own[i]/sum {
				out[i], again = h, true
				rest -= h
				break
			}
		}
		if !again {
			for i := range own {
				if fixed[i] == 0 && out[i] == 0 {
					out[i] = rest * own[i] / sum
				}
			}
		}
	}
	return out
}

// useful returns the height that a cell can use, 0: any.
func (t *Tiling) useful(n *Node, gapPx float32) (px float32) {
	if n.Pane != "" {
		return t.room.Useful(n.Pane)
	}
	for _, c := range n.Children {
		if stateOf(c, t.room.State) == Gone {
			continue
		}
		h := t.useful(c, gapPx)
		switch {
		case h == 0:
			return 0
		case !n.Column:
			px = max(px, h)
		case px > 0:
			px += gapPx + h
		default:
			px = h
		}
	}
	return px
}

func (n *Node) weight(i int) float64 {
	if i < len(n.Weights) && n.Weights[i] > 0 {
		return n.Weights[i]
	}
	return 1
}

// Along returns the coordinate along which a splitter is dragged.
func (s *Splitter) Along(x, y float32) float32 {
	if s.Column {
		return y
	}
	return x
}

// The bounds of a side's width at scale 1.
const (
	leastSide = 140
	mostSide  = 640
)

// Drag moves a splitter by px pixels, at a scale; neither neighbour gets smaller than minPx. width is
// how wide the side has been.
func (s *Splitter) Drag(px, minPx, scale, width float32) {
	if s.Side != nil {
		if s.of.Children[s.after] == s.Side {
			px = -px
		}
		s.Side.Size = min(max(float64((width+px)/scale), leastSide), mostSide)
		return
	}
	if s.of.Half || s.of.Fit { // from here on as they lie
		s.of.Half, s.of.Fit, s.of.Weights = false, false, slices.Clone(s.weights)
	}
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

// Leaf returns the cell of a pane, or nil.
func (n *Node) Leaf(pane string) *Node {
	if n.Pane == pane {
		return n
	}
	for _, c := range n.Children {
		if l := c.Leaf(pane); l != nil {
			return l
		}
	}
	return nil
}

// Leaves calls f with the cells of panes in the order of the tree.
func (n *Node) Leaves(f func(*Node)) {
	if n.Pane != "" {
		f(n)
		return
	}
	for _, c := range n.Children {
		c.Leaves(f)
	}
}

// Clone returns a copy that shares nothing.
func (n *Node) Clone() *Node {
	c := *n
	c.Weights, c.Tabs = slices.Clone(n.Weights), slices.Clone(n.Tabs)
	c.Children = nil
	for _, k := range n.Children {
		c.Children = append(c.Children, k.Clone())
	}
	return &c
}

// Prune removes the cells of panes without tabs, and rows and columns of one cell.
func (n *Node) Prune() {
	for i := 0; i < len(n.Children); {
		c := n.Children[i]
		c.Prune()
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

// ShareHalf sets the weights of columns that give their first child at least half of the window. window
// is the area of the whole window, rect that of the panes, in physical pixels; width is the width of
// sides as they take room.
func (n *Node) ShareHalf(
	window float32, rect draw.Rect, gapPx, titlePx, scale float32, sides float32, state func(string) State,
) {
	for _, c := range n.Children {
		c.ShareHalf(window, rect, gapPx, titlePx, scale, sides, state)
	}
	if !n.Half || len(n.Children) != 2 || rect.H() <= 0 || rect.W() <= sides {
		return
	}
	lower := lowerHeight(window, rect.H()-gapPx, rect.W()-sides, titlePx, scale)
	if lower > titlePx {
		n.Grown = ""
	}
	if n.Grown != "" {
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
func (n *Node) leastHeight(gapPx, titlePx float32, state func(string) State) (px float32) {
	if n.Pane != "" {
		return titlePx
	}
	var most [Gone]float32 // of a row, of the open cells and of the folded ones
	for _, c := range n.Children {
		s := stateOf(c, state)
		if s == Gone {
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
	if most[Open] > 0 && most[Folded] > 0 {
		px = gapPx
	}
	return px + most[Open] + most[Folded]
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

// HalfAbove returns the cell with at least half of the window for its first child, and the pane below
// that; nil: there is none.
func (n *Node) HalfAbove(pane string) *Node {
	if n.Half && len(n.Children) == 2 && n.Children[1].Leaf(pane) != nil {
		return n
	}
	for _, c := range n.Children {
		if h := c.HalfAbove(pane); h != nil {
			return h
		}
	}
	return nil
}

// FreeName returns a name that no pane of the tree has.
func (n *Node) FreeName() string {
	for i := 1; ; i++ {
		if name := "pane " + strconv.Itoa(i); n.Leaf(name) == nil {
			return name
		}
	}
}
