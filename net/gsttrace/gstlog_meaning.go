package gsttrace

import (
	"strconv"
	"strings"
)

// UnitOf finds the unit in a field's description, where alone it is hinted at (FORMAT.md section
// 5), and what values are multiplied by to get to it.
func UnitOf(f *Field) (unit string, factor float64) {
	d := f.Description
	switch {
	case strings.Contains(d, "‰"):
		return "%", 0.1
	case hasWord(d, "ns"), hasWord(d, "nanoseconds"):
		return "ns", 1
	case hasWord(d, "us"), hasWord(d, "µs"), hasWord(d, "microseconds"):
		return "ns", 1e3
	case hasWord(d, "ms"), hasWord(d, "milliseconds"):
		return "ns", 1e6
	case strings.HasSuffix(d, "in seconds"), strings.HasSuffix(d, "in s"):
		return "ns", 1e9
	case hasWord(d, "bytes"):
		return "B", 1
	case strings.Contains(d, "%"), hasWord(d, "percent"):
		return "%", 1
	}
	if f.Type == "clock-time" || f.Type == "GstClockTime" {
		return "ns", 1
	}
	return "", 1
}

// AboutOf is a field's description without the unit at its end ("… from src to sink ns"): values
// have theirs beside them.
func AboutOf(f *Field) string {
	d := f.Description
	unit, _ := UnitOf(f)
	i := strings.LastIndexByte(d, ' ')
	if unit == "" || i <= 0 || !unitWords[d[i+1:]] {
		return d
	}
	return strings.TrimRight(strings.TrimSuffix(d[:i], " in"), " ,")
}

// unitWords are the units at the end of descriptions.
var unitWords = map[string]bool{
	"ns": true, "nanoseconds": true, "us": true, "µs": true, "microseconds": true, "ms": true, "milliseconds": true,
	"s": true, "seconds": true, "%": true, "‰": true,
}

// hasWord reports whether a description speaks of values in a unit: "in ns", "… ns" at its end.
func hasWord(d, unit string) bool {
	if strings.HasSuffix(d, " "+unit) {
		return true
	}
	i := strings.Index(d, "in "+unit)
	if i < 0 || i > 0 && d[i-1] != ' ' && d[i-1] != '(' {
		return false
	}
	rest := d[i+3+len(unit):]
	return rest == "" || strings.ContainsAny(rest[:1], " ,.;)")
}

// bufferFlags names the flags of a buffer (FORMAT.md section 6.2).
var bufferFlags = [...]struct {
	bit  uint64
	name string
}{
	{16, "live"}, {32, "decode-only"}, {64, "discont"}, {128, "resync"}, {256, "corrupted"}, {512, "marker"}, {1024, "header"}, {2048, "gap"}, {4096, "droppable"},
	{8192, "delta-unit"}, {16384, "tag-memory"}, {32768, "sync-after"}, {65536, "non-droppable"},
}

// WordsOf returns how the numbers of a type are read; nil for as numbers.
func WordsOf(typ string) func(uint64) string {
	switch typ {
	case "GstBufferFlags":
		return func(u uint64) string {
			var parts []string
			for _, f := range bufferFlags {
				if u&f.bit != 0 {
					parts = append(parts, f.name)
					u &^= f.bit
				}
			}
			if u &^= 15; u != 0 { // the lowest four are internal
				parts = append(parts, "0x"+strconv.FormatUint(u, 16))
			}
			if len(parts) == 0 {
				return "none"
			}
			return strings.Join(parts, "+")
		}
	case "GstPadDirection":
		return oneOf("unknown", "src", "sink")
	case "GstState":
		return oneOf("void-pending", "null", "ready", "paused", "playing")
	}
	return nil
}

func oneOf(words ...string) func(uint64) string {
	return func(u uint64) string {
		if u < uint64(len(words)) {
			return words[u]
		}
		return strconv.FormatUint(u, 10)
	}
}

// IsText reports whether values of a kind are texts.
func IsText(k ValueKind) bool { return k == KindText || k == KindStructure }

// IsNamed reports whether a field is of one of the program's own types (an enumeration, flags), with names as
// values rather than amounts or free text.
func IsNamed(f *Field) bool {
	return f.Type != "" && f.Type[0] >= 'A' && f.Type[0] <= 'Z' && !f.Structure && f.Kind != KindStructure && !strings.HasPrefix(f.Type, "GstClockTime")
}
