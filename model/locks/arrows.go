package locks

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// Which wait a signal ended is not in the data. Each wake-up, in order of time, is given the
// earliest signal after the wait began that no wake-up before it was given. That is the same as to
// give each signal, in order of time, the wait that ends first of those that it can have ended: of
// these, the wait that ends first of all takes the earliest of its signals either way, and what is
// left is the same question again. Going by wake-ups has the advantage that new data, which are at
// the end, change only the end. A thread waits once at a time, so all wake-ups together look at
// each signal at most once for each thread.
//
// Events of several tracks come one track after another. They are gathered in a heap of news and
// put in their places by the next question.

// arrowIndex joins the signals and waits of one lock. Questions bring it up to date.
type arrowIndex struct {
	signals    columns.FrontList[signalAt] // by time
	newSignals []signalAt
	wakes      columns.FrontList[wakeAt] // by end
	newWakes   []wakeAt
	arrows     columns.FrontList[arrow] // by the time of the wake-up
	earliest   []int64                  // the earliest signal of each 64 arrows
	dirty      int64                    // arrows to this time or later ones may be wrong
	acc        *columns.Account
	visited    int64 // signals, wake-ups and arrows looked at so far
}

const (
	arrowShift = 6
	arrowClean = math.MaxInt64
)

type signalAt struct {
	time, at int64 // at is the position among the track's events
	track    model.TrackID
	taken    bool
}

type wakeAt struct {
	begin, end, at int64
	track          model.TrackID
}

type arrow struct {
	from, to, begin    int64
	fromTrack, toTrack model.TrackID
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

// undo takes back what came from the events of a track from a position on; none of it is earlier
// than timeNs.
func (x *arrowIndex) undo(track model.TrackID, at, timeNs int64) {
	x.filter(track, at, timeNs)
	x.dirty = min(x.dirty, timeNs)
}

// forget drops what is earlier than timeNs and of the track. Arrows that are older than that go, of
// whatever track.
func (x *arrowIndex) forget(track model.TrackID, timeNs int64) {
	gone := func(t model.TrackID, when int64) bool { return t == track && when < timeNs }
	n, _ := slices.BinarySearchFunc(
		x.signals.List, timeNs, func(s signalAt, t int64) int { return cmp.Compare(s.time, t) },
	)
	k := slices.IndexFunc(x.signals.List[:n], func(s signalAt) bool { return !gone(s.track, s.time) })
	if k < 0 {
		k = n
	}
	x.signals.Drop(k)
	x.signals.List = columns.DropWithin(x.signals.List, n-k, func(s signalAt) bool { return gone(s.track, s.time) })

	n, _ = slices.BinarySearchFunc(x.wakes.List, timeNs, func(w wakeAt, t int64) int { return cmp.Compare(w.end, t) })
	if k = slices.IndexFunc(x.wakes.List[:n], func(w wakeAt) bool { return !gone(w.track, w.end) }); k < 0 {
		k = n
	}
	x.wakes.Drop(k)
	x.wakes.List = columns.DropWithin(x.wakes.List, n-k, func(w wakeAt) bool { return gone(w.track, w.end) })

	n, _ = slices.BinarySearchFunc(x.arrows.List, timeNs, func(a arrow, t int64) int { return cmp.Compare(a.to, t) })
	if n > 0 {
		x.arrows.Drop(n)
		x.blocks(0)
	}
	x.newSignals = slices.DeleteFunc(x.newSignals, func(s signalAt) bool { return gone(s.track, s.time) })
	x.newWakes = slices.DeleteFunc(x.newWakes, func(w wakeAt) bool { return gone(w.track, w.end) })
}

// filter removes what came from the events of a track from a position on.
func (x *arrowIndex) filter(track model.TrackID, at, from int64) {
	i, _ := slices.BinarySearchFunc(x.signals.List, from, func(s signalAt, t int64) int { return cmp.Compare(s.time, t) })
	x.signals.List = x.signals.List[:i+len(slices.DeleteFunc(x.signals.List[i:],
		func(s signalAt) bool { return s.track == track && s.at >= at }))]
	i, _ = slices.BinarySearchFunc(x.wakes.List, from, func(w wakeAt, t int64) int { return cmp.Compare(w.end, t) })
	x.wakes.List = x.wakes.List[:i+len(slices.DeleteFunc(x.wakes.List[i:], func(w wakeAt) bool { return w.track == track && w.at >= at }))]
	x.newSignals = slices.DeleteFunc(x.newSignals, func(s signalAt) bool { return s.track == track && s.at >= at })
	x.newWakes = slices.DeleteFunc(x.newWakes, func(w wakeAt) bool { return w.track == track && w.at >= at })
}

// update makes the arrows right.
func (x *arrowIndex) update() {
	if len(x.newSignals) > 0 {
		slices.SortFunc(x.newSignals, bySignal)
		x.dirty = min(x.dirty, x.newSignals[0].time)
		x.signals.Keep(columns.MergeSorted(x.signals.List, x.newSignals, bySignal))
		x.newSignals = x.newSignals[:0]
	}
	if len(x.newWakes) > 0 {
		slices.SortFunc(x.newWakes, byWake)
		x.dirty = min(x.dirty, x.newWakes[0].end)
		x.wakes.Keep(columns.MergeSorted(x.wakes.List, x.newWakes, byWake))
		x.newWakes = x.newWakes[:0]
	}
	if x.dirty == arrowClean {
		return
	}
	cut, _ := slices.BinarySearchFunc(x.arrows.List, x.dirty, func(a arrow, t int64) int { return cmp.Compare(a.to, t) })
	for _, a := range x.arrows.List[cut:] {
		i, _ := slices.BinarySearchFunc(
			x.signals.List, a.from, func(s signalAt, t int64) int { return cmp.Compare(s.time, t) },
		)
		for ; i < len(x.signals.List) && x.signals.List[i].time == a.from; i++ {
			if s := &x.signals.List[i]; s.track == a.fromTrack && s.taken {
				s.taken = false
				break
			}
		}
	}
	x.arrows.List = x.arrows.List[:cut]
	from, _ := slices.BinarySearchFunc(x.wakes.List, x.dirty, func(w wakeAt, t int64) int { return cmp.Compare(w.end, t) })
	for _, w := range x.wakes.List[from:] {
		i, _ := slices.BinarySearchFunc(x.signals.List, w.begin, func(s signalAt, t int64) int {
			if s.time <= t {
				return -1
			}
			return 1
		})
		x.visited++
		for ; i < len(x.signals.List) && x.signals.List[i].time <= w.end; i++ {
			x.visited++
			if s := &x.signals.List[i]; !s.taken && s.track != w.track {
				s.taken = true
				x.arrows.Push(arrow{s.time, w.end, w.begin, s.track, w.track})
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
	for i := len(x.earliest) << arrowShift; i < len(x.arrows.List); i += 1 << arrowShift {
		first := x.arrows.List[i].from
		for _, a := range x.arrows.List[i:min(i+1<<arrowShift, len(x.arrows.List))] {
			first = min(first, a.from)
		}
		x.earliest = columns.Push(x.acc, x.earliest, first)
	}
}

// touching appends the arrows that touch [t0, t1].
func (x *arrowIndex) touching(lock model.CollectorID, t0, t1 int64, out []Arrow) []Arrow {
	x.update()
	i, _ := slices.BinarySearchFunc(x.arrows.List, t0, func(a arrow, t int64) int { return cmp.Compare(a.to, t) })
	for i < len(x.arrows.List) {
		x.visited++
		if i&(1<<arrowShift-1) == 0 && x.earliest[i>>arrowShift] > t1 {
			i += 1 << arrowShift
			continue
		}
		if a := &x.arrows.List[i]; a.from <= t1 {
			out = append(out, Arrow{
				Lock: lock, FromTrack: a.fromTrack, ToTrack: a.toTrack, FromTime: a.from, ToTime: a.to,
				WaitBegin: a.begin,
			})
		}
		i++
	}
	return out
}

func (x *arrowIndex) init(acc *columns.Account) {
	x.acc, x.signals.Acc, x.wakes.Acc, x.arrows.Acc = acc, acc, acc, acc
	x.dirty = arrowClean
}

// clear lets go of everything.
func (x *arrowIndex) clear() {
	x.signals.Clear()
	x.wakes.Clear()
	x.arrows.Clear()
	columns.LetGo(x.acc, x.newSignals)
	columns.LetGo(x.acc, x.newWakes)
	columns.LetGo(x.acc, x.earliest)
	x.newSignals, x.newWakes, x.earliest, x.dirty = nil, nil, nil, arrowClean
}
