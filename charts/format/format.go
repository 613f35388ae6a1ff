// Package format writes numbers as panels show them: counts, durations, times, rates, bytes, and
// the steps and scales of axes. It knows no panel and no session.
package format

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"framescope/model/measure"
)

// All formatting appends to a buffer, so that labels made on every redraw cost no allocation.

// GroupSpace separates groups of digits, without letting a line end there.
const GroupSpace = measure.GroupSpace

// AppendDuration appends a duration with three significant digits and its unit: "843 ns", "61.0
// µs", "2.69 ms", "1.25 s", "3 min 20 s".
func AppendDuration(dst []byte, ns int64) []byte {
	if ns < 0 {
		dst = append(dst, "−"...)
		if ns == math.MinInt64 {
			ns++
		}
		ns = -ns
	}
	switch {
	case ns < 1000:
		return append(strconv.AppendInt(dst, ns, 10), " ns"...)
	case ns < 999_500:
		return append(AppendDigits3(dst, float64(ns)/1e3), " µs"...)
	case ns < 999_500_000:
		return append(AppendDigits3(dst, float64(ns)/1e6), " ms"...)
	case ns < 119_500_000_000:
		return append(AppendDigits3(dst, float64(ns)/1e9), " s"...)
	}
	sec := ns/1e9 + (ns%1e9+5e8)/1e9
	if sec < 7200 {
		dst = append(AppendCount(dst, sec/60), " min "...)
		return append(strconv.AppendInt(dst, sec%60, 10), " s"...)
	}
	dst = append(AppendCount(dst, sec/3600), " h "...)
	return append(strconv.AppendInt(dst, sec%3600/60, 10), " min"...)
}

// AppendClock appends a session time as a clock, "0:02.250" or "1:02:05.016", with the digits that
// a step of stepNs needs, from milliseconds down to nanoseconds in groups of three. It is rounded to
// the last of them, the seconds and minutes with it: 59.9996 s is "1:00.000".
func AppendClock(dst []byte, ns, stepNs int64) []byte {
	unit := int64(1)
	for _, u := range [...]int64{1e9, 1e6, 1e3} {
		if stepNs >= u {
			unit = u
			break
		}
	}
	dst, ns = appendSeconds(dst, ns, unit)
	if unit == 1e9 || ns == 0 && unit == 1 {
		return dst
	}
	dst = AppendPadded(append(dst, '.'), ns/1e6, 3)
	if ns %= 1e6; ns != 0 {
		dst = AppendPadded(append(dst, GroupSpace...), ns/1e3, 3)
		if ns %= 1e3; ns != 0 {
			dst = AppendPadded(append(dst, GroupSpace...), ns, 3)
		}
	}
	return dst
}

// ClockStep returns the step for a clock at the ends of a stretch of time: a hundredth of it, at most 1 ms.
func ClockStep(beginNs, endNs int64) int64 { return min((endNs-beginNs)/100, 1e6) }

// AppendMicroClock appends a session time as a clock down to microseconds, zeros and all, so that a
// column of times aligns.
func AppendMicroClock(dst []byte, ns int64) []byte {
	dst, ns = appendSeconds(dst, ns, 1e3)
	dst = AppendPadded(append(dst, '.'), ns/1e6, 3)
	return AppendPadded(append(dst, GroupSpace...), ns%1e6/1e3, 3)
}

// appendSeconds appends a time rounded to a unit, without the part below a second, which it
// returns.
func appendSeconds(dst []byte, ns, unit int64) (out []byte, rest int64) {
	negative := ns < 0
	if negative {
		ns = -max(ns, -math.MaxInt64)
	}
	below := ns % unit
	if ns -= below; below >= unit-below && unit > 1 && ns <= math.MaxInt64-unit {
		ns += unit
	}
	if negative && ns > 0 {
		dst = append(dst, "−"...)
	}
	sec := ns / 1e9
	if sec >= 3600 {
		dst = append(strconv.AppendInt(dst, sec/3600, 10), ':')
		dst = AppendPadded(dst, sec%3600/60, 2)
	} else {
		dst = strconv.AppendInt(dst, sec/60, 10)
	}
	return AppendPadded(append(dst, ':'), sec%60, 2), ns % 1e9
}

func AppendPadded(dst []byte, v int64, width int) []byte {
	for p := int64(math.Pow10(width - 1)); p > 1 && v < p; p /= 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, v, 10)
}

// AppendDigits3 appends v, 0 <= v < 1000, with three significant digits: 2.69, 18.9, 187.
func AppendDigits3(dst []byte, v float64) []byte {
	switch {
	case v < 9.995:
		return strconv.AppendFloat(dst, v, 'f', 2, 64)
	case v < 99.95:
		return strconv.AppendFloat(dst, v, 'f', 1, 64)
	}
	return strconv.AppendFloat(dst, v, 'f', 0, 64)
}

// Float32 returns a number that was a 32-bit float without the digits that such a float does not
// have, and whether it lost some: large whole numbers do.
func Float32(v float32) (value float64, about bool) {
	value, _ = strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	return value, v >= 1<<24 || v <= -1<<24
}

// AppendCount appends a whole number with spaces between groups of three digits: "12 407".
// Four digits stay together.
func AppendCount(dst []byte, n int64) []byte { return measure.AppendCount(dst, n) }

// AppendPlural appends "1 frame", "2 frames".
func AppendPlural(dst []byte, n int64, one, many string) []byte {
	if n == 1 {
		many = one
	}
	return append(append(AppendCount(dst, n), ' '), many...)
}

// AppendSearching appends "searching 63 % · ", which stands before the results so far; share is the
// finished part, from 0 to 1.
func AppendSearching(dst []byte, share float64) []byte {
	return append(AppendCount(append(dst, "searching "...), int64(share*100)), " % · "...)
}

// AppendValue appends a counter's value with its unit, if any: "12 407 nodes", "41.2 MB". Whole
// numbers are exact, others get three significant digits.
func AppendValue(dst []byte, v float64, unit string) []byte {
	switch abs := math.Abs(v); {
	case math.IsNaN(v):
		dst = append(dst, "not a number"...)
	case math.IsInf(v, 0):
		if v < 0 {
			dst = append(dst, "−"...)
		}
		dst = append(dst, "∞"...)
	case v == math.Trunc(v) && abs < 1e15:
		dst = AppendCount(dst, int64(v))
	case abs >= 1e15 || abs < 1e-6:
		dst = strconv.AppendFloat(dst, v, 'e', 2, 64)
	case abs >= 999.5:
		dst = AppendCount(dst, int64(math.Round(v)))
	default:
		if v < 0 {
			dst = append(dst, "−"...)
		}
		if abs < 0.0995 {
			dst = appendSmall(dst, abs)
		} else {
			dst = AppendDigits3(dst, abs)
		}
	}
	if unit != "" {
		dst = append(append(dst, ' '), unit...)
	}
	return dst
}

// appendSmall appends three significant digits of a small number without a power of ten: 0.000671.
func appendSmall(dst []byte, v float64) []byte {
	var buf [24]byte
	rounded, _ := strconv.ParseFloat(string(strconv.AppendFloat(buf[:0], v, 'g', 3, 64)), 64)
	return strconv.AppendFloat(dst, rounded, 'f', -1, 64)
}

// AppendShort is AppendValue for narrow places: from a million on with a letter instead of digits,
// "8.30 M", "1.20 G".
func AppendShort(dst []byte, v float64, unit string) []byte {
	abs := math.Abs(v)
	if !(abs >= 1e6 && abs < 999.5e12) {
		return AppendValue(dst, v, unit)
	}
	dst = appendPrefixed(dst, v)
	if unit != "" {
		dst = append(append(dst, ' '), unit...)
	}
	return dst
}

// AppendRate appends the rate of something that takes ns: "52.9 Hz", "1.20 kHz"; nothing for ns <=
// 0.
func AppendRate(dst []byte, ns int64) []byte {
	if ns <= 0 {
		return dst
	}
	return AppendHertz(dst, 1e9/float64(ns))
}

// AppendHertz appends a frequency, which is above 0: "52.9 Hz", "1.20 kHz".
func AppendHertz(dst []byte, hz float64) []byte {
	if hz < 999.5 {
		return append(AppendDigits3(dst, hz), " Hz"...)
	}
	return append(appendPrefixed(dst, hz), "Hz"...)
}

// AppendPercent appends a share: "12.3 %", "0.04 %", "100 %".
func AppendPercent(dst []byte, share float64) []byte {
	p := share * 100
	switch {
	case math.IsNaN(p):
		return append(dst, '?')
	case p == 0 || p >= 99.95:
		dst = strconv.AppendFloat(dst, p, 'f', 0, 64)
	case math.Abs(p) < 0.0995:
		dst = strconv.AppendFloat(dst, p, 'f', 2, 64)
	default:
		dst = strconv.AppendFloat(dst, p, 'f', 1, 64)
	}
	return append(dst, " %"...)
}

// AppendStep describes the precision of times: "times are exact to 244 µs".
func AppendStep(dst []byte, stepNs int64) []byte {
	return AppendDuration(append(dst, "times are exact to "...), stepNs)
}

// AppendRoundDuration is AppendDuration without zeros after the point: "2 ms", not "2.00 ms".
func AppendRoundDuration(dst []byte, ns int64) []byte {
	from := len(dst)
	return TrimZeros(AppendDuration(dst, ns), from)
}

// TrimZeros removes zeros after the point of the number at dst[from:]; the text after a space is
// its unit.
func TrimZeros(dst []byte, from int) []byte {
	unitAt, point := len(dst), false
	for i := from; i < len(dst); i++ {
		if dst[i] == ' ' {
			unitAt = i
			break
		}
		point = point || dst[i] == '.'
	}
	end := unitAt
	for point && (dst[end-1] == '0' || dst[end-1] == '.') {
		end--
		if dst[end] == '.' {
			break
		}
	}
	return append(dst[:end], dst[unitAt:]...)
}

// leastRate is the least rate per second that is written.
const leastRate = 0.01

// appendLeast appends a bound for a rate too small for the digits.
func appendLeast(dst []byte, v float64) []byte {
	if v < 0 {
		return append(dst, ">−0.01"...)
	}
	return append(dst, "<0.01"...)
}

// AppendPerSecond appends how often something happens: "25.0/s", "1.20 k/s", "<0.01/s".
func AppendPerSecond(dst []byte, v float64) []byte {
	if 0 < v && v < leastRate/2 {
		dst = appendLeast(dst, v)
	} else {
		dst = appendPrefixed(dst, v)
	}
	return append(dst, "/s"...)
}

// ContainsFold reports whether s contains each word of words, letters in any case.
func ContainsFold(s, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if !containsFold(s, word) {
			return false
		}
	}
	return true
}

func containsFold(s, sub string) bool {
	for i := range s {
		if len(s)-i >= len(sub) && strings.EqualFold(s[i:i+len(sub)], sub) {
			return true
		}
	}
	return false
}

// CompareNatural compares names as people do: queue2 before queue10, capitals beside small letters.
func CompareNatural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		i, j := digits(x), digits(y)
		if i > 0 && j > 0 {
			p, q := strings.TrimLeft(x[:i], "0"), strings.TrimLeft(y[:j], "0")
			if d := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); d != 0 {
				return d
			}
			x, y = x[i:], y[j:]
			continue
		}
		if d := cmp.Compare(lower(x[0]), lower(y[0])); d != 0 {
			return d
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

// digits returns how many digits a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// ClipName cuts a name that is too long to measure every time.
func ClipName(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	end := most
	for end > 0 && s[end]&0xc0 == 0x80 {
		end--
	}
	return s[:end]
}

// Pick returns a where something holds, else b: which of two words, colors or sizes.
func Pick[T any](holds bool, a, b T) T {
	if holds {
		return a
	}
	return b
}
