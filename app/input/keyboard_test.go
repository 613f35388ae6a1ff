package input

import "testing"

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
		if got := ParseChord(text); got != want {
			t.Errorf("%s is %+v, want %+v", text, got, want)
		}
	}
}
