package store

import (
	"cmp"
	"slices"

	"framescope/model"
)

// Inside is what one collector took in a call tree, in the tree's measure.
type Inside struct {
	Collector model.CollectorID
	// Total is with callees: of a collector that runs within itself the outermost node counts. Self is without.
	Total, Self int64
	Count       int64
}

// Inside appends what each collector of the tree took, ascending by collector.
func (f *FlameTree) Inside(out []Inside) []Inside {
	begin := len(out)
	f.within, f.open = f.within[:0], f.open[:0]
	for i := range f.Nodes {
		n := &f.Nodes[i]
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
		if at.running == 0 {
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

// FrameTotals appends what each collector took, with callees and without, from the begin of the first to the
// end of the last of the frames [first, last] of a track, ascending by collector. Divided by the number of
// frames it is the mean of a frame. What a flame graph of these frames shows is the same. Cost: that of
// FlameTree, whose memory is reused.
func (s *Session) FrameTotals(track model.TrackID, first, last int, tree *FlameTree, out []Inside) []Inside {
	t := s.Track(track)
	if t == nil || first < 0 || last < first || last >= t.NumFrames() {
		return out
	}
	one := [1]model.TrackID{track}
	s.FlameTree(one[:], t.Frame(first).Begin, t.Frame(last).End, tree)
	return tree.Inside(out)
}
