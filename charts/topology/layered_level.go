package topology

import (
	"cmp"
	"math"
	"slices"

	"framescope/charts/format"
)

// vertexKind is the kind of a vertex of a level.
type vertexKind uint8

const (
	vertexNode  vertexKind = iota
	vertexLeft             // a port of the level's frame
	vertexRight            // the same, at the right
	vertexBend             // where an edge passes a rank
)

// vertex is one thing that has a place in a rank.
type vertex struct {
	kind    vertexKind
	node    int32 // of vertexNode
	port    int32 // of vertexLeft and vertexRight
	near    int32 // of a bend at which an edge turns back: the vertex that it turns around; -1
	w, h    float64
	rank    int32
	pos     int32 // in its rank
	x, y    float64
	seed    float64 // height in the former layout
	hasSeed bool
	old     bool     // it was in the former layout
	mean    float64  // place of the neighbours in a sweep
	ties    [2][]tie // links to the rank before and to the next one
}

// tie is a link as one of its ends sees it.
type tie struct {
	to        int32   // the vertex at the other end
	yOwn, yTo float64 // where on the two vertices
	share     float64 // where on the other one, 0…1
	weight    float64 // how much it wants to be straight
}

// arc is a section of an edge between two vertices.
type arc struct {
	u, v          int32
	yu, yv        float64 // from the top of the vertex
	uRight, vLeft bool    // the ends are at the sides where edges that go to the right begin and end
	edge, step    int32
	back          bool // goes to a rank that is not after that of u: it turns back
	chain         []int32
	direct        bool // no bends, drawn straight
}

// level is the inside of one frame while it is laid out.
type level struct {
	*layouter
	id   int32
	vs   []vertex
	arcs []arc
	sets sets // of vertices
}

// sets are disjoint sets of vertices, each named after its first.
type sets []int32

// alone makes each vertex a set of its own.
func (s *sets) alone(vs []int32) {
	for _, v := range vs {
		for int(v) >= len(*s) {
			*s = append(*s, int32(len(*s)))
		}
		(*s)[v] = v
	}
}

// find returns the set that a vertex is in.
func (s sets) find(v int32) int32 {
	for s[v] != v {
		s[v] = s[s[v]]
		v = s[v]
	}
	return v
}

// join makes one set of those of two vertices.
func (s sets) join(v, w int32) {
	v, w = s.find(v), s.find(w)
	s[max(v, w)] = min(v, w)
}

// component is a connected part of a level.
type component struct {
	vs, arcs   []int32
	border     bool // has ports of the frame
	w, h, x, y float64
}

// layLevel lays out the inside of a frame (level id-1), or the outermost level 0.
func (l *layouter) layLevel(id int32) {
	lv := &level{layouter: l, id: id}
	lv.build()
	comps := lv.components()
	for i := range comps {
		lv.layComponent(&comps[i])
	}
	w, h := pack(comps, float64(l.opt.GapY)*1.5, id == 0)
	for i := range comps {
		c := &comps[i]
		for _, v := range c.vs {
			lv.vs[v].x += c.x
			lv.vs[v].y += c.y
		}
	}
	lv.store(w, h)
	for i := range comps {
		lv.route(&comps[i])
	}
}

// build makes the vertices and arcs of the level.
func (lv *level) build() {
	children := lv.nest.children[lv.id]
	at := make(map[int32]int32, len(children))
	for _, c := range children {
		p := &lv.placed[c]
		at[c] = int32(len(lv.vs))
		v := vertex{kind: vertexNode, node: c, near: -1, w: p.w, h: p.h}
		if b, ok := lv.formerBox(c); ok {
			v.seed, v.hasSeed = float64(b.Y0+b.Y1)/2, true
		}
		lv.vs = append(lv.vs, v)
	}
	left, right := lv.framePorts(vertexLeft, Left), lv.framePorts(vertexRight, Right)
	end := func(s sectionEnd) (int32, float64) {
		switch {
		case s.border && s.side == Left:
			return left + s.port, math.Floor(lv.vs[left+s.port].h / 2)
		case s.border:
			return right + s.port, math.Floor(lv.vs[right+s.port].h / 2)
		}
		return at[s.node], lv.portY(s.node, s.side, s.port)
	}
	for _, s := range lv.nest.sections[lv.id] {
		a := arc{edge: s.edge, step: s.step}
		a.u, a.yu = end(s.from)
		a.v, a.yv = end(s.to)
		a.uRight, a.vLeft = (s.from.side == Left) == s.from.border, (s.to.side == Left) != s.to.border
		if !a.uRight && !a.vLeft && lv.vs[a.u].kind == vertexNode && lv.vs[a.v].kind == vertexNode {
			// From a left side to a right side: the same curve, walked the other way.
			a.u, a.v, a.yu, a.yv, a.uRight, a.vLeft = a.v, a.u, a.yv, a.yu, true, true
			a.step = -1 - a.step
		}
		lv.arcs = append(lv.arcs, a)
	}
}

// framePorts adds vertices for the ports of the level's frame at one side and returns the first.
func (lv *level) framePorts(kind vertexKind, side Side) int32 {
	first := int32(len(lv.vs))
	if lv.id == 0 {
		return first
	}
	frame := lv.id - 1
	list, extra := lv.g.Nodes[frame].Ports[side], lv.nest.extra[side][frame]
	box, known := lv.formerBox(frame)
	heights := box.Ports[side]
	for i := range lv.nest.num[side][frame] {
		v := vertex{kind: kind, port: i, near: -1, w: 1, h: 1}
		if int(i) < len(list) {
			v.w, v.h = size(list[i].W), 14
			if known && int(i) < len(heights) {
				v.seed, v.hasSeed = float64(heights[i]), true
			}
		} else if lv.former != nil {
			if y, ok := lv.former.ports[lv.portKey(extra[int(i)-len(list)], frame)]; ok {
				v.seed, v.hasSeed = float64(y), true
			}
		}
		lv.vs = append(lv.vs, v)
	}
	return first
}

// formerBox returns where a node was in the former layout.
func (l *layouter) formerBox(node int32) (b Box, ok bool) {
	if l.former == nil {
		return b, false
	}
	i, ok := l.former.nodeOf[l.g.Nodes[node].Key]
	if !ok || int(i) >= len(l.former.Boxes) {
		return b, false
	}
	return l.former.Boxes[i], true
}

// components finds the connected parts. All ports of the frame belong to one part.
func (lv *level) components() []component {
	border := int32(-1) // the first port
	for i := range int32(len(lv.vs)) {
		lv.sets = append(lv.sets, i)
		if lv.vs[i].kind == vertexNode {
			continue
		}
		if border < 0 {
			border = i
		}
		lv.sets.join(i, border)
	}
	for i := range lv.arcs {
		lv.sets.join(lv.arcs[i].u, lv.arcs[i].v)
	}
	index := make([]int32, len(lv.vs))
	var comps []component
	for i := range int32(len(lv.vs)) {
		first := lv.sets.find(i)
		if first == i {
			index[i] = int32(len(comps))
			comps = append(comps, component{})
		}
		c := &comps[index[first]]
		c.vs = append(c.vs, i)
		c.border = c.border || lv.vs[i].kind != vertexNode
	}
	for i := range lv.arcs {
		c := &comps[index[lv.sets.find(lv.arcs[i].u)]]
		c.arcs = append(c.arcs, int32(i))
	}
	return comps
}

// pack puts the parts into rows: the one with the ports of the frame first and alone, then linked
// ones, then nodes without links.
func pack(comps []component, gap float64, wide bool) (w, h float64) {
	order := make([]int, len(comps))
	var area, widest float64
	for i := range comps {
		order[i] = i
		c := &comps[i]
		area += (c.w + gap) * (c.h + gap)
		widest = max(widest, c.w)
	}
	class := func(c *component) int {
		switch {
		case c.border:
			return 0
		case len(c.vs) > 1:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(class(&comps[a]), class(&comps[b])) })
	shape := format.Pick(wide, 2.2, 1.3)
	limit := max(widest, math.Sqrt(area*shape))
	var x, y, rowH float64
	before := -1
	for _, i := range order {
		c := &comps[i]
		k := class(c)
		if x > 0 && (before == 0 || k != before && before == 1 || x+c.w > limit) {
			x, y, rowH = 0, y+rowH+gap, 0
		}
		c.x, c.y = math.Round(x), math.Round(y)
		x += c.w + gap
		rowH = max(rowH, c.h)
		w, h = max(w, c.x+c.w), max(h, c.y+c.h)
		before = k
	}
	return w, h
}

// store keeps where the nodes of the level are, and the size and the ports of its frame.
func (lv *level) store(w, h float64) {
	for i := range lv.vs {
		v := &lv.vs[i]
		if v.kind == vertexNode {
			lv.placed[v.node].x, lv.placed[v.node].y = v.x, v.y
		}
	}
	if lv.id == 0 {
		lv.rootW, lv.rootH = w, h
		return
	}
	frame := lv.id - 1
	p := &lv.placed[frame]
	pad := float64(lv.opt.Pad)
	head := min(max(math.Ceil(float64(lv.g.Nodes[frame].Head)), 0), farPx)
	if !(head >= 0) {
		head = 0
	}
	p.padX, p.padY = pad, head+pad/2
	p.w = max(p.w, w+2*pad)
	p.h = max(p.h, math.Ceil(h+p.padY+pad))
	for _, side := range sides {
		lv.portYs[side][frame] = make([]float64, lv.nest.num[side][frame])
	}
	for i := range lv.vs {
		v := &lv.vs[i]
		y := p.padY + v.y + math.Floor(v.h/2)
		switch v.kind {
		case vertexLeft:
			lv.portYs[Left][frame][v.port] = y
		case vertexRight:
			lv.portYs[Right][frame][v.port] = y
		}
	}
}

// route makes the curves of the edges of a part, once everything in it has its place.
func (lv *level) route(c *component) {
	if len(c.arcs) == 0 {
		return
	}
	// The sides of the ranks: edges run straight over the ranks and turn between them.
	var left, right []float32
	for _, v := range c.vs {
		x := &lv.vs[v]
		for int(x.rank) >= len(left) {
			left, right = append(left, float32(math.Inf(1))), append(right, float32(math.Inf(-1)))
		}
		left[x.rank], right[x.rank] = min(left[x.rank], float32(x.x)), max(right[x.rank], float32(x.x+x.w))
	}
	for _, i := range c.arcs {
		a := &lv.arcs[i]
		u, v := &lv.vs[a.u], &lv.vs[a.v]
		from := Point{float32(u.x), float32(u.y + a.yu)}
		if a.uRight {
			from.X = float32(u.x + u.w)
		}
		to := Point{float32(v.x + v.w), float32(v.y + a.yv)}
		if a.vLeft {
			to.X = float32(v.x)
		}
		r := routed{step: a.step, level: lv.id, points: []Point{from}}
		switch {
		case a.direct:
			r.points = curveTo(r.points, to, bulge(a.uRight, lv.opt.GapX), bulge(!a.vLeft, lv.opt.GapX))
		case a.back:
			lv.routeBack(&r, a, to, left, right)
		default:
			if a.uRight {
				r.points = lineTo(r.points, Point{right[u.rank], from.Y})
			}
			for _, b := range a.chain {
				x := &lv.vs[b]
				y := float32(x.y)
				r.points = turnTo(r.points, Point{left[x.rank], y})
				r.points = lineTo(r.points, Point{right[x.rank], y})
				r.bends = append(r.bends, x.y)
			}
			if a.vLeft {
				r.points = turnTo(r.points, Point{left[v.rank], to.Y})
				r.points = lineTo(r.points, to)
			} else {
				r.points = curveTo(r.points, to, bulge(true, lv.opt.GapX), bulge(true, lv.opt.GapX))
			}
		}
		r.first, r.last = lv.sideOf(u), lv.sideOf(v)
		if r.step < 0 {
			slices.Reverse(r.points)
			r.step = -1 - r.step
			r.first, r.last = r.last, r.first
		}
		lv.sections[a.edge] = append(lv.sections[a.edge], r)
		slices.SortFunc(lv.sections[a.edge], func(x, y routed) int { return int(x.step - y.step) })
	}
}

// sideOf returns the side of the frame at which a vertex is a port, 0 if it is none.
func (lv *level) sideOf(v *vertex) int8 {
	switch v.kind {
	case vertexLeft:
		return -1
	case vertexRight:
		return 1
	}
	return 0
}

// routeBack makes the curve of an edge that turns back: out to the right, around its source, back
// over the ranks, around its target, and in from the left.
func (lv *level) routeBack(r *routed, a *arc, to Point, left, right []float32) {
	u, v := &lv.vs[a.u], &lv.vs[a.v]
	out := min(lv.opt.GapX*0.4, lv.opt.Pad*1.2) // three quarters of it stand out: still inside the frame
	r.points = lineTo(r.points, Point{right[u.rank], r.points[0].Y})
	for k, b := range a.chain {
		x := &lv.vs[b]
		y := float32(x.y)
		if k == 0 {
			r.points = curveTo(r.points, Point{right[x.rank], y}, out, out)
		} else {
			r.points = turnTo(r.points, Point{right[x.rank], y})
		}
		r.points = lineTo(r.points, Point{left[x.rank], y})
		r.bends = append(r.bends, x.y)
	}
	r.points = curveTo(r.points, Point{left[v.rank], to.Y}, -out, -out)
	r.points = lineTo(r.points, to)
}

func bulge(right bool, gap float32) float32 {
	return format.Pick(right, gap, -gap)
}

// turnTo adds a curve that begins and ends level.
func turnTo(p []Point, to Point) []Point {
	from := p[len(p)-1]
	if from.Y == to.Y {
		return lineTo(p, to)
	}
	half := (to.X - from.X) / 2
	return append(p, Point{from.X + half, from.Y}, Point{to.X - half, to.Y}, to)
}

// curveTo adds a curve that leaves by so much to the right (negative: left) and arrives from there.
func curveTo(p []Point, to Point, out, in float32) []Point {
	from := p[len(p)-1]
	return append(p, Point{from.X + out, from.Y}, Point{to.X + in, to.Y}, to)
}

// lineTo adds a level line, or makes the one before longer.
func lineTo(p []Point, to Point) []Point {
	n := len(p)
	from := p[n-1]
	if from.X == to.X && from.Y == to.Y {
		return p
	}
	if n >= 4 && p[n-4].Y == to.Y && p[n-3].Y == to.Y && p[n-2].Y == to.Y && from.Y == to.Y && (from.X-p[n-4].X)*(to.X-from.X) > 0 {
		p[n-1] = to
		p[n-3], p[n-2] = between(p[n-4], to)
		return p
	}
	c1, c2 := between(from, to)
	return append(p, c1, c2, to)
}

// between returns the two thirds of a line.
func between(a, b Point) (Point, Point) {
	return Point{a.X + (b.X-a.X)/3, a.Y + (b.Y-a.Y)/3}, Point{a.X + (b.X-a.X)*2/3, a.Y + (b.Y-a.Y)*2/3}
}

// At returns the point at t, 0…1, of the curve that begins at points[i].
func At(points []Point, i int, t float32) Point {
	a, b, c, d := points[i], points[i+1], points[i+2], points[i+3]
	s := 1 - t
	wa, wb, wc, wd := s*s*s, 3*s*s*t, 3*s*t*t, t*t*t
	return Point{wa*a.X + wb*b.X + wc*c.X + wd*d.X, wa*a.Y + wb*b.Y + wc*c.Y + wd*d.Y}
}

// Straight reports whether the curve that begins at points[i] is a level line.
func Straight(points []Point, i int) bool {
	y := points[i].Y
	return points[i+1].Y == y && points[i+2].Y == y && points[i+3].Y == y
}
