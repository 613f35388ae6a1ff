// Sort is fast for lists that are mostly sorted or consist of a few sorted lists, such as the merged
// events of several threads or counters.

package trace

import "cmp"

// few is how many values are put in order one by one.
const few = 8

// SortRuns puts a list in order; those that are equal stay in theirs. compare is negative where a comes
// before b, positive where b comes before a. It takes n·log r steps for a list of r stretches that are
// in order, and for a time as much memory as the list has where there is more than one.
//
// It is a natural merge sort (Knuth, The Art of Computer Programming, volume 3, 5.2.4).
func SortRuns[T any](list []T, compare func(a, b T) int) {
	var room [32]int
	ends := stretches(room[:0], list, compare)
	if len(ends) < 2 {
		return
	}
	from, to := list, make([]T, len(list))
	for len(ends) > 1 {
		merged, begin := ends[:0], 0
		for i := 0; i < len(ends); i += 2 {
			middle, end := ends[i], ends[min(i+1, len(ends)-1)]
			merge(to[begin:end], from[begin:middle], from[middle:end], compare)
			merged, begin = append(merged, end), end
		}
		ends, from, to = merged, to, from
	}
	if &from[0] != &list[0] {
		copy(list, from)
	}
}

// stretches appends where the stretches of a list end that are in order. Short ones are put in order with
// what follows them.
func stretches[T any](ends []int, list []T, compare func(a, b T) int) []int {
	for begin := 0; begin < len(list); {
		end := begin + 1
		for end < len(list) && compare(list[end-1], list[end]) <= 0 {
			end++
		}
		for least := min(begin+few, len(list)); end < least; end++ {
			v, at := list[end], end
			for at > begin && compare(list[at-1], v) > 0 {
				list[at] = list[at-1]
				at--
			}
			list[at] = v
		}
		ends, begin = append(ends, end), end
	}
	return ends
}

// merge makes one of two lists that are in order.
func merge[T any](to, a, b []T, compare func(a, b T) int) {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		if compare(a[0], b[0]) <= 0 {
			to[n], a = a[0], a[1:]
		} else {
			to[n], b = b[0], b[1:]
		}
		n++
	}
	copy(to[n+copy(to[n:], a):], b)
}

// SortRunPairs compares pairs of numbers; the first pair that differs decides. It is a comparison for Sort.
func SortRunPairs[T cmp.Ordered](pairs ...T) int {
	for i := 0; i < len(pairs); i += 2 {
		if c := cmp.Compare(pairs[i], pairs[i+1]); c != 0 {
			return c
		}
	}
	return 0
}
