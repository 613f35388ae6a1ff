package format

import (
	"math"
	"strconv"
)

// TimeUnit is the one unit of a column of times. The zero value is that of zeros: none.
type TimeUnit struct {
	Name string
	ns   float64
}

// timeUnits are the units, each with the least greatest value that it is for.
var timeUnits = [...]struct {
	TimeUnit
	from float64
}{
	{TimeUnit{"ns", 1}, 0},
	{TimeUnit{"µs", 1e3}, 1e3},
	{TimeUnit{"ms", 1e6}, 1e6},
	{TimeUnit{"s", 1e9}, 1e10},
}

// TimeUnitOf returns the unit for a column with mostNs as its greatest value. The previous unit
// stays while values become less, until they are less than half of its range, so that it does not
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

// Append appends a time in the unit, without its name, by the rule of AppendBare; nanoseconds are
// whole.
func (u TimeUnit) Append(dst []byte, ns float64) []byte {
	if u.ns <= 1 {
		return AppendCount(dst, int64(math.Round(ns)))
	}
	return AppendBare(dst, ns/u.ns)
}

// AppendNamed appends a time in the unit, with its name; a dash where it is too little for that.
func (u TimeUnit) AppendNamed(dst []byte, ns float64) []byte {
	begin := len(dst)
	dst = u.Append(dst, ns)
	if u.Name == "" || string(dst[begin:]) == None {
		return dst
	}
	return append(append(dst, ' '), u.Name...)
}

// AppendBeside appends a time in the unit that AppendDuration gives a greater one beside it, or in its
// own where it is too little for that.
func AppendBeside(dst []byte, ns, greaterNs int64) []byte {
	u := timeUnits[0]
	for _, x := range timeUnits {
		if float64(greaterNs) >= 0.9995*x.ns {
			u = x
		}
	}
	if part := math.Abs(float64(ns)) / u.ns; part >= 0.9995 || part < 0.1 {
		return AppendDuration(dst, ns)
	}
	return u.AppendNamed(dst, float64(ns))
}

// None stands for a value too small to write, and for an unknown one.
const None = "–"

// AppendBare appends a number of a column with its unit in the header: from 10 on with one digit
// after the point, below with two; a value that would print as zero is a dash.
func AppendBare(dst []byte, v float64) []byte {
	abs := math.Abs(v)
	if abs < 0.005 {
		return append(dst, None...)
	}
	if v < 0 {
		dst = append(dst, "−"...)
	}
	if abs < 9.995 {
		return strconv.AppendFloat(dst, abs, 'f', 2, 64)
	}
	whole, tenths := math.Modf(math.Round(abs*10) / 10)
	if whole > 1e15 {
		return strconv.AppendFloat(dst, abs, 'e', 2, 64)
	}
	dst = append(AppendCount(dst, int64(whole)), '.')
	return append(dst, '0'+byte(math.Round(tenths*10)))
}
