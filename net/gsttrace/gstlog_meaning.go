package gsttrace

import (
	"cmp"
	"strconv"
	"strings"
)

// units are the words for units in descriptions, and what values are multiplied by to get to the unit that is shown.
var units = []struct {
	word, unit string
	factor     float64
}{
	{"‰", "%", 0.1}, {"ns", "ns", 1}, {"nanoseconds", "ns", 1}, {"us", "ns", 1e3}, {"µs", "ns", 1e3},
	{"microseconds", "ns", 1e3}, {"ms", "ns", 1e6}, {"milliseconds", "ns", 1e6}, {"in s", "ns", 1e9},
	{"in seconds", "ns", 1e9}, {"bytes", "B", 1}, {"%", "%", 1}, {"percent", "%", 1},
}

// UnitOf finds the unit in a field's description, where alone it is hinted at (FORMAT.md section
// 5), and what values are multiplied by to get to it.
func UnitOf(f *Field) (unit string, factor float64) {
	d := f.Description
	for _, u := range units {
		if strings.HasSuffix(d, " "+u.word) || hasWord(d, "in "+u.word) ||
			u.unit == "%" && strings.Contains(d, u.word) {
			return u.unit, u.factor
		}
	}
	if f.Type == "clock-time" || f.Type == "GstClockTime" {
		return "ns", 1
	}
	return "", 1
}

// hasWord reports whether words stand in a text, as such.
func hasWord(d, words string) bool {
	before, after, ok := strings.Cut(d, words)
	return ok && (before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "(")) &&
		(after == "" || strings.ContainsAny(after[:1], " ,.;)"))
}

// AboutOf is a field's description without the unit at its end ("… from src to sink ns"): values
// have theirs beside them.
func AboutOf(f *Field) string {
	d := f.Description
	for _, u := range units {
		about, ok := strings.CutSuffix(d, " "+strings.TrimPrefix(u.word, "in "))
		if ok && about != "" && u.unit != "B" {
			return strings.TrimRight(strings.TrimSuffix(about, " in"), " ,")
		}
	}
	return d
}

// bufferFlags names the flags of a buffer (FORMAT.md section 6.2).
var bufferFlags = [...]struct {
	bit  uint64
	name string
}{
	{16, "live"}, {32, "decode-only"}, {64, "discont"}, {128, "resync"}, {256, "corrupted"}, {512, "marker"},
	{1024, "header"}, {2048, "gap"}, {4096, "droppable"},
	{8192, "delta-unit"}, {16384, "tag-memory"}, {32768, "sync-after"}, {65536, "non-droppable"},
}

// enumWords are the names of the numbers of enumerations.
var enumWords = map[string][]string{
	"GstPadDirection": {"unknown", "src", "sink"},
	"GstState":        {"void-pending", "null", "ready", "paused", "playing"},
}

// WordOf returns how a number of a type is read; false for as it is.
func WordOf(typ string, u uint64) (word string, ok bool) {
	if words := enumWords[typ]; u < uint64(len(words)) {
		return words[u], true
	}
	if typ != "GstBufferFlags" {
		return "", false
	}
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
	return cmp.Or(strings.Join(parts, "+"), "none"), true
}

// IsText reports whether values of a kind are texts.
func IsText(k ValueKind) bool { return k == KindText || k == KindStructure }

// IsNamed reports whether a field is of one of the program's own types (an enumeration, flags), with names as
// values rather than amounts or free text.
func IsNamed(f *Field) bool {
	return f.Type != "" && f.Type[0] >= 'A' && f.Type[0] <= 'Z' && !f.Structure && f.Kind != KindStructure &&
		!strings.HasPrefix(f.Type, "GstClockTime")
}
