package app

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/input"
	"framescope/app/sessions"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/view"
	"framescope/internal/testkit"
)

// Every command has a name of its own, a heading in the help, and something to do; tool bar and
// menus name only commands that exist.
func TestCommandTable(t *testing.T) {
	g := newTestGame(t, sessions.Options{})
	names := map[string]bool{}
	for _, c := range g.commands.All() {
		testkit.That(t, !names[c.Name], "two commands are called %q", c.Name)
		names[c.Name] = true
		testkit.That(t, c.Run != nil && c.Group != "" && c.ID != "", "%q does nothing, or belongs nowhere", c.Name)
	}
	for _, id := range []string{"occurrence.next", "fit.selection", "fit.all", "zoom.range", "size.larger", "size.smaller"} {
		testkit.That(t, g.nav.keyOf(id) != "", "menus name %s, which has no key", id)
	}
	g.stage.begin()
	g.stage.env.View = g.View()
	g.stage.width, g.stage.height = 1280, 720
	top, _, _, _ := g.stage.regions()
	g.placeBar(top)
	for _, it := range g.bars.top.Items() {
		testkit.That(t, it.Command == "" || g.commands.Has(it.Command),
			"the tool bar's %q runs %q, which does not exist", it.Label, it.Command)
	}
}

// In a narrow window what has no room in the tool bar is in the menu of its last button, and done from
// there.
func TestMoreOfTheToolBar(t *testing.T) {
	for _, width := range []int{480, 640} {
		g := tradeGame(t, 0, width, 500)
		g.commands.Run("toolbar.more")
		rest(t, g, -1, -1)
		left := g.bars.top.Left()
		m := g.ask.Menu()
		testkit.MustThat(t, m != nil && len(left) != 0 && len(m.Items) == len(left),
			"%d px: %d things have no room, the menu is %+v", width, len(left), m)
		for i, it := range m.Items {
			testkit.That(t, it.Label != "" && g.commands.Has(left[i].Command),
				"%d px: %q runs %q", width, it.Label, left[i].Command)
		}
		i := slices.IndexFunc(left, func(it ToolbarItem) bool { return it.ID == "search" })
		if i < 0 {
			continue
		}
		m.Items[i].Run()
		testkit.That(t, g.ask.Dialog() != nil, "%d px: the search does not open", width)
	}
}

func TestTimesAndFrameNumbers(t *testing.T) {
	for text, want := range map[string]float64{"3.5s": 3.5, "250ms": 0.25, "1:02.5": 62.5, "1:00:01": 3601, "7.25": 7.25} {
		got, err := sessions.ParseTime(text)
		testkit.That(t, err == nil && got == want, "%s is %v (%v), want %v", text, got, err, want)
	}
	for _, text := range []string{"", "x", "-1s", "1:x", "1e30", "NaN", "Inf"} {
		got, err := sessions.ParseTime(text)
		testkit.That(t, err != nil, "%q was taken for the time %v", text, got)
	}
}

// A command that goes both ways is listed by the way that it goes now, and found by either.
func TestCommandsByState(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	name := func() string {
		for _, it := range commandThings(g.commands) {
			if it.Same == "Show or hide counters in the timeline" {
				return it.Name
			}
		}
		return ""
	}
	for range 2 {
		want := "Show counters in the timeline"
		if g.View().Look().CounterChoice() == view.CountersChanging {
			want = "Hide counters in the timeline"
		}
		testkit.That(t, name() == want, "it is called “%s”, not “%s”", name(), want)
		g.commands.Run("counters")
	}
}

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
		testkit.That(t, g.View().Stamp() == before && g.settings.Tooltips == tips, "%q: a letter was a command", c.text)
		if g.help.open {
			g.help.close()
		} else {
			g.typedInto().SetText("")
			g.ask.Dialog().Close()
		}
	}
}

// What of the settings is not used, and where they are kept as they were, is said in the window and
// on standard error.
func TestDamagedSettingsAreSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	testkit.NoErr(t, os.WriteFile(path, []byte(`{"Theme": "light", "Width": "wide"}`), 0o600))
	out, in, err := os.Pipe()
	testkit.NoErr(t, err)
	defer func(old *os.File) { os.Stderr = old }(os.Stderr)
	os.Stderr = in
	g, err := NewGame(Options{Options: sessions.Options{Deterministic: true}, SettingsPath: path})
	in.Close()
	testkit.NoErr(t, err)
	t.Cleanup(func() { g.Close() })
	said, _ := io.ReadAll(out)
	shown := g.ask.Notices.Shown()
	testkit.MustThat(t, g.settings.Theme == "light" && len(shown) == 1 && shown[0].Problem,
		"the theme is %v, shown is %+v", g.settings.Theme, shown)
	for _, text := range []string{string(said), shown[0].Text} {
		testkit.That(t, strings.Contains(text, `"Width"`) && strings.Contains(text, "settings.json.bad-") &&
			!strings.Contains(text, "Theme"), "it says %q", text)
	}
}

// What is switched on in a panel for one program is not for another, and is again for the first.
func TestSwitchesBelongToPrograms(t *testing.T) {
	g := newTestGame(t, sessions.Options{
		Files: []string{captureFile(t, "nested.pstats"), captureFile(t, "levels.pstats")}, Deterministic: true,
	})
	g.stage.width, g.stage.height = 1280, 720
	for range 200 {
		turn(t, g, -1, -1)
	}
	rows := g.ss.Sessions()
	testkit.MustEqual(t, len(rows), 2, "sessions")
	show := func(i int) {
		g.ss.Select(rows[i].Session)
		turn(t, g, -1, -1)
	}
	show(0)
	env := &g.stage.env
	var tooled []panel.Tooled
	for _, d := range registry.All() {
		if p, ok := g.nav.panels[d.ID].(panel.Tooled); ok {
			tooled = append(tooled, p)
		}
	}
	type stand struct {
		panel, tool int
		on          bool
		label       string
	}
	stands := func() (all []stand) {
		for i, p := range tooled {
			for _, tool := range p.Tools(env) {
				all = append(all, stand{i, tool.ID, tool.On, tool.Label})
			}
		}
		return all
	}
	same := func(what string, want []stand) {
		t.Helper()
		testkit.EqualSlices(t, stands(), want, "%s", what)
	}
	show(1)
	second := stands()
	show(0)
	toggles := 0
	for _, p := range tooled {
		for _, tool := range slices.Clone(p.Tools(env)) {
			if tool.Kind == panel.ToolToggle {
				toggles++
				p.Use(env, tool.ID, 0)
			}
		}
	}
	turn(t, g, -1, -1)
	changed := stands()
	testkit.MustThat(t, toggles >= 6, "%d toggles", toggles)
	show(1)
	same("the other session", second)
	show(0)
	same("the first again", changed)
}

// What a key switches without a sign on screen says what holds now, once.
func TestSwitchesTellTheirState(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	for command, want := range map[string][]string{
		"tooltips":     {"Tooltips off: T shows them", "Tooltips on"},
		"interpolated": {"Interpolated frames hidden: I shows them", "Interpolated frames shown"},
		"counters":     {"Counters in the timeline shown", "Counters in the timeline hidden"},
		"depth": {
			"Of each thread the timeline shows 8 rows", "Of each thread the timeline shows 4 rows",
			"Of each thread the timeline shows 2 rows", "Of each thread the timeline shows all rows",
		},
	} {
		var said []string
		for range want {
			for g.ask.Notices.Dismiss() {
			}
			g.commands.Run(command)
			for _, n := range g.ask.Notices.Shown() {
				said = append(said, n.Text)
			}
		}
		slices.Sort(said)
		slices.Sort(want)
		testkit.EqualSlices(t, said, want, "%s says", command)
	}
}

// The palette has no command that is of no use there, the help those with keys.
func TestPaletteAndHelp(t *testing.T) {
	table := testkit.Must(input.NewCommand([]input.Command{
		{ID: "a", Name: "Do A", Group: "G", Keys: []string{"Ctrl+Left", "X"}, Run: func() {}},
		{ID: "b", Name: "Do B", Group: "G", Shy: true, Run: func() {}},
	}))(t)
	items, help := commandThings(table), keyGroups(table)
	testkit.That(t, len(items) == 1 && items[0].Name == "Do A", "the palette has %v", items)
	testkit.That(t, len(help) == 1 && len(help[0].Rows) == 1 && help[0].Rows[0].Key == "Ctrl+←, X", "the help has %v", help)
}
