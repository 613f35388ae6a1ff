package columns

import "slices"

// Search returns the smallest position in [lo, hi) for which ok holds, or hi; ok must be false
// up to some position and true from there on.
func Search(lo, hi int64, ok func(int64) bool) int64 {
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

// SearchNear is Search given an estimate of the answer: it costs O(log) of the distance from there.
func SearchNear(lo, hi, near int64, ok func(int64) bool) int64 {
	near = min(max(near, lo), hi)
	if near < hi && !ok(near) {
		lo = near + 1
		for step := int64(1); lo < hi && step < hi-lo; step *= 2 {
			if ok(lo + step - 1) {
				hi = lo + step - 1
				break
			}
			lo += step
		}
		return Search(lo, hi, ok)
	}
	hi = near
	for step := int64(1); lo < hi && step < hi-lo; step *= 2 {
		if !ok(hi - step) {
			lo = hi - step + 1
			break
		}
		hi -= step
	}
	return Search(lo, hi, ok)
}

// DropWithin removes of the first n values those for which gone holds.
func DropWithin[T any](list []T, n int, gone func(T) bool) []T {
	if !slices.ContainsFunc(list[:n], gone) {
		return list
	}
	k := 0
	for i, v := range list {
		if i < n && gone(v) {
			continue
		}
		list[k] = v
		k++
	}
	return list[:k]
}

// MergeSorted adds the values of add, which are sorted, to a sorted list. Only values later than
// the first of them move.
func MergeSorted[T any](list, add []T, compare func(a, b T) int) []T {
	i, j := len(list)-1, len(add)-1
	list = append(list, add...)
	for k := len(list) - 1; j >= 0 && i >= 0; k-- {
		if compare(list[i], add[j]) > 0 {
			list[k] = list[i]
			i--
		} else {
			list[k] = add[j]
			j--
		}
		if i < 0 {
			copy(list[:k], add[:j+1])
		}
	}
	return list
}
