package app

import (
	"testing"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/widgets"
)

// The page of settings takes values by mouse and keys, and values of the user's own.
func TestSettingsPage(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	g.settingsPage().open()
	page := g.desk.Find(paneSettings).Panel.(*widgets.Settings)
	value := func(name, label string) *widgets.SettingValue {
		for _, s := range g.settingsPage().all() {
			for k := range s.Values {
				if s.Name == name && s.Values[k].Label == label {
					return &s.Values[k]
				}
			}
		}
		t.Fatalf("%s has no value %q", name, label)
		return nil
	}

	testkit.NoErr(t, g.tickAt(-1, -1))
	env, in := &g.stage.env, &panel.Input{}
	page.Update(env, draw.Rect{X1: 700, Y1: 600}, in)
	for _, key := range []string{"down", "down", "up", "right", "enter"} { // the colors' second
		page.Key(env, key)
	}
	testkit.That(t, value("Colors", "Light").On && g.settings.Theme == "light", "keys chose %s", g.settings.Theme)

	value("Time for a frame", "Other…").Run()
	for text, want := range map[string]float64{"90 Hz": 1000.0 / 90, "12.5": 12.5, "7ms": 7} {
		testkit.Equal(t, g.ask.Dialog().Answer(text), "", text)
		testkit.Equal(t, g.settings.BudgetMs, want, text)
	}
	for _, text := range []string{"", "soon", "-3 ms", "0 Hz", "90 GHz", "NaN"} {
		testkit.That(t, g.ask.Dialog().Answer(text) != "" && g.settings.BudgetMs > 0, "%q gives %v ms", text, g.settings.BudgetMs)
	}
	value("Memory for sessions", "Other…").Run()
	testkit.Equal(t, g.ask.Dialog().Answer("3GiB"), "", "a size")
	testkit.That(t, value("Memory for sessions", "3 GiB").On, "a value of one's own is not listed")
}
