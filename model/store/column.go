package store

const columnMask = 1<<columnShift - 1

// column is a list of values without pointers that grows at its end, can be cut back there
// (rewind), and loses whole chunks at its front (eviction). Positions are absolute: the first value
// ever pushed stays number 0. The first chunks grow by doubling up to their full length, so that
// thousands of short columns (4,000 tracks) stay small; those of longer columns are blocks of a
// pool outside the collected heap. Nothing is ever copied again once a chunk is full.
type column[T any] struct {
	chunks [][]T
	first  int64 // number of chunks[0]
	n      int64 // end position
	gone   int32 // chunks at the front that have left: nil
	acc    *account
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
		c.open()
		last = len(c.chunks) - 1
	}
	chunk := c.chunks[last]
	if len(chunk) == cap(chunk) {
		chunk = c.grow(chunk)
	}
	c.chunks[last] = append(chunk, v)
	c.n++
}

// open adds a chunk for position n.
func (c *column[T]) open() {
	if len(c.chunks) == 0 {
		c.first = c.n >> columnShift
	}
	var chunk []T
	if c.n>>columnShift >= chunksAtOnce {
		chunk = getBlock[T](c.acc, 1<<columnShift)
	}
	if skip := int(c.n & columnMask); skip != 0 { // all before it has left, and nobody looks there: positions go on
		for cap(chunk) < skip {
			chunk = c.grow(chunk)
		}
		chunk = chunk[:skip]
		clear(chunk)
	}
	c.chunks = push(c.acc, c.chunks, chunk)
}

// grow makes room in a chunk that is not at its full length yet.
func (c *column[T]) grow(chunk []T) []T {
	size := min(max(2*cap(chunk), 2), 1<<columnShift)
	var grown []T
	if size == 1<<columnShift {
		grown = getBlock[T](c.acc, size)[:len(chunk)]
	} else {
		grown = make([]T, len(chunk), size)
		c.acc.add(int64(size) * sizeOf[T]())
	}
	copy(grown, chunk)
	letGo(c.acc, chunk)
	return grown
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
	c.n = n
	keep := max((n+columnMask)>>columnShift-c.first, 0)
	for k := int64(len(c.chunks)) - 1; k >= keep; k-- {
		c.release(int(k))
		c.chunks = c.chunks[:k]
	}
	if keep <= int64(c.gone) {
		c.chunks, c.gone = c.chunks[:0], 0
		return
	}
	c.chunks[keep-1] = c.chunks[keep-1][:n-(c.first+keep-1)<<columnShift]
}

// dropBefore releases the chunks that lie wholly before position i.
func (c *column[T]) dropBefore(i int64) {
	for int(c.gone) < len(c.chunks) && (c.first+int64(c.gone)+1)<<columnShift <= i {
		c.release(int(c.gone))
		c.gone++
	}
	switch k := int(c.gone); {
	case k == len(c.chunks):
		c.chunks, c.gone = c.chunks[:0], 0
	case k > len(c.chunks)/2:
		c.chunks = cutFront(c.acc, c.chunks, k)
		c.first += int64(k)
		c.gone = 0
	}
}

// clear lets go of everything.
func (c *column[T]) clear() {
	for k := range c.chunks {
		c.release(k)
	}
	letGo(c.acc, c.chunks)
	c.chunks, c.gone, c.first, c.n = nil, 0, 0, 0
}

// release lets go of a chunk. Those of the full length are blocks of the pool.
func (c *column[T]) release(k int) {
	chunk := c.chunks[k]
	c.chunks[k] = nil
	if cap(chunk) == 1<<columnShift {
		putBlock(c.acc, chunk)
		return
	}
	letGo(c.acc, chunk)
}

// start returns the first position that is still stored.
func (c *column[T]) start() int64 { return min((c.first+int64(c.gone))<<columnShift, c.n) }

// searchPos returns the smallest position in [lo, hi) for which ok holds, or hi; ok must be false
// up to some position and true from there on.
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
