package gsttrace

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// elementFigures are the elements and the bins with activity. What elements in a bin did counts for
// the bin as well, as far as their parents are known.
func (t *tables) elementFigures() (elements, bins []Element) {
	all := slices.SortedFunc(maps.Values(t.elements), func(a, b *element) int {
		return cmp.Or(cmp.Compare(a.key.pid, b.key.pid), cmp.Compare(a.key.number, b.key.number))
	})
	inside := map[objectKey][]*element{}
	for _, e := range all {
		parent := objectKey{e.key.pid, e.parent}
		inside[parent] = append(inside[parent], e)
	}
	sums := make(map[objectKey]*Element, len(all))
	var sum func(e *element) *Element
	sum = func(e *element) *Element {
		if s := sums[e.key]; s != nil { // of a circle, too
			return s
		}
		s := e.Element
		sums[e.key] = &s
		for _, child := range inside[e.key] {
			if child != e {
				s.fold(sum(child))
			}
		}
		return &s
	}
	for _, e := range all {
		s := *sum(e)
		switch {
		case s.FirstNs == never && (t.compat || s.Events+s.Messages+s.Queries+s.ElementQueries == 0):
		case e.bin:
			bins = append(bins, s)
		default:
			elements = append(elements, s)
		}
	}
	byFirst := func(a, b Element) int { return cmp.Compare(a.FirstNs, b.FirstNs) }
	slices.SortStableFunc(elements, byFirst)
	slices.SortStableFunc(bins, byFirst)
	return elements, bins
}

// fold adds a child's figures.
func (e *Element) fold(child *Element) {
	e.Events += child.Events
	e.Messages += child.Messages
	e.Queries += child.Queries
	e.ElementQueries += child.ElementQueries
	e.FirstNs = min(e.FirstNs, child.FirstNs)
}

func (t *tables) padFigures(p *pad) Pad {
	f := p.Pad
	f.Source, f.Element = p.direction == sourcePad, "(null)"
	if e := t.elements[objectKey{p.key.pid, p.parent}]; e != nil {
		f.Element = e.Name
	}
	span := float64(int64(f.LastNs - f.FirstNs))
	if t.compat {
		f.AverageSize = float64(p.average)
		f.BytesPerSecond = Rate(float64(uint32(p.average)*uint32(f.Buffers)) * 1e9 / span)
		return f
	}
	f.AverageSize = float64(p.bytes) / float64(f.Buffers)
	f.BytesPerSecond = Rate(math.NaN())
	if span > 0 {
		f.BytesPerSecond = Rate(float64(p.bytes) * 1e9 / span)
	}
	return f
}
