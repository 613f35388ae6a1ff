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
		s := sums[e.key]
		if s.first == never && (t.compat || s.counts == (counts{})) {
			continue
		}
		f := Element{Type: e.typ, Name: e.name, SentBuffers: int64(s.sentBuffers), RecvBuffers: int64(s.recvBuffers), SentBytes: s.sentBytes, RecvBytes: s.recvBytes, FirstNs: s.first,
			Events: int64(s.counts.events), Messages: int64(s.counts.messages), Queries: int64(s.counts.queries), ElementQueries: int64(s.counts.elementQueries)}
		if e.bin {
			bins = append(bins, f)
		} else {
			elements = append(elements, f)
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
	e.counts.add(child.counts)
	e.first = min(e.first, child.first)
}

func (t *tables) padFigures(p *pad) Pad {
	f := Pad{
		Name: p.name, Source: p.direction == sourcePad, Buffers: int64(p.buffers), FirstNs: p.first, LastNs: p.last,
		MinSize: int64(p.minSize), MaxSize: int64(p.maxSize),
	}
	for i, to := range [...]*int64{&f.Flags.Live, &f.Flags.DecodeOnly, &f.Flags.Discont, &f.Flags.Resync, &f.Flags.Corrupted, &f.Flags.Marker, &f.Flags.Header, &f.Flags.Gap, &f.Flags.Droppable, &f.Flags.DeltaUnit} {
		*to = int64(p.flags[i])
	}
	f.Element = "(null)"
	if e := t.elements[objectKey{p.key.pid, p.parent}]; e != nil {
		f.Element = e.name
	}
	span := float64(int64(p.last - p.first))
	if t.compat {
		f.AverageSize = float64(p.average)
		f.BytesPerSecond = Rate(float64(uint32(p.average)*p.buffers) * 1e9 / span)
		return f
	}
	f.AverageSize = float64(p.bytes) / float64(p.buffers)
	f.BytesPerSecond = Rate(math.NaN())
	if span > 0 {
		f.BytesPerSecond = Rate(float64(p.bytes) * 1e9 / span)
	}
	return f
}
