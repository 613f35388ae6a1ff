package layered

// nest is who is in whom, and which part of which edge lies in which frame. Level 0 is what is in no frame, level i+1 the inside of node i.
type nest struct {
	g        *Graph
	parent   []int32 // cycles are cut
	depth    []int32 // of a node, 0 outside all frames
	children [][]int32
	order    []int32 // levels with something in them, the innermost first
	sections [][]section
	numIn    []int32 // by node: ports of frames at the left, those at crossings of the border included
	numOut   []int32
	extra    [2][][]crossing // by side (0 left) and frame: the ports, after those of the frame, that edges got where they cross its border or end at it without naming a port
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

// sectionEnd is a port of a node of the level or, if border, of the level's frame, seen from inside.
type sectionEnd struct {
	node, port int32
	in, border bool
}

func newNest(g *Graph) *nest {
	n := len(g.Nodes)
	t := &nest{g: g, parent: make([]int32, n), depth: make([]int32, n), children: make([][]int32, n+1), sections: make([][]section, n+1), numIn: make([]int32, n), numOut: make([]int32, n)}
	t.extra[0], t.extra[1] = make([][]crossing, n), make([][]crossing, n)
	t.cutCycles()
	for i := range t.parent {
		t.children[t.parent[i]+1] = append(t.children[t.parent[i]+1], int32(i))
		t.numIn[i], t.numOut[i] = int32(len(g.Nodes[i].In)), int32(len(g.Nodes[i].Out))
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
	for i, j := 0, len(t.order)-1; i < j; i, j = i+1, j-1 {
		t.order[i], t.order[j] = t.order[j], t.order[i]
	}
	budget := maxCrossings
	for e := range g.Edges {
		t.cut(int32(e), &budget)
	}
	return t
}

// cutCycles copies the parents; a node whose parents lead back to itself is in no frame.
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

// inside tells whether a node lies in a frame, however deep.
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
		// Looking for who is in whom costs as much as crossing borders.
		if *budget -= d; *budget < 0 {
			return
		}
	}
	fa := t.isFrame(a.Node) && (t.inside(b.Node, a.Node) || a.Node == b.Node && a.In && !b.In)
	fb := t.isFrame(b.Node) && (t.inside(a.Node, b.Node) || a.Node == b.Node && a.In && !b.In)
	la, from := t.start(a, fa)
	lb, to := t.start(b, fb)
	step := int32(0)
	var down []section
	for la != lb {
		if t.levelDepth(la) >= t.levelDepth(lb) {
			f := la - 1
			port := t.addPort(crossing{e, crossingOut}, f, false)
			t.sections[la] = append(t.sections[la], section{e, step, from, sectionEnd{node: f, port: port, border: true}})
			step++
			from = sectionEnd{node: f, port: port}
			la = t.parent[f] + 1
			continue
		}
		f := lb - 1
		port := t.addPort(crossing{e, crossingIn}, f, true)
		down = append(down, section{edge: e, from: sectionEnd{node: f, port: port, in: true, border: true}, to: to, step: lb})
		to = sectionEnd{node: f, port: port, in: true}
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

// valid tells whether an end's node exists. A port that does not is made none, or at a frame a new one.
func (t *nest) valid(c crossing, x *End) bool {
	if x.Node < 0 || int(x.Node) >= len(t.g.Nodes) {
		return false
	}
	d := &t.g.Nodes[x.Node]
	n := len(d.Out)
	if x.In {
		n = len(d.In)
	}
	if x.Port < 0 || int(x.Port) >= n {
		x.Port = -1
		if t.isFrame(x.Node) {
			x.Port = t.addPort(c, x.Node, x.In)
		}
	}
	return true
}

// start returns the level where an end is, and how it looks there.
func (t *nest) start(x End, inside bool) (level int32, s sectionEnd) {
	s = sectionEnd{node: x.Node, port: x.Port, in: x.In, border: inside}
	if inside {
		return x.Node + 1, s
	}
	return t.parent[x.Node] + 1, s
}

// addPort adds a port to a frame for an edge.
func (t *nest) addPort(c crossing, frame int32, in bool) (port int32) {
	n, side := &t.numOut[frame], 1
	if in {
		n, side = &t.numIn[frame], 0
	}
	port = *n
	*n++
	t.extra[side][frame] = append(t.extra[side][frame], c)
	return port
}
