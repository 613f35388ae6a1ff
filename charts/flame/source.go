package flame

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// flameSource is the content of a flame graph: a range of time and the received frames in it.
type flameSource struct {
	kind        subject.SourceKind
	t0, t1      int64
	frames      int64 // received frames in the range, by which totals are divided
	missing     int64 // frame numbers missing in the range
	first, last int64 // their numbers; of the gap when kind is flameMissing
	a, b        int   // indices of the frames of the mean, b < a: totals are those of the range
	live        bool
	partial     bool // the range cuts frames: the mean is per range, not per frame
	timeless    bool // its samples have no times
}

// choose chooses the content: while live the newest frames; else the selected frames, else the
// selected range, else the frame at the playhead.
func (f *Graph) choose(env *panel.Env) flameSource {
	v := env.View
	s := v.Session()
	id := f.track(env)
	track := s.Track(id)
	if track == nil {
		return flameSource{}
	}
	n := track.NumFrames()
	if n == 0 {
		return f.chooseTime(v, track)
	}
	if v.Live() {
		src := framesSource(track, max(0, n-max(1, f.MeanFrames)), n-1)
		src.live = true
		return src
	}
	a, b, selected := v.FramesOf(id)
	switch {
	case !selected:
		if a = v.FrameAtPlayhead(id, 0); a < 0 {
			return missingSource(track, v.Playhead())
		}
		return framesSource(track, a, a)
	case b < a:
		return missingSource(track, v.RangeA())
	}
	begin, end, _ := track.FrameTimes(a, b)
	if id == v.Track() && v.HasRange() && (v.RangeA() > begin || v.RangeB() < end) {
		return cutSource(track, a, b, v.RangeA(), v.RangeB())
	}
	return framesSource(track, a, b)
}

// chooseTime is choose for a track that has spans but no frames.
func (f *Graph) chooseTime(v *view.View, track *store.Track) flameSource {
	if track.NumSpans() == 0 && !v.Session().Spans().Sampled(track.Def.ID) {
		return flameSource{}
	}
	src := flameSource{kind: subject.SourceShown, frames: 1, partial: true, b: -1}
	src.timeless = v.Session().Info().Sampling.Timeless
	src.t0, src.t1 = subject.ThreadRange(v)
	return src
}

// framesSource returns the source of the frames with index [a, b].
func framesSource(track *store.Track, a, b int) flameSource {
	first, last := track.Frame(a), track.Frame(b)
	src := flameSource{
		kind: subject.SourceShown, frames: track.CountedFrames(a, b), a: a, b: b, first: first.Number, last: last.Number,
	}
	src.t0, src.t1, _ = track.FrameTimes(a, b)
	src.missing = track.MissingIn(a, b)
	return src
}

// cutSource returns the source of a range that cuts the first or the last of the frames with index
// [a, b] that it touches. Totals are divided by the frames that begin in it; where that is one or
// none, the range is shown as it is.
func cutSource(track *store.Track, a, b int, t0, t1 int64) flameSource {
	if track.Frame(a).Begin < t0 && b-a >= 2 {
		a++
	}
	src := framesSource(track, a, b)
	src.t0, src.t1, src.b = t0, t1, -1
	if a == b || track.Frame(a).Begin < t0 {
		src.frames, src.partial = 1, true
	}
	return src
}

// missingSource returns the source of an instant where nothing was received.
func missingSource(track *store.Track, timeNs int64) flameSource {
	i := track.FrameAt(timeNs)
	if i < 0 || i+1 >= track.NumFrames() {
		return flameSource{}
	}
	g, ok := track.GapAfter(i)
	if !ok {
		return flameSource{}
	}
	return flameSource{kind: subject.SourceMissing, first: g.FirstNumber, last: g.LastNumber, missing: g.Count()}
}

// appendWords appends the source in words: "frame 12 407", "mean of 60 frames", "range of 9 frames
// · 3 missing".
func (src *flameSource) appendWords(dst []byte) []byte {
	switch src.kind {
	case subject.SourceEmpty:
		return dst
	case subject.SourceMissing:
		return subject.AppendMissingFrames(dst, src.first, src.last)
	}
	switch n := src.frames; {
	case src.live && n > 1:
		dst = panel.AppendMeanOf(dst, n)
	case src.timeless:
		dst = append(dst, "all samples"...)
	case src.partial:
		dst = format.AppendDuration(append(dst, "range of "...), src.t1-src.t0)
	case n == 1:
		dst = format.AppendCount(append(dst, "frame "...), src.first)
	default:
		dst = append(format.AppendCount(append(dst, "range of "...), n), " frames"...)
	}
	if src.missing > 0 {
		dst = append(format.AppendCount(append(dst, " · "...), src.missing), " missing"...)
	}
	return dst
}

// perFrame reports whether totals are means of frames.
func (src *flameSource) perFrame() bool { return src.frames > 1 }

// whole reports whether a total is the duration of the one frame that is shown, to all digits that are
// written.
func (src *flameSource) whole(total float64) bool {
	took := float64(src.t1 - src.t0)
	return src.a == src.b && math.Abs(total-took) <= took/2000
}

// flameMerge builds the call tree above a focus collector, in buffers that are kept.
type flameMerge struct {
	mapped []int32
	raw    []mergedNode
	stack  []int32
	out    []spans.Node
	ends   []int32 // of out, see spans.Tree
}

// mergedNode is a node of the tree being built, with its children as a list in ascending collector
// id.
type mergedNode struct {
	node           spans.Node
	child, sibling int32
}

// focus returns the nodes to show. With a focus, only it and its static descendants may be
// outermost, everything may be inside them, and equal paths from different callers are one
// (VIEWER.md section 10.1).
func (m *flameMerge) focus(
	s *store.Session, tree *spans.Tree, focus model.CollectorID,
) (nodes []spans.Node, ends []int32, rows int) {
	if focus == model.NoCollector {
		return tree.Nodes, tree.Ends, tree.Rows
	}
	m.mapped, m.raw, m.out, m.stack = m.mapped[:0], m.raw[:0], m.out[:0], m.stack[:0]
	m.raw = append(m.raw, mergedNode{child: -1, sibling: -1}) // the root above the outermost
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		at, in := int32(-1), int32(-1)
		if n.Parent >= 0 {
			in = m.mapped[n.Parent]
		}
		switch {
		case in >= 0:
			at = m.child(in, n)
		case n.Collector == focus || s.Collectors().IsDescendant(n.Collector, focus):
			at = m.child(0, n)
		}
		m.mapped = append(m.mapped, at)
		if at < 0 {
			continue
		}
		r := &m.raw[at].node
		r.Total += n.Total
		r.Self += n.Self
		r.Count += n.Count
	}
	// depth first, with a stack of siblings still to come; Parent becomes the index in the result
	push := func(i int32) {
		if i >= 0 {
			m.stack = append(m.stack, i)
		}
	}
	push(m.raw[0].child)
	for len(m.stack) > 0 {
		i := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		r := &m.raw[i]
		push(r.sibling)
		n := r.node
		if p := n.Parent; p > 0 {
			n.Parent = m.raw[p].node.Parent // by now the index of the result, see below
			n.Depth = m.out[n.Parent].Depth + 1
		} else {
			n.Parent, n.Depth = -1, 0
		}
		m.out = append(m.out, n)
		r.node.Parent = int32(len(m.out) - 1)
		push(r.child)
		rows = max(rows, int(n.Depth)+1)
	}
	m.ends = slices.Grow(m.ends[:0], len(m.out))[:len(m.out)]
	for i := range m.ends {
		m.ends[i] = int32(i + 1)
	}
	for i := len(m.out) - 1; i >= 0; i-- { // children come after their caller
		if p := m.out[i].Parent; p >= 0 {
			m.ends[p] = max(m.ends[p], m.ends[i])
		}
	}
	return m.out, m.ends, rows
}

// child returns the child of a node with n's collector, made if there is none.
func (m *flameMerge) child(parent int32, n *spans.Node) int32 {
	before, at := int32(-1), m.raw[parent].child
	for at >= 0 && m.raw[at].node.Collector < n.Collector {
		before, at = at, m.raw[at].sibling
	}
	if at >= 0 && m.raw[at].node.Collector == n.Collector {
		return at
	}
	id := int32(len(m.raw))
	m.raw = append(m.raw, mergedNode{node: spans.Node{Path: n.Path, Collector: n.Collector, Parent: parent}, child: -1,
		sibling: at})
	if before < 0 {
		m.raw[parent].child = id
	} else {
		m.raw[before].sibling = id
	}
	return id
}

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
	collector     model.CollectorID
	parent, depth int32
	count         int64
	total         float64 // ns (or sampleUnits for each sample) of the mean frame
	self          float64
	next          int32 // index after the node's sub-tree
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
	node         int32 // the first one of merged
	merged       int32 // nodes joined in it, 1 for a plain bar
	start, total float64
	rect         draw.Rect
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
