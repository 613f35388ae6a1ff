package app

import (
	"fmt"
	"strings"
	"testing"

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
		"settings": func() []string {
			g.settingsMenu().open()
			return menu()
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
			g.ask.Ask(p, 480, 100+24*30)
			return names
		},
		"help": func() (names []string) {
			g.openHelp()
			if g.stage.width/int(g.stage.env.Scale) > 900 { // elsewhere a search leads to the rest
				return nil
			}
			for _, group := range g.help.Groups {
				names = append(names, group.Title)
			}
			return names
		},
	}
	for _, scale := range []float64{1, 1.5, 2} {
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
				for name := range missing {
					whole := strings.TrimRight(x.Text, "…")
					if x.Text == name || len(whole) > 12 && whole != x.Text && strings.HasPrefix(name, whole) {
						delete(missing, name)
					}
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
	} else if d := g.ask.Dialog(); d != nil {
		c := d.List().Clip()
		x, y = (c.X0+c.X1)/2, c.Y1-9
	}
	g.mouse.WheelY = -1
	if g.help.open {
		g.help.Scroll(&g.stage.env, &panel.Input{X: x, Y: y, WheelY: -1, Over: true})
		return
	}
	testkit.NoErr(t, g.tickAt(x, y))
}

// A menu that is open when the scale or the window changes lies as if it was opened then.
func TestOpenMenusFollowTheScale(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	tick := func() (rect draw.Rect, labels string) {
		for range 3 {
			testkit.NoErr(t, g.tickAt(-1, -1))
		}
		for _, it := range g.ask.Menu().Items {
			labels += it.Label + "\n"
		}
		return g.ask.Menu().List().Clip(), labels
	}
	g.stage.width, g.stage.height, g.settings.Scale = 1280, 720, 1
	g.settingsMenu().open()
	before, _ := tick()
	g.settings.Scale = 2
	g.stage.width = 1100
	larger, said := tick()
	g.settingsMenu().open()
	if fresh, items := tick(); larger != fresh || said != items || larger == before {
		t.Errorf("a menu at %v lies at %v and says %q; opened now it lies at %v", before, larger, said, fresh)
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
