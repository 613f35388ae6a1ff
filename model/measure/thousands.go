package measure

import (
	"strconv"
	"strings"
)

// GroupSpace separates groups of digits: U+202F, a narrow space at which no line ends.
const GroupSpace = "\u202f"

// AppendCount appends a whole number with such spaces between groups of three digits: "12 407".
// Four digits stay together.
func AppendCount(dst []byte, n int64) []byte {
	if n > -10_000 && n < 10_000 {
		if n < 0 {
			dst = append(dst, "−"...)
			n = -n
		}
		return strconv.AppendInt(dst, n, 10)
	}
	var buf [20]byte
	b := strconv.AppendInt(buf[:0], n, 10)
	if b[0] == '-' {
		dst = append(dst, "−"...)
		b = b[1:]
	}
	for i, c := range b {
		if i > 0 && (len(b)-i)%3 == 0 {
			dst = append(dst, GroupSpace...)
		}
		dst = append(dst, c)
	}
	return dst
}

// CountText is AppendCount as text.
func CountText(n int64) string { return string(AppendCount(nil, n)) }

// ParseCount reads a whole number, plain or as AppendCount writes it.
func ParseCount(text string) (int64, error) {
	return strconv.ParseInt(strings.NewReplacer(GroupSpace, "", "−", "-").Replace(text), 10, 64)
}
