// Package columns has the lists that the stores are made of. They grow at their end, are cut back
// there when something is taken back, and lose their front when memory is short: columns and
// columns of near values, pyramids and shelves of what is derived from them, lists by time in which
// what comes late is put in its place. What they take is written down in an Account. They know what
// positions are and nothing of what is stored.
package columns

import "framescope/model/internal/sizes"

const columnMask = 1<<sizes.ColumnShift - 1

// Column is a list of values without pointers that grows at its end, can be cut back there
// (rewind), and loses whole chunks at its front (eviction). Positions are absolute: the first value
// ever pushed stays number 0. The first chunks grow by doubling up to their full length, so that
// thousands of short columns (4,000 tracks) stay small; those of longer columns are blocks of a
// pool outside the collected heap. Nothing is ever copied again once a chunk is full.
type Column[T any] struct {
	chunks [][]T
	first  int64 // number of chunks[0]
	n      int64 // end position
	gone   int32 // chunks at the front that have left: nil
	Acc    *Account
}

// End returns the position behind the last value.
func (c *Column[T]) End() int64 { return c.n }

func (c *Column[T]) At(i int64) T {
	return c.chunks[(i>>sizes.ColumnShift)-c.first][i&columnMask]
}

func (c *Column[T]) Ref(i int64) *T {
	return &c.chunks[(i>>sizes.ColumnShift)-c.first][i&columnMask]
}

// Held returns the bytes that the chunks take.
func (c *Column[T]) Held() int64 {
	whole := int64(len(c.chunks)) - int64(c.gone) - 1
	if whole < 0 {
		return 0
	}
	return (whole<<sizes.ColumnShift + int64(cap(c.chunks[len(c.chunks)-1]))) * SizeOf[T]()
}

// Run returns the values from i to end that lie in one chunk with i, for tight loops.
func (c *Column[T]) Run(i, end int64) []T {
	chunk := c.chunks[(i>>sizes.ColumnShift)-c.first]
	from := i & columnMask
	return chunk[from:min(int64(len(chunk)), from+end-i)]
}

func (c *Column[T]) Push(v T) {
	if last := len(c.chunks) - 1; last >= 0 && c.n&columnMask != 0 {
		if chunk := &c.chunks[last]; len(*chunk) < cap(*chunk) {
			n := len(*chunk)
			*chunk = (*chunk)[:n+1] // only the length is written
			(*chunk)[n] = v
			c.n++
			return
		}
	}
	c.pushInNew(v)
}

// pushInNew is Push where a chunk has to be made, or made longer, first.
func (c *Column[T]) pushInNew(v T) {
	if c.n&columnMask == 0 || len(c.chunks) == 0 {
		c.open()
	}
	last := len(c.chunks) - 1
	chunk := c.chunks[last]
	if len(chunk) == cap(chunk) {
		chunk = c.grow(chunk)
	}
	c.chunks[last] = append(chunk, v)
	c.n++
}

// open adds a chunk for position n.
func (c *Column[T]) open() {
	if len(c.chunks) == 0 {
		c.first = c.n >> sizes.ColumnShift
	}
	var chunk []T
	if c.n>>sizes.ColumnShift >= sizes.ChunksAtOnce {
		chunk = GetBlock[T](c.Acc, 1<<sizes.ColumnShift)
	}
	if skip := int(c.n & columnMask); skip != 0 { // all before it has left, and nobody looks there: positions go on
		for cap(chunk) < skip {
			chunk = c.grow(chunk)
		}
		chunk = chunk[:skip]
		clear(chunk)
	}
	c.chunks = Push(c.Acc, c.chunks, chunk)
}

// grow makes room in a chunk that is not at its full length yet.
func (c *Column[T]) grow(chunk []T) []T {
	size := min(max(2*cap(chunk), 2), 1<<sizes.ColumnShift)
	var grown []T
	if size == 1<<sizes.ColumnShift {
		grown = GetBlock[T](c.Acc, size)[:len(chunk)]
	} else {
		grown = make([]T, len(chunk), size)
		c.Acc.Add(int64(size) * SizeOf[T]())
	}
	copy(grown, chunk)
	LetGo(c.Acc, chunk)
	return grown
}

// Shift moves the values from position i on by one towards the end; the last one is lost.
func (c *Column[T]) Shift(i int64) {
	for k := c.n - 1; k > i; {
		chunk := c.chunks[(k>>sizes.ColumnShift)-c.first]
		from, to := max(i, k&^columnMask)&columnMask, k&columnMask
		copy(chunk[from+1:to+1], chunk[from:to])
		if k &^= columnMask; k > i {
			chunk[0] = c.At(k - 1)
			k--
		}
	}
}

// Truncate cuts the column back to n values; it never lengthens it.
func (c *Column[T]) Truncate(n int64) {
	if n >= c.n {
		return
	}
	c.n = n
	keep := max((n+columnMask)>>sizes.ColumnShift-c.first, 0)
	for k := int64(len(c.chunks)) - 1; k >= keep; k-- {
		c.release(int(k))
		c.chunks = c.chunks[:k]
	}
	if keep <= int64(c.gone) {
		c.empty()
		return
	}
	c.chunks[keep-1] = c.chunks[keep-1][:n-(c.first+keep-1)<<sizes.ColumnShift]
}

// DropBefore releases the chunks that lie wholly before position i.
func (c *Column[T]) DropBefore(i int64) {
	for int(c.gone) < len(c.chunks) && (c.first+int64(c.gone)+1)<<sizes.ColumnShift <= i {
		c.release(int(c.gone))
		c.gone++
	}
	switch k := int(c.gone); {
	case k == len(c.chunks):
		c.empty()
	case k > len(c.chunks)/2:
		c.chunks = CutFront(c.Acc, c.chunks, k)
		c.first += int64(k)
		c.gone = 0
	}
}

// Clear lets go of everything.
func (c *Column[T]) Clear() {
	for k := range c.chunks {
		c.release(k)
	}
	LetGo(c.Acc, c.chunks)
	c.chunks, c.gone, c.first, c.n = nil, 0, 0, 0
}

// empty forgets the places of chunks that have all left, so that cutting back among them finds
// nothing to cut.
func (c *Column[T]) empty() {
	c.first += int64(c.gone)
	c.chunks, c.gone = c.chunks[:0], 0
}

// release lets go of a chunk. Those of the full length are blocks of the pool.
func (c *Column[T]) release(k int) {
	chunk := c.chunks[k]
	c.chunks[k] = nil
	if cap(chunk) == 1<<sizes.ColumnShift {
		PutBlock(c.Acc, chunk)
		return
	}
	LetGo(c.Acc, chunk)
}

// Start returns the first position that is still stored.
func (c *Column[T]) Start() int64 { return min((c.first+int64(c.gone))<<sizes.ColumnShift, c.n) }
