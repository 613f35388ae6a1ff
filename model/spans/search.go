package spans

import (
	"sort"

	"framescope/model"
)

// At returns the span of a lane that covers timeNs or else the nearest one within slopNs.
func (x *Table) At(track model.TrackID, lane int, timeNs, slopNs int64) (Bar, bool) {
	l := x.lanes.Lane(track, lane)
	if l == nil {
		return Bar{}, false
	}
	timeNs = model.ClampTime(timeNs)
	best, bestNs := int64(-1), max(slopNs, 0)
	i := l.FirstEndAt(timeNs)
	if i < l.Behind() {
		if begin := l.Begin(i); begin-timeNs <= bestNs {
			best, bestNs = i, max(begin-timeNs, 0)
		}
	}
	if i > l.First() {
		if end := l.End(i - 1); timeNs-end < bestNs || best < 0 && timeNs-end <= bestNs {
			best = i - 1
		}
	}
	// Where one span ends and the next begins, the time belongs to the next.
	if best >= 0 && best+1 < l.Behind() && l.End(best) == timeNs && l.Begin(best+1) == timeNs {
		best++
	}
	if best < 0 {
		return Bar{}, false
	}
	return x.lanes.Plain(l, Ref{Track: track, Lane: uint16(lane), Index: best}), true
}

// Depth returns how many lanes of a track, from the outermost on, have a span that touches [t0, t1].
// The spans of the track are nested: where a lane has one there, those above it do. Cost:
// O(log lanes · log spans).
func (x *Table) Depth(track model.TrackID, lanes int, t0, t1 int64) int {
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	return sort.Search(lanes, func(lane int) bool {
		l := x.lanes.Lane(track, lane)
		if l == nil {
			return true
		}
		i := l.FirstEndAt(t0)
		return i >= l.Behind() || l.Begin(i) > t1
	})
}

// ByRef returns the span that a reference points at; false if it left memory or never was.
func (x *Table) ByRef(r Ref) (Bar, bool) {
	l := x.lanes.Lane(r.Track, int(r.Lane))
	if l == nil || r.Index < l.First() || r.Index >= l.Behind() {
		return Bar{}, false
	}
	return x.lanes.Plain(l, r), true
}

// Caller returns the span inside which another one began: the nearest above it that ran then and is
// of the call path below which it counts, and of the same frames where frames overlap.
func (x *Table) Caller(r Ref) (Bar, bool) {
	b, ok := x.ByRef(r)
	if !ok {
		return b, false
	}
	up, _ := x.host.Paths.ByID(b.Path)
	sequence := x.lanes.Lane(r.Track, int(r.Lane)).SequenceAt(r.Index, b.Begin)
	for n := int(r.Lane) - 1; n >= 0 && up != model.PathRoot; n-- {
		l := x.lanes.Lane(r.Track, n)
		if l == nil {
			continue
		}
		for i := l.FirstBeginAt(b.Begin+1) - 1; i >= l.First() && l.End(i) >= b.Begin; i-- {
			if l.PathAt(i, b.Begin) == up && l.SequenceAt(i, b.Begin) == sequence {
				return x.lanes.Plain(l, Ref{Track: r.Track, Lane: uint16(n), Index: i}), true
			}
		}
	}
	return Bar{}, false
}

// FramesOf returns the positions of the frames, from the first to behind the last, that may own a
// span at a time: frames that do not overlap.
func (x *Table) FramesOf(r Ref, timeNs int64) (from, to int64) {
	l := x.lanes.Lane(r.Track, int(r.Lane))
	if l == nil || r.Index < l.First() || r.Index >= l.Behind() {
		return 0, model.MaxTime
	}
	return x.lanes.Track(r.Track).FramesOf(l.SequenceAt(r.Index, timeNs))
}

// Next returns the next (dir > 0) or previous (dir < 0) span of the same collector on the track, by
// begin time, from timeNs on (exclusive). Cost: O(lanes · paths · log n): blocks without the
// collector are skipped by their path lists.
func (x *Table) Next(track model.TrackID, c model.CollectorID, timeNs int64, dir int) (Bar, bool) {
	t := x.lanes.Track(track)
	if t == nil || dir == 0 {
		return Bar{}, false
	}
	timeNs = model.ClampTime(timeNs)
	var best Bar
	found := false
	x.visited = 0
	for n, l := range t.Stack() {
		if l == nil || l.Behind() == l.First() {
			continue
		}
		f := finder{paths: x.host.Paths.Rows(), l: l, c: c}
		var i int64
		if dir > 0 {
			i = f.next(l.FirstBeginAt(timeNs + 1))
		} else {
			i = f.previous(l.FirstBeginAt(timeNs))
		}
		x.visited += f.visited
		if i < 0 {
			continue
		}
		if begin := l.Begin(i); !found || dir > 0 && begin < best.Begin || dir < 0 && begin > best.Begin {
			best = x.lanes.Plain(l, Ref{Track: track, Lane: uint16(n), Index: i})
			found = true
		}
	}
	return best, found
}

// finder looks for spans of a collector in a lane.
type finder struct {
	paths   []Row
	l       *Lane
	c       model.CollectorID
	visited int64 // spans and list entries looked at
}

func (f *finder) is(p model.PathID) bool { return f.paths[p].Collector == f.c }

// holds reports whether a node's list has a path of the collector.
func (f *finder) holds(level int, node int64) bool {
	v := &f.l.CallPaths().Levels[level]
	n := v.Nodes.Ref(node) // no hole
	f.visited += n.EntryEnd - n.EntryBegin
	for i := n.EntryBegin; i < n.EntryEnd; {
		run := v.Entries.Run(i, n.EntryEnd)
		for k := range run {
			if f.is(run[k].Path) {
				return true
			}
		}
		i += int64(len(run))
	}
	return false
}

// next returns the first position at or after i, -1 if there is none.
func (f *finder) next(i int64) int64 {
	l := f.l
	for i < l.Behind() {
		stop := l.Behind()
		at := l.CallPaths().FirstBlock(func(b *PathBlock) bool { return b.SpanEnd > i })
		if b := l.CallPaths().Node(0, at); b != nil {
			if b.SpanBegin == i {
				if skip := f.skip(at, 1); skip > i {
					i = skip
					continue
				}
			}
			if stop = b.SpanEnd; b.SpanBegin > i {
				stop = b.SpanBegin
			}
		}
		for ; i < stop; i++ {
			f.visited++
			if f.is(l.Path(i)) {
				return i
			}
		}
	}
	return -1
}

// previous returns the last position before i, -1 if there is none.
func (f *finder) previous(i int64) int64 {
	l := f.l
	for i > l.First() {
		stop := l.First()
		at := l.CallPaths().FirstBlock(func(b *PathBlock) bool { return b.SpanEnd >= i })
		if b := l.CallPaths().Node(0, at); b != nil && b.SpanBegin < i {
			if b.SpanEnd == i {
				if skip := f.skip(at, -1); skip < i {
					i = skip
					continue
				}
			}
			stop = b.SpanBegin
		} else if b := l.CallPaths().Node(0, at-1); b != nil {
			stop = b.SpanEnd
		}
		for i--; ; i-- {
			f.visited++
			if f.is(l.Path(i)) {
				return i
			}
			if i <= stop {
				break
			}
		}
	}
	return -1
}

// skip returns the position behind (dir > 0) or before (dir < 0) the greatest node without the
// collector that begins (ends) with block at; where block at itself holds the collector, the
// position where it begins (ends).
func (f *finder) skip(at int64, dir int) int64 {
	y := f.l.CallPaths()
	n := y.Node(0, at)
	to := n.SpanBegin
	if dir < 0 {
		to = n.SpanEnd
	}
	for k := range y.Levels {
		if n = y.Node(k, at); n == nil || f.holds(k, at) {
			break
		}
		if dir > 0 {
			to = n.SpanEnd
			if at&(Fanout-1) != 0 {
				break
			}
		} else {
			to = n.SpanBegin
			if at&(Fanout-1) != Fanout-1 {
				break
			}
		}
		at >>= UpShift
	}
	return to
}
