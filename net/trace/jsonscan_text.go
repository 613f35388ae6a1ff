package trace

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"
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
	s := strings.ToValidUTF8(string(raw), "�")
	if bytes.IndexByte(raw, '\\') >= 0 {
		_ = json.Unmarshal([]byte(`"`+escaped.Replace(s)+`"`), &s) // invalid JSON leaves the text as it is
	}
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

// escaped escapes the control characters that writers leave as they are.
var escaped = strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`)
