package spans

import "framescope/model"

// Cursor reads spans of a lane one after the other, a block at a time. It is good as long as nothing
// is appended. The zero value reads nothing.
type Cursor struct {
	lane  *Lane
	first int64 // position of the first of rows
	rows  []lanesRow
	base  int64
	block blockRows
}

// Of makes it read a lane.
func (c *Cursor) Of(l *Lane) {
	if c.lane != l {
		c.lane, c.rows = l, nil
	}
}

// At is Lane.At.
func (c *Cursor) At(i int64) (begin, end int64, path model.PathID) {
	k := i - c.first
	if uint64(k) >= uint64(len(c.rows)) {
		c.first, k = i&^blockMask, i&blockMask
		c.rows, c.base = c.block.rowsFrom(c.lane.chunk(i), c.first&chunkMask)
	}
	r := &c.rows[k]
	if r.meta&metaWide != 0 {
		return c.lane.At(i)
	}
	begin = c.base + int64(r.begin)
	return begin, begin + int64(r.dur), model.PathID(r.meta >> metaShift)
}
