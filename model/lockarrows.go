package model

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Which wait a signal ended is not in the data. Each wake-up, in order of time, is given the earliest signal after the wait began that no wake-up before it was given.
// That is the same as to give each signal, in order of time, the wait that ends first of those that it can have ended: of these, the wait that ends first of all takes
// the earliest of its signals either way, and what is left is the same question again. Going by wake-ups has the advantage that new data, which are at the end, change only the
// end. A thread waits once at a time, so all wake-ups together look at each signal at most once for each thread.
//
// Events of several tracks come one track after another. They are gathered in a heap of news and put in their places by the next question.

// arrowIndex joins the signals and waits of one lock. Questions change it; they may run side by side.
type arrowIndex struct {
	mu                  sync.Mutex
	signals, newSignals []signalAt // by time
	wakes, newWakes     []wakeAt   // by end
	arrows              []arrow    // by the time of the wake-up
	earliest            []int64    // the earliest signal of each 64 arrows
	dirty               int64      // arrows to this time or later ones may be wrong
	visited             int64      // signals, wake-ups and arrows looked at so far
}

const (
	arrowShift = 6
	arrowClean = math.MaxInt64
)

type signalAt struct {
	time, at int64 // at is the position among the track's events
	track    TrackID
	taken    bool
}

type wakeAt struct {
	begin, end, at int64
	track          TrackID
}

type arrow struct {
	from, to, begin    int64
	fromTrack, toTrack TrackID
}

func bySignal(a, b signalAt) int {
	if a.time != b.time {
		return cmp.Compare(a.time, b.time)
	}
	return cmp.Or(cmp.Compare(a.track, b.track), cmp.Compare(a.at, b.at))
}

func byWake(a, b wakeAt) int {
	if a.end != b.end {
		return cmp.Compare(a.end, b.end)
	}
	return cmp.Or(cmp.Compare(a.track, b.track), cmp.Compare(a.at, b.at))
}

// undo takes back what came from the events of a track from a position on; none of it is earlier than timeNs.
func (x *arrowIndex) undo(track TrackID, at, timeNs int64) {
	x.filter(track, at, timeNs)
	x.dirty = min(x.dirty, timeNs)
}

// forget drops what is earlier than timeNs and of the track. Arrows that are older than that go, of whatever track.
func (x *arrowIndex) forget(track TrackID, timeNs int64) {
	gone := func(t TrackID, when int64) bool { return t == track && when < timeNs }
	n, _ := slices.BinarySearchFunc(x.signals, timeNs, func(s signalAt, t int64) int { return cmp.Compare(s.time, t) })
	k := slices.IndexFunc(x.signals[:n], func(s signalAt) bool { return !gone(s.track, s.time) })
	if k < 0 {
		k = n
	}
	x.signals = dropFront(x.signals, k)
	x.signals = dropWithin(x.signals, n-k, func(s signalAt) bool { return gone(s.track, s.time) })

	n, _ = slices.BinarySearchFunc(x.wakes, timeNs, func(w wakeAt, t int64) int { return cmp.Compare(w.end, t) })
	if k = slices.IndexFunc(x.wakes[:n], func(w wakeAt) bool { return !gone(w.track, w.end) }); k < 0 {
		k = n
	}
	x.wakes = dropFront(x.wakes, k)
	x.wakes = dropWithin(x.wakes, n-k, func(w wakeAt) bool { return gone(w.track, w.end) })

	n, _ = slices.BinarySearchFunc(x.arrows, timeNs, func(a arrow, t int64) int { return cmp.Compare(a.to, t) })
	if n > 0 {
		x.arrows = dropFront(x.arrows, n)
		x.blocks(0)
	}
	x.newSignals = slices.DeleteFunc(x.newSignals, func(s signalAt) bool { return gone(s.track, s.time) })
	x.newWakes = slices.DeleteFunc(x.newWakes, func(w wakeAt) bool { return gone(w.track, w.end) })
}

// dropWithin removes of the first n values those for which gone holds.
func dropWithin[T any](list []T, n int, gone func(T) bool) []T {
	if !slices.ContainsFunc(list[:n], gone) {
		return list
	}
	k := 0
	for i, v := range list {
		if i < n && gone(v) {
			continue
		}
		list[k] = v
		k++
	}
	return list[:k]
}

// filter removes what came from the events of a track from a position on.
func (x *arrowIndex) filter(track TrackID, at, from int64) {
	i, _ := slices.BinarySearchFunc(x.signals, from, func(s signalAt, t int64) int { return cmp.Compare(s.time, t) })
	x.signals = x.signals[:i+len(slices.DeleteFunc(x.signals[i:], func(s signalAt) bool { return s.track == track && s.at >= at }))]
	i, _ = slices.BinarySearchFunc(x.wakes, from, func(w wakeAt, t int64) int { return cmp.Compare(w.end, t) })
	x.wakes = x.wakes[:i+len(slices.DeleteFunc(x.wakes[i:], func(w wakeAt) bool { return w.track == track && w.at >= at }))]
	x.newSignals = slices.DeleteFunc(x.newSignals, func(s signalAt) bool { return s.track == track && s.at >= at })
	x.newWakes = slices.DeleteFunc(x.newWakes, func(w wakeAt) bool { return w.track == track && w.at >= at })
}

// update makes the arrows right.
func (x *arrowIndex) update() {
	if len(x.newSignals) > 0 {
		slices.SortFunc(x.newSignals, bySignal)
		x.dirty = min(x.dirty, x.newSignals[0].time)
		x.signals = mergeSorted(x.signals, x.newSignals, bySignal)
		x.newSignals = x.newSignals[:0]
	}
	if len(x.newWakes) > 0 {
		slices.SortFunc(x.newWakes, byWake)
		x.dirty = min(x.dirty, x.newWakes[0].end)
		x.wakes = mergeSorted(x.wakes, x.newWakes, byWake)
		x.newWakes = x.newWakes[:0]
	}
	if x.dirty == arrowClean {
		return
	}
	cut, _ := slices.BinarySearchFunc(x.arrows, x.dirty, func(a arrow, t int64) int { return cmp.Compare(a.to, t) })
	for _, a := range x.arrows[cut:] {
		i, _ := slices.BinarySearchFunc(x.signals, a.from, func(s signalAt, t int64) int { return cmp.Compare(s.time, t) })
		for ; i < len(x.signals) && x.signals[i].time == a.from; i++ {
			if s := &x.signals[i]; s.track == a.fromTrack && s.taken {
				s.taken = false
				break
			}
		}
	}
	x.arrows = x.arrows[:cut]
	from, _ := slices.BinarySearchFunc(x.wakes, x.dirty, func(w wakeAt, t int64) int { return cmp.Compare(w.end, t) })
	for _, w := range x.wakes[from:] {
		i, _ := slices.BinarySearchFunc(x.signals, w.begin, func(s signalAt, t int64) int {
			if s.time <= t {
				return -1
			}
			return 1
		})
		x.visited++
		for ; i < len(x.signals) && x.signals[i].time <= w.end; i++ {
			x.visited++
			if s := &x.signals[i]; !s.taken && s.track != w.track {
				s.taken = true
				x.arrows = append(x.arrows, arrow{s.time, w.end, w.begin, s.track, w.track})
				break
			}
		}
	}
	x.blocks(cut >> arrowShift)
	x.dirty = arrowClean
}

// blocks makes the blocks of arrows anew, from one on.
func (x *arrowIndex) blocks(from int) {
	x.earliest = x.earliest[:min(from, len(x.earliest))]
	for i := len(x.earliest) << arrowShift; i < len(x.arrows); i += 1 << arrowShift {
		first := x.arrows[i].from
		for _, a := range x.arrows[i:min(i+1<<arrowShift, len(x.arrows))] {
			first = min(first, a.from)
		}
		x.earliest = append(x.earliest, first)
	}
}

// touching appends the arrows that touch [t0, t1].
func (x *arrowIndex) touching(lock CollectorID, t0, t1 int64, out []SignalArrow) []SignalArrow {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.update()
	i, _ := slices.BinarySearchFunc(x.arrows, t0, func(a arrow, t int64) int { return cmp.Compare(a.to, t) })
	for i < len(x.arrows) {
		x.visited++
		if i&(1<<arrowShift-1) == 0 && x.earliest[i>>arrowShift] > t1 {
			i += 1 << arrowShift
			continue
		}
		if a := &x.arrows[i]; a.from <= t1 {
			out = append(out, SignalArrow{Lock: lock, FromTrack: a.fromTrack, ToTrack: a.toTrack, FromTime: a.from, ToTime: a.to, WaitBegin: a.begin})
		}
		i++
	}
	return out
}

func (x *arrowIndex) bytes() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return int64(cap(x.signals)+cap(x.newSignals))*24 + int64(cap(x.wakes)+cap(x.newWakes))*32 + int64(cap(x.arrows))*32 + int64(cap(x.earliest))*8
}

// mergeSorted adds the values of add, which are sorted, to a sorted list. Only what is later than the first of them moves.
func mergeSorted[T any](list, add []T, compare func(a, b T) int) []T {
	i, j := len(list)-1, len(add)-1
	list = append(list, add...)
	for k := len(list) - 1; j >= 0 && i >= 0; k-- {
		if compare(list[i], add[j]) > 0 {
			list[k] = list[i]
			i--
		} else {
			list[k] = add[j]
			j--
		}
		if i < 0 {
			copy(list[:k], add[:j+1])
		}
	}
	return list
}
