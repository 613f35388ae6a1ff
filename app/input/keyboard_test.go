package input

import (
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
