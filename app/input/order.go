package input

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What the system tells of a tick is which keys went down, and what was written, but not which came
// first. On a busy machine there are several of each, and those that follow the key that opens a
// field belong to that field. What was written has an order, and so have the keys that wrote it:
// before them come keys with Ctrl or Alt, which open fields, and after them the others, which end
// what was written.

// order puts what was struck in the order in which it was struck, as far as what was written tells
// it. A sign that was written was so without Ctrl, however long that was held in the tick.
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

// rank is 0 of what comes before what was written, 1 of what wrote it, and 2 of the rest.
func (c Chord) rank(chars []rune) int {
	switch {
	case c.written(chars) >= 0:
		return 1
	case c.Ctrl || c.Alt || len(c.Key) > 1 && strings.HasPrefix(c.Key, "f"):
		return 0
	}
	return 2
}

// After forgets what was struck in this tick up to a chord and with it, and returns what was written
// after it.
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
