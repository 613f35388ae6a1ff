package input

import (
	"fmt"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// Keys that went down in one tick come in the order in which they wrote; what follows one of them
// is what was written after it.
func TestOrder(t *testing.T) {
	for _, c := range []struct{ struck, chars, want, after string }{
		{"I S V Shift+/ /", "/Visi", "shift+/ / v i s", "Visi"},
		{"F I Ctrl+F", "", "ctrl+f f i", ""},
		{"Ctrl+I Ctrl+F Ctrl+S", "is", "ctrl+f i s", "is"},
		{"1 G 2 enter", "g12", "g 1 2 enter", "12"},
		{"A F2", "a", "f2 a", "a"},
		{"A enter", "a", "a enter", ""},
		{"left right", "", "left right", ""},
	} {
		k := Keyboard{Chars: []rune(c.chars)}
		for _, s := range strings.Fields(c.struck) {
			k.Chords = append(k.Chords, ParseChord(s))
		}
		order(k.Chords, k.Chars)
		var got []string
		for _, s := range k.Chords {
			name := s.Key
			if s.Shift {
				name = "shift+" + name
			}
			if s.Ctrl {
				name = "ctrl+" + name
			}
			got = append(got, name)
		}
		testkit.Equal(t, strings.Join(got, " "), c.want, "%s, which wrote %q,", c.struck, c.chars)
		all := fmt.Sprint(k.Chords[1:])
		if after := k.After(0); after != c.after || fmt.Sprint(k.Chords) != all {
			t.Errorf("%s, which wrote %q: %q follows with %v, want %q with %s", c.struck, c.chars, after, k.Chords, c.after, all)
		}
	}
}
