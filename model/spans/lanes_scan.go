package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// Found is a span that Scan found.
type Found struct {
	Index, Begin, Ns int64 // position, begin and length
	Path             model.PathID
}

// Scan appends to out, up to its capacity, the spans of [from, to) with a path of a kind, by path,
// and a length in [minNs, belowNs). It returns the position behind the last one read. It reads rows
// in order: a search of everything reads every one.
func (l *Lane) Scan(
	from, to int64, kinds []uint8, kind uint8, minNs, belowNs int64, out []Found,
) (found []Found, next int64) {
	n, out := len(out), out[:cap(out)]
	lengths := uint64(max(belowNs-minNs, 0))
	var block blockRows
	for from < to && n < len(out) {
		c, k := l.chunk(from), from&chunkMask
		if p := c.packed; p != nil && !p.heads[k>>columns.BlockShift].flagged() {
			rows := min(blockSpans-k&blockMask, to-from, int64(len(out)-n))
			n += p.scan(k, from, rows, c.base[k>>columns.BlockShift], kinds, kind, minNs, lengths, out[n:])
			from += rows
			continue
		}
		rows, base := block.rowsFrom(c, k)
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

// scan is Scan for rows of one block from the k-th of the chunk on, beginning with span from.
func (p *packed) scan(
	k, from, rows, base int64, kinds []uint8, kind uint8, minNs int64, lengths uint64, out []Found,
) (n int) {
	at, begin, dur, path, flags, least := p.heads[k>>columns.BlockShift].parts()
	beginMask, durMask, pathMask := uint64(1)<<(begin&63)-1, uint64(1)<<(dur&63)-1, uint64(1)<<(path&63)-1
	step, bits := begin+dur+path+flags, p.rows
	at += uint(k&blockMask) * step
	for j := range rows {
		first := bitsAt(bits, at)
		rest := first >> (begin & 63)
		if step > mostAtOnce {
			rest = bitsAt(bits, at+begin)
		}
		at += step
		of, ns := least+uint32(rest>>(dur&63)&pathMask), int64(rest&durMask)
		if kinds[of] != kind || uint64(ns-minNs) >= lengths {
			continue
		}
		out[n] = Found{Index: from + j, Begin: base + int64(first&beginMask), Ns: ns, Path: model.PathID(of)}
		n++
	}
	return n
}

// wideTimes is Times and a length, out of the loop above.
//
//go:noinline
func (l *Lane) wideTimes(i int64) (begin, ns int64) {
	begin, end := l.Times(i)
	return begin, end - begin
}
