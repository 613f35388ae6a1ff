package frames

import (
	"math/bits"

	"framescope/model"
)

// Times are tallied 64 frames at a time. The values of a collector in these frames lie one behind
// another, with a bit for each frame in which it occurs: so what is the same for all 64 frames, who
// lies in whom above all, is looked up once, and net values are sums of runs, child to parent.

// tileFrames is how many frames are tallied together: as many as a mask has bits.
const tileFrames = 64

// tileRow is a collector in a tile.
type tileRow struct {
	slot, up int32 // up is the row of its parent, -1 without one
	pending  int32 // children whose values are not in it yet, while gather runs
	count    int64
	alone    int64
	mask     uint64 // frames in which it, or with gather something below it, occurs
	ns       [tileFrames]int64
}

// tile is a run of frames.
type tile struct {
	rows []tileRow
	at   []int32 // of each slot: one more than its row, 0 none
}

// row returns the row of a slot, a new one if need be; fresh tells that it is.
func (y *tile) row(slot int32) (k int32, fresh bool) {
	if k = y.at[slot] - 1; k >= 0 {
		return k, false
	}
	k = int32(len(y.rows))
	if len(y.rows) == cap(y.rows) {
		y.rows = append(y.rows, tileRow{})
	} else {
		y.rows = y.rows[:k+1]
		y.rows[k] = tileRow{}
	}
	y.rows[k].slot, y.rows[k].up = slot, -1
	y.at[slot] = k + 1
	return k, true
}

// tile tallies the frames [from, to], of which there are at most 64.
func (a *tallyAll) tile(t *Track, from, to int64) {
	y := &a.tiles
	a.read(t, from, to)
	if a.figure != FigureSelf {
		a.climb()
		a.sum()
	}
	for k := range y.rows {
		row := &y.rows[k]
		y.at[row.slot] = 0
		if !a.wanted(row.slot) {
			continue
		}
		own := &a.tallies[row.slot]
		own.alone += float64(row.alone)
		own.count += row.count
		if row.mask == 0 {
			continue
		}
		if len(own.values) == 0 {
			a.touched = append(a.touched, row.slot)
			own.next = a.from
		}
		own.addTile(from, row)
	}
	y.rows = y.rows[:0]
}

// read puts the own times in the frames into the tile.
func (a *tallyAll) read(t *Track, from, to int64) {
	y := &a.tiles
	i := rowsBefore(&t.frames.alone, from)
	for p := from; p <= to; p++ {
		f := uint(p-from) % tileFrames
		end := t.frames.alone.At(p)
		for i < end {
			run := t.alone.rows.Run(i, end)
			for k := range run {
				r := &run[k]
				slot := a.h.Slot(model.CollectorID(r.collector))
				if slot < 0 {
					continue
				}
				at := y.at[slot] - 1
				if at < 0 {
					at, _ = y.row(slot)
				}
				ns, count := r.ns(), r.count()
				if r.wide() {
					var n int32
					ns, n = t.alone.widen(i + int64(k))
					count = int64(n)
				}
				row := &y.rows[at]
				row.ns[f] += ns
				row.mask |= 1 << f
				row.alone += ns
				row.count += count
			}
			i += int64(len(run))
		}
	}
}

// climb makes rows of all above those that the tile has.
func (a *tallyAll) climb() {
	y := &a.tiles
	for k := 0; k < len(y.rows); k++ { // the list grows
		up := a.h.Parents[y.rows[k].slot]
		if up < 0 {
			continue
		}
		at, _ := y.row(up)
		y.rows[k].up = at
		y.rows[at].pending++
	}
}

// sum adds to each row what lies below it, from the leaves up: each is visited once, however deep
// the hierarchy is.
func (a *tallyAll) sum() {
	rows := a.tiles.rows
	for k := range rows {
		row := &rows[k]
		for row.pending == 0 {
			row.pending = -1
			if row.up < 0 {
				break
			}
			up := &rows[row.up]
			up.addRow(row)
			up.pending--
			row = up
		}
	}
}

// addRow adds the values of another row.
func (y *tileRow) addRow(x *tileRow) {
	y.mask |= x.mask
	if bits.OnesCount64(x.mask) < tileFrames/4 {
		for m := x.mask; m != 0; m &= m - 1 {
			f := bits.TrailingZeros64(m)
			y.ns[f] += x.ns[f]
		}
		return
	}
	for f := range y.ns {
		y.ns[f] += x.ns[f]
	}
}

// addTile adds the frames from position from on of a row that has some.
func (a *tally) addTile(from int64, row *tileRow) {
	if !a.skipped {
		if gap := int64(bits.TrailingZeros64(^row.mask)); a.next < from {
			a.absent, a.skipped = a.next, true
		} else if gap < int64(bits.Len64(row.mask)) {
			a.absent, a.skipped = from+gap, true
		}
	}
	a.next = from + int64(bits.Len64(row.mask))
	first := bits.TrailingZeros64(row.mask)
	least, most, mostAt := row.ns[first], row.ns[first], first
	values, sum := a.values, a.sum // in registers: these loops see each value of each frame
	for m := row.mask; m != 0; m &= m - 1 {
		f := bits.TrailingZeros64(m) % tileFrames
		ns := row.ns[f]
		if ns > most {
			most, mostAt = ns, f
		}
		if ns < least {
			least = ns
		}
		values = append(values, float64(ns))
		sum += float64(ns)
	}
	if v := float64(most); len(a.values) == 0 || v > a.max {
		a.max, a.maxAt = v, from+int64(mostAt)
	}
	if v := float64(least); len(a.values) == 0 || v < a.min {
		a.min = v
	}
	a.values, a.sum = values, sum
}
