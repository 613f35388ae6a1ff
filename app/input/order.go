package input

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The system reports the keys that went down in a tick, and the text, but not their sequence. On a busy
// machine there are several of each, and keys after the one that opens a field belong to that field.
// Text has an order, and so have the keys that wrote it: before them come keys with Ctrl or Alt, which
// open fields, and after them the others, which end the text.

// order sorts chords by time, as far as the text reveals it. A written sign had no Ctrl, even if Ctrl
// was held in the tick.
func order(chords []Chord, chars []rune) {
	for i := range chords {
		if c := &chords[i]; c.written(chars) >= 0 {
			c.Ctrl, c.Alt = false, false
		}
	}
	slices.SortStableFunc(chords, func(a, b Chord) int {
		return cmp.Or(cmp.Compare(a.rank(chars), b.rank(chars)), cmp.Compare(a.written(chars), b.written(chars)))
	})
}

// written returns which of the signs that were written the key wrote first, -1: none.
func (c Chord) written(chars []rune) int {
	r, n := utf8.DecodeRuneInString(c.Key)
	if c.Key == "space" {
		r, n = ' ', len(c.Key)
	}
	if r == utf8.RuneError || n != len(c.Key) {
		return -1
	}
	return slices.IndexFunc(chars, func(w rune) bool { return unicode.ToLower(w) == r })
}

// rank is 0 for keys before the text, 1 for keys that wrote it, and 2 for the rest.
func (c Chord) rank(chars []rune) int {
	switch {
	case c.written(chars) >= 0:
		return 1
	case c.Ctrl || c.Alt || len(c.Key) > 1 && strings.HasPrefix(c.Key, "f"):
		return 0
	}
	return 2
}

// After forgets the keys of this tick up to and including a chord, and returns the text after it.
func (k *Keyboard) After(chord int) (text string) {
	c := k.Chords[chord]
	k.Chords = append(k.Chords[:0], k.Chords[chord+1:]...)
	switch c.rank(k.Chars) {
	case 1:
		k.Chars = append(k.Chars[:0], k.Chars[c.written(k.Chars)+1:]...)
	case 2:
		k.Chars = k.Chars[:0]
	}
	return string(k.Chars)
}
