package format

import (
	"math"
	"strconv"
)

// TimeUnit is the one unit of a column of times. The zero value is that of zeros: none.
type TimeUnit struct {
	Name   string
	ns     float64
	digits int
}

// timeUnits are the units, each with the least greatest value that it is for.
var timeUnits = [...]struct {
	TimeUnit
	from float64
}{
	{TimeUnit{"ns", 1, 0}, 0},
	{TimeUnit{"µs", 1e3, 3}, 1e3},
	{TimeUnit{"ms", 1e6, 3}, 1e6},
	{TimeUnit{"ms", 1e6, 2}, 1e9},
	{TimeUnit{"s", 1e9, 3}, 1e10},
	{TimeUnit{"s", 1e9, 1}, 1e12},
}

// TimeUnitOf returns the unit for a column whose greatest value is most. The unit that it had stays
// while values become less, until they are less than half of what it is for, so that it does not
// flicker.
func TimeUnitOf(mostNs float64, had TimeUnit) TimeUnit {
	if mostNs == 0 {
		return TimeUnit{} // zeros need none
	}
	best := timeUnits[0].TimeUnit
	for _, u := range timeUnits {
		if mostNs >= u.from || u.TimeUnit == had && mostNs >= u.from/2 {
			best = u.TimeUnit
		}
	}
	return best
}

// Append appends a time in the unit, without its name: all times of a column have the same digits
// after the point. What is too little for these is "<0.001".
func (u TimeUnit) Append(dst []byte, ns float64) []byte {
	if u.ns == 0 {
		u = timeUnits[0].TimeUnit
	}
	if ns < 0 {
		dst, ns = append(dst, "−"...), -ns
	}
	v := ns / u.ns
	if least := math.Pow10(-u.digits); ns != 0 && v < least/2 {
		dst, v = append(dst, '<'), least
	}
	return strconv.AppendFloat(dst, v, 'f', u.digits, 64)
}
