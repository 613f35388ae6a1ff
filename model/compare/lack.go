package compare

import (
	"math"
	"strconv"
)

// Lack is why something was not tested.
type Lack uint8

// Lacks of a test.
const (
	LacksNothing     Lack = iota // it was tested
	LacksSide                    // nothing is known of it on one of the sides
	LacksUse                     // fewer than LeastOccur frames of both sides have it
	LacksFrames                  // a side has too few frames
	LacksIndependent             // each frame resembles those before, so that too few stand alone
	LacksTimes                   // it is one sum, of a recording without times
	LacksOthers                  // each side is a single frame: the difference is exact
)

var lackNames = [...]string{"", "side", "rare", "few", "alike", "sum", "single"}

// String returns a word for it: side, rare, few, alike, sum or single; none where nothing is lacking.
func (k Lack) String() string { return lackNames[k] }

// lacking is why values are untestable.
type lacking struct {
	lack  Lack
	needs int
}

// surelyIndependent is the number of independent values of a side from which on their autocorrelation is
// precise enough to say how many would do: with fewer it grows with their number.
const surelyIndependent = 6

// lackOf returns the lack of n values of a side, with tau in a row as informative as one, and one
// per stride frames examined.
func lackOf(n int, tau, stride float64) lacking {
	needs := int(math.Ceil(leastIndependent * tau * stride))
	switch {
	case n < leastIndependent:
		return lacking{LacksFrames, max(needs, leastIndependent)}
	case float64(n) < surelyIndependent*tau:
		return lacking{LacksIndependent, 0}
	}
	return lacking{LacksIndependent, needs}
}

// AppendWhy appends why a figure is untested, nothing for a tested one; of is the unit of the
// values: frame, or second for slices.
func (f *Figure) AppendWhy(dst []byte, of string) []byte {
	if f.Verdict != Untested {
		return dst
	}
	if of == "second" {
		of = "slice"
	}
	switch f.Lack {
	case LacksSide:
		dst = append(dst, "nothing is known of it on one side"...)
	case LacksUse:
		dst = append(strconv.AppendInt(append(dst, "fewer than "...), LeastOccur, 10), ' ')
		dst = append(append(dst, of...), "s of both sides have it"...)
	case LacksFrames:
		dst = append(append(append(dst, "too few "...), of...), 's')
	case LacksTimes:
		dst = append(dst, "one sum of each side has no variance"...)
	case LacksOthers:
		dst = append(dst, "one frame of each side"...)
	case LacksIndependent:
		dst = append(append(append(dst, "each "...), of...), " is like those before it"...)
	}
	if f.Needs > 0 {
		dst = append(strconv.AppendInt(append(dst, ": a test takes about "...), int64(f.Needs), 10), " of each side"...)
	}
	return dst
}
