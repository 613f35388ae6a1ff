// A Tally has the values of one collector over a row of frames, and returns their ranks; a Tile those of all
// collectors in up to 64 frames, before they go to the tallies. Both know slots of collectors and positions
// of frames only.

package frames

import (
	"math/bits"
	"slices"

	"framescope/model/internal/histogram"
)

// Tally sums one collector's values, frame by frame. Frames that were not added are 0.
type Tally struct {
	Values   []float64 // of the frames in which it occurred, but for those that are 0
	Present  int64     // such frames, those with 0 too
	Count    int64
	Sum      float64
	Self     float64
	Min, Max float64
	MaxAt    int64 // position of the first frame with the greatest value
	next     int64 // position behind the last frame added
	absent   int64 // position of the first frame left out, if there was one before next
	skipped  bool
}

// Begin prepares for the frames from a position on, added in ascending order.
func (a *Tally) Begin(from int64) { *a = Tally{Values: a.Values[:0], next: from} }

// Add adds the value in the frame at a position.
func (a *Tally) Add(p int64, v float64) {
	if p > a.next && !a.skipped {
		a.absent, a.skipped = a.next, true
	}
	a.next = p + 1
	if a.Present == 0 || v > a.Max {
		a.Max, a.MaxAt = v, p
	}
	if a.Present == 0 || v < a.Min {
		a.Min = v
	}
	a.Present++
	if v != 0 {
		a.Values = append(a.Values, v)
	}
	a.Sum += v
}

// Absent returns the position of the first frame left out, at the earliest the one behind the last.
func (a *Tally) Absent() int64 {
	if a.skipped {
		return a.absent
	}
	return a.next
}

// Ranks returns the k-th least values of n frames, left-out ones included. k ascends.
func (a *Tally) Ranks(r *histogram.Ranks, n int64, k [4]int64) (out [4]float64) {
	zeros, least, negative := n-int64(len(a.Values)), a.Min, int64(0)
	if least < 0 {
		for _, v := range a.Values {
			if v < 0 {
				negative++
			}
		}
	}
	if least == 0 { // it is not among them
		least = a.Max
		for _, v := range a.Values {
			if v < least {
				least = v
			}
		}
	}
	var which, among [4]int // of those that are not 0: where they go, and their ranks without the zeros
	var found [4]float64
	some := 0
	for i, k := range k {
		if k >= negative {
			if k -= zeros; k < negative {
				continue
			}
		}
		which[some], among[some] = i, int(k)
		some++
	}
	r.Of(a.Values, least, a.Max, among[:some], found[:some])
	for i := range some {
		out[which[i]] = found[i]
	}
	return out
}

// AddTile adds the values of a row in the frames from a position on; it has at least one.
func (a *Tally) AddTile(from int64, row *Row) {
	a.Self += float64(row.Self)
	a.Count += row.Count
	if !a.skipped {
		if gap := int64(bits.TrailingZeros64(^row.Mask)); a.next < from {
			a.absent, a.skipped = a.next, true
		} else if gap < int64(bits.Len64(row.Mask)) {
			a.absent, a.skipped = from+gap, true
		}
	}
	a.next = from + int64(bits.Len64(row.Mask))
	var some [TileFrames]int64
	told := row.Ns[:]
	if row.Mask != 1<<TileFrames-1 {
		told = some[:0]
		for m := row.Mask; m != 0; m &= m - 1 {
			told = append(told, row.Ns[bits.TrailingZeros64(m)%TileFrames])
		}
	}
	end := len(a.Values)
	values := slices.Grow(a.Values, len(told))[:end+len(told)]
	least, most, sum := told[0], told[0], a.Sum // in registers: this loop sees each value of each frame
	for _, ns := range told {
		most, least = max(most, ns), min(least, ns)
		values[end] = float64(ns)
		sum += float64(ns)
		if ns != 0 {
			end++
		}
	}
	if v := float64(most); a.Present == 0 || v > a.Max {
		m := row.Mask
		for row.Ns[bits.TrailingZeros64(m)%TileFrames] != most {
			m &= m - 1
		}
		a.Max, a.MaxAt = v, from+int64(bits.TrailingZeros64(m))
	}
	if v := float64(least); a.Present == 0 || v < a.Min {
		a.Min = v
	}
	a.Present += int64(len(told))
	a.Values, a.Sum = values[:end], sum
}
