package format

import (
	"math"
	"strconv"

	"framescope/model"
)

// Unit is how the numbers of a series are written. The numbers themselves stay as they are stored;
// factor only belongs to the writing.
type Unit struct {
	Kind   seriesUnitKind
	word   string  // the unit's name, of unitPlain
	Factor float64 // from a stored number to a written one
	Per    bool    // a rate: per second
}

// seriesUnitKind is a family of units.
type seriesUnitKind uint8

const (
	UnitPlain   seriesUnitKind = iota
	UnitTime                   // ns
	UnitBytes                  // with binary prefixes
	UnitPercent                // 0…100
)

// UnitOfValues returns the unit of a series' own values.
func UnitOfValues(d *model.SeriesDef) Unit {
	switch d.Unit {
	case "ns":
		return Unit{Kind: UnitTime, Factor: 1}
	case "B":
		return Unit{Kind: UnitBytes, Factor: 1}
	case "%":
		return Unit{Kind: UnitPercent, Factor: 1}
	case "":
		if d.Role == model.RoleCPULoad { // 1 is one processor, full
			return Unit{Kind: UnitPercent, Factor: 100}
		}
	}
	return Unit{word: d.Unit, Factor: 1}
}

// MeanOf is the name of the mean of the values of a series: by time for values that hold until the
// next, by number for others (series.Stats).
func MeanOf(d *model.SeriesDef) string {
	return Pick(d.Holds(), "mean by time", "mean")
}

// Word returns the name of a unit that belongs to no family; empty for others.
func (u Unit) Word() string { return u.word }

// Rate returns the unit of a change per second. Time per second is a share: of a processor, of the
// clock on the wall.
func (u Unit) Rate() Unit {
	if u.Kind == UnitTime {
		return Unit{Kind: UnitPercent, Factor: 1e-7}
	}
	u.Per = true
	return u
}

// UnitOfCurve returns the unit of a series' curve: rates of counters and events (weight: the sum of
// the events' values, else their number), values of all others.
func UnitOfCurve(d *model.SeriesDef, weight bool) Unit {
	u := UnitOfValues(d)
	switch d.Kind {
	case model.SeriesCounter:
		return u.Rate()
	case model.SeriesEvent:
		if !weight {
			return Unit{Factor: 1, Per: true}
		}
		return u.Rate()
	}
	return u
}

// Append appends a stored number: "1.25 ms", "23.4 MiB/s", "87.5 %", "12 407 frames", "1.20 M/s".
func (u Unit) Append(dst []byte, v float64) []byte {
	v *= u.Factor
	switch abs := math.Abs(v); {
	case math.IsNaN(v):
		return append(dst, "–"...)
	case u.Per && 0 < abs && abs < leastRate/2: // a rare event: its exact rate means nothing
		dst = appendLeast(dst, v)
		if u.Kind == UnitBytes {
			dst = append(dst, " B"...)
		} else if u.word != "" {
			dst = append(append(dst, ' '), u.word...)
		}
	case u.Kind == UnitTime:
		if math.Abs(v) < 100 && v != math.Trunc(v) {
			return AppendValue(dst, v, "ns")
		}
		return AppendDuration(dst, int64(math.Round(min(max(v, -9e18), 9e18))))
	case u.Kind == UnitBytes:
		dst = appendBinary(dst, v)
	case u.Kind == UnitPercent:
		dst = AppendPercent(dst, v/100)
	default:
		dst = AppendSI(dst, v)
		if u.word != "" {
			dst = append(append(dst, ' '), u.word...)
		}
	}
	switch {
	case !u.Per:
	case u.Kind == UnitPlain && u.word == "":
		dst = append(dst, " /s"...)
	default:
		dst = append(dst, "/s"...)
	}
	return dst
}

// Round is append without zeros after the point, for ticks: "2 ms", not "2.00 ms".
func (u Unit) Round(dst []byte, v float64) []byte {
	from := len(dst)
	return TrimZeros(u.Append(dst, v), from)
}

// AppendSI is AppendValue with a letter instead of digits from a hundred thousand on: "12 407",
// "143 k", "8.30 M".
func AppendSI(dst []byte, v float64) []byte {
	abs := math.Abs(v)
	if !(abs >= 1e5 && abs < 999.5e12) {
		return AppendValue(dst, v, "")
	}
	return appendPrefixed(dst, v)
}

// prefixes are the letters of the powers of 1000.
var prefixes = [...]struct {
	size   float64
	letter string
}{{1, ""}, {1e3, " k"}, {1e6, " M"}, {1e9, " G"}, {1e12, " T"}}

// appendPrefixed appends a number with three digits and the letter of its power of 1000: "25.0", "1.20 k".
func appendPrefixed(dst []byte, v float64) []byte {
	if v < 0 {
		dst, v = append(dst, "−"...), -v
	}
	at := 0
	for at+1 < len(prefixes) && v >= 999.5*prefixes[at].size {
		at++
	}
	return append(AppendDigits3(dst, v/prefixes[at].size), prefixes[at].letter...)
}

// binaryNames are the units that are powers of 1024.
var binaryNames = [...]string{" KiB", " MiB", " GiB", " TiB", " PiB"}

// AppendBytes appends a size in bytes in the units used for limits: "212 MiB", "1.50 GiB", and
// exact sizes without zeros: "2 GiB".
func AppendBytes(dst []byte, n int64) []byte {
	for i, name := range binaryNames {
		if size := int64(1024) << (10 * i); n >= size && n%size == 0 && n/size < 1024 {
			return append(strconv.AppendInt(dst, n/size, 10), name...)
		}
	}
	return appendBinary(dst, float64(n))
}

// appendBinary appends bytes with binary prefixes: "512 B", "1.50 KiB".
func appendBinary(dst []byte, v float64) []byte {
	abs := math.Abs(v)
	if !(abs >= 1023.5) || math.IsInf(v, 0) {
		return append(AppendValue(dst, v, ""), " B"...)
	}
	if v < 0 {
		dst = append(dst, "−"...)
	}
	size := 1024.0
	for _, name := range binaryNames {
		if abs < 1023.5*size || name == " PiB" {
			return append(AppendDigits3(dst, abs/size), name...)
		}
		size *= 1024
	}
	return dst
}

// binaryBase returns the greatest power of 1024 that is at most v, at least 1.
func binaryBase(v float64) float64 {
	base := 1.0
	for base*1024 <= v && base < 1e18 {
		base *= 1024
	}
	return base
}

// Step returns a round distance of ticks, in stored numbers, so that at most n fit into span; 0
// where there is none.
func (u Unit) Step(n int, span float64) float64 {
	span *= u.Factor
	if u.Kind == UnitBytes {
		base := binaryBase(span)
		return LevelStep(n, span/base) * base / u.Factor
	}
	return LevelStep(n, span) / u.Factor
}

// RoundUp returns a round number at or above v.
func (u Unit) RoundUp(v float64) float64 {
	w := v * u.Factor
	switch {
	case u.Kind == UnitBytes:
		base := binaryBase(w)
		w = NiceTop(w/base) * base
	case u.Kind == UnitPercent && w > 60 && w <= 100:
		w = 100
	default:
		w = NiceTop(w)
	}
	return w / u.Factor
}

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
