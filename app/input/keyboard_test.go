package input

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

func TestChords(t *testing.T) {
	for text, want := range map[string]Chord{
		"F": {Key: "f"}, "Ctrl+Shift+P": {Ctrl: true, Shift: true, Key: "p"},
		"Alt+Left": {Alt: true, Key: "left"}, "Ctrl++": {Ctrl: true, Key: "+"},
		"Ctrl+-": {Ctrl: true, Key: "-"}, "?": {Key: "?"}, "F11": {Key: "f11"},
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
	table := testkit.Must(NewCommand(list))(t)
	table.Run("b")
	table.Run("none")
	testkit.That(t, table.Strike(Chord{Key: "x"}) && !table.Strike(Chord{Key: "y"}) && done == "ba",
		"done was %q", done)
	k := table.Key("a")
	testkit.That(t, k == "Ctrl+←" && table.Key("b") == "", "the key of a is %q, that of b %q", k, table.Key("b"))
	for chord, want := range map[string]string{"Shift+Up": "Shift+↑", "PgUp": "PgUp", "Ctrl++": "Ctrl++", "Left": "←"} {
		testkit.Equal(t, Show(chord), want, "%s is shown as", chord)
	}
	list[1].Keys = []string{"X"}
	_, err := NewCommand(list)
	testkit.That(t, err != nil, "one key for two commands passed")
	list[1].Keys, list[1].ID = nil, "a"
	_, err = NewCommand(list)
	testkit.That(t, err != nil, "one ID for two commands passed")
}

// Keys that went down in one tick come in the order in which they wrote; what follows one of them
// is what was written after it.
func TestOrder(t *testing.T) {
	for _, c := range []struct{ struck, chars, want, after string }{
		{"I S V Shift+/ /", "/Visi", "shift+/ / v i s", "Visi"}, {"F I Ctrl+F", "", "ctrl+f f i", ""},
		{"Ctrl+I Ctrl+F Ctrl+S", "is", "ctrl+f i s", "is"}, {"1 G 2 enter", "g12", "g 1 2 enter", "12"},
		{"A F2", "a", "f2 a", "a"}, {"A enter", "a", "a enter", ""}, {"left right", "", "left right", ""},
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

// Whatever a tick tells, every press that it tells of is given to somebody, each in a tick of its own
// and followed by its release.
func TestPressesAreCounted(t *testing.T) {
	type tick struct{ down, pressed, released bool }
	var (
		none  = tick{}
		held  = tick{down: true}
		press = tick{true, true, false}
		let   = tick{false, false, true}
		both  = tick{true, true, true}
	)
	for what, c := range map[string]struct {
		ticks []tick
		want  string // P a press, R a release
	}{
		"a click":                             {[]tick{press, held, let, none}, "PR"},
		"a click within a tick":               {[]tick{both, none, none}, "PR"},
		"two presses within a tick":           {[]tick{both, held, let, none, none}, "PRPR"},
		"two presses, the second let go":      {[]tick{both, let, none, none, none}, "PRPR"},
		"let go and pressed within a tick":    {[]tick{press, both, held, let, none}, "PRPR"},
		"let go and clicked within a tick":    {[]tick{press, both, none, none, none}, "PRPR"},
		"a click within a tick after another": {[]tick{press, let, both, none, none}, "PRPR"},
		"clicks in each of three ticks":       {[]tick{both, both, both, none, none, none}, "PRPRPR"},
	} {
		var e edges
		var got strings.Builder
		was := false
		for _, k := range c.ticks {
			e.note(k.down, k.pressed, k.released)
			down, pressed, released := e.next()
			testkit.That(t, (!pressed || !released && down && !was) && (!released || !down && was) && (pressed || released ||
				down == was), "%s: down %v, pressed %v, released %v after %v", what, down, pressed, released, was)
			if was = down; pressed {
				got.WriteByte('P')
			} else if released {
				got.WriteByte('R')
			}
		}
		testkit.Equal(t, got.String(), c.want, "%s", what)
	}
}

// A key that is held repeats after a while. Where the machine does not keep up, so that many ticks see
// one state, a key that was struck once is struck once.
func TestHeldKeysRepeat(t *testing.T) {
	count := func(times ...int64) (n int) {
		var h held
		var c seenClock
		for i, now := range times {
			c.tick(now)
			if h.strikes(i == 0, false, c.stepNs) {
				n++
			}
		}
		return n
	}
	const ms = 1_000_000
	var smooth []int64
	for i := range int64(61) {
		smooth = append(smooth, 1e9+i*1000*ms/60)
	}
	testkit.Equal(t, count(smooth...), 1+13, "a key that is held for a second is struck … times")
	stalled := slices.Repeat([]int64{2e9}, 40) // all of one look, after a second without one
	stalled[0] = 1e9
	testkit.Equal(t, count(stalled...), 1, "a key that was held over one look is struck … times")
}

// On every keyboard layout the four keys of W A S D move the picture and run no command; the commands of the letters
// printed on them move to other keys.
func TestCommandsBesideMovingKeys(t *testing.T) {
	for moving, want := range map[string]string{
		"W A S D": "w a s d z q ,",
		"Z Q S D": "z q s d w a ,", // French
		", A O E": ", a o e z q w", // Dvorak
	} {
		got := strings.Fields("w a s d z q ,")
		for i, key := range got {
			got[i] = besidesMoving(key, moving)
			testkit.Equal(t, besidesMoving(got[i], moving), key, "%s and back", key)
		}
		testkit.Equal(t, strings.Join(got, " "), want, "with %s", moving)
	}
}
