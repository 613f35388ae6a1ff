package chrometrace

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mostText is how much of a name or of a message is kept, in bytes.
const mostText = 4 << 10

// textOf returns the text of a string of the file, with what its escapes stand for. What is no UTF-8
// becomes U+FFFD, and so does half of a surrogate pair.
func textOf(raw []byte) string {
	cut := len(raw) > mostText
	if cut {
		raw = raw[:mostText]
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

// members calls use for each key of an object, with its value as an event has them.
func members(object []byte, use func(key, value []byte)) {
	if len(object) == 0 || object[0] != '{' {
		return
	}
	var ev event
	for i := 1; i < len(object); {
		c := object[i]
		if c <= ' ' || c == ',' {
			i++
			continue
		}
		to := -1
		if c == '"' {
			to = endOfString(object, i+1)
		}
		if to < 0 {
			return
		}
		key := object[i+1 : to]
		for i = to + 1; i < len(object) && (object[i] <= ' ' || object[i] == ':'); i++ {
		}
		if i >= len(object) {
			return
		}
		v, after, got := ev.value(object, i)
		if got != whole {
			return
		}
		use(key, v)
		i = after
	}
}

// member returns the value of a key of an object, nil if there is none.
func member(object []byte, key string) (v []byte) {
	members(object, func(k, value []byte) {
		if string(k) == key {
			v = value
		}
	})
	return v
}
