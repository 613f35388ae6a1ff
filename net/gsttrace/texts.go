// Texts of a log are made fit for display and storage: valid, of bounded length, names on one line, one copy of
// repeated ones.

package gsttrace

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Limits of texts.
const (
	MaxName       = 256 // bytes of a name
	maxLabel      = 640 // bytes of a name made of several
	maxTraceText  = 32 << 10
	maxInternText = 8 << 20
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
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	return cmp.Or(s, "(no name)")
}

// Label cuts a name that was made of several.
func Label(s string) string {
	if len(s) > maxLabel {
		s, _ = Shorten([]byte(s), maxLabel)
	}
	return s
}

// Interner keeps one copy of texts that come again and again, as far as there is room.
type Interner struct {
	Room  *feed.Names // limits the kept texts
	table map[string]string
	bytes int
}

// Name is Name of text, one copy of each.
func (n *Interner) Name(text []byte) string { return n.copy(text, Name) }

// Trace is text as it is, valid and cut, one copy of each.
func (n *Interner) Trace(text []byte) string {
	return n.copy(text[:min(len(text), maxTraceText)], func(text []byte) string { return trace.Text(string(text)) })
}

func (n *Interner) copy(text []byte, shown func([]byte) string) string {
	if s, ok := n.table[string(text)]; ok {
		return s
	}
	s := shown(text)
	if size := 2*len(text) + 64; n.bytes+size <= maxInternText && n.Room.Take(int64(size)) {
		n.bytes += size
		model.Put(&n.table, string(text), s)
	}
	return s
}
