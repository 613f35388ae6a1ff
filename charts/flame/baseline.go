package flame

import (
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/spans"
)

// against holds the baseline of the bars of a graph while one is pinned: for each node of the tree
// the entry for the same calls.
type against struct {
	base     *compare.Against // nil: nothing is pinned
	made     flameTreeKey
	revision uint64
	scale    float64 // makes of a width one of a frame, or of a second
	known    bool    // the graph shows a figure that the baseline has
	nodes    []baseNode
	tones    subject.Tones
}

// baseNode is the baseline's entry for a node.
type baseNode struct {
	entry *compare.Entry
	row   int // to look up its callees with
}

// queryBaseline looks up the nodes of the tree in the baseline when either changed.
func (f *Graph) queryBaseline(env *panel.Env) {
	a := &f.against
	a.base = subject.Baseline(env)
	a.tones.Use(env.Theme)
	if a.base == nil || f.source.kind != subject.SourceShown {
		a.known, a.made = false, flameTreeKey{}
		return
	}
	rev := env.Comparing.BaselineRevision()
	if a.made == f.treeKey && a.revision == rev {
		return
	}
	a.made, a.revision = f.treeKey, rev
	a.nodes, a.known = a.nodes[:0], false
	src, track := &f.source, f.track(env)
	if f.all(env) || f.Focus != model.NoCollector || f.measure != spans.MeasureDuration || !a.base.Knows(track) {
		return
	}
	switch ofFrames := src.b >= src.a; {
	case ofFrames && !a.base.ByTime(): // widths are per frame already
		a.scale = 1
	case a.base.ByTime() && src.partial && src.t1 > src.t0:
		a.scale = 1e9 / float64(src.t1-src.t0)
	default:
		return
	}
	a.known = true
	for i := range f.nodes {
		n, up := &f.nodes[i], -1
		if n.Parent >= 0 {
			up = a.nodes[n.Parent].row
		}
		e, row := a.base.Child(track, up, n.Collector)
		a.nodes = append(a.nodes, baseNode{e, row})
	}
}

// measuredBy returns how wide a node is, by the baseline.
func (f *Graph) measuredBy(node int32) subject.Measured {
	a := &f.against
	if !a.known || int(node) >= len(a.nodes) {
		return subject.Measured{}
	}
	m := subject.MeasuredBy(a.nodes[node].entry, true, subject.TotalOf, f.node(node).total*a.scale)
	m.Share = a.base.ByTime()
	return m
}
