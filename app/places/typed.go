package places

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseTime reads a time in seconds: "3.5s", "250ms", "1:02.5".
func ParseTime(s string) (float64, error) {
	scale := 1.0
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
			return 0, fmt.Errorf("%q is neither a frame number nor a time", s)
		}
		total = total*60 + v
	}
	return total * scale, nil
}

// PlainNumber takes away what people write into numbers.
func PlainNumber(text string) string {
	text = strings.TrimSpace(strings.ToLower(text))
	return strings.NewReplacer(" ", "", "\u00a0", "", "\u2009", "", "\u202f", "", "#", "").Replace(text)
}
