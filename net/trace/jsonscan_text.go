package trace

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxText is how much of a name or of a message is kept, in bytes.
const MaxText = 4 << 10

// JSONText returns the text of a string of the file, with its escapes decoded. Invalid UTF-8
// becomes U+FFFD, and so does half of a surrogate pair.
func JSONText(raw []byte) string {
	cut := len(raw) > MaxText
	if cut {
		raw = raw[:MaxText]
		for len(raw) > 0 && !utf8.RuneStart(raw[len(raw)-1]) {
			raw = raw[:len(raw)-1]
		}
		raw = raw[:max(len(raw)-1, 0)]
	}
	s := string(raw)
	if bytes.IndexByte(raw, '\\') >= 0 {
		s = unescape(raw)
	}
	s = strings.ToValidUTF8(s, "�")
	if cut {
		s += "…"
	}
	return s
}

// Control returns where the first control character stands in a text of the file that no writer means,
// -1 if there is none: what JSON wants escaped, but for the tabs and ends of lines that writers leave as
// they are. Such a text was overwritten.
func Control(raw []byte) int {
	i := 0
	for ; i+8 <= len(raw); i += 8 { // eight bytes at once: those below ' ' borrow their highest bit
		if v := binary.LittleEndian.Uint64(raw[i:]); (v-0x2020202020202020)&^v&0x8080808080808080 != 0 {
			break
		}
	}
	for ; i < len(raw); i++ {
		if IsControl(raw[i]) {
			return i
		}
	}
	return -1
}

// IsControl reports whether a byte is a control character, other than a tab or an end of a line.
func IsControl(c byte) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' }

func unescape(raw []byte) string {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c != '\\' || i+1 >= len(raw) {
			out = append(out, c)
			continue
		}
		i++
		switch c = raw[i]; c {
		case 'b', 'f', 'n', 'r', 't':
			out = append(out, "\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
		case 'u':
			r, ok := hex4(raw[i+1:])
			if !ok {
				out = append(out, `\u`...)
				continue
			}
			i += 4
			if utf16.IsSurrogate(r) {
				low, ok := rune(0), false
				if i+2 < len(raw) && raw[i+1] == '\\' && raw[i+2] == 'u' {
					low, ok = hex4(raw[i+3:])
				}
				if both := utf16.DecodeRune(r, low); ok && both != utf8.RuneError {
					r = both
					i += 6
				} else {
					r = utf8.RuneError
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	v, err := strconv.ParseUint(string(b[:4]), 16, 16)
	return rune(v), err == nil
}
