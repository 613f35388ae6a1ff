package perfetto

// Sizes of chunks: the first is small, since most tracks of some files have few events.
const (
	firstChunk = 8
	mostChunk  = 4096
)

// chunks is a list that grows without being copied.
type chunks[T any] struct {
	full [][]T
	last []T
	n    int
}

// grows tells whether the next add needs a new chunk, and of how many.
func (c *chunks[T]) grows() (size int, need bool) {
	if len(c.last) < cap(c.last) {
		return 0, false
	}
	return min(max(firstChunk, c.n), mostChunk), true
}

// add appends a value. What grows says was asked for.
func (c *chunks[T]) add(v T) {
	if size, need := c.grows(); need {
		if c.last != nil {
			c.full = append(c.full, c.last)
		}
		c.last = make([]T, 0, size)
	}
	c.last = append(c.last, v)
	c.n++
}

// each calls f with all values, chunk by chunk.
func (c *chunks[T]) each(f func(part []T)) {
	for _, part := range c.full {
		f(part)
	}
	if len(c.last) > 0 {
		f(c.last)
	}
}

// drain appends all values to dst and lets go of them.
func (c *chunks[T]) drain(dst []T) []T {
	for i, part := range c.full {
		dst = append(dst, part...)
		c.full[i] = nil
	}
	dst = append(dst, c.last...)
	*c = chunks[T]{}
	return dst
}
