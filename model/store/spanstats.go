package store

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/columns"
	"framescope/model/paths"
)

// SpanStat summarises the calls of one collector in a range of time, for sources with or without frames. A call is a span.
type SpanStat struct {
	Collector model.CollectorID
	Calls     int64 // spans that touch the range, recursive ones included
	// TotalNs is the time inside, callees included, cut to the range; of recursive calls the outermost counts. SelfNs is without callees.
	TotalNs, SelfNs int64
	// MinNs, MeanNs and MaxNs are of the lengths of the calls, not cut.
	MinNs, MaxNs int64
	MeanNs       float64
	Longest      SpanRef // the first call of MaxNs

	// Sampled tells that spans are runs of samples, not calls. Samples is how many samples of their stack have the collector on it, recursive ones counted once, OfSamples how many there are.
	Sampled            bool
	Samples, OfSamples int64
}

// SpanStats appends to out the statistics of every collector with calls in [t0, t1) on the given tracks, ascending by id. Cost: that of Tree; the first question for a long
// range also walks over its spans, once.
func (s *Session) SpanStats(tracks []model.TrackID, t0, t1 int64, out []SpanStat) []SpanStat {
	w := &s.clock.work.spans
	return s.spanStats(w, tracks, t0, t1, out)
}

func (s *Session) spanStats(w *spanWork, tracks []model.TrackID, t0, t1 int64, out []SpanStat) []SpanStat {
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	s.FlameTree(tracks, t0, t1, &w.tree)
	w.paths, w.visited = s.paths.Rows(), w.tree.Visited
	w.answer.start()
	w.making.start()
	for k, id := range tracks {
		t := s.Track(id)
		if t == nil || slices.Contains(tracks[:k], id) || t0 >= t1 {
			continue
		}
		for n, l := range t.lanes {
			if l == nil || l.n == l.first {
				continue
			}
			from, to := l.firstBeginAt(t0), l.firstBeginAt(t1)
			if from > l.first && l.end(from-1) > t0 {
				from--
			}
			w.answer.at = SpanRef{Track: id, Lane: uint16(n)}
			w.walk(l, from, to)
		}
	}
	w.inclusive()
	begin := len(out)
	for _, c := range w.answer.used {
		r := w.answer.row(c)
		out = append(out, SpanStat{
			Collector: c, Calls: r.count, TotalNs: r.total, SelfNs: r.self, MinNs: r.min, MaxNs: r.max, MeanNs: float64(r.sum) / float64(r.count), Longest: r.longest,
		})
	}
	slices.SortFunc(out[begin:], func(a, b SpanStat) int { return cmp.Compare(a.Collector, b.Collector) })
	s.countSamples(w, tracks, t0, t1, out[begin:])
	return out
}

// PrepareSpanStats makes ready what SpanStats of long ranges of a track are made from, at most for about maxSpans spans, and tells whether there is more to do. Without it the first
// question does all of it: ten million spans take some 0.2 s. A viewer that shows such statistics calls it once a tick.
func (s *Session) PrepareSpanStats(track model.TrackID, maxSpans int) (more bool) {
	t := s.Track(track)
	if t == nil {
		return false
	}
	w := &s.clock.work.spans
	w.paths = s.paths.Rows()
	w.making.start()
	for _, l := range t.lanes {
		if l != nil && w.prepare(l, &maxSpans) {
			return true
		}
	}
	return false
}

func (w *spanWork) prepare(l *lane, maxSpans *int) (more bool) {
	x, y := &l.flame.extremes, &l.flame.Pyramid
	for x.ready = max(x.ready, y.First); x.ready < y.Blocks(); x.ready++ {
		if x.at(0, x.ready) != nil {
			continue
		}
		n := y.Node(0, x.ready)
		if *maxSpans <= 0 {
			return true
		}
		*maxSpans -= int(n.SpanEnd - n.SpanBegin)
		w.block(l, 0, x.ready)
	}
	return false
}

// spanWork is scratch memory for SpanStats.
type spanWork struct {
	tree    paths.Tree
	paths   []paths.Row
	answer  spanSums
	making  spanSums // of the block that is being made
	visited int64
	above   []model.CollectorID // collectors from the outermost node to the present one
	inside  []paths.Inside      // of samples
}

// Sums by collector are in pages: ids may be far apart, and what lies between takes no room.
const (
	sumPageShift = 5
	sumPageMask  = 1<<sumPageShift - 1
)

// spanSums sums by collector: a table in pages, as ids may be far apart, and a list of those used.
type spanSums struct {
	rows []*[1 << sumPageShift]spanSum
	used []model.CollectorID
	at   SpanRef // track and lane of what is added
}

type spanSum struct {
	count, sum, min, max int64
	longest              SpanRef
	total, self          int64
	running              int32 // calls of it that the present node lies in
}

func (x *spanSums) start() {
	for _, c := range x.used {
		*x.row(c) = spanSum{}
	}
	x.used = x.used[:0]
}

// row returns the row of a collector.
func (x *spanSums) row(c model.CollectorID) *spanSum {
	k := int(c >> sumPageShift)
	if k >= len(x.rows) {
		x.rows = append(x.rows, make([]*[1 << sumPageShift]spanSum, k+1-len(x.rows))...)
	}
	if x.rows[k] == nil {
		x.rows[k] = new([1 << sumPageShift]spanSum)
	}
	return &x.rows[k][c&sumPageMask]
}

func (x *spanSums) add(e *spanExtreme) {
	r := x.row(e.collector)
	if r.count == 0 {
		x.used = append(x.used, e.collector)
		r.min, r.max = e.min, e.max
		r.longest = SpanRef{x.at.Track, x.at.Lane, e.maxAt}
	}
	r.count += e.count
	r.sum += e.sum
	r.min = min(r.min, e.min)
	if e.max > r.max {
		r.max, r.longest = e.max, SpanRef{x.at.Track, x.at.Lane, e.maxAt}
	}
}

// inclusive adds the times of the tree: of a collector that runs within itself the outermost node counts.
func (w *spanWork) inclusive() {
	w.above = w.above[:0]
	rows := &w.answer
	for i := range w.tree.Nodes {
		node := &w.tree.Nodes[i]
		for len(w.above) > int(node.Depth) {
			k := len(w.above) - 1
			if c := w.above[k]; c >= 0 {
				rows.row(c).running--
			}
			w.above = w.above[:k]
		}
		w.above = append(w.above, node.Collector)
		if node.Collector < 0 {
			continue
		}
		r := rows.row(node.Collector)
		if r.running == 0 {
			r.total += node.Total
		}
		r.self += node.Self
		r.running++
	}
	for _, c := range w.above {
		if c >= 0 {
			rows.row(c).running = 0
		}
	}
	for i := range w.tree.Nodes { // a caller whose own spans are lost is no call, and has no row
		if c := w.tree.Nodes[i].Collector; c >= 0 && rows.row(c).count == 0 {
			*rows.row(c) = spanSum{}
		}
	}
}

// spanExtremes keeps, for the blocks of a lane's call paths (flame.go) and the levels above them, number, sum, least and greatest length of the calls of each collector that occurs. They
// are made when first needed: most sessions are never asked.
type spanExtremes struct {
	levels []columns.Shelf[[]spanExtreme]
	first  int64 // number of the oldest block that is kept
	ready  int64 // no block of level 0 before this one is waiting to be made by PrepareSpanStats
	acc    *columns.Account
}

type spanExtreme struct {
	collector            model.CollectorID
	count, sum, min, max int64
	maxAt                int64
}

const spanExtremeBytes = 48

// walk adds the spans [from, to) of a lane to the answer.
func (w *spanWork) walk(l *lane, from, to int64) {
	f := &l.flame
	if from >= to {
		return
	}
	a, b, begin, end := f.Within(from, to)
	w.spans(l, from, begin, &w.answer)
	w.blocks(l, a, b)
	w.spans(l, end, to, &w.answer)
}

// blocks adds the blocks [a, b) of a lane to the answer, in order.
func (w *spanWork) blocks(l *lane, a, b int64) {
	f := &l.flame
	for a < b {
		level := f.Level(a, b)
		list := w.block(l, level, a>>(paths.UpShift*level))
		for i := range list {
			w.answer.add(&list[i])
		}
		w.visited += int64(len(list))
		a += 1 << (paths.UpShift * level)
	}
}

// block returns a block of a level, made now if need be.
func (w *spanWork) block(l *lane, level int, i int64) []spanExtreme {
	x := &l.flame.extremes
	if list := x.at(level, i); list != nil {
		return list
	}
	if level == 0 {
		n := l.flame.Node(0, i)
		w.making.start()
		w.spans(l, n.SpanBegin, n.SpanEnd, &w.making)
	} else {
		for k := i << paths.UpShift; k < (i+1)<<paths.UpShift; k++ {
			w.block(l, level-1, k)
		}
		w.making.start()
		for k := i << paths.UpShift; k < (i+1)<<paths.UpShift; k++ {
			list := x.at(level-1, k)
			for j := range list {
				w.making.add(&list[j])
			}
			w.visited += int64(len(list))
		}
	}
	list := make([]spanExtreme, 0, len(w.making.used))
	for _, c := range w.making.used {
		r := w.making.row(c)
		list = append(list, spanExtreme{c, r.count, r.sum, r.min, r.max, r.longest.Index})
	}
	x.put(level, i, list)
	x.acc.Add(int64(cap(list)) * spanExtremeBytes)
	return list
}

// spans adds single spans.
func (w *spanWork) spans(l *lane, from, to int64, x *spanSums) {
	w.visited += max(to-from, 0)
	for i := from; i < to; i++ {
		c := w.paths[l.path(i)].Collector
		if c < 0 {
			continue
		}
		ns := l.end(i) - l.begin(i)
		x.add(&spanExtreme{c, 1, ns, ns, ns, i})
	}
}

// at returns block i of a level, nil if it was not made.
func (x *spanExtremes) at(level int, i int64) []spanExtreme {
	if level >= len(x.levels) {
		return nil
	}
	return x.levels[level].At(i)
}

func (x *spanExtremes) put(level int, i int64, list []spanExtreme) {
	for k := len(x.levels); k <= level; k++ {
		x.levels = append(x.levels, columns.NewShelf[[]spanExtreme](x.firstOf(k), x.acc))
	}
	x.levels[level].Put(i, list)
}

// firstOf returns the oldest node of a level that is kept.
func (x *spanExtremes) firstOf(level int) int64 {
	return (x.first + 1<<(paths.UpShift*level) - 1) >> (paths.UpShift * level)
}

// truncate forgets what was made of block n and later ones.
func (x *spanExtremes) truncate(n int64) {
	x.ready = min(x.ready, n)
	for k := range x.levels {
		x.levels[k].Truncate(n>>(paths.UpShift*k), x.forget)
	}
}

// DropBefore forgets what was made of blocks before block n.
func (x *spanExtremes) dropBefore(n int64) {
	x.first = max(x.first, n)
	for k := range x.levels {
		x.levels[k].DropBefore(x.firstOf(k), x.forget)
	}
}

// forget is told of each block that leaves.
func (x *spanExtremes) forget(list []spanExtreme) {
	if list != nil {
		x.acc.Add(-int64(cap(list)) * spanExtremeBytes)
	}
}

// clear lets go of everything.
func (x *spanExtremes) clear() {
	for k := range x.levels {
		x.levels[k].Clear(x.forget)
	}
	x.levels, x.ready = nil, 0
}
