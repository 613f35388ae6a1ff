package measure

// Rank returns the place, from 0, of a percentile among n > 0 values in ascending order: the nearest
// rank, so that at least percent in a hundred of n values are at most the value there. n may also be
// a time for which values were in force.
func Rank(n, percent int64) int64 {
	return max(n/100*percent+(n%100*percent+99)/100, 1) - 1
}

// Middle returns the places, from 0, of the two values with the median of n > 0 ascending values as
// their mean; for an odd number both are the same.
func Middle(n int64) (low, high int64) { return (n - 1) / 2, n / 2 }
