package model

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// SpanStat summarises the calls of one collector in a range of time, for sources with or without frames. A call is a span.
type SpanStat struct {
	Collector CollectorID
	Calls     int64 // spans that touch the range, recursive ones included
	// TotalNs is the time inside, callees included, cut to the range; of recursive calls the outermost counts. SelfNs is without callees.
	TotalNs, SelfNs int64
	// MinNs, MeanNs and MaxNs are of the lengths of the calls, not cut.
	MinNs, MaxNs int64
	MeanNs       float64
	Longest      SpanRef // the first call of MaxNs
}

// SpanStats appends to out the statistics of every collector with calls in [t0, t1) on the given tracks, ascending by id. Cost: that of FlameTree; the first question for a long
// range also walks over its spans, once.
func (s *Session) SpanStats(tracks []TrackID, t0, t1 int64, out []SpanStat) []SpanStat {
	w, _ := s.spanWorks.Get().(*spanWork)
	if w == nil {
		w = new(spanWork)
	}
	defer s.spanWorks.Put(w)
	return s.spanStats(w, tracks, t0, t1, out)
}

func (s *Session) spanStats(w *spanWork, tracks []TrackID, t0, t1 int64, out []SpanStat) []SpanStat {
	t0, t1 = clampTime(t0), clampTime(t1)
	s.FlameTree(tracks, t0, t1, &w.tree)
	w.paths, w.visited = s.paths.rows, w.tree.Visited
	w.answer.start(len(s.collectors.rows))
	w.making.start(len(s.collectors.rows))
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
			if from > l.first && l.flameEnd(from-1) > t0 {
				from--
			}
			w.answer.at = SpanRef{Track: id, Lane: uint16(n)}
			w.walk(l, from, to)
		}
	}
	w.inclusive()
	begin := len(out)
	for _, c := range w.answer.used {
		r := &w.answer.rows[c]
		out = append(out, SpanStat{
			Collector: c, Calls: r.count, TotalNs: r.total, SelfNs: r.self, MinNs: r.min, MaxNs: r.max, MeanNs: float64(r.sum) / float64(r.count), Longest: r.longest,
		})
	}
	slices.SortFunc(out[begin:], func(a, b SpanStat) int { return cmp.Compare(a.Collector, b.Collector) })
	return out
}

// PrepareSpanStats makes ready what SpanStats of long ranges of a track are made from, at most for about maxSpans spans, and tells whether there is more to do. Without it the first
// question does all of it: ten million spans take some 0.2 s. A viewer that shows such statistics calls it once a tick.
func (s *Session) PrepareSpanStats(track TrackID, maxSpans int) (more bool) {
	t := s.Track(track)
	if t == nil {
		return false
	}
	w, _ := s.spanWorks.Get().(*spanWork)
	if w == nil {
		w = new(spanWork)
	}
	defer s.spanWorks.Put(w)
	w.paths = s.paths.rows
	w.making.start(len(s.collectors.rows))
	for _, l := range t.lanes {
		if l != nil && len(l.flame.levels) > 0 && w.prepare(l, &maxSpans) {
			return true
		}
	}
	return false
}

func (w *spanWork) prepare(l *lane, maxSpans *int) (more bool) {
	x, nodes := &l.flame.extremes, &l.flame.levels[0].nodes
	x.mu.Lock()
	defer x.mu.Unlock()
	for x.ready = max(x.ready, nodes.start()); x.ready < nodes.n; x.ready++ {
		if len(x.levels) > 0 && x.ready < int64(len(x.levels[0])) && x.levels[0][x.ready] != nil {
			continue
		}
		n := nodes.ref(x.ready)
		if n.spanBegin < l.first { // partly left: nobody asks for it
			continue
		}
		if *maxSpans <= 0 {
			return true
		}
		*maxSpans -= int(n.spanEnd - n.spanBegin)
		w.block(l, 0, x.ready)
	}
	return false
}

// spanWork is scratch memory for SpanStats.
type spanWork struct {
	tree    FlameTree
	paths   []pathRow
	answer  spanSums
	making  spanSums // of the block that is being made
	visited int64
	above   []CollectorID // collectors from the outermost node to the present one
}

// spanSums sums by collector: a dense table and a list of those used.
type spanSums struct {
	rows []spanSum
	used []CollectorID
	at   SpanRef // track and lane of what is added
}

type spanSum struct {
	count, sum, min, max int64
	longest              SpanRef
	total, self          int64
	running              int32 // calls of it that the present node lies in
}

func (x *spanSums) start(collectors int) {
	for _, c := range x.used {
		x.rows[c] = spanSum{}
	}
	x.used = x.used[:0]
	if collectors > len(x.rows) {
		x.rows = append(x.rows, make([]spanSum, collectors-len(x.rows))...)
	}
}

func (x *spanSums) add(e *spanExtreme) {
	r := &x.rows[e.collector]
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
	rows := w.answer.rows
	for i := range w.tree.Nodes {
		node := &w.tree.Nodes[i]
		for len(w.above) > int(node.Depth) {
			k := len(w.above) - 1
			if c := w.above[k]; c >= 0 {
				rows[c].running--
			}
			w.above = w.above[:k]
		}
		w.above = append(w.above, node.Collector)
		if node.Collector < 0 {
			continue
		}
		r := &rows[node.Collector]
		if r.running == 0 {
			r.total += node.Total
		}
		r.self += node.Self
		r.running++
	}
	for _, c := range w.above {
		if c >= 0 {
			rows[c].running = 0
		}
	}
	for i := range w.tree.Nodes { // a caller whose own spans are lost is no call, and has no row
		if c := w.tree.Nodes[i].Collector; c >= 0 && rows[c].count == 0 {
			rows[c] = spanSum{}
		}
	}
}

// spanExtremes keeps, for the blocks of a lane's call paths (flame.go) and the levels above them, number, sum, least and greatest length of the calls of each collector that occurs. They
// are made when first needed: most sessions are never asked.
type spanExtremes struct {
	mu     sync.Mutex // questions make blocks, and may run side by side
	levels [][][]spanExtreme
	ready  int64 // no block of level 0 before this one is waiting to be made by PrepareSpanStats
	bytes  atomic.Int64
}

type spanExtreme struct {
	collector            CollectorID
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
	if len(f.levels) == 0 {
		w.spans(l, from, to, &w.answer)
		return
	}
	nodes := &f.levels[0].nodes
	a := searchPos(nodes.start(), nodes.n, func(i int64) bool { return nodes.ref(i).spanBegin >= from })
	b := searchPos(a, nodes.n, func(i int64) bool { return nodes.ref(i).spanEnd > to })
	if a >= b {
		w.spans(l, from, to, &w.answer)
		return
	}
	w.spans(l, from, nodes.ref(a).spanBegin, &w.answer)
	f.extremes.mu.Lock()
	w.blocks(l, a, b)
	f.extremes.mu.Unlock()
	w.spans(l, nodes.ref(b-1).spanEnd, to, &w.answer)
}

// blocks adds the blocks [a, b) of a lane to the answer, in order.
func (w *spanWork) blocks(l *lane, a, b int64) {
	f := &l.flame
	for a < b {
		level := 0
		for k := 1; k < len(f.levels); k++ {
			size := int64(1) << (flameShift * k)
			if a&(size-1) != 0 || a+size > b || a>>(flameShift*k) >= f.levels[k].nodes.n {
				break
			}
			level = k
		}
		list := w.block(l, level, a>>(flameShift*level))
		for i := range list {
			w.answer.add(&list[i])
		}
		w.visited += int64(len(list))
		a += 1 << (flameShift * level)
	}
}

// block returns a block of a level, made now if need be.
func (w *spanWork) block(l *lane, level int, i int64) []spanExtreme {
	x := &l.flame.extremes
	for level >= len(x.levels) {
		x.levels = append(x.levels, nil)
	}
	if n := i + 1 - int64(len(x.levels[level])); n > 0 {
		x.levels[level] = append(x.levels[level], make([][]spanExtreme, n)...)
	}
	if list := x.levels[level][i]; list != nil {
		return list
	}
	if level == 0 {
		n := l.flame.levels[0].nodes.at(i)
		w.making.start(0)
		w.spans(l, n.spanBegin, n.spanEnd, &w.making)
	} else {
		for k := i << flameShift; k < (i+1)<<flameShift; k++ {
			w.block(l, level-1, k)
		}
		w.making.start(0)
		for k := i << flameShift; k < (i+1)<<flameShift; k++ {
			list := x.levels[level-1][k]
			for j := range list {
				w.making.add(&list[j])
			}
			w.visited += int64(len(list))
		}
	}
	list := make([]spanExtreme, 0, len(w.making.used))
	for _, c := range w.making.used {
		r := &w.making.rows[c]
		list = append(list, spanExtreme{c, r.count, r.sum, r.min, r.max, r.longest.Index})
	}
	x.levels[level][i] = list
	x.bytes.Add(int64(cap(list))*spanExtremeBytes + 24)
	return list
}

// spans adds single spans.
func (w *spanWork) spans(l *lane, from, to int64, x *spanSums) {
	w.visited += max(to-from, 0)
	for i := from; i < to; i++ {
		c := w.paths[l.path(i)].collector
		if c < 0 {
			continue
		}
		ns := l.flameEnd(i) - l.begin(i)
		x.add(&spanExtreme{c, 1, ns, ns, ns, i})
	}
}

// truncate forgets the blocks of a level from one on.
func (x *spanExtremes) truncate(level int, keep int64) {
	if level == 0 {
		x.ready = min(x.ready, keep)
	}
	if level < len(x.levels) && keep < int64(len(x.levels[level])) {
		x.forget(x.levels[level][keep:])
		x.levels[level] = x.levels[level][:keep]
	}
}

// dropBefore forgets the blocks of a level before one.
func (x *spanExtremes) dropBefore(level int, keep int64) {
	if level < len(x.levels) {
		x.forget(x.levels[level][:min(keep, int64(len(x.levels[level])))])
	}
}

func (x *spanExtremes) forget(blocks [][]spanExtreme) {
	for i, list := range blocks {
		if list != nil {
			x.bytes.Add(-int64(cap(list))*spanExtremeBytes - 24)
			blocks[i] = nil
		}
	}
}
