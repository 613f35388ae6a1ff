package frames

import "math/bits"

// Times are tallied 64 frames at a time. The values of a collector in these frames lie one behind
// another, with a bit for each frame in which it occurs: so lookups common to all 64 frames, above
// all of parents, happen once, and net values are sums of runs, child to parent.

// TileFrames is how many frames are tallied together: as many as a mask has bits.
const TileFrames = 64

// Row is a collector in a tile.
type Row struct {
	Slot    int32
	up      int32 // the row of its parent, -1 without one
	pending int32 // children with values not in it yet, while Gather runs
	Count   int64
	Self    int64
	Mask    uint64 // frames in which it, or with Gather something below it, occurs
	Ns      [TileFrames]int64
}

// Tile is a run of frames.
type Tile struct {
	Rows []Row
	at   []int32 // of each slot: one more than its row, 0 none
}

// Grow makes room for slots below n.
func (y *Tile) Grow(n int) {
	if n > len(y.at) {
		y.at = append(y.at, make([]int32, n-len(y.at))...)
	}
}

// Row returns the row of a slot, a new one if need be. It is valid until the next call.
func (y *Tile) Row(slot int32) *Row {
	if k := y.at[slot] - 1; k >= 0 {
		return &y.Rows[k]
	}
	return &y.Rows[y.open(slot)]
}

// open makes a row. (Apart, so that Row is inlined: it runs for each value.)
func (y *Tile) open(slot int32) (k int32) {
	k = int32(len(y.Rows))
	if len(y.Rows) == cap(y.Rows) {
		y.Rows = append(y.Rows, Row{})
	} else {
		y.Rows = y.Rows[:k+1]
		y.Rows[k] = Row{}
	}
	y.Rows[k].Slot, y.Rows[k].up = slot, -1
	y.at[slot] = k + 1
	return k
}

// Reset empties the tile.
func (y *Tile) Reset() {
	for k := range y.Rows {
		y.at[y.Rows[k].Slot] = 0
	}
	y.Rows = y.Rows[:0]
}

// Gather adds the descendants' values to all slots. parents has the parent of each slot, -1 for
// none.
func (y *Tile) Gather(parents []int32) {
	for k := 0; k < len(y.Rows); k++ { // the list grows by those above
		slot := parents[y.Rows[k].Slot]
		if slot < 0 {
			continue
		}
		up := y.at[slot] - 1
		if up < 0 {
			up = y.open(slot)
		}
		y.Rows[k].up = up
		y.Rows[up].pending++
	}
	for k := range y.Rows { // from the leaves up: each is visited once, however deep the hierarchy is
		row := &y.Rows[k]
		for row.pending == 0 {
			row.pending = -1
			if row.up < 0 {
				break
			}
			up := &y.Rows[row.up]
			up.Add(row.Mask, row.Ns[:])
			up.pending--
			row = up
		}
	}
}

// Add adds the values of the frames of a mask.
func (y *Row) Add(mask uint64, ns []int64) {
	y.Mask |= mask
	if ns = ns[:min(len(ns), TileFrames)]; len(ns) == TileFrames && bits.OnesCount64(mask) >= TileFrames/4 {
		for f := range y.Ns { // frames outside the mask are 0
			y.Ns[f] += ns[f]
		}
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		f := bits.TrailingZeros64(mask) % TileFrames
		y.Ns[f] += ns[f]
	}
}
