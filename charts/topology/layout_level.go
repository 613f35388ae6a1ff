package topology

import (
	"math"

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
	kind       vertexKind
	id         int32 // a node, or a port of the frame
	linked     bool
	w, h, x, y float64
	rank, pos  int32    // pos: in its rank
	first      float64  // its place in a walk along the edges
	seed       float64  // height in the former layout, not a number where it was not there
	mean       float64  // place of the neighbours in a sweep
	ties       [2][]tie // links to the rank before and to the next one
}

// tie is a link as one of its ends sees it.
type tie struct {
	to        int32   // the vertex at the other end
	yOwn, yTo float64 // where on the two vertices
	weight    float64 // how much it wants to be level
}

// The sides of a vertex' ties.
const (
	before = iota
	behind
)

// arc is an edge in its level.
type arc struct {
	edge     int32
	from, to arcEnd
	u, v     int32 // vertices
	yu, yv   float64
	bends    []int32
}

// arcEnd is a port of a node of the level or, if inner, of the level's frame, seen from inside.
type arcEnd struct {
	node, port int32
	side       Side
	inner      bool
}

// level is the inside of one frame while it is laid out.
type level struct {
	*layouter
	id           int32
	vs           []vertex
	arcs         []arc
	ranks        [][]int32
	left, right  []float64 // by rank
	w, h, linked float64   // size of all, and height of the linked vertices
}

// layLevel lays out the inside of a frame (level id-1), or the outermost level 0.
func (l *layouter) layLevel(id int32) {
	lv := &level{layouter: l, id: id, arcs: l.arcs[id]}
	lv.build()
	lv.rank()
	lv.bend()
	lv.sort()
	lv.place()
	lv.placeLoose()
	lv.store()
	lv.route()
}

// build makes the vertices of the level.
func (lv *level) build() {
	at := map[int32]int32{}
	for _, c := range lv.children[lv.id] {
		at[c] = int32(len(lv.vs))
		seed := math.NaN()
		if b := lv.formerBox(c); b != nil {
			seed = float64(b.Y0+b.Y1) / 2
		}
		lv.vs = append(lv.vs, vertex{id: c, w: lv.placed[c].w, h: lv.placed[c].h, seed: seed})
	}
	var port [2]int32 // by side: the first vertex
	for side := range port {
		port[side] = int32(len(lv.vs))
		lv.addPorts(Side(side))
	}
	end := func(x arcEnd, side Side) (int32, float64) {
		v, y := at[x.node], 0.0
		if x.inner {
			v = port[x.side] + x.port
		} else {
			y = lv.portY(x.node, format.Pick(x.port < 0, side, x.side), x.port)
		}
		lv.vs[v].linked = true
		return v, y
	}
	for i := range lv.arcs {
		a := &lv.arcs[i]
		a.u, a.yu = end(a.from, Right)
		a.v, a.yv = end(a.to, Left)
	}
}

// addPorts adds vertices for the ports of the level's frame at one side.
func (lv *level) addPorts(side Side) {
	if lv.id == 0 {
		return
	}
	box := lv.formerBox(lv.id - 1)
	for i, p := range lv.g.Nodes[lv.id-1].Ports[side] {
		seed := math.NaN()
		if box != nil && i < len(box.Ports[side]) {
			seed = float64(box.Ports[side][i])
		}
		kind := format.Pick(side == Left, vertexLeft, vertexRight)
		lv.vs = append(lv.vs, vertex{kind: kind, id: int32(i), w: size(p.W, 1), linked: true, seed: seed})
	}
}

// formerBox returns where a node was in the former layout.
func (l *layouter) formerBox(node int32) *Box {
	if i, ok := l.former.nodeOf[l.g.Nodes[node].Key]; ok {
		return &l.former.Boxes[i]
	}
	return nil
}

// placeLoose puts the nodes without links into rows below the others.
func (lv *level) placeLoose() {
	gap := math.Floor(float64(lv.opt.GapY) * 1.5)
	area, limit := 0.0, lv.w
	for i := range lv.vs {
		if v := &lv.vs[i]; !v.linked {
			area += (v.w + gap) * (v.h + gap)
			limit = max(limit, v.w)
		}
	}
	shape := format.Pick(lv.id == 0, 2.2, 1.3)
	limit = max(limit, math.Sqrt((area+lv.w*lv.h)*shape))
	x, y, rowH := 0.0, 0.0, 0.0
	if lv.h > 0 {
		y = lv.h + gap
	}
	for i := range lv.vs {
		v := &lv.vs[i]
		if v.linked {
			continue
		}
		if x > 0 && x+v.w > limit {
			x, y, rowH = 0, y+rowH+gap, 0
		}
		v.x, v.y = x, y
		x += v.w + gap
		rowH = max(rowH, v.h)
		lv.w, lv.h = max(lv.w, v.x+v.w), max(lv.h, v.y+v.h)
	}
}

// store keeps where the nodes of the level are, and the size and the ports of its frame.
func (lv *level) store() {
	p := &placedNode{}
	if lv.id == 0 {
		lv.out.W, lv.out.H = float32(lv.w), float32(lv.h)
	} else {
		p = &lv.placed[lv.id-1]
		p.padY = size(lv.g.Nodes[lv.id-1].Head, 0) + pad/2
		p.w, p.h = max(p.w, lv.w+2*pad), max(p.h, lv.h+p.padY+pad)
	}
	for i := range lv.vs {
		v := &lv.vs[i]
		switch v.kind {
		case vertexNode:
			lv.placed[v.id].x, lv.placed[v.id].y = v.x, v.y
		case vertexLeft:
			p.ports[Left] = append(p.ports[Left], p.padY+v.y)
		case vertexRight:
			p.ports[Right] = append(p.ports[Right], p.padY+v.y)
		}
	}
}

// lanes is how many lanes there are for edges that go back; more of them share these.
const lanes = 12

// route finds the corners of the edges, once everything has its place: they run level over the ranks and
// turn between them. Edges that go back run below all that is linked.
func (lv *level) route() {
	lane := 0
	for i := range lv.arcs {
		a := &lv.arcs[i]
		u, v := &lv.vs[a.u], &lv.vs[a.v]
		r := &lv.routed[a.edge]
		r.level = lv.id
		add := func(x, y float64) { r.points = append(r.points, Point{float32(x), float32(y)}) }
		out, in := lv.right[u.rank], lv.left[v.rank]
		switch {
		case u.rank >= v.rank:
			turn := math.Floor(min(float64(lv.opt.GapX)*0.3, pad*0.7))
			y := lv.linked + float64(lv.opt.EdgeGap)*(float64(lane%lanes)+1)
			lane++
			add(u.x+u.w, u.y+a.yu)
			add(out+turn, u.y+a.yu)
			add(out+turn, y)
			add(in-turn, y)
			add(in-turn, v.y+a.yv)
			add(v.x, v.y+a.yv)
		case len(a.bends) == int(v.rank-u.rank)-1:
			add(u.x+u.w, u.y+a.yu)
			add(out, u.y+a.yu)
			for _, b := range a.bends {
				x := &lv.vs[b]
				add(lv.left[x.rank], x.y)
				add(lv.right[x.rank], x.y)
				r.bends = append(r.bends, x.y)
			}
			add(in, v.y+a.yv)
			add(v.x, v.y+a.yv)
		}
	}
}
