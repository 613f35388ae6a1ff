// Package histogram holds the base of statistics of values: the bins of histograms, and the k-th
// least of a list.
package histogram

import (
	"math"
	"math/bits"
	"slices"
)

// A histogram's bins are the upper 18 bits of a float64: sign, exponent and 6 bits of the mantissa,
// so a bin is at most 1/64 of its value wide and its middle within 0.8 %.
const (
	binShift = 64 - 18

	// Zero is the bin of 0; those of lesser values lie below it.
	Zero = 1 << 17

	// NumBins is greater than every bin.
	NumBins = 2 * Zero
)

// Bin is the number of values in a bin.
type Bin struct{ Bin, N int32 }

// Of returns the bin of a value; bins ascend with values.
func Of(v float64) int32 {
	b := int32(math.Float64bits(math.Abs(v)) >> binShift)
	if v < 0 {
		return Zero - 1 - b
	}
	return Zero + b
}

// Value returns the value in the middle of a bin; bins of 0 give 0.
func Value(bin int32) float64 {
	b := bin - Zero
	sign := 1.0
	if b < 0 {
		b, sign = -b-1, -1
	}
	if b == 0 {
		return 0
	}
	return sign * math.Float64frombits(uint64(b)<<binShift|1<<(binShift-1))
}

// Select returns the k-th least value and leaves the lesser ones before it (Hoare's selection,
// middle of three as pivot). Values in an order that was made to be bad for that are sorted, once it
// has taken more rounds than others ever need.
func Select[T int64 | float64](v []T, k int) T {
	return selectIn(v, k, 16+4*bits.Len(uint(len(v))))
}

func selectIn[T int64 | float64](v []T, k, rounds int) T {
	lo, hi := 0, len(v)-1
	for ; lo < hi; rounds-- {
		if rounds <= 0 {
			slices.Sort(v[lo : hi+1])
			break
		}
		mid := int(uint(lo+hi) >> 1)
		if v[mid] < v[lo] {
			v[mid], v[lo] = v[lo], v[mid]
		}
		if v[hi] < v[lo] {
			v[hi], v[lo] = v[lo], v[hi]
		}
		if v[hi] < v[mid] {
			v[hi], v[mid] = v[mid], v[hi]
		}
		pivot := v[mid]
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	return v[k]
}
