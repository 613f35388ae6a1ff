package spans

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// Inside is the values of one collector in a call tree, in the tree's measure.
type Inside struct {
	Collector model.CollectorID
	// Total is with callees: of a collector that runs within itself the outermost node counts, unless its
	// spans are no calls. Self is without.
	Total, Self int64
	Count       int64
	Outermost   int64 // of Count, those not within another of the collector
}

// insides is the values of each collector in a tree, and its nodes. It is made in two phases that can stop
// anywhere.
type insides struct {
	phase, at int
	list      []Inside   // also of nodes without a collector
	by        []insideOf // by collector + 1
	open      []model.CollectorID
	beside    int // the next of Tree.beside
	nested    []bool
	nodes     []int32 // by collector
	first     []int32 // of each of list and behind the last: where its nodes begin
}

// insideOf is where a collector is in the list.
type insideOf struct {
	place   int32 // one more than its place, 0 none
	running int32 // open nodes of it
	nodes   int32
}

// Inside appends the values of each collector of the tree, ascending by collector.
func (f *Tree) Inside(out []Inside) []Inside {
	if f.inside.phase == 0 {
		f.inside.count(f, math.MaxInt)
	}
	return append(out, f.Collectors()...)
}

// StepInside prepares, for about so much work, the results of Collectors, NodesOf and Nested of a complete
// tree; true: they are ready. It reduces work to the rest, see Step.
func (f *Tree) StepInside(work *int64) bool {
	const each = 3
	x := &f.inside
	for x.phase < 2 && *work > 0 {
		before := x.at
		most := int(*work/each + 1)
		step := x.count
		if x.phase == 1 {
			step = x.sort
		}
		step(f, min(most, len(f.Nodes)))
		*work -= int64(max(x.at, before)-before+1) * each
	}
	return x.phase == 2
}

// Collectors returns the values of each collector of the tree, ascending by collector.
func (f *Tree) Collectors() []Inside {
	list := f.inside.list
	if len(list) > 0 && list[0].Collector < 0 {
		return list[1:]
	}
	return list
}

// Took returns the values of a collector.
func (f *Tree) Took(c model.CollectorID) (in Inside, ok bool) {
	if k := f.inside.indexOf(c); k >= 0 {
		return f.inside.list[k], true
	}
	return Inside{Collector: c}, false
}

// NodesOf returns the nodes of a collector, also of none.
func (f *Tree) NodesOf(c model.CollectorID) []int32 {
	x := &f.inside
	if k := x.indexOf(c); k >= 0 {
		return x.nodes[x.first[k]:x.first[k+1]]
	}
	return nil
}

// Nested reports whether a node is within another of the same collector.
func (f *Tree) Nested(node int32) bool { return f.inside.nested[node] }

// indexOf returns the place of a collector in the list, -1 none.
func (x *insides) indexOf(c model.CollectorID) int {
	if int(c)+1 >= len(x.by) || c < model.NoCollector {
		return -1
	}
	return int(x.by[c+1].place) - 1
}

// clear forgets the tree.
func (x *insides) clear() {
	for k := range x.list {
		x.by[x.list[k].Collector+1] = insideOf{}
	}
	x.phase, x.at, x.beside = 0, 0, 0
	x.list, x.open = x.list[:0], x.open[:0]
}

// count goes on with the sums for at most so many nodes.
func (x *insides) count(f *Tree, most int) {
	if x.at == 0 {
		x.nested = columns.Sized(x.nested, len(f.Nodes))
	}
	to := min(len(f.Nodes), x.at+min(most, len(f.Nodes)))
	for i := x.at; i < to; i++ {
		n := &f.Nodes[i]
		alone := x.beside < len(f.beside) && f.beside[x.beside] == int32(i)
		if alone {
			x.beside++
		}
		for len(x.open) > int(n.Depth) { // nodes come in depth-first order
			last := len(x.open) - 1
			x.by[x.open[last]+1].running--
			x.open = x.open[:last]
		}
		for int(n.Collector)+1 >= len(x.by) {
			x.by = append(x.by, insideOf{})
		}
		at := &x.by[n.Collector+1]
		if at.place == 0 {
			x.list = append(x.list, Inside{Collector: n.Collector})
			at.place = int32(len(x.list))
		}
		in, nested := &x.list[at.place-1], at.running > 0
		if x.nested[i] = nested; !nested {
			in.Outermost += n.Count
		}
		if !nested || alone {
			in.Total += n.Total
		}
		in.Self += n.Self
		in.Count += n.Count
		at.running++
		at.nodes++
		x.open = append(x.open, n.Collector)
	}
	if x.at = to; to < len(f.Nodes) {
		return
	}
	slices.SortFunc(x.list, func(a, b Inside) int { return cmp.Compare(a.Collector, b.Collector) })
	for k := range x.list {
		x.by[x.list[k].Collector+1].place = int32(k + 1)
	}
	x.phase, x.at = 1, 0
}

// sort goes on with the nodes of each collector, for at most so many.
func (x *insides) sort(f *Tree, most int) {
	if x.at == 0 {
		x.nodes = columns.Sized(x.nodes, len(f.Nodes))
		x.first = append(x.first[:0], 0)
		for k := range x.list {
			at := &x.by[x.list[k].Collector+1]
			at.running = x.first[k] // where its next node goes
			x.first = append(x.first, at.running+at.nodes)
		}
	}
	to := min(len(f.Nodes), x.at+most)
	for i := x.at; i < to; i++ {
		at := &x.by[f.Nodes[i].Collector+1]
		x.nodes[at.running] = int32(i)
		at.running++
	}
	if x.at = to; to == len(f.Nodes) {
		x.phase, x.at = 2, 0
	}
}
