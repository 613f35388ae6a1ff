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
		if !h.strikes(true, before, 0) || !h.strikes(false, true, repeatAfterNs) {
			t.Errorf("%s: it does not repeat while it writes", name)
		}
		if h.strikes(false, false, repeatAfterNs) || !h.typed {
			t.Errorf("%s: it goes on behind the field: %+v", name, h)
		}
		if !h.strikes(true, false, 0) || h.typed || !h.strikes(false, false, repeatAfterNs) {
			t.Errorf("%s: pressed anew it is dead: %+v", name, h)
		}
	}
}
