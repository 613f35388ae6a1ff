package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// Totals per call path, so that the call tree of any range costs the same at ten million spans as
// at ten thousand.
//
// Each lane is cut into blocks of 256 to 4,096 spans. A closed block keeps a short list of (path,
// ns, count): only the paths that occur in it, unsorted. Eight blocks make a node of the next
// level, and so on. The total of a run of positions is then the sum of O(log n) such lists, and of
// the spans of the two blocks at its edges. Because spans of a lane never overlap (lane.go), the
// spans that begin in [t0, t1) are one run of positions; only the last of them can stick out at t1,
// and only the one before them can stick in at t0. Those are cut by hand, so the answer is exact,
// however long the span that reaches into the range.
//
// A block closes when its list is short against its spans (1 entry in 16 spans, a byte a span), at
// the latest with 4,096 spans. Lanes with few paths therefore have small blocks and cheap edges,
// and a lane in which every span has its own path costs no more than 16 bytes a span at this level
// and, as the lists merge little, less than 3 above it. Totals that run on from the beginning of
// the session (prefix sums) would answer by one subtraction, but need every path in every block:
// too much for sessions with many paths, so they were dropped.
//
// A span that outlives its caller counts for one call path after another (a side table, rarely
// used). Blocks are made of final spans only, see lane.go.

type flameIndex struct {
	PathPyramid
	open  int64 // first position of the block that is not closed yet
	tryAt int64 // position at which closing it is tried next

	tail tail

	extremes Extremes
}

// tryClose closes the open block at position end if its list is short enough.
func (f *flameIndex) tryClose(l *Lane, end int64, totals *PathTotals) {
	size := end - f.open
	if size < columns.FlameMinBlock {
		f.tryAt = f.open + columns.FlameMinBlock
		return
	}
	l.addSpans(f.open, end, totals)
	defer totals.Clear()
	if int64(len(totals.Used))*16 > size && size < columns.FlameMaxBlock {
		for size *= 2; size < min(int64(len(totals.Used))*16, columns.FlameMaxBlock); size *= 2 {
		}
		f.tryAt = f.open + size // before, the list is too long
		return
	}
	f.Push(f.open, end, totals)
	f.open, f.tryAt = end, end+columns.FlameMinBlock
}

// truncate cuts the index back for a lane of n spans, the last not final; first is the oldest kept
// one.
func (f *flameIndex) truncate(first, n int64) {
	keep := f.FirstBlock(func(b *PathBlock) bool { return b.SpanEnd > n-1 })
	if keep < f.Blocks() {
		f.open = f.Node(0, keep).SpanBegin
		f.PathPyramid.Truncate(keep)
		f.extremes.truncate(keep)
	}
	f.open = max(min(f.open, n), first) // behind blocks that are kept nothing is left out; behind holes it may
	f.tryAt = f.open + columns.FlameMinBlock
	for f.tryAt < n {
		f.tryAt = f.open + 2*(f.tryAt-f.open)
	}
	f.tail.truncate(n - 1)
}

// dropBefore makes position from the oldest that is kept.
func (f *flameIndex) dropBefore(from int64) {
	keep := f.FirstBlock(func(b *PathBlock) bool { return b.SpanBegin >= from })
	f.PathPyramid.DropBefore(keep)
	f.extremes.DropBefore(keep)
	if f.open < from {
		f.open, f.tryAt = from, from+columns.FlameMinBlock
	}
}

// clear frees everything.
func (f *flameIndex) clear() {
	f.PathPyramid.Clear()
	f.tail.clear(f.Acc)
	f.extremes.Clear()
}

// addSpans adds whole spans [from, to), one by one.
func (l *Lane) addSpans(from, to int64, totals *PathTotals) {
	if from < to {
		totals.Visited += to - from
	}
	var block blockRows
	for from < to {
		rows, _ := block.rowsFrom(l.chunk(from), from&chunkMask)
		rows = rows[:min(int64(len(rows)), to-from)]
		for j := range rows {
			r := &rows[j]
			ns := int64(r.dur)
			if r.meta&(metaWide|metaMoved) != 0 {
				l.addPart(from+int64(j), model.MinTime, model.MaxTime, totals)
				continue
			}
			p := r.meta >> metaShift
			if sum := &totals.Sums[p]; sum.Count > 0 {
				sum.Ns += ns
				sum.Count++
			} else {
				totals.Add(model.PathID(p), ns, 1)
			}
		}
		from += int64(len(rows))
	}
}

// AddRange adds the whole spans [from, to) by way of the blocks.
func (l *Lane) AddRange(from, to int64, totals *PathTotals) {
	if from >= to {
		return
	}
	f := &l.flame
	begin, end := from, from
	if to-from >= columns.FlameMinBlock {
		var a, b int64
		a, b, begin, end = f.Within(from, to)
		l.addSpans(from, begin, totals)
		f.Add(a, b, totals)
	}
	if end == f.open {
		l.addTail(to, totals)
		return
	}
	l.addSpans(end, to, totals)
}

// AddTime adds the part of a share of the lane in [t0, t1).
func (l *Lane) AddTime(s LaneShare, t0, t1 int64, totals *PathTotals) {
	from, to := l.AddEdges(s, t0, t1, totals)
	l.AddRange(from, to, totals)
}

// Cuts counts changes other than appending: spans taken back, or dropped.
func (l *Lane) Cuts() uint64 { return l.cuts }

// AddEdges adds AddTime's part of the spans at the two ends of the range, which may stick out, and
// returns the run of those between, which are final and whole.
func (l *Lane) AddEdges(s LaneShare, t0, t1 int64, totals *PathTotals) (begin, end int64) {
	from := l.FirstBeginAt(t0)
	to := min(l.FirstBeginNear(t1, from), s.To)
	from = min(max(from, s.From), s.To)
	until := min(t1, s.End) // the last of them may have gone on, not in the share
	if from > l.first {
		since := t0
		if from == s.From { // it may have gone on into the share
			since = max(t0, s.Begin)
		}
		if min(l.End(from-1), until) > since {
			l.addPart(from-1, since, until, totals)
		}
	}
	if from >= to {
		return from, from
	}
	l.addPart(to-1, t0, until, totals)
	return from, to - 1
}

// addPart adds the part in [t0, t1) of a span that touches it, each piece to the call path for
// which it counts. The span itself is counted once, with the first piece.
func (l *Lane) addPart(i, t0, t1 int64, totals adder) {
	begin, end, path := l.At(i)
	begin, end = max(begin, t0), min(end, t1)
	count := int64(1)
	for _, m := range l.Moves(i) {
		if at := min(m.Begin, end); at > begin {
			totals.Add(path, at-begin, count)
			begin, count = at, 0
		}
		path = m.Path
	}
	if end > begin || count > 0 {
		totals.Add(path, end-begin, count)
	}
}

// adder sums up by call path.
type adder interface {
	Add(p model.PathID, ns, count int64)
}
