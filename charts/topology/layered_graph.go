// Lay lays out directed graphs in layers from left to right: nodes with ports at their sides, frames
// that hold other nodes and frames, edges as smooth curves. It is pure geometry and knows neither
// windows nor the meaning of the graph.
//
// The method is Sugiyama's: cut cycles, give each node a rank so that edges go to the right, put bends
// where an edge passes ranks, order each rank so that few edges cross, and find heights that make edges
// straight. Frames are laid out from the innermost out: a frame is then a node of a known size in the
// graph around it, and an edge that crosses its border goes through a port there. Compared with one
// global ranking over all levels this costs some alignment between the insides of two frames, but keeps
// every frame a compact rectangle that nothing foreign crosses, and its cost is that of its parts.
//
// Existing pure-Go libraries either need a script engine or have no frames and ports, and none keeps the
// order of a former layout.

package topology

import (
	"math"
	"slices"

	"framescope/charts/format"
)

// Point is a place in the layout, in the units of the sizes that were given; y goes down.
type Point struct{ X, Y float32 }

// Port is a place at the side of a node where edges end.
type Port struct {
	Y float32 // from the top of the node; of a frame it is not read, the layout decides
	W float32 // of a port of a frame: room for its name, inside the frame
}

// Side is a side of a node.
type Side uint8

// The sides: edges to the right begin at a right side and end at a left one.
const (
	Right Side = iota
	Left
)

// sides are both sides.
var sides = [2]Side{Left, Right}

// Node is a box of a graph.
type Node struct {
	Key    int64     // identifies the node in a later layout
	Parent int32     // index of the frame that it is in, -1 none. A node that others name as their parent is a frame.
	W, H   float32   // size; of a frame the least one
	Head   float32   // of a frame: room above its content
	Ports  [2][]Port // by side, from top to bottom; those of a frame may be put in another order
}

// End is where an edge begins or ends.
type End struct {
	Node int32
	Port int32 // index into the ports of the side, -1 for no certain one
	Side Side
}

// Edge goes from one end to another. A port of a frame that is linked with something in the frame
// is used from inside, otherwise from outside.
type Edge struct {
	Key      int64 // identifies the edge in a later layout
	From, To End
}

// Graph is the input of a layout. It is untrusted: parents may form cycles (which are cut), ends
// may name nodes or ports that do not exist (such edges get no route, such ports are the middle of
// the side).
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// Options are distances; zero means the default.
type Options struct {
	GapX    float32 // between ranks, default 80
	GapY    float32 // between the nodes of a rank, default 22
	EdgeGap float32 // between edges that pass a rank, default 12
	Pad     float32 // between a frame and its content, default 18
}

// Box is where a node lies. Ports are the heights of its ports by side, absolute.
type Box struct {
	X0, Y0, X1, Y1 float32
	Ports          [2][]float32
}

// Layout is a graph that was laid out.
type Layout struct {
	W, H  float32
	Boxes []Box // by node
	// Routes has, by edge, cubic Bézier curves end to end: the first point, then for each curve two
	// control points and its end. A curve with four points of one height is a straight line. An
	// edge without a route has none.
	Routes [][]Point
	// Crossings is how many edges cross between neighbouring ranks; Work how many steps the search for
	// a good order took.
	Crossings, Work int

	nodeOf map[int64]int32
	bends  map[formerPart][]float32 // heights of the bends, in order
	ports  map[formerPort]float32
}

// formerPart names, by keys, the part of an edge in a frame; outside all frames, frame is that of
// no node.
type formerPart struct{ edge, frame int64 }

// formerPort names, by keys, a port that an edge got at a frame.
type formerPort struct {
	edge, frame int64
	why         crossingKind
}

// The limits that keep hostile graphs from taking long. Edges beyond them are drawn straight from
// end to end and do not influence the places of nodes.
const (
	maxBends     = 30_000 // in all levels together
	maxCrossings = 30_000 // of edges with borders of frames
	sweepWork    = 1_500_000
	maxSweeps    = 16
	tolerated    = 3       // crossings that are no reason to change an order that the user knows
	farPx        = 1 << 22 // greatest size of a node
)

// Lay lays a graph out. former may be nil; else nodes and edges that it has, too, keep their order
// unless that costs more than a few crossings. The same input gives the same layout.
func Lay(g *Graph, opt Options, former *Layout) *Layout {
	l := newLayouter(g, opt, former)
	for _, level := range l.nest.order {
		l.layLevel(level)
	}
	l.finish()
	return l.out
}

// layouter is a layout in the making.
type layouter struct {
	g      *Graph
	opt    Options
	former *Layout
	nest   *nest
	out    *Layout

	placed             []placedNode
	sections           [][]routed     // by edge
	portYs             [2][][]float64 // by side and node: heights of the ports of frames, from the frame's top, the ones at crossings of its border included
	bendsOut, workLeft int
	rootW, rootH       float64
}

// placedNode is a node in its frame.
type placedNode struct {
	x, y, w, h float64 // from the corner of the content of the level
	padX, padY float64 // of a frame: from its corner to its content
}

// routed is the part of an edge in one level.
type routed struct {
	step, level int32
	points      []Point // from the corner of the content of the level
	bends       []float64
	first       int8 // the beginning (end) is on the border of the level's frame: -1 left, 1 right
	last        int8
}

func newLayouter(g *Graph, opt Options, former *Layout) *layouter {
	or := func(v, d float32) float32 {
		return format.Pick(!(v > 0 && v < 1e4), d, v)
	}
	opt = Options{GapX: or(opt.GapX, 80), GapY: or(opt.GapY, 22), EdgeGap: or(opt.EdgeGap, 12), Pad: or(opt.Pad, 18)}
	n := len(g.Nodes)
	l := &layouter{
		g: g, opt: opt, former: former, nest: newNest(g), placed: make([]placedNode, n), sections: make([][]routed, len(g.Edges)),
		portYs: [2][][]float64{make([][]float64, n), make([][]float64, n)}, workLeft: sweepWork,
	}
	l.out = &Layout{Boxes: make([]Box, n), Routes: make([][]Point, len(g.Edges)), nodeOf: make(map[int64]int32, n),
		bends: make(map[formerPart][]float32, len(g.Edges)), ports: map[formerPort]float32{}}
	for i := range g.Nodes {
		d := &g.Nodes[i]
		l.placed[i].w, l.placed[i].h = size(d.W), size(d.H)
		l.out.nodeOf[d.Key] = int32(i)
	}
	return l
}

// size returns a size that can be calculated with.
func size(v float32) float64 {
	if !(v >= 1) {
		return 1
	}
	return min(math.Ceil(float64(v)), farPx)
}

// finish makes everything absolute, from the outermost frames in.
func (l *layouter) finish() {
	out := l.out
	out.W, out.H = float32(l.rootW), float32(l.rootH)
	origin := make([]Point, len(l.g.Nodes)+1) // of the content of each level
	for i := len(l.nest.order) - 1; i >= 0; i-- {
		level := l.nest.order[i]
		o := origin[level]
		for _, c := range l.nest.children[level] {
			p := &l.placed[c]
			b := &out.Boxes[c]
			b.X0, b.Y0 = o.X+float32(p.x), o.Y+float32(p.y)
			b.X1, b.Y1 = b.X0+float32(p.w), b.Y0+float32(p.h)
			origin[c+1] = Point{b.X0 + float32(p.padX), b.Y0 + float32(p.padY)}
			for side, ports := range l.g.Nodes[c].Ports {
				b.Ports[side] = make([]float32, len(ports))
				for k := range ports {
					b.Ports[side][k] = b.Y0 + float32(l.portY(c, Side(side), int32(k)))
				}
			}
		}
	}
	for i := range l.g.Nodes {
		for _, side := range sides {
			for k, c := range l.nest.extra[side][i] {
				y := l.portY(int32(i), side, int32(len(l.g.Nodes[i].Ports[side])+k))
				out.ports[l.portKey(c, int32(i))] = out.Boxes[i].Y0 + float32(y)
			}
		}
	}
	for e := range l.sections {
		l.join(int32(e), origin)
	}
}

func (l *layouter) partKey(e, level int32) formerPart {
	if level == 0 {
		return formerPart{l.g.Edges[e].Key, math.MinInt64}
	}
	return formerPart{l.g.Edges[e].Key, l.g.Nodes[level-1].Key}
}

func (l *layouter) portKey(c crossing, frame int32) formerPort {
	return formerPort{l.g.Edges[c.edge].Key, l.g.Nodes[frame].Key, c.why}
}

// join makes one route of the parts of an edge.
func (l *layouter) join(e int32, origin []Point) {
	var route []Point
	for i := range l.sections[e] {
		s := &l.sections[e][i]
		o := origin[s.level]
		pts := make([]Point, 0, len(s.points)+6)
		if s.first != 0 {
			pts = append(pts, Point{l.border(s.level, s.first) - o.X, s.points[0].Y})
			pts = lineTo(pts, s.points[0])
			pts = append(pts, s.points[1:]...)
		} else {
			pts = append(pts, s.points...)
		}
		if s.last != 0 {
			pts = lineTo(pts, Point{l.border(s.level, s.last) - o.X, pts[len(pts)-1].Y})
		}
		for k := range pts {
			pts[k].X += o.X
			pts[k].Y += o.Y
		}
		if len(route) > 0 {
			pts = pts[1:]
		}
		route = append(route, pts...)
		for _, b := range s.bends {
			key := l.partKey(e, s.level)
			l.out.bends[key] = append(l.out.bends[key], float32(b)+o.Y)
		}
	}
	l.out.Routes[e] = route
}

// border returns the place of the left (-1) or right (1) side of the frame of a level.
func (l *layouter) border(level int32, side int8) float32 {
	b := &l.out.Boxes[level-1]
	return format.Pick(side < 0, b.X0, b.X1)
}

// portY returns the height of a port from the top of its node.
func (l *layouter) portY(node int32, side Side, port int32) float64 {
	p := &l.placed[node]
	if l.nest.isFrame(node) {
		if list := l.portYs[side][node]; port >= 0 && int(port) < len(list) {
			return list[port]
		}
		return math.Round(p.h / 2)
	}
	list := l.g.Nodes[node].Ports[side]
	if port >= 0 && int(port) < len(list) {
		if y := float64(list[port].Y); y >= 0 && y <= p.h {
			return math.Round(y)
		}
	}
	return math.Round(p.h / 2)
}

// nest is the nesting of frames, and the part of each edge in each frame. Level 0 is
// outside all frames, level i+1 the inside of node i.
type nest struct {
	g        *Graph
	parent   []int32 // cycles are cut
	depth    []int32 // of a node, 0 outside all frames
	children [][]int32
	order    []int32 // levels with something in them, the innermost first
	sections [][]section
	num      [2][]int32 // by side and node: ports of frames, those at crossings of the border included
	// extra are, by side and frame, the ports after those of the frame that edges got where they cross its border, or
	// end at it without naming a port.
	extra [2][][]crossing
}

// crossing is a place where an edge has a port of its own at a frame.
type crossing struct {
	edge int32
	why  crossingKind
}

// crossingKind is why an edge has a port of its own: each is there once for an edge and a frame.
type crossingKind uint8

const (
	crossingFrom crossingKind = iota // the edge begins at the frame
	crossingTo
	crossingOut // the edge leaves the frame
	crossingIn
)

// section is the part of an edge that lies in one level.
type section struct {
	edge, step int32
	from, to   sectionEnd
}

// sectionEnd is a port of a node of the level or, if border, of the level's frame, seen from
// inside.
type sectionEnd struct {
	node, port int32
	side       Side
	border     bool
}

func newNest(g *Graph) *nest {
	n := len(g.Nodes)
	t := &nest{g: g, parent: make([]int32, n), depth: make([]int32, n), children: make([][]int32, n+1), sections: make([][]section, n+1)}
	for _, side := range sides {
		t.num[side], t.extra[side] = make([]int32, n), make([][]crossing, n)
		for i := range g.Nodes {
			t.num[side][i] = int32(len(g.Nodes[i].Ports[side]))
		}
	}
	t.cutCycles()
	for i := range t.parent {
		t.children[t.parent[i]+1] = append(t.children[t.parent[i]+1], int32(i))
	}
	// Outermost first, by width; then turned around.
	if n > 0 {
		t.order = append(t.order, 0)
	}
	for k := 0; k < len(t.order); k++ {
		for _, c := range t.children[t.order[k]] {
			if t.order[k] > 0 {
				t.depth[c] = t.depth[t.order[k]-1] + 1
			}
			if len(t.children[c+1]) > 0 {
				t.order = append(t.order, c+1)
			}
		}
	}
	slices.Reverse(t.order)
	budget := maxCrossings
	for e := range g.Edges {
		t.cut(int32(e), &budget)
	}
	return t
}

// cutCycles copies the parents; a node in a cycle of parents is in no frame.
func (t *nest) cutCycles() {
	n := int32(len(t.parent))
	state := make([]uint8, n) // 1: on the way, 2: done
	var way []int32
	for i := range n {
		way = way[:0]
		at := i
		for at >= 0 && state[at] == 0 {
			state[at] = 1
			way = append(way, at)
			p := t.g.Nodes[at].Parent
			if p < 0 || p >= n || p == at {
				p = -1
			}
			t.parent[at] = p
			at = p
		}
		if at >= 0 && state[at] == 1 {
			t.parent[at] = -1
		}
		for _, k := range way {
			state[k] = 2
		}
	}
}

func (t *nest) isFrame(node int32) bool { return len(t.children[node+1]) > 0 }

// levelDepth is how deep the inside of a level is.
func (t *nest) levelDepth(level int32) int32 {
	if level == 0 {
		return 0
	}
	return t.depth[level-1] + 1
}

// inside reports whether a node lies in a frame, however deep.
func (t *nest) inside(node, frame int32) bool {
	for t.depth[node] > t.depth[frame] {
		node = t.parent[node]
		if node == frame {
			return true
		}
	}
	return false
}

// cut cuts an edge into sections at the borders of frames.
func (t *nest) cut(e int32, budget *int) {
	edge := &t.g.Edges[e]
	a, b := edge.From, edge.To
	if !t.valid(crossing{e, crossingFrom}, &a) || !t.valid(crossing{e, crossingTo}, &b) {
		return
	}
	if d := int(max(t.depth[a.Node], t.depth[b.Node])); d > 0 {
		// The search for parents costs as much as crossing borders.
		if *budget -= d; *budget < 0 {
			return
		}
	}
	through := a.Node == b.Node && a.Side == Left && b.Side == Right
	fa := t.isFrame(a.Node) && (t.inside(b.Node, a.Node) || through)
	fb := t.isFrame(b.Node) && (t.inside(a.Node, b.Node) || through)
	la, from := t.start(a, fa)
	lb, to := t.start(b, fb)
	step := int32(0)
	var down []section
	for la != lb {
		if t.levelDepth(la) >= t.levelDepth(lb) {
			f := la - 1
			port := t.addPort(crossing{e, crossingOut}, f, Right)
			t.sections[la] = append(t.sections[la], section{e, step, from, sectionEnd{node: f, port: port, border: true}})
			step++
			from = sectionEnd{node: f, port: port}
			la = t.parent[f] + 1
			continue
		}
		f := lb - 1
		port := t.addPort(crossing{e, crossingIn}, f, Left)
		down = append(down, section{edge: e, from: sectionEnd{node: f, port: port, side: Left, border: true}, to: to, step: lb})
		to = sectionEnd{node: f, port: port, side: Left}
		lb = t.parent[f] + 1
	}
	t.sections[la] = append(t.sections[la], section{e, step, from, to})
	for i := len(down) - 1; i >= 0; i-- {
		s := down[i]
		level := s.step
		step++
		s.step = step
		t.sections[level] = append(t.sections[level], s)
	}
}

// valid reports whether an end's node exists. A port that does not is made none, or at a frame a new
// one.
func (t *nest) valid(c crossing, x *End) bool {
	if x.Node < 0 || int(x.Node) >= len(t.g.Nodes) {
		return false
	}
	if x.Port < 0 || int(x.Port) >= len(t.g.Nodes[x.Node].Ports[x.Side]) {
		x.Port = -1
		if t.isFrame(x.Node) {
			x.Port = t.addPort(c, x.Node, x.Side)
		}
	}
	return true
}

// start returns the level where an end is, and how it looks there.
func (t *nest) start(x End, inside bool) (level int32, s sectionEnd) {
	s = sectionEnd{node: x.Node, port: x.Port, side: x.Side, border: inside}
	if inside {
		return x.Node + 1, s
	}
	return t.parent[x.Node] + 1, s
}

// addPort adds a port to a frame for an edge.
func (t *nest) addPort(c crossing, frame int32, side Side) (port int32) {
	port = t.num[side][frame]
	t.num[side][frame]++
	t.extra[side][frame] = append(t.extra[side][frame], c)
	return port
}
