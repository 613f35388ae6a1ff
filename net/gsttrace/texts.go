// Texts of a log are made fit for display and storage: valid, of bounded length, names on one line, one copy of
// repeated ones.

package gsttrace

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"framescope/net/trace"
)

// Limits of texts.
const (
	MaxName      = 256 // bytes of a name
	maxLabel     = 640 // bytes of a name made of several
	maxTraceText = 32 << 10
)

// Cut returns at most limit bytes of text as valid UTF-8, and whether something was left off.
func Cut(text []byte, limit int) (s string, short bool) {
	if len(text) > limit {
		k := limit
		for k > limit-utf8.UTFMax && k > 0 && !utf8.RuneStart(text[k]) {
			k--
		}
		text, short = text[:k], true
	}
	return trace.Text(string(text)), short
}

// Shorten is Cut with an ellipsis where something was left off.
func Shorten(text []byte, limit int) (s string, short bool) {
	if s, short = Cut(text, limit); short {
		s += "…"
	}
	return s, short
}

// Name returns text as a name: on one line, not too long, and not empty.
func Name(text []byte) string {
	s, _ := Shorten(text, MaxName)
	return oneLine(s)
}

func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	return cmp.Or(s, "(no name)")
}

// name is Name of a text that comes again and again.
func (m *mapper) name(text []byte) string {
	if len(text) > MaxName {
		return Name(text)
	}
	return oneLine(m.texts.Of(text))
}

// Label cuts a name that was made of several.
func Label(s string) string {
	if len(s) > maxLabel {
		s, _ = Shorten([]byte(s), maxLabel)
	}
	return s
}
