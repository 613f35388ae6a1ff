package columns

// Sized returns a list of n values for which s is used where it has room. What they are is not said. A long list
// that is made costs nothing before its values are written.
func Sized[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, n+min(n, cap(s))/4)
}
