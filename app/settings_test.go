package app

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/sessions"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/internal/testkit"
)

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
		if !strings.Contains(text, `"Width"`) || !strings.Contains(text, "settings.json.bad-") || strings.Contains(text, "Theme") {
			t.Errorf("it says %q", text)
		}
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
