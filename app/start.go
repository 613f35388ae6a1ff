package app

import (
	"strings"

	"framescope/app/input"
	"framescope/app/layout"
	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/panel"
	"framescope/net/framescope"
	"framescope/widgets"
)

// NewGame prepares the viewer: it reads the settings, starts to listen and begins to load the
// files.
func NewGame(o Options) (*Game, error) {
	set, complaint := openSettings(&o)
	g := &Game{settings: set, stage: newStage(&o, set)}
	g.desk = newDesk(&g.find.names)
	g.paint.still, g.end.observe = o.Deterministic, o.Observe
	g.ask = workspace.Prompt{Env: &g.stage.env, Mouse: &g.mouse, Desk: g.desk}
	g.desk.Menu = func(name string, x, y float32, list []workspace.Choice) {
		menu := &widgets.Menu{Name: name}
		for _, c := range list {
			menu.Items = append(menu.Items, widgets.MenuItem{Label: c.Label, Key: c.Key, On: c.On, Line: c.Line, Run: c.Run})
		}
		g.ask.OpenMenu(menu, x, y)
	}
	g.complain(complaint)
	g.ss = sessions.New(&o.Options, set, &g.ask)
	g.compare = Sides{SS: g.ss, Ask: &g.ask, Desk: g.desk, Leave: g.spaces.again, Stay: g.spaces.stay}
	g.stage.env.Comparing, g.ss.CompareWith = &g.compare.State, g.compare.AskB
	g.budgets, g.exports = NewBook(g.ss, set, &g.ask, o.Budgets), Exports{SS: g.ss, Ask: &g.ask}
	g.ss.Budgets, g.stage.env.Limits = g.budgets.Open, &g.budgets.State
	g.nav = navigator{ss: g.ss, ask: &g.ask, under: &g.under, panels: addPanels(g.desk, g.ss, &g.compare, g.budgets)}
	if g.console, _ = g.nav.panels[queryID].(*Console); g.console == nil { // there is no SQL here
		g.console = NewConsole()
	}
	g.console.ss, g.console.ask, g.console.settings, g.console.light = g.ss, &g.ask, set, g.find.light
	g.nav.exports, g.nav.compare, g.nav.budgets, g.nav.showSession = &g.exports, g.compare.Menu, g.budgets.Menu,
		g.compare.Show
	g.stage.env.ViewOf = g.ss.ViewOf
	g.nav.keyOf = func(id string) string { return g.commands.Key(id) }
	g.nav.places = sessions.Places{View: g.ss.View, Ask: &g.ask, KeyOf: g.nav.keyOf, Link: g.ss.Link}
	g.nav.source = &sourceCode{settings: g.settings, ask: &g.ask, start: startEditor}
	g.nav.find, g.nav.search, g.nav.unfind = g.find.searchName, g.find.field.SetText, func() { g.find.clear() }
	g.find.ss, g.find.ask, g.find.itemsOf, g.find.itemsOfText = g.ss, &g.ask, g.things, g.nav.typed
	g.bars.status = statusLine{ss: g.ss, under: &g.under, find: &g.find, paint: &g.paint, still: o.Deterministic}
	g.spaces = spaces{desk: g.desk, ss: g.ss, settings: set, ask: &g.ask, compares: g.compare.State.Any}
	g.spaces.load()
	g.ss.Attached = g.attached
	list := offered(g.commandList())
	giveToPanels(list)
	g.desk.More = g.nav.inMenu
	g.end.check = o.Check
	if o.Inside {
		g.desk.More = nil   // it leads out of the program
		g.nav.budgets = nil // they are files
		g.nav.source.start = func([]string, string, int) error { return nil }
		for i := range list {
			if list[i].Out {
				list[i].Run = func() {}
			}
		}
	}
	var err error
	if g.commands, err = input.NewCommand(list); err != nil {
		return nil, err
	}
	g.setHelp(defs(g.ss))
	g.bars.top = Toolbar{
		Env: &g.stage.env, Mouse: &g.mouse, Covered: g.desk.Hovers, Key: g.commands.Key, Offers: g.commands.Has,
		Still: o.Deterministic,
	}
	if err := g.ss.Start(); err != nil {
		return nil, err
	}
	if o.Compare && len(g.ss.Named) == 2 { // else the error of one of them is reported
		g.compare.Open(g.ss.Named)
	}
	return g, nil
}

// openSettings reads the named settings, and applies the options for this start.
func openSettings(o *Options) (*settings.Settings, error) {
	s, err := settings.Open(o.SettingsPath)
	s.Resize(o.Width, o.Height, o.Scale)
	return s, err
}

// setHelp gathers the text of the help.
func (g *Game) setHelp(defs []panel.Def) {
	g.help.does = map[string]string{}
	for _, d := range defs {
		if d.Help != "" {
			g.help.does[d.ID] = strings.ToUpper(d.Help[:1]) + d.Help[1:] + "."
		}
	}
	g.help.setKeys(g.commands)
}

// attached returns the attachments of the shown session: the budgets in use, and the workspace.
func (g *Game) attached() map[string][]byte {
	out := map[string][]byte{}
	if text := g.budgets.Text(); text != "" {
		out[framescope.Budgets] = []byte(text)
	}
	if data, err := g.desk.Export(); err == nil && g.desk.Workspace() != layout.Compare {
		out[framescope.Workspace] = data
	}
	return out
}
