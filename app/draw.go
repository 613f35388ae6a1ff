package app

import (
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/widgets"
)

// seen sums up the picture of the window at a size in physical pixels.
func (g *Game) seen(width, height int) picture {
	env := &g.stage.env
	now := picture{width: width, height: height}
	now.sum.Add(g.desk.Order())
	now.scale, now.ground = env.Scale, env.Theme.Ground
	g.lists(now.list)
	now.atlas = env.Atlas.Revision() // with the letters of the keys, which are written here
	return now
}

// lists hands all that is painted to f, from the bottom up.
func (g *Game) lists(f func(*draw.List)) {
	f(g.bars.top.List())
	g.desk.Paint(f)
	f(g.bars.status.list)
	f(g.helpPicture())
	f(g.bars.tipped)
	f(g.ask.Notices.List())
}

// helpPicture returns the list of the overlay, nil while it is closed.
func (g *Game) helpPicture() *draw.List {
	if !g.help.open {
		return nil
	}
	var panels []widgets.KeyHelp
	add := func(t *workspace.Tab, _ draw.Rect) {
		if does := g.help.does[t.ID]; does != "" {
			panels = append(panels, widgets.KeyHelp{ID: t.ID, Title: t.Name, Does: does})
		}
	}
	g.desk.EachInSight(add)
	bar, frames, area, _ := g.stage.regions()
	area.Y0 = frames.Y0
	return g.help.Picture(&g.stage.env, g.stage.window(), bar, area, panels)
}

// picture returns the picture of the window.
func (g *Game) picture() *draw.Picture {
	out := &draw.Picture{
		Seen: draw.Rect{X1: float32(g.stage.width), Y1: float32(g.stage.height)}, Ground: draw.Color(g.stage.theme.Ground),
	}
	g.lists(func(l *draw.List) { out.Lists = append(out.Lists, l) })
	return out
}
