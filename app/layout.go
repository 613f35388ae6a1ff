package app

import (
	"framescope/charts/draw"
)

// node is one cell of the tiled layout: a pane, or a row or column of cells. The tree is complete at all times: panes that float or are shown nowhere keep
// their cell, which then takes no room, so that docking them again brings them back to where they were.
type node struct {
	Column   bool      `json:"column,omitempty"` // children below each other instead of side by side
	Weights  []float64 `json:"weights,omitempty"`
	Children []*node   `json:"children,omitempty"`
	Pane     string    `json:"pane,omitempty"`
	// Auto: the outer columns have never been dragged; their widths follow the window's, within limits (see autoColumns).
	Auto bool `json:"auto,omitempty"`
}

// splitter is the draggable gap between two neighbours of a row or column.
type splitter struct {
	rect          draw.Rect
	of            *node
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

// tile lays the tree out in rect. gapPx is the room between neighbours, titlePx the height of a folded pane; state tells what each pane's cell takes.
// Sizes are whole pixels and fill rect exactly.
func tile(n *node, rect draw.Rect, gapPx, titlePx float32, state func(pane string) cellState) *tiling {
	t := &tiling{rects: map[string]draw.Rect{}}
	t.lay(n, rect, gapPx, titlePx, state)
	return t
}

// nodeState is cellGone when nothing below n takes room, cellFolded when n is a folded pane or, in a column, when everything below is.
func nodeState(n *node, state func(string) cellState) cellState {
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
func foldedHeight(n *node, gapPx, titlePx float32, state func(string) cellState) float32 {
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

func (t *tiling) lay(n *node, rect draw.Rect, gapPx, titlePx float32, state func(string) cellState) {
	if n.Pane != "" {
		if s := state(n.Pane); s != cellGone {
			if s == cellFolded {
				rect.Y1 = min(rect.Y1, rect.Y0+titlePx)
			}
			t.rects[n.Pane] = rect
		}
		return
	}
	// Folded children of a column take their title row; the rest shares what is left by weight.
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
		case s == cellGone:
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
			s := splitter{of: n, before: last, after: i, column: n.Column, pxPerWeight: room / float32(max(weights, 1e-9))}
			if n.Column {
				s.rect = draw.Rect{X0: rect.X0, Y0: pos, X1: rect.X1, Y1: pos + gapPx}
			} else {
				s.rect = draw.Rect{X0: pos, Y0: rect.Y0, X1: pos + gapPx, Y1: rect.Y1}
			}
			// Nothing can be taken from or given to a folded neighbour.
			if fixed[i] == 0 && fixed[last] == 0 {
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

func (n *node) weight(i int) float64 {
	if i < len(n.Weights) && n.Weights[i] > 0 {
		return n.Weights[i]
	}
	return 1
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

// valid tells whether the tree names every pane of want exactly once and nothing else, with sane weights: a settings file is not trusted.
func (n *node) valid(want []string) bool {
	seen := map[string]int{}
	ok := true
	count := 0
	var walk func(n *node, depth int)
	walk = func(n *node, depth int) {
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

// The panes of the default layout. A pane holds one or more panels as tabs.
const (
	paneSessions   = "sessions"
	paneThreads    = "threads"
	paneCollectors = "collectors"
	paneTimeline   = "timeline"
	paneFlame      = "flame"
	paneStrip      = "strip"
	paneDetails    = "details"
	paneReceived   = "received"
	paneSpikes     = "spikes"
)

// dockedPanes lists the panes that have a place in the tree.
func dockedPanes() []string {
	return []string{paneSessions, paneThreads, paneCollectors, paneTimeline, paneFlame, paneStrip, paneDetails, paneReceived, paneSpikes}
}

// autoColumns gives the side columns of an untouched layout a share of the window, but not more than lists need: on a large screen the middle gets the room. width is in pixels at
// scale 1.
func (n *node) autoColumns(width float64) {
	if !n.Auto || len(n.Weights) != 3 || !(width > 0) {
		return
	}
	const left, right, most = 0.188, 0.19, 330
	n.Weights[0], n.Weights[2] = min(left, most/width), min(right, most/width)
	n.Weights[1] = 1 - n.Weights[0] - n.Weights[2]
}

// defaultLayout is the arrangement of a first start.
func defaultLayout() *node {
	leaf := func(p string) *node { return &node{Pane: p} }
	return &node{
		Auto:    true,
		Weights: []float64{0.188, 0.622, 0.19},
		Children: []*node{
			{Column: true, Weights: []float64{0.20, 0.22, 0.58}, Children: []*node{leaf(paneSessions), leaf(paneThreads), leaf(paneCollectors)}},
			{Column: true, Weights: []float64{0.48, 0.52}, Children: []*node{
				leaf(paneTimeline),
				{Weights: []float64{0.53, 0.47}, Children: []*node{leaf(paneFlame), leaf(paneStrip)}},
			}},
			{Column: true, Weights: []float64{0.46, 0.27, 0.27}, Children: []*node{leaf(paneDetails), leaf(paneReceived), leaf(paneSpikes)}},
		},
	}
}
