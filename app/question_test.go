package app

import (
	"testing"

	"framescope/app/input"
	"framescope/app/library"
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

// While something is asked all keys are the question's, not those of the list that asked: Enter gives the
// safe answer, Esc none, and what deletes has to be chosen.
func TestKeysBelongToTheQuestion(t *testing.T) {
	g := keptGame(t, t.TempDir())
	play(t, g, "fragmented.pscap")
	diskUntil(t, g, "the session is listed", func(rows []widgets.DiskRow) bool {
		return len(rows) == 1 && rows[0].Frames == 60 && !rows[0].Live
	})
	g.ss.showDisk()
	list := g.desk.Find(paneDisk).Panel.(*widgets.Disk)
	g.desk.Update(&g.stage.env, &g.mouse, &g.keys, 0, false, g.nav.act)
	strike(g, "Down")
	if list.Chosen() == "" {
		t.Fatal("no session is chosen")
	}
	ask := func() {
		t.Helper()
		strike(g, "Delete")
		diskUntil(t, g, "the question", func([]widgets.DiskRow) bool { return g.ask.Menu() != nil })
	}
	for _, keys := range [][]string{{"Enter"}, {"Esc"}, {"Up", "Down", "Enter"}, {"Enter", "Enter"}} {
		ask()
		strike(g, "Delete", "F", "Ctrl+O") // are nobody's now
		if g.ask.Menu() == nil || g.ss.dialog {
			t.Fatal("a key went past the question")
		}
		strike(g, keys...)
		g.ss.poll()
		if g.ask.Menu() != nil || len(g.ss.store.Sessions()) != 1 || len(g.ss.library.Sessions()) != 1 {
			t.Fatalf("%q: the question is there: %v, %d sessions are open, %d on disk",
				keys, g.ask.Menu() != nil, len(g.ss.store.Sessions()), len(g.ss.library.Sessions()))
		}
	}
	ask()
	strike(g, "Up", "Enter")
	diskUntil(t, g, "it is deleted", func(rows []widgets.DiskRow) bool { return len(rows) == 0 && g.ask.Menu() == nil })
}

// A notice that something is not recorded goes when it is no longer so.
func TestNoticesThatAreOver(t *testing.T) {
	g := newTestGame(t, Options{Deterministic: true})
	g.ss.libraryTells(library.Notice{Text: "game is not recorded since frame 1", Problem: true})
	g.ss.libraryTells(library.Notice{Text: "game is recorded again", Over: "game is not recorded"})
	g.ss.poll()
	if n := g.ask.Notices.Shown(); len(n) != 1 || n[0].Text != "game is recorded again" {
		t.Errorf("told %+v", n)
	}
}
