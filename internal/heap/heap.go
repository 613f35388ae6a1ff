// Package heap keeps lists as binary heaps: the element that comes before all others is the first. It allocates
// nothing but the room for a longer list.
package heap

// Push adds an element.
func Push[T any](list []T, x T, before func(a, b *T) bool) []T {
	list = append(list, x)
	for i := len(list) - 1; i > 0; {
		up := (i - 1) / 2
		if !before(&list[i], &list[up]) {
			break
		}
		list[i], list[up] = list[up], list[i]
		i = up
	}
	return list
}

// Pop removes the first element. The list must not be empty.
func Pop[T any](list []T, before func(a, b *T) bool) (first T, rest []T) {
	var none T
	last := len(list) - 1
	first, list[0] = list[0], list[last]
	list[last] = none // nothing holds on to what it refers to
	Sink(list[:last], 0, before)
	return first, list[:last]
}

// Sink moves an element that has changed, and may come behind those below it.
func Sink[T any](list []T, i int, before func(a, b *T) bool) {
	for {
		first := i
		for child := 2*i + 1; child <= min(2*i+2, len(list)-1); child++ {
			if before(&list[child], &list[first]) {
				first = child
			}
		}
		if first == i {
			return
		}
		list[i], list[first] = list[first], list[i]
		i = first
	}
}

// Init makes a heap of elements in any order.
func Init[T any](list []T, before func(a, b *T) bool) {
	for i := len(list)/2 - 1; i >= 0; i-- {
		Sink(list, i, before)
	}
}
