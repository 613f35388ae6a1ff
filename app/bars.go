package app

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/widgets"
)

// bars are the parts around the panes.
type bars struct {
	top    Toolbar
	status statusLine
	tip    panel.Tooltip
	tipped *draw.List // nil: there is no tooltip
	title  string     // of the window
}

// updateTooltip updates the target under the mouse and its tooltip.
func (g *Game) updateTooltip() {
	env, m, u := &g.stage.env, &g.mouse, &g.under
	*u = under{}
	ok := false
	if m.Inside && !m.AnyDown() && !g.help.open && !g.ask.Open() {
		u.hit, u.some = g.desk.HitTest(env, m)
		if ok = u.some; !ok {
			u.hit, ok = g.bars.top.HitTest()
		}
		if !ok {
			u.hit, ok = g.bars.status.hitTest(m)
		}
	}
	var hit *panel.Hit
	if ok && g.settings.Tooltips {
		hit = &u.hit
	}
	g.bars.tipped = g.bars.tip.Draw(env, hit, m.X, m.Y, g.stage.window())
}

// openMore lists the tool bar's things without room, below its button.
func (g *Game) openMore() {
	menu := &widgets.Menu{Name: "More"}
	for _, it := range g.bars.top.Left() {
		menu.Items = append(menu.Items, widgets.MenuItem{
			Label: g.commands.Name(it.Command), Key: g.commands.Key(it.Command), Off: it.Off,
			On:  it.ID == "workspace."+g.desk.Workspace(),
			Run: func() { g.commands.Run(it.Command) },
		})
	}
	g.ask.OpenMenu(menu, g.mouse.X, g.stage.env.Px(ToolbarHeight))
}
