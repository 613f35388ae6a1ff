package sessions

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseTime reads a time in seconds: "3.5s", "250ms", "1:02.5".
func ParseTime(s string) (float64, error) {
	scale, typed := 1.0, s
	switch {
	case strings.HasSuffix(s, "ms"):
		s, scale = strings.TrimSuffix(s, "ms"), 1e-3
	case strings.HasSuffix(s, "s"):
		s = strings.TrimSuffix(s, "s")
	}
	total := 0.0
	for part := range strings.SplitSeq(s, ":") {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || !(v >= 0 && v <= 1e9) { // NaN is neither
			return 0, fmt.Errorf("%q is neither a frame number nor a time", typed)
		}
		total = total*60 + v
	}
	return total * scale, nil
}

// CutRange cuts a plain text between the ends of a range: "100-900", "12.5s-14s", "12.5-14s", with the
// last unit for both.
func CutRange(plain string) (a, b string, ok bool) {
	a, b, ok = strings.Cut(strings.NewReplacer("–", "-", "—", "-", "..", "-", "…", "-").Replace(plain), "-")
	unit := strings.TrimLeft(b, "0123456789.:")
	if ok && (unit == "s" || unit == "ms") && strings.TrimLeft(a, "0123456789.:") == "" {
		a += unit
	}
	return a, b, ok && a != "" && b != ""
}

// PlainNumber removes blanks and # from a typed number.
func PlainNumber(text string) string {
	text = strings.TrimSpace(strings.ToLower(text))
	return strings.NewReplacer(" ", "", "\u00a0", "", "\u2009", "", "\u202f", "", "#", "").Replace(text)
}
