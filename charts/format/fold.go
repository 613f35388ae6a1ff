package format

import (
	"cmp"
	"strings"
)

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
