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
	signals, wakes happenings
	arrowFront     columns.Front
	arrows         []arrow // by the time of the wake-up
	earliest       []int64 // the earliest signal of each 64 arrows
	dirty          int64   // arrows to this time or later ones may be wrong
	acc            *columns.Account
	visited        int64 // signals, wake-ups and arrows looked at so far
}

const (
	arrowShift = 6
	arrowClean = math.MaxInt64
)

// happening is a signal, or the end of a wait.
type happening struct {
	time, begin, at int64 // begin of the wait; at is the position among the track's events
	track           model.TrackID
	taken           bool // a signal that a wait was given
}

// happenings are all signals, or all ends of waits, by time.
type happenings struct {
	list, news []happening
	front      columns.Front
}

type arrow struct {
	from, to, begin    int64
	fromTrack, toTrack model.TrackID
}

func byTime(a, b happening) int {
	if a.time != b.time {
		return cmp.Compare(a.time, b.time)
	}
	return cmp.Or(cmp.Compare(a.track, b.track), cmp.Compare(a.at, b.at))
}

func (x *happenings) add(h happening) { x.news = columns.Push(x.front.Acc, x.news, h) }

// from returns the place of the first at a time or later.
func (x *happenings) from(timeNs int64) int {
	i, _ := slices.BinarySearchFunc(x.list, timeNs, func(h happening, t int64) int { return cmp.Compare(h.time, t) })
	return i
}

// settle puts the news in their places, and returns the earliest time of them.
func (x *happenings) settle() (earliest int64) {
	if len(x.news) == 0 {
		return arrowClean
	}
	slices.SortFunc(x.news, byTime)
	earliest = x.news[0].time
	columns.Keep(&x.front, &x.list, columns.MergeSorted(x.list, x.news, byTime))
	x.news = x.news[:0]
	return earliest
}

// undo removes those of a track from a position on; none of them is earlier than timeNs.
func (x *happenings) undo(track model.TrackID, at, timeNs int64) {
	gone := func(h happening) bool { return h.track == track && h.at >= at }
	i := x.from(timeNs)
	x.list = x.list[:i+len(slices.DeleteFunc(x.list[i:], gone))]
	x.news = slices.DeleteFunc(x.news, gone)
}

// forget drops those of a track before a time.
func (x *happenings) forget(track model.TrackID, timeNs int64) {
	gone := func(h happening) bool { return h.track == track && h.time < timeNs }
	n := x.from(timeNs)
	k := slices.IndexFunc(x.list[:n], func(h happening) bool { return !gone(h) })
	if k < 0 {
		k = n
	}
	columns.DropFront(&x.front, &x.list, k)
	x.list = columns.DropWithin(x.list, n-k, gone)
	x.news = slices.DeleteFunc(x.news, gone)
}

func (x *happenings) clear() {
	columns.ClearList(&x.front, &x.list)
	columns.LetGo(x.front.Acc, x.news)
	x.news = nil
}

// undo removes the entries from the events of a track from a position on; none of them is earlier
// than timeNs.
func (x *arrowIndex) undo(track model.TrackID, at, timeNs int64) {
	x.signals.undo(track, at, timeNs)
	x.wakes.undo(track, at, timeNs)
	x.dirty = min(x.dirty, timeNs)
}

// forget drops entries of the track before timeNs, and older arrows of any track.
func (x *arrowIndex) forget(track model.TrackID, timeNs int64) {
	x.signals.forget(track, timeNs)
	x.wakes.forget(track, timeNs)
	if n := x.arrowFrom(timeNs); n > 0 {
		columns.DropFront(&x.arrowFront, &x.arrows, n)
		x.blocks(0)
	}
}

// arrowFrom returns the place of the first arrow to a time or a later one.
func (x *arrowIndex) arrowFrom(timeNs int64) int {
	i, _ := slices.BinarySearchFunc(x.arrows, timeNs, func(a arrow, t int64) int { return cmp.Compare(a.to, t) })
	return i
}

// update makes the arrows right.
func (x *arrowIndex) update() {
	x.dirty = min(x.dirty, x.signals.settle(), x.wakes.settle())
	if x.dirty == arrowClean {
		return
	}
	signals, cut := x.signals.list, x.arrowFrom(x.dirty)
	for _, a := range x.arrows[cut:] {
		for i := x.signals.from(a.from); i < len(signals) && signals[i].time == a.from; i++ {
			if s := &signals[i]; s.track == a.fromTrack && s.taken {
				s.taken = false
				break
			}
		}
	}
	x.arrows = x.arrows[:cut]
	for _, w := range x.wakes.list[x.wakes.from(x.dirty):] {
		x.visited++
		for i := x.signals.from(w.begin + 1); i < len(signals) && signals[i].time <= w.time; i++ {
			x.visited++
			if s := &signals[i]; !s.taken && s.track != w.track {
				s.taken = true
				columns.Keep(&x.arrowFront, &x.arrows, append(x.arrows, arrow{s.time, w.time, w.begin, s.track, w.track}))
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
	for i := x.arrowFrom(t0); i < len(x.arrows); {
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
	x.acc, x.signals.front.Acc, x.wakes.front.Acc, x.arrowFront.Acc = acc, acc, acc, acc
	x.dirty = arrowClean
}

// clear frees everything.
func (x *arrowIndex) clear() {
	x.signals.clear()
	x.wakes.clear()
	columns.ClearList(&x.arrowFront, &x.arrows)
	columns.LetGo(x.acc, x.earliest)
	x.earliest, x.dirty = nil, arrowClean
}
