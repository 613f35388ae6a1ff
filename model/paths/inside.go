package paths

import (
	"cmp"
	"slices"

	"framescope/model"
)

// Inside is what one collector took in a call tree, in the tree's measure.
type Inside struct {
	Collector model.CollectorID
	// Total is with callees: of a collector that runs within itself the outermost node counts, unless its
	// spans are no calls. Self is without.
	Total, Self int64
	Count       int64
}

// Inside appends what each collector of the tree took, ascending by collector.
func (f *Tree) Inside(out []Inside) []Inside {
	begin := len(out)
	f.within, f.open = f.within[:0], f.open[:0]
	beside := f.beside
	for i := range f.Nodes {
		n := &f.Nodes[i]
		alone := len(beside) > 0 && beside[0] == int32(i)
		if alone {
			beside = beside[1:]
		}
		for len(f.open) > int(n.Depth) { // nodes come in depth-first order
			last := len(f.open) - 1
			if k := f.open[last]; k >= 0 {
				f.within[k].running--
			}
			f.open = f.open[:last]
		}
		if n.Collector < 0 {
			f.open = append(f.open, -1)
			continue
		}
		for int(n.Collector) >= len(f.within) {
			f.within = append(f.within, insideAt{})
		}
		at := &f.within[n.Collector]
		if at.place == 0 {
			out = append(out, Inside{Collector: n.Collector})
			at.place = int32(len(out) - begin)
		}
		x := &out[begin+int(at.place)-1]
		if at.running == 0 || alone {
			x.Total += n.Total
		}
		x.Self += n.Self
		x.Count += n.Count
		at.running++
		f.open = append(f.open, n.Collector)
	}
	slices.SortFunc(out[begin:], func(a, b Inside) int { return cmp.Compare(a.Collector, b.Collector) })
	return out
}

// insideAt is where Inside has a collector.
type insideAt struct {
	place   int32 // one more than its place in the answer, 0 none
	running int32 // open nodes of it
}
