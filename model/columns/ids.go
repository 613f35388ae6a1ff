package columns

import "slices"

// Lists of things that have dense ids, and lists of their ids, ascending.

// maxHole is how many ids may be missing before one: ids are dense, a hole this large is not a few
// lost definitions.
const maxHole = 1 << 12

// GrowTo makes a list, indexed by id, hold an id, and returns false where that is out of bounds.
// Holes are filled by fill.
func GrowTo[T any](list []T, id, limit int, fill func(int) T) ([]T, bool) {
	if id < 0 || id >= limit || id-len(list) > maxHole {
		return list, false
	}
	for len(list) <= id {
		list = append(list, fill(len(list)))
	}
	return list, true
}

// InsertID adds an id to an ascending list that may have it. New ids mostly are the greatest.
func InsertID[T ~int32](list []T, id T) []T {
	i, ok := slices.BinarySearch(list, id)
	if ok {
		return list
	}
	return slices.Insert(list, i, id)
}

// RemoveID removes an id from an ascending list that may have it.
func RemoveID[T ~int32](list []T, id T) []T {
	if i, ok := slices.BinarySearch(list, id); ok {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// RemoveFrom removes an id from the list of a key, and the list when it was the last.
func RemoveFrom[K comparable, T ~int32](lists map[K][]T, key K, id T) {
	if list := RemoveID(lists[key], id); len(list) > 0 {
		lists[key] = list
	} else {
		delete(lists, key)
	}
}
