package app

import (
	"cmp"
	"strconv"
	"strings"
	"testing"

	"framescope/app/sessions"
	"framescope/internal/testkit"
	"framescope/widgets"
)

// lookUp opens the palette with a text in it.
func lookUp(g *Game, names bool, text string) *widgets.Palette {
	p := &widgets.Palette{Items: g.things(names), Typed: g.nav.typed, Close: func() {}}
	p.Field.SetText(text)
	return p
}

// The palette finds every kind of thing by a part of its name, and does what it says.
func TestPaletteFindsAll(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	v := g.View()
	track := v.Session().Track(v.Track())
	third := track.Frame(2)
	number := strconv.FormatInt(third.Number, 10)
	for _, c := range []struct {
		text string
		done func() bool
	}{
		{"#" + number, func() bool { return v.FrameA() == 2 && v.FrameB() == 2 }},
		{"0:02.5", func() bool { _, end, _ := v.Session().Bounds(); return v.Playhead() == min(2_500_000_000, end) }},
		{"fit everything", func() bool { return true }},
		{"physics", func() bool { return v.Session().Collector(v.Chosen()).Name == "Physics" }},
		{track.Title(), func() bool { return v.Track() == track.Def.ID }},
		{"light theme", func() bool { return g.settings.Theme == "light" }},
		{"dark colours", func() bool { return g.settings.Theme == "dark" }},
		{"nested.pst", func() bool { return g.View() == v }},
	} {
		p := lookUp(g, true, c.text)
		if p.Hits() == 0 {
			t.Errorf("%q finds nothing", c.text)
			continue
		}
		p.Enter()
		testkit.That(t, c.done(), "%q did something else", c.text)
	}
	// Each command that is not shy is found by its name, first of all.
	for _, c := range g.commands.All() {
		if c.Shy {
			continue
		}
		p := lookUp(g, false, c.Name)
		testkit.That(t, stable(p) == c.Name, "%q is not what one finds first by it, but %q", c.Name, p.Chosen().Name)
	}
	for _, text := range []string{"export", "csv", "tsv", "svg"} {
		if p := lookUp(g, false, text); p.Hits() == 0 || !strings.HasPrefix(p.Chosen().Name, "Export this panel") {
			t.Errorf("%q leads to %q", text, p.Chosen().Name)
		}
	}
	// And each line of the settings.
	for _, m := range g.settingsMenu().settingItems() {
		if p := lookUp(g, false, m.Label); m.Run != nil && p.Chosen().Name != m.Label {
			t.Errorf("%q is not what one finds first by it, but %q", m.Label, p.Chosen().Name)
		}
	}
}

// stable is what the chosen item is called whatever state it is in.
func stable(p *widgets.Palette) string { return cmp.Or(p.Chosen().Same, p.Chosen().Name) }

// What was chosen lately comes first, by itself before anything is typed.
func TestPaletteRecent(t *testing.T) {
	g := newTestGame(t, sessions.Options{})
	ran := lookUp(g, false, "tooltips on")
	name := stable(ran)
	ran.Enter()
	p := lookUp(g, false, "")
	testkit.That(t, stable(p) == name, "%q is the first, want %q", p.Chosen().Name, name)
	testkit.That(t, !strings.Contains(lookUp(g, false, "").Chosen().Group, "Recent"), "an item lost its group")
}
