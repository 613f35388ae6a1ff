package calls

import (
	"cmp"
	"slices"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// callNode is a node of the tree that the table shows. Top down it is a call path; bottom up it is a
// method, or a caller on the way up from one. Its children are made when it is first unfolded. Bottom up a
// node stands for a run of pairs in bases and at, the node of the tree where the method ran and the node
// of the caller; a method stands for all nodes of the tree with it.
type callNode struct {
	collector          model.CollectorID
	parent             int32
	child, next        int32 // -1 none
	at                 int32 // top down: its node of the tree
	from, to           int32 // bottom up: its pairs
	total, self, count int64
	key                uint64 // of the way from the outermost, the same in every tree
	made               bool   // children are there
	keep, below        bool   // under the filter: is shown; has a match below
}

// callerPair is a pair of a bottom-up node that is being made.
type callerPair struct {
	collector model.CollectorID
	base, at  int32
}

// Keys of the parents of the outermost nodes.
const (
	topDownKey  uint64 = 0x5bd1e995 << 20
	bottomUpKey uint64 = 0x2545f491 << 20
)

// childKey is the key of a child.
func childKey(parent uint64, c model.CollectorID) uint64 {
	h := (parent ^ uint64(c+1)) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// make makes the outermost nodes: calls, or bottom up methods, each with all places of the tree where it ran.
func (t *callTreeSource) make(bottomUp bool) {
	t.nodes, t.roots, t.bases, t.at = t.nodes[:0], t.roots[:0], t.bases[:0], t.at[:0]
	if !bottomUp {
		t.call(-1, 0, int32(len(t.tree.Nodes)), topDownKey)
		return
	}
	add := func(in *spans.Inside) {
		n := callNode{
			collector: in.Collector, parent: -1, child: -1, next: -1, total: in.Total, self: in.Self, count: in.Outermost,
			key: childKey(bottomUpKey, in.Collector),
		}
		if t.key.measure == spans.MeasureDuration {
			n.count = in.Count
		}
		t.roots = append(t.roots, int32(len(t.nodes)))
		t.nodes = append(t.nodes, n)
	}
	if none, ok := t.tree.Took(model.NoCollector); ok {
		add(&none)
	}
	list := t.tree.Collectors()
	for i := range list {
		add(&list[i])
	}
}

// call makes nodes of the calls in [at, end) of the tree that are not within each other.
func (t *callTreeSource) call(parent, at, end int32, parentKey uint64) {
	last := int32(-1)
	for ; at < end; at = t.tree.Ends[at] {
		n, id := &t.tree.Nodes[at], int32(len(t.nodes))
		t.nodes = append(t.nodes, callNode{
			collector: n.Collector, parent: parent, child: -1, next: -1, at: at,
			total: n.Total, self: n.Self, count: n.Count, key: childKey(parentKey, n.Collector),
		})
		t.chain(parent, last, id)
		last = id
		t.look(id)
	}
}

// chain puts a node behind the last one of its siblings.
func (t *callTreeSource) chain(parent, last, id int32) {
	switch {
	case parent < 0:
		t.roots = append(t.roots, id)
	case last < 0:
		t.nodes[parent].child = id
	default:
		t.nodes[last].next = id
	}
}

// nodesOf returns where a method ran, for each node that stands for it: the pairs of a caller, or all
// nodes of the tree with the method.
func (t *callTreeSource) nodesOf(n *callNode) (bases, at []int32) {
	if n.parent < 0 {
		nodes := t.tree.NodesOf(n.collector)
		return nodes, nodes
	}
	return t.bases[n.from:n.to], t.at[n.from:n.to]
}

// group makes nodes of the pairs in t.order, one for each collector.
func (t *callTreeSource) group(parent int32, parentKey uint64) {
	slices.SortFunc(t.order, func(a, b callerPair) int {
		return cmp.Or(cmp.Compare(a.collector, b.collector), cmp.Compare(a.base, b.base))
	})
	last := int32(-1)
	for i := 0; i < len(t.order); {
		c := t.order[i].collector
		id := int32(len(t.nodes))
		n := callNode{collector: c, parent: parent, child: -1, next: -1, from: int32(len(t.bases)),
			key: childKey(parentKey, c)}
		for ; i < len(t.order) && t.order[i].collector == c; i++ {
			p := &t.order[i]
			base := &t.tree.Nodes[p.base]
			t.bases, t.at = append(t.bases, p.base), append(t.at, p.at)
			n.self += base.Self
			if !t.tree.Nested(p.base) { // a call within another of the same method is part of it
				n.total += base.Total
				n.count += base.Count
			} else if t.key.measure == spans.MeasureDuration {
				n.count += base.Count
			}
		}
		n.to = int32(len(t.bases))
		t.nodes = append(t.nodes, n)
		t.chain(parent, last, id)
		last = id
	}
}

// hasChildren reports whether a node has any, without making them.
func (t *callTreeSource) hasChildren(node int32) bool {
	n := &t.nodes[node]
	if n.made {
		return n.child >= 0
	}
	if !t.layout.bottomUp {
		return t.tree.Ends[n.at] > n.at+1
	}
	_, all := t.nodesOf(n)
	return slices.ContainsFunc(all, func(at int32) bool { return t.tree.Nodes[at].Parent >= 0 })
}

// expand makes the children of a node: bottom up, its callers.
func (t *callTreeSource) expand(node int32) {
	n := &t.nodes[node]
	if n.made {
		return
	}
	n.made = true
	if !t.layout.bottomUp {
		t.call(node, n.at+1, t.tree.Ends[n.at], n.key)
		return
	}
	t.order = t.order[:0]
	bases, all := t.nodesOf(n)
	for i, at := range all {
		if up := t.tree.Nodes[at].Parent; up >= 0 {
			t.order = append(t.order, callerPair{t.tree.Nodes[up].Collector, bases[i], up})
		}
	}
	before := len(t.nodes)
	t.group(node, n.key)
	for i := before; i < len(t.nodes); i++ {
		t.nodes[i].keep = true // callers of found nodes
	}
}

// filter marks the nodes that match the filter by name, their callers, and the nodes below them.
// Bottom up it is the methods that count.
func (t *callTreeSource) filter(s *store.Session) {
	text := t.layout.filter
	if text == "" {
		return
	}
	if n := s.Collectors().Len(); len(t.match) < n {
		t.match = append(t.match, make([]bool, n-len(t.match))...)
	}
	for c := range t.match {
		t.match[c] = c < s.Collectors().Len() && format.ContainsFold(s.Collector(model.CollectorID(c)).Title(), text)
	}
	if t.below = t.below[:0]; !t.layout.bottomUp {
		nodes := t.tree.Nodes
		t.below = append(t.below, make([]bool, len(nodes))...)
		for i := len(nodes) - 1; i >= 0; i-- { // callees come after their caller
			if p := nodes[i].Parent; p >= 0 && (t.below[i] || t.matches(nodes[i].Collector)) {
				t.below[p] = true
			}
		}
	}
	for i := range t.nodes {
		t.look(int32(i))
	}
}

// look applies the filter to a node, after its parent.
func (t *callTreeSource) look(node int32) {
	n := &t.nodes[node]
	if len(t.match) == 0 || t.layout.filter == "" {
		return
	}
	n.below = int(n.at) < len(t.below) && t.below[n.at]
	n.keep = n.below || t.matches(n.collector) || n.parent >= 0 && t.leads(n.parent)
}

// leads reports whether all below a node is shown: it is called like the filter, or in one that is.
func (t *callTreeSource) leads(node int32) bool {
	for ; node >= 0; node = t.nodes[node].parent {
		if t.matches(t.nodes[node].collector) {
			return true
		}
	}
	return false
}

func (t *callTreeSource) matches(c model.CollectorID) bool {
	return c >= 0 && int(c) < len(t.match) && t.match[c]
}

// setOpen folds or unfolds a node.
func (t *callTreeSource) setOpen(key uint64, open bool) {
	if open {
		t.open[key] = struct{}{}
	} else {
		delete(t.open, key)
	}
	t.foldRev++
}

// heaviest unfolds the heaviest path below a node, until a method has more itself than any callee.
func (t *callTreeSource) heaviest(node int32) {
	for {
		if !t.hasChildren(node) {
			return
		}
		t.expand(node)
		t.setOpen(t.nodes[node].key, true)
		best := int32(-1)
		for c := t.nodes[node].child; c >= 0; c = t.nodes[c].next {
			if best < 0 || t.nodes[c].total > t.nodes[best].total {
				best = c
			}
		}
		if best < 0 {
			return
		}
		if n := &t.nodes[best]; n.total <= 0 || !t.layout.bottomUp && n.total <= t.nodes[node].self {
			return
		}
		node = best
	}
}
