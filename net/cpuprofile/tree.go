package cpuprofile

import (
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

// tree finds the stacks of samples.
type tree struct {
	p       *profile
	byID    map[int64]int32
	stack   []model.PathID
	of      int64 // id of the node with this stack
	any     bool
	unknown model.PathID
}

// newTree links each node to its caller. Of several callers the first counts. whole reports whether
// all nodes were read: otherwise referenced nodes may be missing.
func newTree(p *profile, whole bool) *tree {
	t := &tree{p: p, byID: make(map[int64]int32, len(p.nodes))}
	for i := range p.nodes {
		id := p.nodes[i].id
		if _, twice := t.byID[id]; twice {
			p.badIDs.Add(p.nodes[i].place)
		} else if id != noID {
			t.byID[id] = int32(i)
		}
	}
	for _, e := range p.edges {
		caller, callee := e.at, int32(0)
		other, ok := t.byID[e.id]
		if callee = other; e.at < 0 {
			caller, callee = other, ^e.at
		}
		if !ok {
			if whole {
				p.badEdges.Add(e.place)
			}
			continue
		}
		n := &p.nodes[callee]
		if n.parent >= 0 && n.parent != caller || caller == callee {
			p.isOdd(n.id)
			continue
		}
		n.parent = caller
	}
	p.edges = nil
	t.breakCircles()
	return t
}

// isOdd counts a node that has not one caller.
func (p *profile) isOdd(id int64) {
	if p.odd++; p.odd == 1 {
		p.oddID = id
	}
}

// breakCircles makes nodes outermost that call themselves by way of others.
func (t *tree) breakCircles() {
	seen := make([]int32, len(t.p.nodes)) // by which walk
	for i := range t.p.nodes {
		for k := int32(i); seen[k] == 0; {
			seen[k] = int32(i) + 1
			up := t.p.nodes[k].parent
			if up < 0 {
				break
			}
			if seen[up] == int32(i)+1 {
				t.p.nodes[up].parent = -1
				t.p.isOdd(t.p.nodes[up].id)
				break
			}
			k = up
		}
	}
}

// sample returns the call paths of a sample's stack, the outermost first; valid until the next. It
// has none while the thread was idle.
func (t *tree) sample(id int64) []model.PathID {
	if t.any && id == t.of {
		return t.stack
	}
	t.of, t.any = id, true
	t.stack = t.stack[:0]
	i, ok := t.byID[id]
	if !ok {
		if t.unknown == model.PathRoot {
			t.unknown = t.p.names.Path(model.PathRoot, t.p.names.Collector([]byte("(unknown)")))
		}
		t.stack = append(t.stack, t.unknown)
		return t.stack
	}
	if t.p.nodes[i].kind == idle {
		return t.stack
	}
	t.define(i)
	for k := i; k >= 0; k = t.p.nodes[k].parent {
		if n := &t.p.nodes[k]; n.kind != root {
			t.stack = append(t.stack, n.path)
		}
	}
	slices.Reverse(t.stack)
	return t.stack
}

// define gives a node and its callers their call paths, as far as they have none.
func (t *tree) define(i int32) {
	var chain []int32
	k := i
	for ; k >= 0 && t.p.nodes[k].path == model.PathRoot; k = t.p.nodes[k].parent {
		chain = append(chain, k)
	}
	path := model.PathRoot
	if k >= 0 {
		path = t.p.nodes[k].path
	}
	for _, k := range slices.Backward(chain) {
		n := &t.p.nodes[k]
		if n.kind == root || n.coll == trace.Root {
			continue
		}
		path = t.p.names.Path(path, n.coll)
		n.path = path
	}
}

// isIdle reports whether a sample found the thread idle, and whether the tree has its call.
func (t *tree) isIdle(id int64) (isIdle, known bool) {
	i, known := t.byID[id]
	return known && t.p.nodes[i].kind == idle, known
}

// tellTree reports the faults of the call tree.
func (p *profile) tellTree() {
	tell := func(t trace.Tally, words string) { t.Tell(p.sink.Define, model.LossMalformed, words) }
	tell(p.badIDs, "ids of calls are not numbers, or duplicates: these calls have no samples and callers")
	tell(p.badEdges, "callers or callees are not in the tree: their calls are shown as outermost")
	tell(p.badFrames, "names, files or lines of functions can't be read: these functions are shown apart, without them")
	tell(p.badStart, "the start of the profile (startTime) is impossible: it counts as 0")
}
