package calls

import (
	"cmp"
	"slices"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// callNode is a node of the tree that the table shows. Top down it is a call path; bottom up it is
// a method, or a caller on the way up from one. Of the latter children are made when they are first
// unfolded: a node stands for a run of pairs in bases and at, the node of the tree where the method
// ran and the caller that the node is.
type callNode struct {
	collector          model.CollectorID
	parent             int32
	child, next        int32 // -1 none
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

// Keys of what is above the outermost nodes.
const (
	topDownKey  uint64 = 0x5bd1e995 << 20
	bottomUpKey uint64 = 0x2545f491 << 20
)

// childKey is the key of a child.
func childKey(parent uint64, c model.CollectorID) uint64 {
	h := (parent ^ uint64(c+1)) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// make makes the nodes from the tree.
func (t *callTreeSource) make(bottomUp bool) {
	t.nodes, t.roots, t.bases, t.at = t.nodes[:0], t.roots[:0], t.bases[:0], t.at[:0]
	if bottomUp {
		t.makeMethods()
		return
	}
	for i := range t.tree.Nodes {
		n := &t.tree.Nodes[i]
		up := topDownKey
		if n.Parent >= 0 {
			up = t.nodes[n.Parent].key
		} else {
			t.roots = append(t.roots, int32(i))
		}
		t.nodes = append(t.nodes, callNode{collector: n.Collector, parent: n.Parent, child: -1, next: -1,
			total: n.Total, self: n.Self, count: n.Count, key: childKey(up, n.Collector), made: true})
	}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if p := t.nodes[i].parent; p >= 0 {
			t.nodes[i].next = t.nodes[p].child
			t.nodes[p].child = int32(i)
		}
	}
}

// makeMethods makes a node for every method, each with all places of the tree where it ran.
func (t *callTreeSource) makeMethods() {
	t.findNested()
	t.order = t.order[:0]
	for i := range t.tree.Nodes {
		t.order = append(t.order, callerPair{t.tree.Nodes[i].Collector, int32(i), int32(i)})
	}
	t.group(-1, bottomUpKey)
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
		n := callNode{collector: c, parent: parent, child: -1, next: -1, from: int32(len(t.bases)), key: childKey(parentKey, c)}
		for ; i < len(t.order) && t.order[i].collector == c; i++ {
			p := &t.order[i]
			base := &t.tree.Nodes[p.base]
			t.bases, t.at = append(t.bases, p.base), append(t.at, p.at)
			n.self += base.Self
			if !t.nested[p.base] { // a call within another of the same method is part of it
				n.total += base.Total
				n.count += base.Count
			} else if t.key.measure == spans.MeasureDuration {
				n.count += base.Count
			}
		}
		n.to = int32(len(t.bases))
		t.nodes = append(t.nodes, n)
		switch {
		case parent < 0:
			t.roots = append(t.roots, id)
		case last < 0:
			t.nodes[parent].child = id
		default:
			t.nodes[last].next = id
		}
		last = id
	}
}

// findNested notes which nodes of the tree lie within another of the same collector.
func (t *callTreeSource) findNested() {
	nodes := t.tree.Nodes
	t.nested = t.nested[:0]
	most := model.CollectorID(-1)
	for i := range nodes {
		most = max(most, nodes[i].Collector)
	}
	slot := func(i int32) *int32 { return &t.inside[nodes[i].Collector+1] } // of paths that were never defined, too
	if n := int(most) + 2 - len(t.inside); n > 0 {
		t.inside = append(t.inside, make([]int32, n)...)
	}
	clear(t.inside)
	t.stack = t.stack[:0]
	for i := range nodes {
		n := &nodes[i]
		for len(t.stack) > int(n.Depth) { // left
			*slot(t.stack[len(t.stack)-1].node)--
			t.stack = t.stack[:len(t.stack)-1]
		}
		t.nested = append(t.nested, *slot(int32(i)) > 0)
		*slot(int32(i))++
		t.stack = append(t.stack, callRow{node: int32(i)})
	}
	t.stack = t.stack[:0]
}

// hasChildren tells whether a node has any, without making them.
func (t *callTreeSource) hasChildren(node int32) bool {
	n := &t.nodes[node]
	if n.made {
		return n.child >= 0
	}
	for _, at := range t.at[n.from:n.to] {
		if t.tree.Nodes[at].Parent >= 0 {
			return true
		}
	}
	return false
}

// expand makes the children of a node: bottom up, its callers.
func (t *callTreeSource) expand(node int32) {
	if t.nodes[node].made {
		return
	}
	t.nodes[node].made = true
	t.order = t.order[:0]
	for i := t.nodes[node].from; i < t.nodes[node].to; i++ {
		if up := t.tree.Nodes[t.at[i]].Parent; up >= 0 {
			t.order = append(t.order, callerPair{t.tree.Nodes[up].Collector, t.bases[i], up})
		}
	}
	before := len(t.nodes)
	t.group(node, t.nodes[node].key)
	for i := before; i < len(t.nodes); i++ {
		t.nodes[i].keep = true // callers of what was found
	}
}

// filter notes which nodes are called like the filter, what leads to them, and what is below them.
// Bottom up it is the methods that count.
func (t *callTreeSource) filter(s *store.Session) {
	text := t.by.Filter()
	if text == "" {
		return
	}
	if n := s.Collectors().Len(); len(t.match) < n {
		t.match = append(t.match, make([]bool, n-len(t.match))...)
	}
	for c := range t.match {
		t.match[c] = c < s.Collectors().Len() && format.ContainsFold(s.Collector(model.CollectorID(c)).Title(), text)
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		n.keep, n.below = t.matches(n) || n.parent >= 0 && t.nodes[n.parent].keep, false
	}
	if t.owner.BottomUp {
		return
	}
	for i := len(t.nodes) - 1; i >= 0; i-- { // callees come after their caller
		n := &t.nodes[i]
		if p := n.parent; p >= 0 && (n.below || t.matches(n)) {
			t.nodes[p].keep, t.nodes[p].below = true, true
		}
	}
}

func (t *callTreeSource) matches(n *callNode) bool { return n.collector >= 0 && t.match[n.collector] }

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
