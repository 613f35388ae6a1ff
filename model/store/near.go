package store

import "sort"

const (
	nearMask = 1<<nearShift - 1
	nearWide = 1<<32 - 1
)

// nearColumn is a column of int64 of which neighbours are near each other (times, numbers, positions): 4 bytes each, relative to one base for 32, which is the
// first of them. A value below its base or 2^32 beyond it is in the wide table.
type nearColumn struct {
	n     int64 // end position, as that of a column
	near  column[uint32]
	bases column[int64]
	wide  []wideValue // ascending by position
}

type wideValue struct{ pos, value int64 }

func (c *nearColumn) at(i int64) int64 {
	d := c.near.at(i)
	if d == nearWide {
		return c.wide[c.findWide(i)].value
	}
	return c.bases.at(i>>nearShift) + int64(d)
}

func (c *nearColumn) findWide(i int64) int {
	return sort.Search(len(c.wide), func(k int) bool { return c.wide[k].pos >= i })
}

func (c *nearColumn) push(v int64) {
	if c.n&nearMask == 0 {
		c.bases.push(v)
	}
	d := uint64(v - c.bases.at(c.n>>nearShift)) // what overflows is no small number either
	if d >= nearWide {
		d = nearWide
		c.wide = push(c.near.acc, c.wide, wideValue{c.n, v})
	}
	c.near.push(uint32(d))
	c.n++
}

// truncate cuts the column back to n values.
func (c *nearColumn) truncate(n int64) {
	if n >= c.n {
		return
	}
	c.n = n
	c.near.truncate(n)
	c.bases.truncate((n + nearMask) >> nearShift)
	c.wide = c.wide[:c.findWide(n)]
}

// dropBefore releases what lies wholly before position i, of which at least the last value must stay.
func (c *nearColumn) dropBefore(i int64) {
	c.near.dropBefore(i)
	c.bases.dropBefore(i >> nearShift)
	c.wide = cutFront(c.near.acc, c.wide, c.findWide(c.near.start()))
}

func (c *nearColumn) init(acc *account) { c.near.acc, c.bases.acc = acc, acc }

// clear lets go of everything.
func (c *nearColumn) clear() {
	c.near.clear()
	c.bases.clear()
	letGo(c.near.acc, c.wide)
	c.wide, c.n = nil, 0
}
