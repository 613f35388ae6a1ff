package lanes

import (
	"framescope/model"
	"framescope/model/internal/sizes"
)

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
	for from < to {
		c := l.chunks[(from>>sizes.ChunkShift)-l.firstChunk]
		k := from & chunkMask
		stop := min(k|blockMask+1, k+to-from, int64(len(c.rows)))
		base := c.base[k>>sizes.BlockShift]
		for j := k; j < stop; j++ {
			r := &c.rows[j]
			p := r.meta >> metaShift
			if kinds[p] != kind {
				continue
			}
			begin, ns := base+int64(r.begin), int64(r.dur)
			if r.meta&metaWide != 0 {
				var end int64
				begin, end = l.Times(from + j - k)
				ns = end - begin
			}
			if ns < minNs || ns >= belowNs {
				continue
			}
			if len(out) == cap(out) {
				return out, from + j - k
			}
			out = append(out, Found{Index: from + j - k, Begin: begin, Ns: ns, Path: model.PathID(p)})
		}
		from += stop - k
	}
	return out, from
}
