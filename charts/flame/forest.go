package flame

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/paths"
)

// forest is a call tree with places: ns from the left edge of the whole.
type forest struct {
	nodes  []flameNode
	total  float64 // ns of the mean frame, over the outermost bars
	depths int
}

// flameNode is a bar before it has pixels.
type flameNode struct {
	collector model.CollectorID
	parent    int32
	depth     int32
	count     int64
	total     float64 // ns (or sampleUnits for each sample) of the mean frame
	self      float64
	start     float64 // ns from the left edge of the whole graph
	next      int32   // index after the node's sub-tree
}

// clear empties the forest.
func (o *forest) clear() { o.nodes, o.total, o.depths = o.nodes[:0], 0, 0 }

// fill takes over the nodes of a tree, each times a share, and packs them: siblings side by side
// from the left edge of their caller.
func (o *forest) fill(nodes []paths.Node, share float64, cursor []float64) []float64 {
	o.clear()
	cursor = cursor[:0]
	for i := range nodes {
		from := &nodes[i]
		n := flameNode{
			collector: from.Collector, parent: from.Parent, depth: from.Depth, count: from.Count,
			total: float64(from.Total) * share, self: float64(from.Self) * share, next: int32(i + 1),
		}
		o.depths = max(o.depths, int(n.depth)+1)
		if n.parent < 0 {
			n.start = o.total
			o.total += n.total
		} else {
			n.start = cursor[n.parent]
			cursor[n.parent] += n.total
		}
		o.nodes = append(o.nodes, n)
		cursor = append(cursor, n.start)
	}
	for i := len(o.nodes) - 1; i >= 0; i-- { // children come after their caller
		if p := o.nodes[i].parent; p >= 0 {
			o.nodes[p].next = max(o.nodes[p].next, o.nodes[i].next)
		}
	}
	return cursor
}

// find returns the node at a chain of collectors from the outermost in, -1 when there is none (or
// the chain is empty).
func (o *forest) find(chain []model.CollectorID) int {
	at := -1
	for _, c := range chain {
		i, end := o.children(at)
		for i < end && o.nodes[i].collector != c {
			i = int(o.nodes[i].next)
		}
		if i >= end {
			return -1
		}
		at = i
	}
	return at
}

// children returns the first child of a node, of all for -1, and where the last one ends.
func (o *forest) children(node int) (first, end int) {
	if node < 0 {
		return 0, len(o.nodes)
	}
	return node + 1, int(o.nodes[node].next)
}

// flameBar is a bar on the screen.
type flameBar struct {
	node   int32 // the first one of merged
	merged int32 // nodes joined in it, 1 for a plain bar
	total  float64
	rect   draw.Rect
}

// pane is where the rows of a forest lie and what of it is in view.
type pane struct {
	plot       draw.Rect
	y          float32 // upper edge of the first row, or its lower one where rows go up
	row        float32 // height of a row with its separator
	line       float32 // of the separator
	up         bool
	begin, end float64 // in view
	rows       int32   // at most
}

// rect returns the rectangle of a bar in its row.
func (p *pane) rect(depth int32, x0, x1 float32) draw.Rect {
	y := p.y + float32(depth)*p.row
	if p.up {
		y = p.y - float32(depth+1)*p.row
	}
	return draw.Rect{X0: x0, Y0: y, X1: x1, Y1: y + p.row - p.line}
}

// bars appends the bars of a forest on the screen.
func (p *pane) bars(o *forest, out []flameBar) []flameBar {
	perPx := (p.end - p.begin) / float64(p.plot.W())
	px := func(ns float64) float32 {
		return p.plot.X0 + panel.Snap(float32(min(max((ns-p.begin)/perPx, -1e6), 1e6)))
	}
	run := flameBar{node: -1}
	var runEnd float64
	flush := func() {
		if run.node >= 0 {
			n := &o.nodes[run.node]
			x0, x1 := px(n.start), px(runEnd)
			if x1 > x0 {
				run.rect = p.rect(n.depth, x0, x1)
				out = append(out, run)
			}
			run.node = -1
		}
	}
	// Depth first: a run of narrow siblings is never interrupted by anything else of its row but wide
	// siblings, because narrow nodes are not entered.
	var runParent int32
	for i := 0; i < len(o.nodes); {
		n := &o.nodes[i]
		if n.start+n.total <= p.begin || n.start >= p.end || n.total <= 0 || n.depth >= p.rows {
			i = int(n.next)
			continue
		}
		if n.total < perPx {
			if run.node >= 0 && (runParent != n.parent || runEnd != n.start) {
				flush()
			}
			if run.node < 0 {
				run, runParent = flameBar{node: int32(i)}, n.parent
			}
			run.merged++
			run.total += n.total
			runEnd = n.start + n.total
			i = int(n.next)
			continue
		}
		flush()
		x0, x1 := px(n.start), px(n.start+n.total)
		x1 = max(x1, x0+1)
		out = append(out, flameBar{node: int32(i), merged: 1, total: n.total, rect: p.rect(n.depth, x0, x1)})
		i++
	}
	flush()
	return out
}
