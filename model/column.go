package model

import "unsafe"

const columnMask = 1<<columnShift - 1

// column is a list of values without pointers that grows at its end, can be cut back there (rewind), and loses whole chunks at its front
// (eviction). Positions are absolute: the first value ever pushed stays number 0. The last chunk grows by doubling up to its full length, so
// that thousands of short columns (4,000 tracks) stay small, and nothing is ever copied again once a chunk is full.
type column[T any] struct {
	chunks [][]T
	first  int64 // number of chunks[0]
	n      int64 // end position
	spare  []T   // one full-size chunk kept for reuse: rewinds and evictions do not feed the garbage collector
}

func (c *column[T]) at(i int64) T {
	return c.chunks[(i>>columnShift)-c.first][i&columnMask]
}

func (c *column[T]) ref(i int64) *T {
	return &c.chunks[(i>>columnShift)-c.first][i&columnMask]
}

// run returns the values from i to end that lie in one chunk with i, for tight loops.
func (c *column[T]) run(i, end int64) []T {
	chunk := c.chunks[(i>>columnShift)-c.first]
	from := i & columnMask
	return chunk[from:min(int64(len(chunk)), from+end-i)]
}

func (c *column[T]) push(v T) {
	last := len(c.chunks) - 1
	if c.n&columnMask == 0 || last < 0 {
		chunk := c.spare
		c.spare = nil
		if chunk == nil && len(c.chunks) >= chunksAtOnce {
			chunk = make([]T, 0, 1<<columnShift)
		}
		if last < 0 {
			c.first = c.n >> columnShift
			if skip := c.n & columnMask; skip != 0 { // all was evicted in the middle of a chunk: positions go on
				chunk = append(chunk[:0], make([]T, skip)...)
			}
		}
		c.chunks = append(c.chunks, chunk)
		last++
	}
	chunk := c.chunks[last]
	if len(chunk) == cap(chunk) {
		grown := make([]T, len(chunk), min(max(2*cap(chunk), 8), 1<<columnShift))
		copy(grown, chunk)
		chunk = grown
	}
	c.chunks[last] = append(chunk, v)
	c.n++
}

// shift moves the values from position i on by one towards the end; the last one is lost.
func (c *column[T]) shift(i int64) {
	for k := c.n - 1; k > i; {
		chunk := c.chunks[(k>>columnShift)-c.first]
		from, to := max(i, k&^columnMask)&columnMask, k&columnMask
		copy(chunk[from+1:to+1], chunk[from:to])
		if k &^= columnMask; k > i {
			chunk[0] = c.at(k - 1)
			k--
		}
	}
}

// truncate cuts the column back to n values; it never lengthens it.
func (c *column[T]) truncate(n int64) {
	if n >= c.n {
		return
	}
	keep := (n+columnMask)>>columnShift - c.first
	for int64(len(c.chunks)) > max(keep, 0) {
		c.release(len(c.chunks) - 1)
		c.chunks = c.chunks[:len(c.chunks)-1]
	}
	if keep > 0 {
		last := len(c.chunks) - 1
		c.chunks[last] = c.chunks[last][:n-(c.first+int64(last))<<columnShift]
	}
	c.n = n
}

// dropBefore releases the chunks that lie wholly before position i.
func (c *column[T]) dropBefore(i int64) {
	for len(c.chunks) > 0 && (c.first+1)<<columnShift <= i {
		c.release(0)
		c.chunks = c.chunks[1:]
		c.first++
	}
}

func (c *column[T]) release(i int) {
	if cap(c.chunks[i]) == 1<<columnShift {
		c.spare = c.chunks[i][:0]
	}
	c.chunks[i] = nil
}

// start returns the first position that is still stored.
func (c *column[T]) start() int64 { return min(c.first<<columnShift, c.n) }

func (c *column[T]) bytes() int64 {
	var zero T
	values := cap(c.spare)
	if n := len(c.chunks); n > 0 {
		values += cap(c.chunks[n-1])
		for _, chunk := range c.chunks[:min(n-1, 1)] {
			values += cap(chunk) // full, like all others but the last
		}
		values += max(n-2, 0) << columnShift
	}
	return int64(values)*int64(unsafe.Sizeof(zero)) + int64(cap(c.chunks))*24
}

// searchPos returns the smallest position in [lo, hi) for which ok holds, or hi; ok must be false up to some position and true from there on.
func searchPos(lo, hi int64, ok func(int64) bool) int64 {
	for lo < hi {
		mid := int64(uint64(lo+hi) >> 1)
		if ok(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
