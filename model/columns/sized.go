package columns

// Sized returns a list of n values, reusing s if it has room. The values are unspecified. A long new list costs
// nothing before its values are written.
func Sized[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, n+min(n, cap(s))/4)
}
