package spans

import (
	"cmp"
	"slices"

	"framescope/model"
)

// Stat summarises the calls of one collector in a range of time, for sources with or without
// frames. A call is a span.
type Stat struct {
	Collector model.CollectorID
	Calls     int64 // spans that touch the range, recursive ones included
	// TotalNs is the time inside, callees included, cut to the range; of recursive calls the
	// outermost counts, of spans that are no calls all. SelfNs is without callees.
	TotalNs, SelfNs int64
	// MinNs, MeanNs and MaxNs are the lengths of the calls, not cut.
	MinNs, MaxNs int64
	MeanNs       float64
	Longest      Ref // the first call of MaxNs

	// Sampled means that spans are runs of samples, not calls. Samples is the number of samples of
	// their stack with the collector on it, recursive ones counted once; OfSamples is the total.
	Sampled            bool
	Samples, OfSamples int64
}

// Stats appends to out the statistics of every collector with calls in [t0, t1) on the given
// tracks, ascending by id. Cost: that of Tree; the first query of a long range also walks over its
// spans, once.
func (x *Table) Stats(tracks []model.TrackID, t0, t1 int64, out []Stat) []Stat {
	w := &x.host.Work.sums
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	x.Tree(tracks, t0, t1, &w.tree)
	w.paths, w.visited = x.host.Paths.Rows(), w.tree.Visited
	w.answer.start()
	w.making.start()
	for id := range once(tracks) {
		t := x.lanes.Track(id)
		if t == nil || t0 >= t1 {
			continue
		}
		for n, l := range t.Stack() {
			if l == nil || l.Behind() == l.First() {
				continue
			}
			from, to := l.FirstKept(t0), l.FirstBeginAt(t1)
			w.answer.at = Ref{Track: id, Lane: uint16(n)}
			w.walk(l, from, to)
		}
	}
	w.inclusive()
	begin := len(out)
	for _, c := range w.answer.used {
		r := w.answer.row(c)
		out = append(out, Stat{
			Collector: c, Calls: r.count, TotalNs: r.total, SelfNs: r.self,
			MinNs: r.min, MaxNs: r.max, MeanNs: float64(r.sum) / float64(r.count), Longest: r.longest,
		})
	}
	slices.SortFunc(out[begin:], func(a, b Stat) int { return cmp.Compare(a.Collector, b.Collector) })
	x.visited = w.visited
	x.countSamples(tracks, t0, t1, out[begin:])
	return out
}

// PrepareStats prepares the base of Stats of long ranges of a track, at most for about maxSpans
// spans, and reports whether there is more to do. Without it the first query does all of it: ten
// million spans take some 0.2 s. A viewer that shows such statistics calls it once a tick.
func (x *Table) PrepareStats(track model.TrackID, maxSpans int) (more bool) {
	t := x.lanes.Track(track)
	if t == nil {
		return false
	}
	w := &x.host.Work.sums
	w.paths = x.host.Paths.Rows()
	w.making.start()
	for _, l := range t.Stack() {
		if l != nil && w.prepare(l, &maxSpans) {
			return true
		}
	}
	return false
}

func (w *statWork) prepare(l *Lane, maxSpans *int) (more bool) {
	x, y := l.Extremes(), l.CallPaths()
	for {
		at, ok := x.Missing(y)
		if !ok || *maxSpans <= 0 {
			return ok
		}
		n := y.Node(0, at)
		*maxSpans -= int(n.SpanEnd - n.SpanBegin)
		w.block(l, 0, at)
	}
}

// statWork is scratch memory for Stats.
type statWork struct {
	best    []foundSpan // of Longest
	todo    []foundBlock
	tree    Tree
	paths   []Row
	answer  sums
	making  sums // of the block that is being made
	visited int64
	inside  []Inside // of samples
}

// Sums by collector are in pages: ids may be far apart, and gaps take no room.
const (
	sumPageShift = 5
	sumPageMask  = 1<<sumPageShift - 1
)

// sums sums by collector: a table in pages, as ids may be far apart, and a list of those used.
type sums struct {
	rows []*[1 << sumPageShift]sum
	used []model.CollectorID
	at   Ref // track and lane of the added spans
}

type sum struct {
	count, sum, min, max int64
	longest              Ref
	total, self          int64
}

func (x *sums) start() {
	for _, c := range x.used {
		*x.row(c) = sum{}
	}
	x.used = x.used[:0]
}

// row returns the row of a collector.
func (x *sums) row(c model.CollectorID) *sum {
	k := int(c >> sumPageShift)
	if k >= len(x.rows) {
		x.rows = append(x.rows, make([]*[1 << sumPageShift]sum, k+1-len(x.rows))...)
	}
	if x.rows[k] == nil {
		x.rows[k] = new([1 << sumPageShift]sum)
	}
	return &x.rows[k][c&sumPageMask]
}

func (x *sums) add(e *Extreme) {
	r := x.row(e.Collector)
	if r.count == 0 {
		x.used = append(x.used, e.Collector)
		r.min, r.max = e.Min, e.Max
		r.longest = Ref{Track: x.at.Track, Lane: x.at.Lane, Index: e.MaxAt}
	}
	r.count += e.Count
	r.sum += e.Sum
	r.min = min(r.min, e.Min)
	if e.Max > r.max {
		r.max, r.longest = e.Max, Ref{Track: x.at.Track, Lane: x.at.Lane, Index: e.MaxAt}
	}
}

// inclusive adds the times of the tree. A caller with lost spans is no call, and has no row.
func (w *statWork) inclusive() {
	w.inside = w.tree.Inside(w.inside[:0])
	for i := range w.inside {
		x := &w.inside[i]
		if r := w.answer.row(x.Collector); r.count > 0 {
			r.total, r.self = x.Total, x.Self
		}
	}
}

// walk adds the spans [from, to) of a lane to the answer.
func (w *statWork) walk(l *Lane, from, to int64) {
	f := l.CallPaths()
	if from >= to {
		return
	}
	a, b, begin, end := f.Within(from, to)
	w.spans(l, from, begin, &w.answer)
	w.blocks(l, a, b)
	w.spans(l, end, to, &w.answer)
}

// blocks adds the blocks [a, b) of a lane to the answer, in order.
func (w *statWork) blocks(l *Lane, a, b int64) {
	f := l.CallPaths()
	for a < b {
		level := f.Level(a, b)
		list := w.block(l, level, a>>(UpShift*level))
		for i := range list {
			w.answer.add(&list[i])
		}
		w.visited += int64(len(list))
		a += 1 << (UpShift * level)
	}
}

// block returns a block of a level, made now if need be.
func (w *statWork) block(l *Lane, level int, i int64) []Extreme {
	x := l.Extremes()
	if list := x.At(level, i); list != nil {
		return list
	}
	if level == 0 {
		n := l.CallPaths().Node(0, i)
		w.making.start()
		w.spans(l, n.SpanBegin, n.SpanEnd, &w.making)
	} else {
		for k := i << UpShift; k < (i+1)<<UpShift; k++ {
			w.block(l, level-1, k)
		}
		w.making.start()
		for k := i << UpShift; k < (i+1)<<UpShift; k++ {
			list := x.At(level-1, k)
			for j := range list {
				w.making.add(&list[j])
			}
			w.visited += int64(len(list))
		}
	}
	list := make([]Extreme, 0, len(w.making.used))
	for _, c := range w.making.used {
		r := w.making.row(c)
		list = append(list, Extreme{
			Collector: c, Count: r.count, Sum: r.sum, Min: r.min, Max: r.max, MaxAt: r.longest.Index,
		})
	}
	x.Put(level, i, list)
	return list
}

// spans adds single spans.
func (w *statWork) spans(l *Lane, from, to int64, x *sums) {
	w.visited += max(to-from, 0)
	for i := from; i < to; i++ {
		c := w.paths[l.Path(i)].Collector
		if c < 0 {
			continue
		}
		ns := l.End(i) - l.Begin(i)
		x.add(&Extreme{Collector: c, Count: 1, Sum: ns, Min: ns, Max: ns, MaxAt: i})
	}
}
