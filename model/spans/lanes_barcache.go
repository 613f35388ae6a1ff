package spans

import (
	"math"
	"sort"

	"framescope/model"
	"framescope/model/columns"
)

// The bars of a lane depend on minNs alone, and a range's bars are a run of them (visible.go). So
// the answer for a range holds the answers for all ranges inside it, and while a picture pans or
// zooms a little, the bars of a somewhat larger range are made now and then, and copied in between.
//
// New spans of a lane change its last bars only. The last span may still grow; the next may belong
// to the bar that began last; and it may complete a node that is shorter than minNs and so becomes
// one item in place of its spans. Such a node begins less than minNs before the end of the lane, as
// it was when the node was not complete. So a bar is final when all spans between its two multiples
// of minNs began before that, and before the last span: as data comes in, only the bars behind are
// made anew.

const (
	barSlots = 128
	// maxKeptBars bounds a kept answer (224 KiB); only pictures wider than any screen need more.
	maxKeptBars = 4096
)

// barCache keeps the newest answers of some lanes.
type barCache [barSlots]barSlot

// barSlot keeps an answer.
type barSlot struct {
	key    barKey
	t0, t1 int64
	bars   []Bar  // all that touch [t0, t1]
	newest newest // of the lane, when the bars were made
	final  int64  // bars that begin before it are final
	booked columns.Booked
}

// barKey is the inputs of bars, besides appended spans.
type barKey struct {
	l     *Lane
	cuts  uint64 // of the lane
	minNs int64
	paths uint64 // revision of the call paths
}

// newest is the last span of a lane, and how often one was made longer.
type newest struct {
	n    int64
	sets uint64
}

func (l *Lane) newest() newest { return newest{l.n, l.sets} }

// final returns the time before which bars are final that begin there.
func (v *Walk) final() int64 {
	l := v.l
	if l.n == l.first || v.minNs > model.MaxTime {
		return math.MinInt64
	}
	begin, end := l.Times(l.n - 1)
	if v.minNs == 0 {
		return begin
	}
	return v.bucket(min(end-v.minNs, begin)) * v.minNs
}

// slot returns the place for a lane: neighbours, queried together, have different ones.
func (c *barCache) slot(track model.TrackID, lane int) *barSlot {
	return &c[(uint(track)*37+uint(lane))%barSlots]
}

// answer appends the bars that touch [t0, t1] to out, from the kept ones if possible; those from
// k.t0 to k.t1 are then kept.
func (k *barSlot) answer(v *Walk, key barKey, t0, t1 int64, out []Bar) []Bar {
	if k.key != key {
		out0 := len(out)
		out = v.bars(t0, t1, out)
		k.keep(v, key, t0, t1, out[out0:])
		return out
	}
	if t0 < k.t0 || t1 > k.t1 {
		from, to := t0, t1
		if t0 <= k.t1 && t1 >= k.t0 && len(k.bars) <= maxKeptBars/2 { // the picture moves, and will again
			// An eighth to three eighths of the range on either side, by lane, so that not all
			// lanes of a picture come to their edges at once.
			more := (t1 - t0) / 64 * int64(8+(uint(v.ref.Track)*37+uint(v.ref.Lane))%16)
			from, to = model.ClampTime(t0-more), model.ClampTime(t1+more)
		}
		k.bars = v.bars(from, to, k.bars[:0])
		k.made(v, from, to)
	} else if v.l.newest() != k.newest {
		if k.final <= k.t0 {
			k.bars = v.bars(k.t0, k.t1, k.bars[:0])
		} else if k.final <= k.t1 {
			kept := sort.Search(len(k.bars), func(i int) bool { return k.bars[i].Begin >= k.final })
			k.bars = v.barsFrom(k.final, k.t0, k.t1, k.bars[:kept])
		}
		k.made(v, k.t0, k.t1)
	}
	first := sort.Search(len(k.bars), func(i int) bool { return k.bars[i].End >= t0 })
	after := first + sort.Search(len(k.bars)-first, func(i int) bool { return k.bars[first+i].Begin > t1 })
	out = append(out, k.bars[first:after]...)
	if len(k.bars) > maxKeptBars {
		k.key, k.bars = barKey{}, nil
	}
	return out
}

// keep makes bars the answer that is kept.
func (k *barSlot) keep(v *Walk, key barKey, t0, t1 int64, bars []Bar) {
	if len(bars) > maxKeptBars {
		k.key = barKey{}
		return
	}
	k.key = key
	k.bars = append(k.bars[:0], bars...)
	k.made(v, t0, t1)
}

// made notes that the bars are those of [t0, t1] now.
func (k *barSlot) made(v *Walk, t0, t1 int64) {
	k.t0, k.t1, k.newest = t0, t1, v.l.newest()
	k.final = v.final()
}

// barCache returns the kept answers of a session.
func (x *LaneTable) barCache() *barCache {
	if x.bars == nil {
		x.bars = new(barCache)
		x.host.Other.Add(columns.SizeOf[barCache]())
	}
	return x.bars
}

// account books the size of an answer.
func (k *barSlot) account(a *columns.Account) {
	k.booked.Set(a, int64(cap(k.bars))*columns.SizeOf[Bar]())
}

// drop forgets all answers.
func (c *barCache) drop(a *columns.Account) {
	for i := range c {
		k := &c[i]
		k.key, k.bars = barKey{}, nil
		k.account(a)
	}
}
