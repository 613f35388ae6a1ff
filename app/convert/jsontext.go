// This file writes JSON texts for streamed formats.

package convert

import (
	"strconv"
	"unicode/utf8"
)

// AppendMicros appends ns as µs, with all digits.
func AppendMicros(dst []byte, ns int64) []byte {
	u := uint64(ns)
	if ns < 0 {
		dst, u = append(dst, '-'), -u
	}
	dst = strconv.AppendUint(dst, u/1000, 10)
	if f := u % 1000; f != 0 {
		dst = append(dst, '.', byte('0'+f/100))
		if f %= 100; f != 0 {
			dst = append(dst, byte('0'+f/10))
			if f %= 10; f != 0 {
				dst = append(dst, byte('0'+f))
			}
		}
	}
	return dst
}

const hex = "0123456789abcdef"

// AppendString appends a text as a JSON string; invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[from:i]...), `\ufffd`...)
				from = i + 1
			}
			i += n
			continue
		}
		if c < ' ' || c == '"' || c == '\\' {
			dst = append(dst, s[from:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\n':
				dst = append(dst, `\n`...)
			case '\t':
				dst = append(dst, `\t`...)
			default:
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			from = i + 1
		}
		i++
	}
	return append(append(dst, s[from:]...), '"')
}
