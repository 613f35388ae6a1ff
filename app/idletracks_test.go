package app

import (
	"slices"
	"strings"
	"testing"

	"framescope/app/input"
	"framescope/charts/timeline"
	"framescope/model"
)

// Idle tracks are hidden by one command, which is found by whatever people call tracks, idleness and
// hiding; Ctrl+Z shows them again, and so do the other ways.
func TestIdleTracksAreHidden(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	s, look := g.View().Session(), g.View().Look()
	spare := model.TrackID(s.NumTracks())
	s.Apply(model.TrackDef{ID: spare, Name: "Spare"})
	shown := func() bool { return slices.Contains(look.VisibleTracks(), spare) }
	takeIn(g)
	for _, text := range []string{
		"hide idle tracks", "hide idle threads", "idle", "hide thread", "remove empty rows", "inactive threads", "hide track", "hide tracks",
	} {
		p, found := lookUp(g, false, text), false
		for range p.Hits() {
			found = found || p.Chosen().Name == timeline.HideIdle
			p.Move(1)
		}
		if !found {
			t.Errorf("“%s” does not find what hides idle tracks", text)
		}
	}
	key := func(k string) {
		t.Helper()
		takeIn(g)
		if !g.commands.Strike(input.ParseChord(k)) {
			t.Fatalf("%s is no key", k)
		}
	}
	lookUp(g, false, "hide idle tracks").Enter()
	if shown() {
		t.Fatal("the idle track is shown")
	}
	if said := g.ask.Notices.Shown(); len(said) == 0 || !strings.Contains(said[len(said)-1].Text, "hidden: Ctrl+Z") {
		t.Errorf("it says %v", said)
	}
	key("Ctrl+Z")
	if !shown() {
		t.Error("Ctrl+Z does not undo it")
	}
	key("Ctrl+Y")
	if shown() {
		t.Error("Ctrl+Y does not do it again")
	}
	for _, text := range []string{"show idle threads", "show all tracks", "unhide threads"} {
		look.HideIdle(true)
		p := lookUp(g, false, text)
		if p.Enter(); !shown() {
			t.Errorf("“%s” does “%s”", text, p.Chosen().Name)
		}
	}
}
