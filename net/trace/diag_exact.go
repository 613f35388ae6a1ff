package trace

import "math/bits"

// Rounded says what becomes of whole numbers that values of series can't hold, see Exact.
const Rounded = "whole numbers of more than 2^53 are shown without their last digits"

// Exact reports whether a whole number stays what it is as a value of a series, which is a float64.
func Exact(n int64) bool {
	u := uint64(max(n, -n)) // the least of all is its own opposite, and one bit
	return u < 1<<53 || bits.Len64(u)-bits.TrailingZeros64(u) <= 53
}
