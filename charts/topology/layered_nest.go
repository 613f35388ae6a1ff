package topology

import "slices"

// nest is the nesting of frames, and the part of each edge in each frame. Level 0 is
// outside all frames, level i+1 the inside of node i.
type nest struct {
	g        *Graph
	parent   []int32 // cycles are cut
	depth    []int32 // of a node, 0 outside all frames
	children [][]int32
	order    []int32 // levels with something in them, the innermost first
	sections [][]section
	num      [2][]int32      // by side and node: ports of frames, those at crossings of the border included
	extra    [2][][]crossing // by side and frame: the ports, after those of the frame, that edges got where they cross its border or end at it without naming a port
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
