package lanes

import "framescope/model"

// Found is a span that Scan found.
type Found struct {
	Index, Begin, Ns int64 // position, begin and length
	Path             model.PathID
}

// Scan appends to out, up to its capacity, the spans of [from, to) whose path is of a kind, by path,
// and whose length is in [minNs, belowNs). It returns the position behind the last one looked at. It
// reads rows one after the other: a search of everything looks at every one.
func (l *Lane) Scan(
	from, to int64, kinds []uint8, kind uint8, minNs, belowNs int64, out []Found,
) (found []Found, next int64) {
	n, out := len(out), out[:cap(out)]
	lengths := uint64(max(belowNs-minNs, 0))
	var block blockRows
	for from < to && n < len(out) {
		rows, base := block.of(l.chunk(from), from&chunkMask)
		rows = rows[:min(int64(len(rows)), to-from, int64(len(out)-n))]
		for j := range rows {
			r := &rows[j]
			p := r.meta >> metaShift
			if kinds[p] != kind {
				continue
			}
			begin, ns := base+int64(r.begin), int64(r.dur)
			if r.meta&metaWide != 0 {
				begin, ns = l.wideTimes(from + int64(j))
			}
			if uint64(ns-minNs) >= lengths {
				continue
			}
			out[n] = Found{Index: from + int64(j), Begin: begin, Ns: ns, Path: model.PathID(p)}
			n++
		}
		from += int64(len(rows))
	}
	return out[:n], from
}

// wideTimes is Times and a length, out of the loop above.
//
//go:noinline
func (l *Lane) wideTimes(i int64) (begin, ns int64) {
	begin, end := l.Times(i)
	return begin, end - begin
}
