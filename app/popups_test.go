package app

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"framescope/app/input"
	"framescope/app/library"
	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/widgets"
)

// popupSizes are windows that people have, in physical pixels.
var popupSizes = [][2]int{{800, 600}, {1024, 768}, {1280, 720}, {1280, 800}, {1920, 1080}, {2560, 1440}}

// TestAllOfPopupsIsReachable: whatever a menu, a list or the help offers can be seen whole, where need
// be after scrolling, in small windows, too.
func TestAllOfPopupsIsReachable(t *testing.T) {
	inOneGoroutine(t)
	g := openedGame(t, "nested.pstats")
	items := func(list []widgets.MenuItem) (names []string) {
		for _, it := range list {
			if it.Label != "" {
				names = append(names, it.Label)
			}
		}
		return names
	}
	menu := func() []string { return items(g.ask.Menu().Items) }
	popups := map[string]func() []string{
		"settings": func() (names []string) {
			g.settingsPage().open()
			for _, s := range g.settingsPage().all() {
				names = append(names, s.Section, s.Name)
				for _, v := range s.Values {
					names = append(names, v.Label)
				}
			}
			return names
		},
		"a menu of many": func() []string {
			m := &widgets.Menu{Name: "Many"}
			for i := range 60 {
				m.Items = append(m.Items, widgets.MenuItem{Label: fmt.Sprintf("item %d.", i), Line: i%7 == 0})
			}
			g.ask.OpenMenu(m, 100, 100)
			return menu()
		},
		"commands": func() (names []string) {
			g.find.commands()
			for _, it := range g.ask.Dialog().Items {
				names = append(names, it.Name)
			}
			return names
		},
		"a question": func() (names []string) {
			p := &widgets.Palette{Name: "Which?", Answer: func(string) string { return "" }}
			for i := range 30 {
				name := fmt.Sprintf("answer %d.", i)
				names = append(names, name)
				p.Items = append(p.Items, widgets.PaletteItem{Name: name, Run: func() {}})
			}
			g.ask.Ask(p, 480)
			return names
		},
		"help": func() (names []string) {
			g.openHelp()
			for _, group := range g.help.Groups {
				for _, r := range group.Rows {
					names = append(names, r.Key)
				}
			}
			return names
		},
	}
	for _, scale := range []float64{1, 2, 1.5}[:testkit.Rounds(2, 3)] {
		for _, size := range popupSizes {
			g.settings.Scale = scale
			g.stage.width, g.stage.height = size[0], size[1]
			for range 3 {
				testkit.NoErr(t, g.tickAt(-1, -1))
			}
			for name, open := range popups {
				t.Run(fmt.Sprintf("%s %v %v", name, size, scale), func(t *testing.T) {
					wanted := open()
					reach(t, g, wanted)
					g.ask.CloseMenu()
					g.desk.Close(paneSettings)
					if d := g.ask.Dialog(); d != nil {
						d.Close()
					}
					g.help.open = false
					g.help.Close()
				})
			}
		}
	}
}

// reach scrolls through what lies above all and complains of texts that are never seen whole.
func reach(t *testing.T, g *Game, wanted []string) {
	t.Helper()
	missing := map[string]bool{}
	for _, name := range wanted {
		missing[name] = true
	}
	window := g.stage.window()
	for range 400 {
		if len(missing) == 0 {
			return
		}
		g.mouse.WheelY = 0
		testkit.NoErr(t, g.tickAt(-1, -1))
		g.lists(func(l *draw.List) {
			if l == nil || len(l.Texts()) == 0 {
				return
			}
			for _, x := range l.Texts() {
				if seen := x.Box.Intersect(x.Clip).Intersect(window); seen.H() < x.Box.H()-1 {
					continue
				}
				delete(missing, x.Text)
				if whole := strings.TrimRight(x.Text, "…"); len(whole) > 12 && whole != x.Text {
					maps.DeleteFunc(missing, func(name string, _ bool) bool { return strings.HasPrefix(name, whole) })
				}
			}
		})
		scrollPopup(t, g)
	}
	for name := range missing {
		t.Errorf("%q is never seen", name)
	}
}

// scrollPopup turns the wheel by a notch over what lies above all.
func scrollPopup(t *testing.T, g *Game) {
	t.Helper()
	x, y := float32(g.stage.width)/2, float32(g.stage.height)/2
	if m := g.ask.Menu(); m != nil {
		c := m.List().Clip()
		x, y = (c.X0+c.X1)/2, (c.Y0+c.Y1)/2
	} else if t := g.desk.Find(paneSettings); t != nil {
		c := t.Panel.List().Clip()
		x, y = (c.X0+c.X1)/2, (c.Y0+c.Y1)/2
	} else if d := g.ask.Dialog(); d != nil {
		c := d.List().Clip()
		x, y = (c.X0+c.X1)/2, c.Y1-9
	}
	g.mouse.WheelY = -1
	if g.help.open {
		g.help.Scroll(&g.stage.env, &panel.Input{X: x, Y: y, WheelY: -2, Over: true}) // it is high
		return
	}
	testkit.NoErr(t, g.tickAt(x, y))
}

// A menu that is open when the scale or the window changes lies as if it was opened then.
func TestOpenMenusFollowTheScale(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	tick := func() draw.Rect {
		for range 3 {
			testkit.NoErr(t, g.tickAt(-1, -1))
		}
		return g.ask.Menu().List().Clip()
	}
	open := func() {
		m := &widgets.Menu{Name: "Many"}
		for i := range 12 {
			m.Items = append(m.Items, widgets.MenuItem{Label: fmt.Sprintf("item %d.", i)})
		}
		g.ask.OpenMenu(m, 1<<20, 0)
	}
	g.stage.width, g.stage.height, g.settings.Scale = 1280, 720, 1
	open()
	before := tick()
	g.settings.Scale = 2
	g.stage.width = 1100
	larger := tick()
	open()
	if fresh := tick(); larger != fresh || larger == before {
		t.Errorf("a menu at %v lies at %v; opened now it lies at %v", before, larger, fresh)
	}
}

// Every control says in a tooltip what it is for, and those with a key which it is: in the tool
// bar, with a session and without, the tabs, and the tools of their panels.
func TestEveryControlHasATooltip(t *testing.T) {
	seen := 0
	for _, g := range []*Game{newTestGame(t, sessions.Options{}), openedGame(t, "nested.pstats")} {
		g.stage.width, g.stage.height = 1920, 1080
		takeIn(g)
		g.placeBar(draw.Rect{X1: 1920, Y1: ToolbarHeight})
		g.mouse.Inside = true
		for _, it := range g.bars.top.Items() {
			seen++
			g.mouse.X, g.mouse.Y = (it.Rect.X0+it.Rect.X1)/2, (it.Rect.Y0+it.Rect.Y1)/2
			hit, ok := g.bars.top.HitTest()
			said := strings.Join(hit.Lines, "\n")
			testkit.That(t, ok && it.Tip != "" && strings.Contains(said, strings.Split(it.Tip, "\n")[0]),
				"%s %q has no tooltip, but %q", it.ID, it.Label, said)
			if key := g.commands.Key(it.Command); key != "" && !strings.Contains(said, "("+key+")") {
				t.Errorf("the tooltip of %s, %q, does not name its key %s", it.ID, said, key)
			}
		}
		g.desk.Each(func(tab *workspace.Tab) {
			testkit.That(t, tab.ID == "frames" || tab.Tip != "", "the tab %s has no tooltip", tab.ID)
			tooled, ok := tab.Panel.(panel.Tooled)
			if !ok {
				return
			}
			for _, tool := range tooled.Tools(&g.stage.env) {
				seen++
				testkit.That(t, tool.Tip != "", "the tool %q of %s has no tooltip", tool.Label, tab.ID)
			}
		})
	}
	testkit.That(t, seen >= 30, "only %d controls were looked at", seen)
}

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
	list := g.desk.Find("disk").Panel.(*widgets.FileList[widgets.DiskRow])
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
		pollUntil(t, g, strings.Join(keys, " ")+" is answered, the session is there", func(rows []widgets.SessionRow) bool {
			return g.ask.Menu() == nil && len(rows) == 1 && len(kept.Sessions()) == 1
		})
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

// TestNoTooltipOverADialog: a thing with a tooltip has none, and is not under the mouse, while a dialog is
// open, which no tooltip covers. The status line says what it says.
func TestNoTooltipOverADialog(t *testing.T) {
	inOneGoroutine(t)
	g := openedGame(t, "nested.pstats")
	g.stage.width, g.stage.height = 1280, 720
	p := photographer{g: g}
	testkit.NoErr(t, p.waitForRest())
	found := 0
	for y := float32(150); y < 700; y += 23 {
		for x := float32(60); x < 1270; x += 151 {
			testkit.NoErr(t, g.tickAt(x, y))
			if g.bars.tipped == nil {
				continue
			}
			found++
			testkit.Equal(t, g.bars.status.first, g.under.hit.Lines[0], "at %v, %v the status line and the tooltip", x, y)
			g.nav.askFrame()
			testkit.NoErr(t, g.tickAt(x, y))
			testkit.That(t, g.bars.tipped == nil && len(g.under.hit.Lines) == 0, "at %v, %v: %q", x, y, g.under.hit.Lines)
			g.ask.Dialog().Close()
			testkit.NoErr(t, g.tickAt(x, y))
			testkit.That(t, g.bars.tipped != nil, "at %v, %v the tooltip does not come back", x, y)
		}
	}
	testkit.That(t, found >= 10, "%d tooltips", found)
}
