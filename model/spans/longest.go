package spans

import (
	"cmp"
	"slices"

	"framescope/internal/heap"
	"framescope/model"
)

// Longest appends to out the n longest spans of a collector on a track among those that touch [t0,
// t1), the longest first, of equals the earliest. NoCollector stands for all collectors; only the
// given row is searched, all if row is negative. A span's length is not cut to the range.
//
// It searches blocks of spans best first, by the longest span of each: once n spans are known, it
// skips blocks with a shorter longest one. So at most n blocks of 4,096 spans are walked in each
// row. The first query for a long range also makes the blocks (see PrepareStats).
func (x *Table) Longest(track model.TrackID, c model.CollectorID, row int, t0, t1 int64, n int, out []Bar) []Bar {
	t := x.lanes.Track(track)
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	if t == nil || n <= 0 || t0 >= t1 {
		return out
	}
	w := &x.host.Work.sums
	w.paths, w.visited = x.host.Paths.Rows(), 0
	w.making.start()
	find := longestFinder{w: w, c: c, n: n, best: w.best[:0], todo: w.todo[:0]}
	for k, l := range t.Stack() {
		if l == nil || l.Behind() == l.First() || row >= 0 && k != row {
			continue
		}
		from, to := l.FirstKept(t0), l.FirstBeginAt(t1)
		find.lane(l, uint16(k), from, to)
	}
	for _, f := range find.best {
		out = append(out, x.lanes.Plain(t.Stack()[f.lane], Ref{Track: track, Lane: f.lane, Index: f.at}))
	}
	w.best, w.todo, x.visited = find.best, find.todo, w.visited
	return out
}

// longestFinder keeps the longest spans found so far, the longest first.
type longestFinder struct {
	w    *statWork
	c    model.CollectorID
	n    int
	best []foundSpan
	todo []foundBlock // a heap, the block with the longest span first
}

type foundSpan struct {
	ns, begin, at int64
	lane          uint16
}

type foundBlock struct {
	ns    int64 // of its longest span
	level int
	at    int64
}

func (f *longestFinder) lane(l *Lane, number uint16, from, to int64) {
	if from >= to {
		return
	}
	y := l.CallPaths()
	a, b, begin, end := y.Within(from, to)
	f.spans(l, number, from, begin)
	f.spans(l, number, end, to)
	f.todo = f.todo[:0]
	for a < b {
		level := y.Level(a, b)
		f.push(l, level, a>>(UpShift*level))
		a += 1 << (UpShift * level)
	}
	for len(f.todo) > 0 {
		var top foundBlock
		top, f.todo = heap.Pop(f.todo, longer)
		if len(f.best) == f.n && top.ns < f.best[f.n-1].ns {
			return
		}
		if top.level == 0 {
			n := y.Node(0, top.at)
			f.spans(l, number, n.SpanBegin, n.SpanEnd)
			continue
		}
		for k := top.at << UpShift; k < (top.at+1)<<UpShift; k++ {
			f.push(l, top.level-1, k)
		}
	}
}

// push adds a block to the queue, if it holds the collector.
func (f *longestFinder) push(l *Lane, level int, at int64) {
	list := f.w.block(l, level, at)
	f.w.visited += int64(len(list))
	b := foundBlock{ns: -1, level: level, at: at}
	for i := range list {
		if f.c == model.NoCollector || list[i].Collector == f.c {
			b.ns = max(b.ns, list[i].Max)
		}
	}
	if b.ns < 0 {
		return
	}
	f.todo = heap.Push(f.todo, b, longer)
}

// longer reports whether the longest span of a block is longer than that of another.
func longer(a, b *foundBlock) bool { return a.ns > b.ns }

// spans looks at single spans.
func (f *longestFinder) spans(l *Lane, number uint16, from, to int64) {
	f.w.visited += max(to-from, 0)
	for i := from; i < to; i++ {
		c := f.w.paths[l.Path(i)].Collector
		if c < 0 || f.c != model.NoCollector && c != f.c {
			continue
		}
		begin := l.Begin(i)
		x := foundSpan{l.End(i) - begin, begin, i, number}
		if len(f.best) == f.n && compareFound(f.best[f.n-1], x) < 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(f.best, x, compareFound)
		f.best = slices.Insert(f.best, at, x)
		f.best = f.best[:min(len(f.best), f.n)]
	}
}

// compareFound orders the longest first, of equals the earliest, then the outermost.
func compareFound(a, b foundSpan) int {
	return cmp.Or(cmp.Compare(b.ns, a.ns), cmp.Compare(a.begin, b.begin), cmp.Compare(a.lane, b.lane))
}

// lengthParts is the number of parts of a range if not all spans are looked at.
const lengthParts = 64

// Lengths appends the spans of a collector on a track that touch [t0, t1), row after row, where these are
// no more than so many; else as many of each of equal parts of the range, of those that begin in it. Cost:
// O(most · log spans).
func (x *Table) Lengths(track model.TrackID, c model.CollectorID, t0, t1 int64, most int, out []Bar) []Bar {
	t, from := x.lanes.Track(track), len(out)
	if t == nil || t1 <= t0 {
		return out
	}
	if out = x.someOf(t, c, t0, t1, true, most+1, out); len(out)-from <= most {
		return out
	}
	out = out[:from]
	for i := range int64(lengthParts) {
		a, b := t0+(t1-t0)/lengthParts*i, t0+(t1-t0)/lengthParts*(i+1)
		out = x.someOf(t, c, a, b, false, most/lengthParts, out)
	}
	return out
}

// someOf appends the first spans of a collector in [t0, t1), of each row, with those that reach into it.
func (x *Table) someOf(t *LaneTrack, c model.CollectorID, t0, t1 int64, reach bool, most int, out []Bar) []Bar {
	from := len(out)
	for n, l := range t.Stack() {
		if l == nil || l.Behind() == l.First() {
			continue
		}
		f, i := finder{paths: x.host.Paths.Rows(), l: l, c: c}, l.FirstBeginAt(t0)
		if reach && i > l.First() && l.End(i-1) > t0 {
			i--
		}
		for i = f.next(i); i >= 0 && l.Begin(i) < t1 && len(out)-from < most; i = f.next(i + 1) {
			out = append(out, x.lanes.Plain(l, Ref{Track: t.ID(), Lane: uint16(n), Index: i}))
		}
	}
	return out
}
