package columns

import (
	"sort"
)

const (
	nearMask = 1<<NearShift - 1
	nearWide = 1<<32 - 1
)

// Near is a column of int64 with neighbours near each other (times, numbers, positions): 4 bytes
// each, relative to one base for 32, which is the first of them. A value below its base or 2^32
// beyond it is in the wide table.
type Near struct {
	n     int64 // end position, as that of a column
	near  Uint32s
	bases Int64s
	wide  []wideValue // ascending by position
}

type wideValue struct{ pos, value int64 }

// End returns the position behind the last value.
func (c *Near) End() int64 { return c.n }

func (c *Near) At(i int64) int64 {
	d := c.near.At(i)
	if d == nearWide {
		return c.wide[c.findWide(i)].value
	}
	return c.bases.At(i>>NearShift) + int64(d)
}

func (c *Near) findWide(i int64) int {
	return sort.Search(len(c.wide), func(k int) bool { return c.wide[k].pos >= i })
}

func (c *Near) Push(v int64) {
	if c.n&nearMask == 0 {
		c.bases.Push(v)
	}
	d := uint64(v - c.bases.At(c.n>>NearShift)) // an overflow is no small number either
	if d >= nearWide {
		d = nearWide
		c.wide = Push(c.near.Acc, c.wide, wideValue{c.n, v})
	}
	c.near.Push(uint32(d))
	c.n++
}

// Truncate cuts the column back to n values.
func (c *Near) Truncate(n int64) {
	if n >= c.n {
		return
	}
	c.n = n
	c.near.Truncate(n)
	c.bases.Truncate((n + nearMask) >> NearShift)
	c.wide = c.wide[:c.findWide(n)]
}

// DropBefore releases the parts wholly before position i; at least the last value must stay.
func (c *Near) DropBefore(i int64) {
	c.near.DropBefore(i)
	c.bases.DropBefore(i >> NearShift)
	c.wide = CutFront(c.near.Acc, c.wide, c.findWide(c.near.Start()))
}

func (c *Near) Init(acc *Account) { c.near.Acc, c.bases.Acc = acc, acc }

// Clear frees everything.
func (c *Near) Clear() {
	c.near.Clear()
	c.bases.Clear()
	LetGo(c.near.Acc, c.wide)
	c.wide, c.n = nil, 0
}
