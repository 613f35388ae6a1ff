package panel

// EachRun calls f for every run of neighbours that are alike: those from i to before j are all k.
func EachRun[K comparable](n int, of func(i int) K, f func(k K, i, j int)) {
	for i, j := 0, 0; i < n; i = j {
		k := of(i)
		for j = i + 1; j < n && of(j) == k; {
			j++
		}
		f(k, i, j)
	}
}

// LastUpTo returns the index of the last of ascending values that is at most v, -1 where none is.
func LastUpTo[T int64 | float32](values []T, v T) int {
	lo, hi := -1, len(values)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; values[mid] <= v {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Zeros returns n zeros in the memory of s where it suffices.
func Zeros[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	clear(s[:n])
	return s[:n]
}
