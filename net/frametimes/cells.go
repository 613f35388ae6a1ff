package frametimes

import (
	"bytes"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// split appends the cells of a line, without quotes and blanks around them.
func split(line []byte, sep byte, cells [][]byte) [][]byte {
	for {
		line = bytes.TrimLeft(line, " ")
		if len(line) > 0 && line[0] == '"' {
			var cell []byte
			cell, line = quoted(line[1:])
			cells = append(cells, cell)
			if at := bytes.IndexByte(line, sep); at >= 0 {
				line = line[at+1:]
				continue
			}
			return cells
		}
		at := bytes.IndexByte(line, sep)
		if at < 0 {
			return append(cells, bytes.TrimRight(line, " "))
		}
		cells = append(cells, bytes.TrimRight(line[:at], " "))
		line = line[at+1:]
	}
}

// quoted returns the text within quotes, and the rest.
func quoted(b []byte) (cell, rest []byte) {
	at := bytes.IndexByte(b, '"')
	if at < 0 {
		return b, nil
	}
	if at+1 == len(b) || b[at+1] != '"' {
		return b[:at], b[at+1:]
	}
	for i := 0; i < len(b); i++ {
		if b[i] == '"' {
			if i+1 == len(b) || b[i+1] != '"' {
				return cell, b[i+1:]
			}
			i++
		}
		cell = append(cell, b[i])
	}
	return cell, nil
}

// missing reports whether a cell has no value.
func missing(cell []byte) bool {
	switch len(cell) {
	case 0:
		return true
	case 2:
		return cell[0]|0x20 == 'n' && cell[1]|0x20 == 'a'
	case 3:
		return strings.EqualFold(string(cell), "nan") || string(cell) == "N/A"
	}
	return false
}

// number is a decimal number as it stands in a cell: mant / 10^exp, or f where odd is set.
type number struct {
	mant uint64
	exp  int // 0 to 18
	neg  bool
	odd  bool
	f    float64
}

// mostMant is the bound of a number to which one more digit can be appended.
const mostMant = (math.MaxUint64 - 9) / 10

var pow10 = [19]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// parseNumber reads a cell; comma allows for a decimal comma.
func parseNumber(cell []byte, comma bool) (x number, ok bool) {
	i := 0
	if len(cell) > 0 && (cell[0] == '-' || cell[0] == '+') {
		x.neg = cell[0] == '-'
		i++
	}
	digits, point := 0, false
	for ; i < len(cell); i++ {
		switch c := cell[i]; {
		case c-'0' <= 9:
			digits++
			switch {
			case x.mant < mostMant && x.exp < 18:
				x.mant = x.mant*10 + uint64(c-'0')
				if point {
					x.exp++
				}
			case !point:
				return oddNumber(cell)
			}
		case !point && (c == '.' || comma && c == ','):
			point = true
		default:
			if digits > 0 && c|0x20 == 'e' {
				return oddNumber(bytes.Replace(cell, []byte{','}, []byte{'.'}, 1))
			}
			return number{}, false
		}
	}
	return x, digits > 0
}

// oddNumber reads a number that is too long or has an exponent.
func oddNumber(cell []byte) (x number, ok bool) {
	f, err := strconv.ParseFloat(string(cell), 64)
	return number{odd: true, f: f}, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// float returns the number.
func (x number) float() float64 {
	if x.odd {
		return x.f
	}
	f := float64(x.mant) / float64(pow10[x.exp])
	if x.neg {
		return -f
	}
	return f
}

// maxNs bounds times, either way: their sums overflow nowhere.
const maxNs = 1 << 60

// mostTime bounds times as they are in a file, either way, in ns: those since 1970 are among them until 2096,
// and the difference of two is a number.
const mostTime = 4_000_000_000 * int64(1e9)

// times returns the number by so many ns, rounded; false where that is no time of a session.
func (x number) times(ns uint64) (int64, bool) { return x.over(ns, 1, maxNs) }

// moment returns the time that the number is, of so many ns by that number of parts of a second, rounded; false
// where that is none of a file.
func (x number) moment(ns, parts uint64) (int64, bool) { return x.over(ns, max(parts, 1), mostTime) }

// over is moment, of a number that is less than most, either way.
func (x number) over(ns, parts uint64, most int64) (int64, bool) {
	if x.odd {
		f := math.Round(x.f * float64(ns) / float64(parts))
		return int64(f), math.Abs(f) < float64(most)
	}
	div := pow10[x.exp]
	if parts > 1 { // of whole ticks
		if div > 1 {
			return number{odd: true, f: x.float()}.over(ns, parts, most)
		}
		div = parts
	}
	hi, lo := bits.Mul64(x.mant, ns)
	lo, carry := bits.Add64(lo, div/2, 0)
	if hi += carry; hi >= div {
		return 0, false
	}
	q, _ := bits.Div64(hi, lo, div)
	if q >= uint64(most) {
		return 0, false
	}
	if x.neg {
		return -int64(q), true
	}
	return int64(q), true
}

// dateLayouts are how dates are written; without a zone they are taken for UTC. A fraction may follow seconds.
var dateLayouts = []string{
	"2006-01-02 15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00",
	"2006-1-2 15:04:05", "2006/01/02 15:04:05", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z0700",
	"2006-01-02T15:04:05Z07", "2006-01-02 15:04:05Z07", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 Z0700", "2006-01-02 15:04:05 Z07",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02",
}

// parseDate reads a date, mostly with a time of day, as ns since 1970.
func parseDate(cell []byte) (ns int64, ok bool) {
	if len(cell) < len("2006-01-02") || len(cell) > 40 || cell[4] != '-' && cell[4] != '/' || cell[0]-'0' > 9 {
		return 0, false
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, string(cell)); err == nil && t.Year() > 1850 && t.Year() < 2096 {
			return t.UnixNano(), true
		}
	}
	return 0, false
}
