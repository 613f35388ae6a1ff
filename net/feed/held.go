package feed

import (
	"sync/atomic"
)

// Held counts the bytes that the decoders of a hub hold back, such as frames among which late ones
// are put in their place. Decoders add to it, and hold back less while it is over its limit. Its
// methods may be called on nil, which has no limit, and by any goroutine.
type Held struct {
	limit, bytes atomic.Int64
}

// Add counts so many bytes more as held, or fewer.
func (h *Held) Add(bytes int64) {
	if h != nil && bytes != 0 {
		h.bytes.Add(bytes)
	}
}

// Bytes returns how much is held.
func (h *Held) Bytes() int64 {
	if h == nil {
		return 0
	}
	return h.bytes.Load()
}

// SetLimit says how much may be held, in bytes.
func (h *Held) SetLimit(bytes int64) { h.limit.Store(bytes) }

// Limit returns how much may be held, in bytes.
func (h *Held) Limit() int64 {
	if h == nil {
		return 1<<63 - 1
	}
	return h.limit.Load()
}

// Over reports whether all decoders together hold too much.
func (h *Held) Over() bool { return h != nil && h.bytes.Load() > h.limit.Load() }

// behind returns the first of a sink and those that it wraps that is a T.
func behind[T any](s Sink) (t T, ok bool) {
	for {
		if t, ok = s.(T); ok {
			return t, true
		}
		w, wraps := s.(interface{ Unwrap() Sink })
		if !wraps {
			return t, false
		}
		s = w.Unwrap()
	}
}

// InOrder reports whether a sink depends on the order of its input: it has a method of that name that
// says so. The same file must then give it the same data in the same order each time.
func InOrder(s Sink) bool {
	o, ok := behind[interface{ InOrder() bool }](s)
	return ok && o.InOrder()
}

// TakesRows reports whether a sink takes the rows of batches (model.Batch.Rows): it has a method of that name
// that says so.
func TakesRows(s Sink) bool {
	t, ok := behind[interface{ TakesRows() bool }](s)
	return ok && t.TakesRows()
}

// HeldOf returns the account for the memory of the decoder that writes to a sink, nil if there is
// none.
func HeldOf(s Sink) *Held {
	if f, ok := behind[*Feed](s); ok {
		return &f.pool.held
	}
	return nil
}
