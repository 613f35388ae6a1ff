package cpuprofile

import (
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

const (
	noID     = -1 // of a node that has none
	noCaller = -1
)

// tree is the call tree of a profile.
type tree struct {
	hasNodes bool
	nodes    []node
	edges    trace.Kept[edge]
	byID     map[int64]int32
	chain    []int32 // scratch
}

// node is a call: a function below its caller.
type node struct {
	id       int64
	hits     int64
	caller   int32
	function model.CollectorID
	state    state
	path     model.PathID
}

// state is how far the call path of a node is known.
type state uint8

const (
	unknown state = iota
	sought
	known
)

// edge says which node another calls, or, where at is the complement of an index, is called by.
type edge struct {
	at    int32
	id    int64
	place int64 // of the id in the file
}

// link links each node to its caller. Of several callers the first counts. whole reports whether
// all nodes were read: otherwise referenced nodes may be missing.
func (p *profile) link(whole bool) {
	p.byID = make(map[int64]int32, len(p.nodes))
	for i, n := range p.nodes {
		if _, twice := p.byID[n.id]; twice && n.id != noID {
			p.badNode(n.id, trace.Unknown)
		} else {
			p.byID[n.id] = int32(i)
		}
	}
	delete(p.byID, noID)
	for _, e := range p.edges.List {
		other, ok := p.byID[e.id]
		caller, callee := e.at, other
		if e.at < 0 {
			caller, callee = other, ^e.at
		}
		n := &p.nodes[callee]
		switch {
		case !ok && !whole:
		case !ok, caller == callee, n.caller != noCaller && n.caller != caller:
			p.badNode(e.id, e.place)
		default:
			n.caller = caller
		}
	}
	p.edges = trace.Kept[edge]{}
}

func (p *profile) badNode(id, place int64) {
	p.Bad.Explain(trace.BadReference, place, "that to the call with the id %d", id)
}

// path returns the call path of a node, none of one that stands for no function. A node that calls itself by way
// of others has no caller.
func (p *profile) path(i int32) model.PathID {
	p.chain = p.chain[:0]
	for ; i != noCaller && p.nodes[i].state == unknown; i = p.nodes[i].caller {
		p.nodes[i].state = sought
		p.chain = append(p.chain, i)
	}
	path := model.PathRoot
	if i != noCaller {
		path = p.nodes[i].path
		if p.nodes[i].state == sought {
			p.badNode(p.nodes[i].id, trace.Unknown)
		}
	}
	for _, k := range slices.Backward(p.chain) {
		n := &p.nodes[k]
		if n.function != trace.Root {
			path = p.Names.Path(path, n.function)
		}
		n.path, n.state = path, known
	}
	return path
}

// pathOf returns the call path of a sample, by the id of its node.
func (p *profile) pathOf(id int64) model.PathID {
	if i, ok := p.byID[id]; ok {
		return p.path(i)
	}
	p.badNode(id, p.idsAt)
	return p.Names.Path(model.PathRoot, p.Names.Collector([]byte("(unknown)")))
}
