// Lists that grow without being copied, and free the chunks that were read.

package perfetto

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

// Grows reports whether the next Add needs a new chunk, and of how many.
func (c *List[T]) Grows() (size int, need bool) {
	if len(c.last) < cap(c.last) {
		return 0, false
	}
	return min(max(firstChunk, c.N), mostChunk), true
}

// Add appends a value. The caller has reserved the size that Grows returns.
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

// ChunksSteps is a list of begins and ends, in the order of the file, in eight bytes each, and four more for those
// with data elsewhere.
type ChunksSteps struct {
	full   []stepChunk
	last   stepChunk
	size   int // of the last chunk
	N      int // how many there are
	events List[uint32]
	// Least and Most are the first and the last time.
	Least, Most int64
}

type stepChunk struct {
	base int64 // half a range before the first
	list []step
}

// step is a begin or an end.
type step struct {
	after uint32 // ns, the chunk's base
	what  uint32 // four times the text, and the kind
}

const (
	halfRange = 1 << 31 // of the times of a chunk, ns
	StepBytes = 8       // that a begin or an end takes
	isEnd     = 1
	hasMore   = 2
)

// Grows reports whether a time needs a new chunk, and of how many.
func (c *ChunksSteps) Grows(time int64) (size int, need bool) {
	if len(c.last.list) == cap(c.last.list) {
		return min(max(firstChunk, 2*c.size), mostChunk), true
	}
	if after := time - c.last.base; after < 0 || after > 2*halfRange-1 {
		return firstChunk, true
	}
	return 0, false
}

// Fits appends a begin or an end without data elsewhere, if that needs no new chunk.
func (c *ChunksSteps) Fits(time int64, text uint32, end bool) bool {
	n, after := len(c.last.list), uint64(time-c.last.base)
	if n == cap(c.last.list) || after >= 2*halfRange {
		return false
	}
	what := text << 2
	if end {
		what |= isEnd
	}
	c.last.list = c.last.list[:n+1]
	c.last.list[n] = step{uint32(after), what}
	c.seen(time)
	return true
}

// seen counts one that is at a time.
func (c *ChunksSteps) seen(time int64) {
	if c.N == 0 {
		c.Least, c.Most = time, time
	}
	c.Least, c.Most = min(c.Least, time), max(c.Most, time)
	c.N++
}

// GrowsMore is Grows for an event with data elsewhere.
func (c *ChunksSteps) GrowsMore() (size int, need bool) { return c.events.Grows() }

// Add appends a begin, or an end, which has no text. The caller has reserved the size that Grows returns. event is
// its number, 0 if it has no data elsewhere.
func (c *ChunksSteps) Add(time int64, text uint32, end bool, event uint32, size int) {
	what := text << 2
	if end {
		what |= isEnd
	}
	if event != 0 {
		what |= hasMore
		c.events.Add(event)
	}
	if size > 0 {
		if c.last.list != nil {
			c.full = append(c.full, c.last)
		}
		c.last, c.size = stepChunk{time - halfRange, make([]step, 0, size)}, size
	}
	c.last.list = append(c.last.list, step{uint32(time - c.last.base), what})
	c.seen(time)
}

// Each calls f with all of them.
func (c *ChunksSteps) Each(f func(time int64, text uint32, end bool, event uint32)) {
	at, events := 0, c.events.last
	if len(c.events.full) > 0 {
		events = c.events.full[0]
	}
	for k := range len(c.full) + 1 {
		part := &c.last
		if k < len(c.full) {
			part = &c.full[k]
		}
		for _, s := range part.list {
			event := uint32(0)
			if s.what&hasMore != 0 {
				for len(events) == 0 {
					if at++; at < len(c.events.full) {
						events = c.events.full[at]
					} else {
						events = c.events.last
					}
				}
				event, events = events[0], events[1:]
			}
			f(part.base+int64(s.after), s.what>>2, s.what&isEnd != 0, event)
		}
	}
}
