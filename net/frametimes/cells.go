package frametimes

import (
	"bytes"
	"math"
	"strings"
	"time"

	"framescope/net/trace"
)

// split appends the cells of a line, without quotes and blanks around them.
func split(line []byte, sep byte, cells [][]byte) [][]byte {
	for {
		line = bytes.TrimLeft(line, " ")
		var cell []byte
		isQuoted := len(line) > 0 && line[0] == '"'
		if isQuoted {
			cell, line = quoted(line[1:])
		}
		at := bytes.IndexByte(line, sep)
		if !isQuoted {
			cell = line
			if at >= 0 {
				cell = line[:at]
			}
			cell = bytes.TrimRight(cell, " ")
		}
		cells = append(cells, cell)
		if at < 0 {
			return cells
		}
		line = line[at+1:]
	}
}

// quoted returns the text within quotes, of which two stand for one, and the rest.
func quoted(b []byte) (cell, rest []byte) {
	for i := 0; i < len(b); i++ {
		if b[i] != '"' {
			continue
		}
		if i+1 == len(b) || b[i+1] != '"' {
			return bytes.ReplaceAll(b[:i], []byte(`""`), []byte(`"`)), b[i+1:]
		}
		i++
	}
	return b, nil
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

// mostValue bounds numbers.
const mostValue = 1e90

// parseNumber returns the number of a cell; comma allows for a decimal comma.
func parseNumber(cell []byte, comma bool) (v float64, ok bool) {
	v, ok = trace.Number(dotted(cell, comma))
	return v, ok && math.Abs(v) <= mostValue
}

// dotted returns a number with a point where it has a comma.
func dotted(cell []byte, comma bool) []byte {
	if comma && bytes.IndexByte(cell, ',') >= 0 {
		return bytes.Replace(cell, []byte{','}, []byte{'.'}, 1)
	}
	return cell
}

// instant returns the time of a cell in ns, of a number of units of 10^scale ns.
func instant(cell []byte, scale int, comma bool) (ns int64, ok bool) {
	t, ok := trace.ParseTime(dotted(cell, comma), scale)
	return t.Round(), ok
}

// dateLayouts are how dates are written, once they are plain; without a zone they are taken for UTC. A fraction may
// follow seconds.
var (
	dateLayouts = []string{
		"2006-1-2 15:04:05", "2006-1-2 15:04:05Z07:00", "2006-1-2 15:04:05Z0700", "2006-1-2 15:04:05Z07",
		"2006-1-2 15:04", "2006-1-2 15:04Z07:00", "2006-1-2", "2-1-2006 15:04:05",
	}
	plainDate = strings.NewReplacer("T", " ", "/", "-", " +", "+", " -", "-", " Z", "Z")
)

// parseDate reads a date, mostly with a time of day, as ns since 1970.
func parseDate(cell []byte) (ns int64, ok bool) {
	if len(cell) < len("2006-1-2") || len(cell) > 40 || cell[0]-'0' > 9 {
		return 0, false
	}
	if mark := cell[4]; mark != '-' && mark != '/' && cell[2] != '-' {
		return 0, false
	}
	text := plainDate.Replace(string(cell))
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 1900 && t.Year() < 2040 {
			return t.UnixNano(), true
		}
	}
	return 0, false
}
