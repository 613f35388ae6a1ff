package spans

import (
	"sort"

	"framescope/model"
	"framescope/model/columns"
)

// Which bars a lane has depends on minNs alone, and a range's bars are a run of them (visible.go).
// So the answer for a range holds the answers for all ranges inside it, and while a picture pans or
// zooms a little over data that do not change, the bars of a somewhat larger range are made now and
// then, and copied in between.

const (
	barSlots = 128
	// maxKeptBars bounds an answer that is kept (224 KiB); more are only asked for by pictures
	// wider than any screen.
	maxKeptBars = 4096
)

// barCache keeps the newest answers of some lanes.
type barCache [barSlots]barSlot

// barSlot keeps an answer.
type barSlot struct {
	key    barKey
	t0, t1 int64
	bars   []Bar // all that touch [t0, t1]
	booked columns.Booked
}

// barKey is what bars depend on.
type barKey struct {
	track model.TrackID
	lane  uint16
	minNs int64
	rev   uint64 // of the session
}

// slot returns the place for a lane: neighbours, which are asked for together, have different ones.
func (c *barCache) slot(track model.TrackID, lane int) *barSlot {
	return &c[(uint(track)*37+uint(lane))%barSlots]
}

// answer appends the bars that touch [t0, t1] to out, from what is kept if it can; k.t0 to k.t1 are
// then kept.
func (k *barSlot) answer(v *barWalk, key barKey, t0, t1 int64, out []Bar) []Bar {
	if k.key != key {
		out0 := len(out)
		out = v.bars(t0, t1, out)
		k.keep(key, t0, t1, out[out0:])
		return out
	}
	if t0 < k.t0 || t1 > k.t1 {
		from, to := t0, t1
		if t0 <= k.t1 && t1 >= k.t0 && len(k.bars) <= maxKeptBars/2 { // the picture moves, and will again
			// An eighth to three eighths of the range on either side, by lane, so that not all
			// lanes of a picture come to their edges at once.
			more := (t1 - t0) / 64 * int64(8+(uint(key.track)*37+uint(key.lane))%16)
			from, to = model.ClampTime(t0-more), model.ClampTime(t1+more)
		}
		k.bars = v.bars(from, to, k.bars[:0])
		k.t0, k.t1 = from, to
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
func (k *barSlot) keep(key barKey, t0, t1 int64, bars []Bar) {
	if len(bars) > maxKeptBars {
		k.key = barKey{}
		return
	}
	k.key, k.t0, k.t1 = key, t0, t1
	k.bars = append(k.bars[:0], bars...)
}

// bars returns the kept answers of a session.
func (x *Table) barCache() *barCache {
	if x.bars == nil {
		x.bars = new(barCache)
		x.host.Other.Add(columns.SizeOf[barCache]())
	}
	return x.bars
}

// settle writes down what an answer takes.
func (k *barSlot) settle(a *columns.Account) {
	k.booked.Set(a, int64(cap(k.bars))*columns.SizeOf[Bar]())
}

// drop forgets all answers.
func (c *barCache) drop(a *columns.Account) {
	for i := range c {
		k := &c[i]
		k.key, k.bars = barKey{}, nil
		k.settle(a)
	}
}
