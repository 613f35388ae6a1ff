package locks

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// The data does not say which wait a signal ended. Each wake-up, in order of time, is given the
// earliest signal after the wait began that no wake-up before it was given. That is the same as
// giving each signal, in order of time, the wait that ends first of those that it can have ended:
// of these, the wait that ends first of all takes the earliest of its signals either way, and the
// rest is the same problem again. Going by wake-ups has the advantage that new data, which are at
// the end, change only the end. A thread waits once at a time, so all wake-ups together look at
// each signal at most once for each thread.
//
// Events of several tracks come one track after another. They are gathered in a heap of news and
// put in their places by the next query.

// arrowIndex joins the signals and waits of one lock. Queries bring it up to date.
type arrowIndex struct {
	signals                            []signalAt // by time
	newSignals                         []signalAt
	wakes                              []wakeAt // by end
	newWakes                           []wakeAt
	signalFront, wakeFront, arrowFront columns.Front
	arrows                             []arrow // by the time of the wake-up
	earliest                           []int64 // the earliest signal of each 64 arrows
	dirty                              int64   // arrows to this time or later ones may be wrong
	acc                                *columns.Account
	visited                            int64 // signals, wake-ups and arrows looked at so far
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

// undo removes the entries from the events of a track from a position on; none of them is earlier
// than timeNs.
func (x *arrowIndex) undo(track model.TrackID, at, timeNs int64) {
	x.filter(track, at, timeNs)
	x.dirty = min(x.dirty, timeNs)
}

// forget drops entries of the track before timeNs, and older arrows of any track.
func (x *arrowIndex) forget(track model.TrackID, timeNs int64) {
	gone := func(t model.TrackID, when int64) bool { return t == track && when < timeNs }
	n, _ := slices.BinarySearchFunc(
		x.signals, timeNs, func(s signalAt, t int64) int { return cmp.Compare(s.time, t) },
	)
	k := slices.IndexFunc(x.signals[:n], func(s signalAt) bool { return !gone(s.track, s.time) })
	if k < 0 {
		k = n
	}
	columns.DropFront(&x.signalFront, &x.signals, k)
	x.signals = columns.DropWithin(x.signals, n-k, func(s signalAt) bool { return gone(s.track, s.time) })

	n, _ = slices.BinarySearchFunc(x.wakes, timeNs, func(w wakeAt, t int64) int { return cmp.Compare(w.end, t) })
	if k = slices.IndexFunc(x.wakes[:n], func(w wakeAt) bool { return !gone(w.track, w.end) }); k < 0 {
		k = n
	}
	columns.DropFront(&x.wakeFront, &x.wakes, k)
	x.wakes = columns.DropWithin(x.wakes, n-k, func(w wakeAt) bool { return gone(w.track, w.end) })

	n, _ = slices.BinarySearchFunc(x.arrows, timeNs, func(a arrow, t int64) int { return cmp.Compare(a.to, t) })
	if n > 0 {
		columns.DropFront(&x.arrowFront, &x.arrows, n)
		x.blocks(0)
	}
	x.newSignals = slices.DeleteFunc(x.newSignals, func(s signalAt) bool { return gone(s.track, s.time) })
	x.newWakes = slices.DeleteFunc(x.newWakes, func(w wakeAt) bool { return gone(w.track, w.end) })
}

// filter removes the entries from the events of a track from a position on.
func (x *arrowIndex) filter(track model.TrackID, at, from int64) {
	i, _ := slices.BinarySearchFunc(x.signals, from, func(s signalAt, t int64) int { return cmp.Compare(s.time, t) })
	x.signals = x.signals[:i+len(slices.DeleteFunc(x.signals[i:],
		func(s signalAt) bool { return s.track == track && s.at >= at }))]
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
		columns.Keep(&x.signalFront, &x.signals, columns.MergeSorted(x.signals, x.newSignals, bySignal))
		x.newSignals = x.newSignals[:0]
	}
	if len(x.newWakes) > 0 {
		slices.SortFunc(x.newWakes, byWake)
		x.dirty = min(x.dirty, x.newWakes[0].end)
		columns.Keep(&x.wakeFront, &x.wakes, columns.MergeSorted(x.wakes, x.newWakes, byWake))
		x.newWakes = x.newWakes[:0]
	}
	if x.dirty == arrowClean {
		return
	}
	cut, _ := slices.BinarySearchFunc(x.arrows, x.dirty, func(a arrow, t int64) int { return cmp.Compare(a.to, t) })
	for _, a := range x.arrows[cut:] {
		i, _ := slices.BinarySearchFunc(
			x.signals, a.from, func(s signalAt, t int64) int { return cmp.Compare(s.time, t) },
		)
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
				columns.Keep(&x.arrowFront, &x.arrows, append(x.arrows, arrow{s.time, w.end, w.begin, s.track, w.track}))
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
		x.earliest = columns.Push(x.acc, x.earliest, first)
	}
}

// touching appends the arrows that touch [t0, t1].
func (x *arrowIndex) touching(lock model.CollectorID, t0, t1 int64, out []Arrow) []Arrow {
	x.update()
	i, _ := slices.BinarySearchFunc(x.arrows, t0, func(a arrow, t int64) int { return cmp.Compare(a.to, t) })
	for i < len(x.arrows) {
		x.visited++
		if i&(1<<arrowShift-1) == 0 && x.earliest[i>>arrowShift] > t1 {
			i += 1 << arrowShift
			continue
		}
		if a := &x.arrows[i]; a.from <= t1 {
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
	x.acc, x.signalFront.Acc, x.wakeFront.Acc, x.arrowFront.Acc = acc, acc, acc, acc
	x.dirty = arrowClean
}

// clear frees everything.
func (x *arrowIndex) clear() {
	columns.ClearList(&x.signalFront, &x.signals)
	columns.ClearList(&x.wakeFront, &x.wakes)
	columns.ClearList(&x.arrowFront, &x.arrows)
	columns.LetGo(x.acc, x.newSignals)
	columns.LetGo(x.acc, x.newWakes)
	columns.LetGo(x.acc, x.earliest)
	x.newSignals, x.newWakes, x.earliest, x.dirty = nil, nil, nil, arrowClean
}
