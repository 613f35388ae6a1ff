package app

import (
	"testing"

	"framescope/app/sessions"
	"framescope/charts/panel"
)

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
	if len(rows) != 2 || whose(g.View()) == "" {
		t.Fatalf("%d sessions", len(rows))
	}
	show := func(i int) {
		g.ss.Select(rows[i].Session)
		turn(t, g, -1, -1)
	}
	show(0)
	stands := func() (all [][]stand) {
		for _, p := range g.switches.panels {
			all = append(all, note(nil, p.panel.Tools(&g.stage.env)))
		}
		return all
	}
	same := func(what string, want [][]stand) {
		t.Helper()
		now := stands()
		for i := range now {
			for k := range now[i] {
				if k < len(want[i]) && now[i][k] != want[i][k] {
					t.Errorf("%s: %+v, want %+v", what, now[i][k], want[i][k])
				}
			}
		}
	}
	show(1)
	second := stands()
	show(0)
	toggles := 0
	for _, p := range g.switches.panels {
		for _, tool := range p.panel.Tools(&g.stage.env) {
			if tool.Kind == panel.ToolToggle {
				toggles++
				p.panel.Use(&g.stage.env, tool.ID, 0)
			}
		}
	}
	turn(t, g, -1, -1)
	changed := stands()
	if toggles < 6 {
		t.Fatalf("%d toggles", toggles)
	}
	show(1)
	same("the other session", second)
	show(0)
	same("the first again", changed)
}
