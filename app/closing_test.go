package app

import (
	"os"
	"syscall"
	"testing"
	"time"

	"framescope/app/input"
	"framescope/app/library"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/widgets"
)

// pressAt presses and releases the left button at a place, a tick each.
func pressAt(t *testing.T, g *Game, x, y float32) {
	t.Helper()
	turn(t, g, x, y)
	for _, b := range []panel.Button{{Pressed: true, Down: true, DownX: x, DownY: y}, {Released: true, DownX: x, DownY: y}, {}} {
		g.mouse.Buttons[0] = b
		turn(t, g, x, y)
	}
}

// A click that closes something (the help, a menu, a dialog) does nothing else: what lies there is not
// clicked. One that closes the list under the search field does what it would do without.
func TestClosingClickDoesNothingElse(t *testing.T) {
	g := tradeGame(t, 0, 1920, 1080)
	var at draw.Rect
	g.desk.EachInSight(func(tab *workspace.Tab, r draw.Rect) {
		if tab.ID == "timeline" {
			at = r
		}
	})
	x, y := at.X0+at.W()*0.6, at.Y0+90
	for name, c := range map[string]struct {
		open   func()
		isOpen func() bool
	}{
		"help":   {g.openHelp, func() bool { return g.help.open }},
		"menu":   {func() { g.ask.OpenMenu(&widgets.Menu{Items: []widgets.MenuItem{{Label: "x"}}}, 100, 300) }, func() bool { return g.ask.Menu() != nil }},
		"dialog": {g.nav.askFrame, func() bool { return g.ask.Dialog() != nil }},
		"search": {g.find.open, func() bool { return g.ask.Dialog() != nil }},
	} {
		g.View().Unselect()
		rest(t, g, x, y)
		before := g.View().Choice()
		playhead := g.View().Playhead()
		c.open()
		testkit.MustThat(t, c.isOpen(), "%s: it is not open", name)
		turn(t, g, x, y)
		pressAt(t, g, x, y)
		testkit.That(t, !c.isOpen(), "%s: a click elsewhere does not close it", name)
		testkit.Equal(t, g.View().Choice() != before || g.View().Playhead() != playhead, name == "search",
			"%s: the click that closes it reaches the timeline", name)
		if name == "search" {
			continue
		}
		if pressAt(t, g, x, y); g.View().Choice() == before && g.View().Playhead() == playhead {
			t.Errorf("%s: the next click does nothing", name)
		}
	}
}

// A press in the search field puts the cursor there, while its list is open, too, and a double click
// selects a word.
func TestSearchFieldTakesTheMouse(t *testing.T) {
	g := tradeGame(t, 0, 1920, 1080)
	g.find.open()
	g.find.field.SetText("render scene")
	rest(t, g, -1, -1)
	r := g.find.rect
	x, y := r.X0+12, (r.Y0+r.Y1)/2
	press := func(double bool) {
		for _, b := range []panel.Button{{Pressed: true, Down: true, DownX: x, DownY: y}, {}} {
			g.mouse.Buttons[0], g.mouse.DoubleClick = b, double && b.Pressed
			g.mouse.X, g.mouse.Y = x, y
			g.find.point(g.pointer())
			turn(t, g, x, y)
		}
	}
	press(false)
	testkit.MustThat(t, g.ask.Dialog() != nil, "a press in the field closes its list")
	testkit.Equal(t, g.find.field.Selected(), "", "pressed, is selected")
	press(true)
	testkit.That(t, g.find.field.Selected() == "render", "a double click selects %q", g.find.field.Selected())
}

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

// Signals that follow the first at once are ignored; a later one counts, and none does when all is done.
func TestAgain(t *testing.T) {
	got, grace, done := make(chan os.Signal), make(chan time.Time), make(chan struct{})
	result := make(chan os.Signal, 1)
	go func() { result <- again(got, grace, done) }()
	for range 4 {
		got <- os.Interrupt // taken, or this would wait for ever
	}
	select {
	case sig := <-result:
		t.Fatalf("%v ended it within the grace", sig)
	default:
	}
	grace <- time.Time{}
	got <- syscall.SIGTERM
	sig := <-result
	testkit.That(t, sig == syscall.SIGTERM && status(sig) == 143, "got %v", sig)
	close(done)
	sig = again(got, grace, done)
	testkit.That(t, sig == nil, "%v, when all was done", sig)
}
