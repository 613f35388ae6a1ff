// Lay lays out directed graphs in layers from left to right: nodes with ports at their sides, frames
// that hold other nodes and frames, edges as curves from port to port. It is pure geometry and knows
// neither windows nor the meaning of the graph.
//
// Each node has a rank, so that edges go to the right. Sweeps over the ranks bring nodes to the
// height of their middle neighbour, and by it into an order. Frames are laid out from the innermost out: a
// frame is then a node of a known size in the graph around it.

package topology

import (
	"cmp"
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

// Node is a box of a graph.
type Node struct {
	Key    int64     // identifies the node in a later layout
	Parent int32     // index of the frame that it is in, -1 none. A node that others name as their parent is a frame.
	W, H   float32   // size; of a frame the least one
	Head   float32   // of a frame: room above its content
	Ports  [2][]Port // by side
}

// End is where an edge begins or ends.
type End struct {
	Node int32
	Port int32 // index into the ports of the side; the middle of the side where there is none such
	Side Side
}

// Edge goes from one end to another. A port of a frame that is linked with something in the frame
// is used from inside, otherwise from outside.
type Edge struct{ From, To End }

// Graph is the input of a layout. Its parents are untrusted: they may form cycles, which are cut.
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// Options are distances.
type Options struct {
	GapX float32 // between ranks
	GapY float32 // between the nodes of a rank, and between the ports of a frame
}

// Box is where a node lies. Ports are the heights of its ports by side, absolute.
type Box struct {
	X0, Y0, X1, Y1 float32
	Ports          [2][]float32
}

// Layout is a graph that was laid out.
type Layout struct {
	W, H   float32
	Boxes  []Box   // by node
	Curves []Curve // by edge

	middles map[int64]float32 // by key: the height of a node's middle
}

// Curve is the way of an edge, level at both ends. One that goes back dips to a height below all that
// lies between.
type Curve struct {
	From, To Point
	Low      float32 // of one that goes back
}

// backTurn is how far beside its ends a curve turns at most that goes back.
const backTurn = 30

// At returns the point at u, 0…1, of the way.
func (c *Curve) At(u float32) Point {
	dx, dy := c.To.X-c.From.X, c.To.Y-c.From.Y
	pull, dip := dx/2, float32(0)
	if dx < 0 {
		pull, dip = 3*backTurn, 4*(c.Low-c.From.Y-dy/2)
	}
	along := u * u * (3 - 2*u)
	return Point{c.From.X + dx*along + 3*pull*u*(1-u)*(1-2*u), c.From.Y + dy*along + dip*u*(1-u)}
}

const (
	pad       = 18 // between a frame and its content
	maxNested = 64 // frames in one another; a node that is deeper is in none
	farPx     = 1 << 22
)

// layouter is a layout in the making.
type layouter struct {
	g     *Graph
	opt   Options
	items []item // by node; behind them the outermost frame, which is no node
	root  *item
}

// item is a node while it is laid out.
type item struct {
	node       *Node
	parent     *item
	depth      int
	children   []*item
	edges      []*Edge      // of a frame: those between its children, and from its ports to them
	x, y, w, h float64      // in its frame; in the end absolute
	former     float64      // height of its middle in the former layout, infinite if it was not there
	ports      [2][]float64 // heights from its top
	ties       [2][]tie     // to the nodes behind it and before it

	walked      bool
	first, rank int     // place in a walk along the edges
	part        int     // of the nodes of its frame that hang together, from 1
	level       float64 // height of the other end of its middle tie to one side
}

// tie is an edge as one of its ends sees it.
type tie struct {
	to        *item
	yOwn, yTo float64 // where on the two nodes
}

// Lay lays a graph out. former may be nil; else nodes that it has are first put into the order that they
// have there. The same input gives the same layout.
func Lay(g *Graph, opt Options, former *Layout) *Layout {
	l := &layouter{g: g, opt: opt, items: make([]item, len(g.Nodes)+1)}
	l.root = &l.items[len(g.Nodes)]
	frames := l.nest(former)
	for i := range g.Edges {
		e := &g.Edges[i]
		_, _, frame := l.lift(e)
		frame.edges = append(frame.edges, e)
	}
	for _, f := range slices.Backward(frames) {
		l.layFrame(f)
	}
	return l.result(frames)
}

// size returns a size that can be calculated with.
func size(v float32, least float64) float64 {
	if !(float64(v) >= least) {
		return least
	}
	return min(math.Ceil(float64(v)), farPx)
}

// nest finds what lies in which frame, and returns the frames, the outermost first. A node in a ring of
// parents, or too deep, is in none.
func (l *layouter) nest(former *Layout) (frames []*item) {
	for i := range l.g.Nodes {
		x := &l.items[i]
		x.node, x.parent = &l.g.Nodes[i], l.root
		if p := x.node.Parent; p >= 0 && int(p) < len(l.g.Nodes) {
			x.parent = &l.items[p]
		}
		x.w, x.h, x.former = size(x.node.W, 1), size(x.node.H, 1), math.Inf(1)
		if former != nil {
			if y, ok := former.middles[x.node.Key]; ok {
				x.former = float64(y)
			}
		}
		for side, ports := range x.node.Ports {
			for _, p := range ports {
				x.ports[side] = append(x.ports[side], min(size(p.Y, 0), x.h))
			}
		}
	}
	for i := range l.g.Nodes {
		x := &l.items[i]
		x.depth = 1
		for p := x.parent; p != l.root && x.depth <= maxNested; p = p.parent {
			x.depth++
		}
		if x.depth > maxNested {
			x.depth, x.parent = 1, l.root
		}
		x.parent.children = append(x.parent.children, x)
	}
	frames = append(frames, l.root)
	for k := 0; k < len(frames); k++ {
		for _, c := range frames[k].children {
			if len(c.children) > 0 {
				frames = append(frames, c)
			}
		}
	}
	return frames
}

// lift returns what an edge is between in the innermost frame that both its ends are in: children of
// the frame, or the frame itself, seen from inside.
func (l *layouter) lift(e *Edge) (u, v, frame *item) {
	u, v = &l.items[e.From.Node], &l.items[e.To.Node]
	for {
		switch {
		case u.parent == v.parent:
			return u, v, u.parent
		case u.parent == v:
			return u, v, v
		case v.parent == u:
			return u, v, u
		case u.depth >= v.depth:
			u = u.parent
		default:
			v = v.parent
		}
	}
}

// portY returns the height of an end from the top of its node, or of a frame around that.
func (l *layouter) portY(end End, of *item) float64 {
	x := &l.items[end.Node]
	y := math.Round(x.h / 2)
	if ports := x.ports[end.Side]; end.Port >= 0 && int(end.Port) < len(ports) {
		y = ports[end.Port]
	}
	for ; x != of; x = x.parent {
		y += x.y
	}
	return y
}

// layFrame lays out the inside of a frame.
func (l *layouter) layFrame(f *item) {
	l.tie(f)
	var parts [][]*item
	for _, x := range f.children {
		if part := x.flood(len(parts)+1, nil); len(part) > 0 {
			l.place(part)
			parts = append(parts, part)
		}
	}
	w, h := l.pack(parts, format.Pick(f == l.root, 2.2, 1.3))
	if f == l.root {
		f.w, f.h = w, h
	} else {
		l.enclose(f, w, h)
	}
}

// tie ties the nodes of a frame together and gives each the smallest rank that is greater than those of
// its predecessors; nodes with more successors than predecessors come near to these. A walk in depth, from
// nodes that nothing leads to, finds the edges that close a cycle: they get no ties.
func (l *layouter) tie(f *item) {
	out, isTarget := map[*item][]*item{}, map[*item]bool{}
	for _, e := range f.edges {
		if u, v, _ := l.lift(e); u != v && u != f && v != f {
			out[u] = append(out[u], v)
			isTarget[v] = true
		}
	}
	var order []*item // the last first
	var walk func(x *item)
	walk = func(x *item) {
		if x.walked {
			return
		}
		x.walked = true
		for _, y := range slices.Backward(out[x]) {
			walk(y)
		}
		x.first = -len(order)
		order = append(order, x)
	}
	for _, x := range slices.Backward(f.children) {
		if !isTarget[x] {
			walk(x)
		}
	}
	for _, x := range f.children {
		walk(x)
	}
	for _, e := range f.edges {
		if u, v, _ := l.lift(e); u != f && v != f && u.first < v.first {
			yu, yv := l.portY(e.From, u), l.portY(e.To, v)
			u.ties[Right] = append(u.ties[Right], tie{v, yu, yv})
			v.ties[Left] = append(v.ties[Left], tie{u, yv, yu})
		}
	}
	for _, x := range slices.Backward(order) {
		for _, t := range x.ties[Right] {
			t.to.rank = max(t.to.rank, x.rank+1)
		}
	}
	for _, x := range order {
		if len(x.ties[Right]) > len(x.ties[Left]) {
			x.rank = math.MaxInt
			for _, t := range x.ties[Right] {
				x.rank = min(x.rank, t.to.rank-1)
			}
		}
	}
}

// flood adds the nodes that hang together with one to a part that has a number.
func (x *item) flood(number int, part []*item) []*item {
	if x.part != 0 {
		return part
	}
	x.part = number
	part = append(part, x)
	for _, ties := range x.ties {
		for _, t := range ties {
			part = t.to.flood(number, part)
		}
	}
	return part
}

// The ranks of a part are gone over several times, forth and back in turn, and put into order in the first
// of these.
const sweeps, sortingSweeps = 9, 4

// place finds the places of the nodes of a part.
func (l *layouter) place(part []*item) {
	var ranks [][]*item
	for _, x := range part {
		for len(ranks) <= x.rank {
			ranks = append(ranks, nil)
		}
		ranks[x.rank] = append(ranks[x.rank], x)
	}
	for _, rank := range ranks {
		slices.SortFunc(rank, func(a, b *item) int {
			return cmp.Or(cmp.Compare(a.former, b.former), cmp.Compare(a.first, b.first))
		})
		l.spread(rank)
	}
	for k := range sweeps {
		for i := range ranks {
			if k%2 == 0 {
				l.pull(ranks[i], Left, k < sortingSweeps)
			} else {
				l.pull(ranks[len(ranks)-1-i], Right, k < sortingSweeps)
			}
		}
	}
	l.columns(ranks)
}

// pull moves the nodes of a rank to where their ties to one side become level, as near as their order and
// the gaps between them allow. Of ties that do not go together the middle one counts: most edges are then
// level, and a few climb all the more.
func (l *layouter) pull(rank []*item, side Side, sort bool) {
	for _, x := range rank {
		x.level = x.y + x.h/2
		ties := x.ties[side]
		if len(ties) > 0 {
			slices.SortStableFunc(ties, func(a, b tie) int { return cmp.Compare(a.to.y+a.yTo, b.to.y+b.yTo) })
			t := &ties[(len(ties)-1)/2]
			x.level = t.to.y + t.yTo
			x.y = x.level - t.yOwn
		}
	}
	if sort {
		slices.SortStableFunc(rank, func(a, b *item) int { return cmp.Compare(a.level, b.level) })
	}
	l.spread(rank)
}

// spread brings gaps between the nodes of a rank: each comes to the middle between where it is when all
// that are too near move down, and where it is when they move up.
func (l *layouter) spread(rank []*item) {
	down := make([]float64, len(rank))
	next := math.Inf(-1)
	for i, x := range rank {
		down[i] = max(x.y, next)
		next = down[i] + x.h + math.Ceil(float64(l.opt.GapY))
	}
	next = math.Inf(1)
	for i, x := range slices.Backward(rank) {
		up := min(x.y, next-x.h)
		next = up - math.Ceil(float64(l.opt.GapY))
		x.y = math.Round((down[i] + up) / 2)
	}
}

// columns places the ranks of a part side by side, farther apart where an edge climbs far.
func (l *layouter) columns(ranks [][]*item) {
	left, top := 0.0, math.Inf(1)
	for _, rank := range ranks {
		w, climb, gap := 0.0, 0.0, float64(l.opt.GapX)
		for _, x := range rank {
			w, top = max(w, x.w), min(top, x.y)
			for _, t := range x.ties[Right] {
				climb = max(climb, math.Abs(x.y+t.yOwn-t.to.y-t.yTo))
			}
		}
		for _, x := range rank {
			x.x = left + math.Floor((w-x.w)/2)
		}
		left += w + math.Ceil(gap+min(climb/8, 1.5*gap))
	}
	for _, x := range slices.Concat(ranks...) {
		x.y -= top
	}
}

// pack puts the parts of a frame into rows, those of one node below the others. It returns the size of all,
// with about that ratio of width to height.
func (l *layouter) pack(parts [][]*item, shape float64) (w, h float64) {
	gap := math.Floor(float64(l.opt.GapY) * 1.5)
	bounds := make([]item, len(parts))
	area, limit := 0.0, 0.0
	for i, part := range parts {
		b := &bounds[i]
		for _, x := range part {
			b.w, b.h = max(b.w, x.x+x.w), max(b.h, x.y+x.h)
		}
		area += (b.w + gap) * (b.h + gap)
		limit = max(limit, b.w)
	}
	limit = max(limit, math.Sqrt(area*shape))
	left, top := 0.0, 0.0
	for _, single := range [...]bool{false, true} {
		for i, part := range parts {
			if (len(part) == 1) != single {
				continue
			}
			if left > 0 && left+bounds[i].w > limit {
				left, top = 0, h+gap
			}
			for _, x := range part {
				x.x += left
				x.y += top
			}
			w, h = max(w, left+bounds[i].w), max(h, top+bounds[i].h)
			left += bounds[i].w + gap
		}
	}
	return w, h
}

// enclose leaves room in a frame around its content, which is (w, h) large, and finds the heights of its ports:
// level with what they are linked with inside, as far as there are gaps between them.
func (l *layouter) enclose(f *item, w, h float64) {
	top, indent := size(f.node.Head, 0)+pad/2, [2]float64{pad, pad}
	var ports [2][]*item
	f.h = max(f.h, top+h+pad)
	for side, list := range f.node.Ports {
		for _, p := range list {
			indent[side] = max(indent[side], size(p.W, 0)+pad)
			ports[side] = append(ports[side], &item{y: f.h - pad})
		}
	}
	f.w = max(f.w, w+indent[Left]+indent[Right])
	for _, x := range f.children {
		x.x += indent[Left]
		x.y += top
	}
	for _, e := range f.edges {
		for _, ends := range [...][2]End{{e.From, e.To}, {e.To, e.From}} {
			if p := ends[0]; &l.items[p.Node] == f && p.Port >= 0 && int(p.Port) < len(ports[p.Side]) {
				ports[p.Side][p.Port].y = l.portY(ends[1], f)
			}
		}
	}
	for side, list := range ports {
		sorted := slices.Clone(list)
		slices.SortStableFunc(sorted, func(a, b *item) int { return cmp.Compare(a.y, b.y) })
		l.spread(sorted)
		for k, p := range list {
			f.ports[side][k] = p.y + max(top-sorted[0].y, 0)
			f.h = max(f.h, f.ports[side][k]+pad)
		}
	}
}

// result makes everything absolute, from the outermost frame in.
func (l *layouter) result(frames []*item) *Layout {
	out := &Layout{
		W: float32(l.root.w), H: float32(l.root.h), Boxes: make([]Box, len(l.g.Nodes)),
		Curves: make([]Curve, len(l.g.Edges)), middles: make(map[int64]float32, len(l.g.Nodes)),
	}
	for _, f := range frames {
		for _, x := range f.children {
			x.x += f.x
			x.y += f.y
		}
	}
	for i := range out.Boxes {
		x, b := &l.items[i], &out.Boxes[i]
		*b = Box{X0: float32(x.x), Y0: float32(x.y), X1: float32(x.x + x.w), Y1: float32(x.y + x.h)}
		out.middles[x.node.Key] = (b.Y0 + b.Y1) / 2
		for side, ports := range x.ports {
			for _, y := range ports {
				b.Ports[side] = append(b.Ports[side], b.Y0+float32(y))
			}
		}
	}
	for i := range out.Curves {
		e, c := &l.g.Edges[i], &out.Curves[i]
		c.From, c.To = l.pointOf(e.From), l.pointOf(e.To)
		if _, _, f := l.lift(e); c.To.X < c.From.X {
			c.Low = float32(f.y + f.h - pad/2)
			if f == l.root {
				c.Low += pad
			}
			out.H = max(out.H, c.Low)
		}
	}
	return out
}

// pointOf returns where an end is.
func (l *layouter) pointOf(end End) Point {
	x := &l.items[end.Node]
	return Point{float32(x.x + format.Pick(end.Side == Left, 0, x.w)), float32(x.y + l.portY(end, x))}
}
