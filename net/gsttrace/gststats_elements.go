package gsttrace

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// elementFigures are the elements and the bins with activity. What elements in a bin did counts for
// the bin as well, as far as their parents are known: first elements are added to their parents,
// then bins without bins inside to theirs, from the inside out.
func (t *tables) elementFigures() (elements, bins []Element) {
	all := slices.SortedFunc(maps.Values(t.elements), func(a, b *element) int {
		return cmp.Or(cmp.Compare(a.key.pid, b.key.pid), cmp.Compare(a.key.number, b.key.number))
	})
	sums := make(map[objectKey]*element, len(all))
	for _, e := range all {
		copied := *e
		sums[e.key] = &copied
	}
	inside := map[objectKey]int{} // bins in bins
	for _, e := range all {
		parent := objectKey{e.key.pid, e.parent}
		if !e.bin {
			sums[parent].fold(sums[e.key])
		} else if sums[parent] != nil {
			inside[parent]++
		}
	}
	var ready []*element
	for _, e := range all {
		if e.bin && inside[e.key] == 0 {
			ready = append(ready, e)
		}
	}
	for len(ready) > 0 {
		e := ready[0]
		ready = ready[1:]
		parent := objectKey{e.key.pid, e.parent}
		up := sums[parent]
		if up == nil {
			continue
		}
		up.fold(sums[e.key])
		if inside[parent]--; inside[parent] == 0 && up.bin {
			ready = append(ready, t.elements[parent])
		}
	}
	for _, e := range all {
		s := sums[e.key].Element
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
func (e *element) fold(child *element) {
	if e == nil || e == child {
		return
	}
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
