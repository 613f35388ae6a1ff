package app

import (
	"strings"
	"testing"

	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
)

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
