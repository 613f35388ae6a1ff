// Lay lays out directed graphs in layers from left to right: nodes with ports at their sides, frames
// that hold other nodes and frames, edges as lines through the layers. It is pure geometry and knows
// neither windows nor the meaning of the graph.
//
// Each node has a rank, so that edges go to the right; an edge that passes ranks bends in each of them.
// The order in a rank follows the mean places of neighbours, and heights make edges level. Frames are
// laid out from the innermost out: a frame is then a node of a known size in the graph around it.

package topology

import (
	"math"
	"slices"
)

const (
	pad       = 18     // between a frame and its content
	maxNested = 64     // frames in one another; a node that is deeper is in none
	maxBends  = 30_000 // of all edges; further edges are drawn straight from end to end
	farPx     = 1 << 22
)

// Lay lays a graph out. former may be nil; else nodes and edges that it has, too, keep their order
// unless that costs more than a few crossings. The same input gives the same layout.
func Lay(g *Graph, opt Options, former *Layout) *Layout {
	n := len(g.Nodes)
	l := &layouter{
		g: g, opt: opt, former: former, bendsLeft: maxBends, placed: make([]placedNode, n),
		children: make([][]int32, n+1), depth: make([]int32, n+1), arcs: make([][]arc, n+1),
		routed: make([]routed, len(g.Edges)),
		out: &Layout{Boxes: make([]Box, n), Routes: make([][]Point, len(g.Edges)), nodeOf: make(map[int64]int32, n),
			bends: map[int64][]float32{}},
	}
	if former == nil {
		l.former = &Layout{}
	}
	l.nest()
	for e := range g.Edges {
		l.addArc(int32(e))
	}
	for _, id := range slices.Backward(l.order) {
		l.layLevel(id)
	}
	l.finish()
	return l.out
}

// layouter is a layout in the making. Level 0 is outside all frames, level i+1 the inside of node i.
type layouter struct {
	g         *Graph
	opt       Options
	former    *Layout
	out       *Layout
	placed    []placedNode
	children  [][]int32 // by level
	depth     []int32   // by level
	arcs      [][]arc   // by level
	order     []int32   // levels with something in them, the outermost first
	routed    []routed  // by edge
	bendsLeft int
}

// placedNode is a node in its frame.
type placedNode struct {
	parent     int32
	x, y, w, h float64      // from the corner of the content of the level
	padY       float64      // of a frame: from its top to its content
	ports      [2][]float64 // of a frame: heights from its top
}

// routed is an edge in its level: corners from the corner of the level's content.
type routed struct {
	known  bool // both ends are
	level  int32
	points []Point
	bends  []float64
}

// size returns a size that can be calculated with.
func size(v float32, least float64) float64 {
	if !(float64(v) >= least) {
		return least
	}
	return min(math.Ceil(float64(v)), farPx)
}

// nest finds what lies in which frame. A node in a ring of parents, or too deep, is in none.
func (l *layouter) nest() {
	for i := range l.g.Nodes {
		d, p := &l.g.Nodes[i], &l.placed[i]
		p.w, p.h = size(d.W, 1), size(d.H, 1)
		l.out.nodeOf[d.Key] = int32(i)
		depth := int32(1)
		for up := d.Parent; l.exists(up) && depth <= maxNested; up = l.g.Nodes[up].Parent {
			depth++
		}
		p.parent = d.Parent
		if depth > maxNested || !l.exists(p.parent) {
			depth, p.parent = 1, -1
		}
		l.depth[i+1] = depth
		l.children[p.parent+1] = append(l.children[p.parent+1], int32(i))
	}
	l.order = append(l.order, 0)
	for k := 0; k < len(l.order); k++ {
		for _, c := range l.children[l.order[k]] {
			if l.isFrame(c) {
				l.order = append(l.order, c+1)
			}
		}
	}
}

func (l *layouter) exists(node int32) bool { return node >= 0 && int(node) < len(l.g.Nodes) }

func (l *layouter) isFrame(node int32) bool { return len(l.children[node+1]) > 0 }

// addArc adds an edge to the innermost level that both its ends are in. Frames that only one is in stand
// for it there.
func (l *layouter) addArc(e int32) {
	edge := &l.g.Edges[e]
	if !l.exists(edge.From.Node) || !l.exists(edge.To.Node) {
		return
	}
	l.routed[e].known = true
	from, inFrom := l.levelOf(edge.From, edge.To.Node)
	to, inTo := l.levelOf(edge.To, edge.From.Node)
	for inFrom != inTo {
		if l.depth[inFrom] >= l.depth[inTo] {
			from = arcEnd{node: inFrom - 1, port: -1}
			inFrom = l.placed[from.node].parent + 1
		} else {
			to = arcEnd{node: inTo - 1, port: -1}
			inTo = l.placed[to.node].parent + 1
		}
	}
	if from.inner && from.port < 0 || to.inner && to.port < 0 {
		return // a frame without a certain port, and its content: straight from end to end
	}
	l.arcs[inFrom] = append(l.arcs[inFrom], arc{edge: e, from: from, to: to})
}

// levelOf returns the level of an end of an edge, and how it looks there.
func (l *layouter) levelOf(x End, other int32) (arcEnd, int32) {
	a := arcEnd{node: x.Node, port: x.Port, side: x.Side}
	if a.port < 0 || int(a.port) >= len(l.g.Nodes[x.Node].Ports[x.Side]) {
		a.port = -1
	}
	for p := l.placed[other].parent; p >= 0; p = l.placed[p].parent {
		if p == x.Node {
			a.inner = true
			return a, x.Node + 1
		}
	}
	return a, l.placed[x.Node].parent + 1
}

// portY returns the height of a port from the top of its node; the middle where there is none.
func (l *layouter) portY(node int32, side Side, port int32) float64 {
	p := &l.placed[node]
	if ports := p.ports[side]; l.isFrame(node) && port >= 0 && int(port) < len(ports) {
		return ports[port]
	}
	if ports := l.g.Nodes[node].Ports[side]; !l.isFrame(node) && port >= 0 && int(port) < len(ports) {
		if y := float64(ports[port].Y); y >= 0 && y <= p.h {
			return math.Round(y)
		}
	}
	return math.Round(p.h / 2)
}

// finish makes everything absolute, from the outermost frames in.
func (l *layouter) finish() {
	origin := make([]Point, len(l.g.Nodes)+1) // of the content of each level
	for _, level := range l.order {
		for _, c := range l.children[level] {
			p, b := &l.placed[c], &l.out.Boxes[c]
			b.X0, b.Y0 = origin[level].X+float32(p.x), origin[level].Y+float32(p.y)
			b.X1, b.Y1 = b.X0+float32(p.w), b.Y0+float32(p.h)
			origin[c+1] = Point{b.X0 + pad, b.Y0 + float32(p.padY)}
			for side, ports := range l.g.Nodes[c].Ports {
				for k := range ports {
					b.Ports[side] = append(b.Ports[side], b.Y0+float32(l.portY(c, Side(side), int32(k))))
				}
			}
		}
	}
	for e := range l.routed {
		if r := &l.routed[e]; r.known {
			l.join(e, r, origin[r.level])
		}
	}
}

// join makes the whole route of an edge, from its one end to its other.
func (l *layouter) join(e int, r *routed, o Point) {
	edge := &l.g.Edges[e]
	route := []Point{l.pointOf(edge.From)}
	for _, p := range r.points {
		route = lineTo(route, Point{p.X + o.X, p.Y + o.Y})
	}
	l.out.Routes[e] = lineTo(route, l.pointOf(edge.To))
	for _, y := range r.bends {
		l.out.bends[edge.Key] = append(l.out.bends[edge.Key], float32(y)+o.Y)
	}
}

// pointOf returns where an end is.
func (l *layouter) pointOf(x End) Point {
	b := &l.out.Boxes[x.Node]
	p := Point{b.X1, b.Y0 + float32(l.portY(x.Node, x.Side, x.Port))}
	if x.Side == Left {
		p.X = b.X0
	}
	return p
}

// lineTo adds a corner, or makes the level line before it longer.
func lineTo(route []Point, to Point) []Point {
	n := len(route)
	if route[n-1] == to {
		return route
	}
	if n > 1 && route[n-2].Y == to.Y && route[n-1].Y == to.Y && (route[n-1].X-route[n-2].X)*(to.X-route[n-1].X) > 0 {
		route[n-1] = to
		return route
	}
	return append(route, to)
}
