// Package chunks has lists that grow without being copied, and give up what was read of them.
package chunks

// Sizes of chunks: the first is small, since most tracks of some files have few events.
const (
	firstChunk = 8
	mostChunk  = 4096
)

// List grows chunk by chunk.
type List[T any] struct {
	full [][]T
	last []T
	N    int // how many there are
}

// Grows tells whether the next Add needs a new chunk, and of how many.
func (c *List[T]) Grows() (size int, need bool) {
	if len(c.last) < cap(c.last) {
		return 0, false
	}
	return min(max(firstChunk, c.N), mostChunk), true
}

// Add appends a value. What Grows says was asked for.
func (c *List[T]) Add(v T) {
	if size, need := c.Grows(); need {
		if c.last != nil {
			c.full = append(c.full, c.last)
		}
		c.last = make([]T, 0, size)
	}
	c.last = append(c.last, v)
	c.N++
}

// Each calls f with all values, chunk by chunk.
func (c *List[T]) Each(f func(part []T)) {
	for _, part := range c.full {
		f(part)
	}
	if len(c.last) > 0 {
		f(c.last)
	}
}

// Drain appends all values to dst and lets go of them.
func (c *List[T]) Drain(dst []T) []T {
	for i, part := range c.full {
		dst = append(dst, part...)
		c.full[i] = nil
	}
	dst = append(dst, c.last...)
	*c = List[T]{}
	return dst
}

// Steps is a list of begins and ends, in the order of the file, in eight bytes each.
type Steps struct {
	full []stepChunk
	last stepChunk
	size int // of the last chunk
	N    int // how many there are
}

type stepChunk struct {
	base int64 // half a range before the first
	list []step
}

// step is a begin or an end.
type step struct {
	after uint32 // ns, the chunk's base
	what  uint32 // text, doubled, and 1 for an end
}

const (
	halfRange = 1 << 31 // of the times of a chunk, ns
	StepBytes = 8       // that a begin or an end takes
)

// Grows tells whether a time needs a new chunk, and of how many.
func (c *Steps) Grows(time int64) (size int, need bool) {
	if len(c.last.list) == cap(c.last.list) {
		return min(max(firstChunk, 2*c.size), mostChunk), true
	}
	if after := time - c.last.base; after < 0 || after > 2*halfRange-1 {
		return firstChunk, true
	}
	return 0, false
}

// Add appends a begin or an end. What Grows says was asked for.
func (c *Steps) Add(time int64, what uint32, size int) {
	if size > 0 {
		if c.last.list != nil {
			c.full = append(c.full, c.last)
		}
		c.last, c.size = stepChunk{time - halfRange, make([]step, 0, size)}, size
	}
	c.last.list = append(c.last.list, step{uint32(time - c.last.base), what})
	c.N++
}

// Each calls f with all times.
func (c *Steps) Each(f func(time int64, what uint32)) {
	for k := range len(c.full) + 1 {
		part := &c.last
		if k < len(c.full) {
			part = &c.full[k]
		}
		for _, s := range part.list {
			f(part.base+int64(s.after), s.what)
		}
	}
}
