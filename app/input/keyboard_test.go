package input

import (
	"fmt"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

func TestChords(t *testing.T) {
	for text, want := range map[string]Chord{
		"F":            {Key: "f"},
		"Ctrl+Shift+P": {Ctrl: true, Shift: true, Key: "p"},
		"Alt+Left":     {Alt: true, Key: "left"},
		"Ctrl++":       {Ctrl: true, Key: "+"},
		"Ctrl+-":       {Ctrl: true, Key: "-"},
		"?":            {Key: "?"},
		"F11":          {Key: "f11"},
	} {
		testkit.Equal(t, ParseChord(text), want, "%s", text)
	}
}

// A key that is down while text is written repeats there, and is dead from then on until it is let go.
func TestTypedKeysAreHeldByNobodyElse(t *testing.T) {
	for name, before := range map[string]bool{"pressed in the field": true, "held before": false} {
		var h held
		testkit.That(t, h.strikes(true, before, 0) && h.strikes(false, true, repeatAfterNs),
			"%s: it does not repeat while it writes", name)
		testkit.That(t, !h.strikes(false, false, repeatAfterNs) && h.typed,
			"%s: it goes on behind the field: %+v", name, h)
		testkit.That(t, h.strikes(true, false, 0) && !h.typed && h.strikes(false, false, repeatAfterNs),
			"%s: pressed anew it is dead: %+v", name, h)
	}
}

func TestTable(t *testing.T) {
	done := ""
	list := []Command{
		{ID: "a", Name: "Do A", Group: "G", Keys: []string{"Ctrl+Left", "X"}, Run: func() { done += "a" }},
		{ID: "b", Name: "Do B", Group: "G", Shy: true, Run: func() { done += "b" }},
	}
	table, err := NewCommand(list)
	testkit.NoErr(t, err)
	table.Run("b")
	table.Run("none")
	testkit.That(t, table.Strike(Chord{Key: "x"}) && !table.Strike(Chord{Key: "y"}) && done == "ba",
		"done was %q", done)
	if k := table.Key("a"); k != "Ctrl+←" || table.Key("b") != "" {
		t.Errorf("the key of a is %q, that of b %q", k, table.Key("b"))
	}
	for chord, want := range map[string]string{"Shift+Up": "Shift+↑", "PgUp": "PgUp", "Ctrl++": "Ctrl++", "Left": "←"} {
		testkit.Equal(t, Show(chord), want, "%s is shown as", chord)
	}
	list[1].Keys = []string{"X"}
	_, err = NewCommand(list)
	testkit.That(t, err != nil, "one key for two commands passed")
	list[1].Keys, list[1].ID = nil, "a"
	_, err = NewCommand(list)
	testkit.That(t, err != nil, "one ID for two commands passed")
}

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
