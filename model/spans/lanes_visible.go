package spans

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// Ref points at a stored span. It stays valid until the next Append.
type Ref struct {
	Track model.TrackID
	Lane  uint16
	Index int64 // position in the lane, 0 the oldest ever stored (evicted ones keep their numbers)
}

// Bar is an item of a lane in a timeline: one span, or several that are too dense to draw.
type Bar struct {
	Begin, End int64
	Path       model.PathID      // of the span, or of the dominant one
	Collector  model.CollectorID // of Path
	Count      int32             // spans merged into this bar, 1 for a plain span
	Busy       float32           // share of [Begin, End] that is covered by spans, 1 for a plain span
	Flags      model.SpanFlags
	Ref        Ref // the span, or the first of the merged ones
}

// Visible appends to out the bars of one lane that touch [t0, t1], in time order. Spans shorter
// than minNs are merged with their neighbours into bars of about minNs (at least); merging is
// anchored to multiples of minNs so that panning does not change it. Cost: O(bars · log n),
// whatever n is; while minNs stays the same, mostly that of copying the bars (barcache.go). visited
// is how many nodes and spans were looked at.
//
// A merged bar holds the short spans that begin between two multiples of minNs (nodes of the
// level-of-detail pyramid that are shorter than minNs count as one), so it is shorter than twice
// minNs. A span of minNs or more is always a bar of its own.
func (x *LaneTable) Visible(v *Walk, ref Ref, t0, t1, minNs int64, out []Bar) (bars []Bar, visited int64) {
	l := x.Lane(ref.Track, int(ref.Lane))
	if l == nil || t1 < t0 {
		return out, 0
	}
	v.table, v.l, v.ref, v.minNs, v.level, v.visited = x, l, ref, max(minNs, 0), 0, 0
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	k := x.barCache().slot(ref.Track, int(ref.Lane))
	out = k.answer(v, barKey{l, l.cuts, v.minNs, x.host.Paths.Revision()}, t0, t1, out)
	k.account(x.host.Other)
	v.table, v.l, v.siblings, v.rows = nil, nil, nil, nil
	return out, v.visited
}

// Walk walks a lane in items: the greatest nodes of the pyramid that are shorter than minNs, and
// single spans where there are none. Which nodes are items depends on minNs alone, never on where
// the walk begins: that is why panning does not change the bars.
type Walk struct {
	table   *LaneTable
	l       *Lane
	ref     Ref
	minNs   int64
	visited int64 // nodes and spans looked at
	level   int   // of the last node that was an item

	it, bar  item      // the present item, count 0 behind the last; the sum of those of the present bar
	siblings []lodNode // those that follow the present node, below the same node, which is no item itself
	rows     []lanesRow
	block    blockRows
	base     int64
	stop     int64 // spans up to here are items of their own, in rows
	bucketAt int64 // end of the bucket of the last bar
	leaves   [lodFanout]lodNode
	leafNow  lodNode
	top      dominant
}

// item is a node taken whole, or a span (count 1).
type item struct {
	first, count     int64
	begin, end, busy int64
	path             model.PathID
	weight           int64
}

// nodeAt makes the greatest fine node that holds span i the item; false if there is none. If a node
// is fine, so are those below it: the search begins at the level of the node before, and so mostly
// looks at two nodes, not at all levels.
func (v *Walk) nodeAt(i int64) bool {
	k := v.level
	found := v.fine(k, i)
	if found == nil {
		for k--; k >= 0; k-- {
			if found = v.fine(k, i); found != nil {
				break
			}
		}
		if found == nil {
			v.level = 0
			return false
		}
	} else {
		for {
			up := v.fine(k+1, i)
			if up == nil {
				break
			}
			found = up
			k++
		}
	}
	v.level = k
	shift := columns.BlockShift + lodShift*k
	at := i >> shift
	v.setItem(found, at<<shift)
	if after := min(at&^(lodFanout-1)+lodFanout, v.l.nodesAt(k)); at+1 >= after {
		v.siblings = nil
	} else if k > 0 {
		v.siblings = v.l.lod.Run(k-1, at+1, after) // behind a node that is kept: no holes
	} else {
		n := 0
		for at++; at < after; at++ {
			v.leaves[n] = v.l.leaf(at)
			n++
		}
		v.siblings = v.leaves[:n]
	}
	return true
}

// setItem makes a node of the present level the item.
func (v *Walk) setItem(n *lodNode, first int64) {
	it := &v.it
	it.first, it.count = first, 1<<(columns.BlockShift+lodShift*v.level)
	it.begin, it.end, it.busy, it.path, it.weight = n.begin, n.end, n.busy, n.path, n.weight
}

// fine returns the node of level k that holds span i, nil if it is not complete, holds spans that
// left memory, or is not shorter than minNs.
func (v *Walk) fine(k int, i int64) *lodNode {
	l := v.l
	at := i >> (columns.BlockShift + lodShift*k)
	node := &v.leafNow
	if k > 0 {
		if node = l.lod.Node(k-1, at); node == nil {
			return nil
		}
	} else if at >= l.leaves.End() || at<<columns.BlockShift < l.first {
		return nil
	} else {
		*node = l.leaf(at)
	}
	v.visited++
	if node.end-node.begin >= v.minNs {
		return nil
	}
	return node
}

// seek makes the item that holds span i the present one, from its own beginning; behind the last
// span there is none.
func (v *Walk) seek(i int64) {
	v.siblings, v.stop = nil, 0
	v.advance(i)
}

// next goes to the item behind the present one.
func (v *Walk) next() {
	i := v.it.first + v.it.count
	if len(v.siblings) > 0 {
		n := &v.siblings[0]
		v.siblings = v.siblings[1:]
		if n.end-n.begin < v.minNs {
			v.visited++
			v.setItem(n, i)
			return
		}
		v.siblings = nil
	}
	v.advance(i)
}

// advance makes the item that holds span i the present one.
func (v *Walk) advance(i int64) {
	l := v.l
	if i >= v.stop {
		if i >= l.n {
			v.it = item{first: i}
			return
		}
		if v.minNs > 1 && v.nodeAt(i) {
			return
		}
		v.rows, v.base = v.block.rowsFrom(l.chunk(i), i&chunkMask&^blockMask)
		v.stop = i&^blockMask + int64(len(v.rows))
	}
	v.visited++
	r := &v.rows[i&blockMask]
	begin, dur := v.base+int64(r.begin), int64(r.dur)
	if r.meta&metaWide != 0 {
		var end int64
		begin, end = v.l.Times(i)
		dur = end - begin
	}
	it := &v.it // field by field: a copy of a struct just written waits for the writes
	it.first, it.count, it.begin, it.end, it.busy, it.weight = i, 1, begin, begin+dur, dur, dur
	it.path = model.PathID(r.meta >> metaShift)
}

// long reports whether the item is a span that is never merged.
func (v *Walk) long() bool { return v.it.count == 1 && v.it.end-v.it.begin >= v.minNs }

func (v *Walk) bars(t0, t1 int64, out []Bar) []Bar {
	l := v.l
	v.bucketAt = math.MinInt64
	v.seek(l.FirstEndAt(t0))
	if v.it.count > 0 && v.it.end-v.it.begin < v.minNs {
		// The bar of the first item may begin with items that end before t0, and so hold [t0, t1]
		// in a hole between two of them.
		bucket := v.bucket(v.it.begin)
		v.seek(l.FirstBeginAt(bucket * v.minNs))
		if v.bucket(v.it.begin) < bucket { // a node that belongs to the bucket before
			v.next()
		}
	}
	return v.walk(t0, t1, out)
}

// barsFrom appends the bars that touch [t0, t1] and begin at from, a multiple of minNs, or later.
func (v *Walk) barsFrom(from, t0, t1 int64, out []Bar) []Bar {
	v.bucketAt = math.MinInt64
	v.seek(v.l.FirstBeginAt(from))
	if v.it.count > 0 && v.it.begin < from { // a node that belongs to the bar before
		v.next()
	}
	return v.walk(t0, t1, out)
}

// walk appends the bars of the present item and of those behind it that touch [t0, t1].
func (v *Walk) walk(t0, t1 int64, out []Bar) []Bar {
	for v.it.count > 0 && v.it.begin <= t1 {
		if v.long() {
			if v.it.end >= t0 {
				out = append(out, v.plain(v.it.first))
			}
			v.next()
			continue
		}
		bucketEnd := v.bucketEnd(v.it.begin)
		bar, it := &v.bar, &v.it
		bar.first, bar.count, bar.begin, bar.end = it.first, it.count, it.begin, it.end
		bar.busy, bar.path, bar.weight = it.busy, it.path, it.weight
		v.next()
		if it.count == 0 || it.begin >= bucketEnd || v.long() {
			if bar.end >= t0 {
				out = v.single(bar, out)
			}
			continue
		}
		out = v.merge(bar, bucketEnd, t0, out)
	}
	return out
}

// bucketEnd returns the multiple of minNs behind timeNs. Times ascend: most answers are the one
// before and one step.
func (v *Walk) bucketEnd(timeNs int64) int64 {
	if timeNs < v.bucketAt || v.bucketAt == math.MinInt64 || timeNs >= v.bucketAt+v.minNs {
		v.bucketAt = (v.bucket(timeNs) + 1) * v.minNs
	} else {
		v.bucketAt += v.minNs
	}
	return v.bucketAt
}

// merge appends the bar that begins with the items of sum and goes on with the present item.
func (v *Walk) merge(sum *item, bucketEnd, t0 int64, out []Bar) []Bar {
	top := &v.top
	top.reset()
	top.add(sum.path, sum.weight)
	for v.it.count > 0 && v.it.begin < bucketEnd && !v.long() {
		sum.end = v.it.end
		sum.count += v.it.count
		sum.busy += v.it.busy
		top.add(v.it.path, v.it.weight)
		if v.it.count == 1 {
			v.mergeRows(sum, top, bucketEnd)
		} else if len(v.siblings) > 0 {
			v.mergeNodes(sum, top, bucketEnd)
		}
		v.next()
	}
	if sum.end < t0 {
		return out
	}
	sum.path, _ = top.best()
	return v.merged(sum, out)
}

// mergeNodes adds the siblings of the present node that belong to the same bar, and makes the last
// of them the present item.
func (v *Walk) mergeNodes(sum *item, top *dominant, bucketEnd int64) {
	k := 0
	for ; k < len(v.siblings); k++ {
		n := &v.siblings[k]
		if n.begin >= bucketEnd || n.end-n.begin >= v.minNs {
			break
		}
		sum.end = n.end
		sum.busy += n.busy
		top.add(n.path, n.weight)
	}
	v.siblings = v.siblings[k:]
	v.visited += int64(k)
	sum.count += int64(k) * v.it.count
	v.it.first += int64(k) * v.it.count
}

// mergeRows adds the spans of the present item's block that follow it and belong to the same bar,
// and makes the last of them the present item. It has the effect of the loop in merge, without
// making an item of each.
func (v *Walk) mergeRows(sum *item, top *dominant, bucketEnd int64) {
	i := v.it.first + 1
	limit, minNs := bucketEnd-v.base, v.minNs
	end, busy := sum.end-v.base, sum.busy
	from := i
	for ; i < v.stop; i++ {
		r := v.rows[i&blockMask]
		begin, dur := int64(r.begin), int64(r.dur)
		if r.meta&metaWide != 0 || begin >= limit || dur >= minNs {
			break
		}
		end = begin + dur
		busy += dur
		top.add(model.PathID(r.meta>>metaShift), dur)
	}
	sum.end, sum.busy = v.base+end, busy
	sum.count += i - from
	v.visited += i - from
	v.it.first = i - 1
}

// bucket returns the number of the multiple of minNs at or before timeNs.
func (v *Walk) bucket(timeNs int64) int64 {
	q := timeNs / v.minNs
	if timeNs < 0 && q*v.minNs != timeNs {
		q--
	}
	return q
}

func (v *Walk) plain(i int64) Bar {
	return v.table.Plain(v.l, Ref{v.ref.Track, v.ref.Lane, i})
}

// single appends the bar of one item.
func (v *Walk) single(it *item, out []Bar) []Bar {
	if it.count == 1 {
		return append(out, v.plain(it.first))
	}
	return v.merged(it, out)
}

// merged appends the bar of several spans.
func (v *Walk) merged(sum *item, out []Bar) []Bar {
	n := len(out)
	if n == cap(out) {
		out = slices.Grow(out, 1)
	}
	out = out[:n+1]
	b := &out[n]
	b.Begin, b.End, b.Path, b.Collector = sum.begin, sum.end, sum.path, v.table.host.Paths.Rows()[sum.path].Collector
	b.Count, b.Busy, b.Flags = int32(min(sum.count, math.MaxInt32)), 1, 0
	b.Ref.Track, b.Ref.Lane, b.Ref.Index = v.ref.Track, v.ref.Lane, sum.first
	if length := sum.end - sum.begin; length > 0 {
		b.Busy = float32(float64(sum.busy) / float64(length))
	}
	return out
}

// Plain returns the bar of one span of a lane.
func (x *LaneTable) Plain(l *Lane, ref Ref) Bar {
	c, k := l.chunk(ref.Index), ref.Index&chunkMask
	r := c.row(k)
	b := Bar{Path: model.PathID(r.meta >> metaShift), Count: 1, Busy: 1, Flags: model.SpanFlags(r.meta & metaFlags),
		Ref: ref}
	b.Begin = c.base[k>>columns.BlockShift] + int64(r.begin)
	if b.End = b.Begin + int64(r.dur); r.meta&metaWide != 0 {
		b.Begin, b.End = l.Times(ref.Index)
	}
	b.Collector = x.host.Paths.Rows()[b.Path].Collector
	return b
}
