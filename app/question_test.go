package app

import (
	"testing"

	"framescope/app/input"
	"framescope/app/library"
	"framescope/internal/testkit"
	"framescope/widgets"
)

// strike strikes keys, as they come in one tick.
func strike(g *Game, keys ...string) {
	g.keys.Chords = g.keys.Chords[:0]
	for _, k := range keys {
		g.keys.Chords = append(g.keys.Chords, input.ParseChord(k))
	}
	g.handleKeys()
}

// While something is asked all keys are the question's, not those of the list that asked: Enter
// gives the safe answer, Esc none, and what deletes has to be chosen.
func TestKeysBelongToTheQuestion(t *testing.T) {
	g := keptGame(t, t.TempDir())
	g.settings.NoClips = true // what is told of them comes when it is ready
	play(t, g, "fragmented.pscap")
	onDisk := func(what string, ok func(rows []widgets.DiskRow) bool) {
		t.Helper()
		pollUntil(t, g, what, func([]widgets.SessionRow) bool {
			g.commands.Run("disk") // looks again
			rows, _ := g.ss.OnDisk()
			return ok(rows)
		})
	}
	onDisk("the session is listed", func(rows []widgets.DiskRow) bool {
		return len(rows) == 1 && rows[0].Frames > 0 && !rows[0].Live // datagrams may be lost
	})
	list := g.desk.Find("disk").Panel.(*widgets.Disk)
	g.desk.Update(&g.stage.env, &g.mouse, &g.keys, 0, false, g.nav.act)
	strike(g, "Down")
	testkit.MustThat(t, list.Chosen() != "", "no session is chosen")
	ask := func() {
		t.Helper()
		strike(g, "Delete")
		pollUntil(t, g, "the question", func([]widgets.SessionRow) bool { return g.ask.Menu() != nil })
	}
	kept := library.Open(library.Options{Dir: library.DefaultDir(), Limit: 1 << 30})
	for _, keys := range [][]string{{"Enter"}, {"Esc"}, {"Up", "Down", "Enter"}, {"Enter", "Enter"}} {
		ask()
		question := g.ask.Menu()
		strike(g, "Delete", "F", "Ctrl+,", "Ctrl+O") // are nobody's now
		testkit.MustThat(t, g.ask.Menu() == question && len(g.ask.Notices.Shown()) == 0,
			"a key went past the question: %v, %+v", g.ask.Menu() != question, g.ask.Notices.Shown())
		strike(g, keys...)
		takeIn(g)
		if g.ask.Menu() != nil || len(g.ss.Sessions()) != 1 || len(kept.Sessions()) != 1 {
			t.Fatalf("%q: the question is there: %v, %d sessions are open, %d on disk",
				keys, g.ask.Menu() != nil, len(g.ss.Sessions()), len(kept.Sessions()))
		}
	}
	ask()
	strike(g, "Up", "Enter")
	onDisk("it is deleted", func(rows []widgets.DiskRow) bool { return len(rows) == 0 && g.ask.Menu() == nil })
}
