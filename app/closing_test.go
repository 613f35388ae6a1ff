package app

import (
	"testing"

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
