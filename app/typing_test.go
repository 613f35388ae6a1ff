package app

import (
	"testing"

	"framescope/app/input"
	"framescope/internal/testkit"
)

// What is written in the tick in which a key opens a field belongs to the field, and is no command:
// the search, a question, and the help.
func TestFieldsTakeWhatFollowsTheirKey(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	strikes := func(text string, chords ...string) string {
		g.keys.Chords, g.keys.Chars = g.keys.Chords[:0], []rune(text)
		for _, c := range chords {
			g.keys.Chords = append(g.keys.Chords, input.ParseChord(c))
		}
		g.handleKeys()
		f := g.typedInto()
		testkit.MustThat(t, f != nil, "%q: no field has the keyboard", text)
		return f.Text()
	}
	before, tips := g.View().Stamp(), g.settings.Tooltips
	for _, c := range []struct {
		text, want string
		chords     []string
	}{
		{"/Titi", "Titi", []string{"/", "T", "I"}},
		{"Titi", "Titi", []string{"Ctrl+F", "T", "I"}},
		{"g12", "12", []string{"G", "1", "2"}},
		{"?tip", "tip", []string{"?", "T", "I", "P"}},
	} {
		testkit.Equal(t, strikes(c.text, c.chords...), c.want, "%q: the field has", c.text)
		now := g.View().Stamp()
		testkit.That(t, now == before && g.settings.Tooltips == tips, "%q: a letter was a command", c.text)
		if g.help.open {
			g.help.close()
		} else {
			g.typedInto().SetText("")
			g.ask.Dialog().Close()
		}
	}
}
