package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/app/input"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
)

// TestHelp: whatever the size of the window, the help is whole: nothing of it is cut or lies over
// another part, and what has no room is found by its words.
func TestHelp(t *testing.T) {
	for _, name := range []string{"nested.pstats", "../gsttrace/leaks-refs.log"} {
		g := openedGame(t, name)
		g.openHelp()
		for _, s := range []struct {
			w, h  int
			scale float64
		}{{1280, 720, 1}, {1366, 768, 1}, {1920, 1080, 1}, {2560, 1440, 2}, {1280, 800, 2}, {1920, 1080, 1.75}} {
			g.settings.Scale = s.scale
			g.stage.width, g.stage.height = s.w, s.h
			p := photographer{g: g}
			testkit.NoErr(t, p.settle())
			look := func(typed string) string {
				g.help.Field.SetText(typed)
				g.help.Redraw()
				l := g.helpPicture()
				var words strings.Builder
				var seen letters
				seen.list(l)
				testkit.Equal(t, seen.first, "", "%s at %v, %q", name, s, typed)
				window := g.stage.window()
				for _, x := range l.Texts() {
					c := x.Box.Intersect(x.Clip.Intersect(window))
					scrolls := x.Clip.H() < window.H() // TestAllOfPopupsIsReachable asks for that
					testkit.That(t, (scrolls || c.W() >= x.Box.W()-2 && c.H() >= x.Box.H()-1) && !strings.HasSuffix(x.Text, "…"),
						"%s at %v, %q: %q is cut", name, s, typed, x.Text)
					words.WriteString(x.Text + " ")
				}
				return words.String()
			}
			all := look("")
			testkit.That(t, strings.Contains(all, "Everywhere"), "%s at %v: %s", name, s, all)
			for _, group := range g.help.Groups {
				for _, r := range group.Rows {
					if found := look(r.Does); !strings.Contains(found, r.Key) {
						t.Errorf("%s at %v: %q finds %s, not %s", name, s, r.Does, found, r.Key)
					}
				}
			}
		}
	}
}

// TestKeysOf: each of the commands that cards name is there.
func TestKeysOf(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	for id, keys := range keysOf {
		for _, k := range keys {
			testkit.That(t, g.help.does[id] != "" && g.commands.Key(k) != "", "no panel %s, or no key of %s", id, k)
		}
	}
}

// TestHelpStandsOnPanels: panels in sight have cards with their keys, above them.
func TestHelpStandsOnPanels(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	g.stage.width, g.stage.height = 1920, 1080
	p := photographer{g: g}
	testkit.NoErr(t, p.settle())
	g.openHelp()
	at := map[string]draw.Rect{}
	for _, x := range g.helpPicture().Texts() {
		at[x.Text] = x.Box
	}
	for _, o := range g.observe().Panels {
		for id, texts := range map[string][]string{
			"flame":    {"Flame graph (2)", "to the caller"},
			"timeline": {"Timeline (1)", "zoom time at the mouse", "Everywhere"},
			"strip":    {"Strip chart (4)", "Open the chosen collector's children"},
		} {
			for _, text := range texts {
				r, ok := at[text]
				testkit.That(t, o.ID != id || ok && o.Rect.Contains(r.X0, r.Y0) && o.Rect.Contains(r.X1, r.Y1),
					"%q is at %v, %s at %v", text, r, id, o.Rect)
			}
		}
	}
}

// TestHelpShowsTheRest: a card that has no room for all of its rows shows them on a click on the row
// that says how many there are, and no other click opens anything.
func TestHelpShowsTheRest(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	followed := 0
	for _, size := range [][2]int{{1280, 720}, {1000, 640}, {900, 600}, {1280, 500}} {
		g.stage.width, g.stage.height = size[0], size[1]
		p := photographer{g: g}
		testkit.NoErr(t, p.settle())
		words := func() (out []string) {
			for _, x := range g.helpPicture().Texts() {
				out = append(out, x.Text)
			}
			return out
		}
		g.help.Redraw()
		g.openHelp()
		before, link := words(), ""
		for _, x := range g.helpPicture().Texts() {
			if strings.HasPrefix(x.Text, "Show ") && strings.HasSuffix(x.Text, " more") {
				link = x.Text
				g.mouse = input.Mouse{Inside: true, X: x.Box.X0 + 3, Y: (x.Box.Y0 + x.Box.Y1) / 2}
			}
		}
		if link == "" {
			g.help.close()
			continue
		}
		followed++
		g.mouse.Buttons[0] = panel.Button{Down: true, Pressed: true, DownX: g.mouse.X, DownY: g.mouse.Y}
		g.dismiss()
		testkit.MustThat(t, g.help.open, "%v: “%s” closes the help", size, link)
		more, after := 0, words()
		for _, w := range after {
			if !slices.Contains(before, w) {
				more++
			}
		}
		var left int
		if fmt.Sscanf(link, "Show %d more", &left); more < left || slices.Contains(after, link) {
			t.Errorf("%v: “%s” shows %d more: %q", size, link, more, after)
		}
		g.mouse = input.Mouse{Inside: true, X: 2, Y: float32(size[1] - 2)}
		g.mouse.Buttons[0] = panel.Button{Down: true, Pressed: true, DownX: 2, DownY: g.mouse.Y}
		g.dismiss()
		testkit.That(t, !g.help.open, "%v: a click elsewhere does not close it", size)
	}
	testkit.That(t, followed != 0, "every card has room for all of its rows")
}
