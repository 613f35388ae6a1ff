package flame

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/spans"
)

// forest is a call tree with places: ns from the left edge of the whole. It makes nodes of the tree, which
// it does not own, on demand.
type forest struct {
	nodes []spans.Node
	ends  []int32
	share float64 // makes ns of the mean frame of the nodes' values
	total float64 // ns of the mean frame, over the outermost bars
	rows  int
	in    []placed // the stack of the walk over bars
}

// flameNode is a bar before it has pixels.
type flameNode struct {
	collector model.CollectorID
	parent    int32
	depth     int32
	count     int64
	total     float64 // ns (or sampleUnits for each sample) of the mean frame
	self      float64
	next      int32 // index after the node's sub-tree
}

// clear empties the forest.
func (o *forest) clear() { *o = forest{in: o.in} }

// fill takes the nodes of a tree, each times a share: siblings stand side by side from the left edge of
// their caller.
func (o *forest) fill(nodes []spans.Node, ends []int32, rows int, share float64) {
	*o = forest{nodes: nodes, ends: ends, rows: rows, share: share, in: o.in}
	sum := int64(0)
	for i := 0; i < len(nodes); i = int(ends[i]) {
		sum += nodes[i].Total
	}
	o.total = float64(sum) * share
}

// node returns a node with its times, for tooltips, labels and the ruler. The walk over bars reads the tree itself.
func (o *forest) node(i int32) flameNode {
	n := &o.nodes[i]
	return flameNode{
		collector: n.Collector, parent: n.Parent, depth: n.Depth, count: n.Count,
		total: float64(n.Total) * o.share, self: float64(n.Self) * o.share, next: o.ends[i],
	}
}

// start returns where a node begins, ns from the left edge of the whole.
func (o *forest) start(i int32) float64 {
	sum := int64(0)
	for up := i; up >= 0; i = up {
		up = o.nodes[i].Parent
		for k, _ := o.children(int(up)); k < int(i); k = int(o.ends[k]) {
			sum += o.nodes[k].Total
		}
	}
	return float64(sum) * o.share
}

// find returns the node at a chain of collectors from the outermost in, -1 when there is none (or
// the chain is empty).
func (o *forest) find(chain []model.CollectorID) int {
	at := -1
	for _, c := range chain {
		i, end := o.children(at)
		for i < end && o.nodes[i].Collector != c {
			i = int(o.ends[i])
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
	return node + 1, int(o.ends[node])
}

// flameBar is a bar on the screen.
type flameBar struct {
	node   int32 // the first one of merged
	merged int32 // nodes joined in it, 1 for a plain bar
	start  float64
	total  float64
	rect   draw.Rect
}

// pane is the place of the rows of a forest and its visible part.
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

// placed is a node that the walk of bars is in.
type placed struct {
	end   int32 // behind its sub-tree
	right int64 // where its next child begins, in the tree's measure
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
			x0, x1 := px(run.start), px(runEnd)
			if x1 > x0 {
				run.rect = p.rect(o.nodes[run.node].Depth, x0, x1)
				out = append(out, run)
			}
			run.node = -1
		}
	}
	// Depth first: a run of narrow siblings is never interrupted by anything else of its row but wide
	// siblings, because narrow nodes are not entered.
	var runParent int32
	in := append(o.in[:0], placed{end: int32(len(o.nodes))})
	for i := int32(0); int(i) < len(o.nodes); {
		for in[len(in)-1].end <= i {
			in = in[:len(in)-1]
		}
		n, at := &o.nodes[i], &in[len(in)-1]
		left := at.right
		at.right += n.Total
		start, total := float64(left)*o.share, float64(n.Total)*o.share
		if start+total <= p.begin || start >= p.end || total <= 0 || n.Depth >= p.rows {
			i = o.ends[i]
			continue
		}
		if total < perPx {
			if run.node >= 0 && (runParent != n.Parent || runEnd != start) {
				flush()
			}
			if run.node < 0 {
				run, runParent = flameBar{node: i, start: start}, n.Parent
			}
			run.merged++
			run.total += total
			runEnd = float64(at.right) * o.share
			i = o.ends[i]
			continue
		}
		flush()
		x0, x1 := px(start), px(start+total)
		x1 = max(x1, x0+1)
		out = append(out, flameBar{node: i, merged: 1, start: start, total: total, rect: p.rect(n.Depth, x0, x1)})
		in = append(in, placed{end: o.ends[i], right: left})
		i++
	}
	flush()
	o.in = in
	return out
}
