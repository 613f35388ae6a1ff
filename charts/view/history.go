package view

// most bounds the steps that are remembered in each direction.
const most = 64

// History is a list of steps to go back to, and forward again.
type History[T comparable] struct {
	back, forward []T
}

// Push remembers a step, unless it is the newest anyway.
func (h *History[T]) Push(s T) {
	if n := len(h.back); n > 0 && h.back[n-1] == s {
		return
	}
	h.back = remember(h.back, s)
	h.forward = h.forward[:0]
}

// Back returns the newest step that differs from here, false if there is none. same reports whether
// two steps are equal.
func (h *History[T]) Back(here T, same func(a, b T) bool) (T, bool) {
	return travel(&h.back, &h.forward, here, same)
}

// Forward undoes Back.
func (h *History[T]) Forward(here T, same func(a, b T) bool) (T, bool) {
	return travel(&h.forward, &h.back, here, same)
}

func travel[T comparable](from, to *[]T, here T, same func(a, b T) bool) (s T, ok bool) {
	for len(*from) > 0 {
		s = (*from)[len(*from)-1]
		*from = (*from)[:len(*from)-1]
		if !same(s, here) { // else it was remembered, but nothing happened then
			*to = remember(*to, here)
			return s, true
		}
	}
	return s, false
}

// remember appends a step; the oldest leaves when there are too many.
func remember[T any](list []T, s T) []T {
	if len(list) >= most {
		copy(list, list[1:])
		list = list[:most-1]
	}
	return append(list, s)
}

// CanBack reports whether there is a step to go back to, CanForward whether there is one to go on to.
func (h *History[T]) CanBack() bool { return len(h.back) > 0 }

// CanForward is CanBack in the other direction.
func (h *History[T]) CanForward() bool { return len(h.forward) > 0 }
