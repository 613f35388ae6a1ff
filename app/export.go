package app

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"framescope/app/library"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// exportPanel exports the panel under the mouse, or the one pressed in last.
func (n *navigator) exportPanel() {
	p := n.ask.Desk.KeyPanel()
	if p == nil || n.ask.Env.View.None() {
		n.ask.Tell("Point at the panel to export")
		return
	}
	n.export(p)
}

// export writes a panel to a file that the user names: the name's end says how. Of a table the rows are
// suggested, of all others the picture.
func (n *navigator) export(p panel.Panel) {
	env := n.ask.Env
	called := n.called(p)
	x, err := ExportOf(env, n.ask.Desk, p)
	if err != nil {
		n.ask.Warn(fmt.Errorf("%s: %w", called, err))
		return
	}
	name := library.FileName(n.ss.Title()+" "+cmp.Or(called, "panel"), time.Now(), x.Suggested)
	n.ss.Save("Export the panel", name, x.Extensions(), x.Write)
}

// called is the name of a panel: its title, or its tab if the title lacks that.
func (n *navigator) called(p panel.Panel) string {
	name := p.Title(n.ask.Env)
	n.ask.Desk.EachInSight(func(t *workspace.Tab, _ draw.Rect) {
		if t.Panel != p {
			return
		}
		label := t.NameFor(n.ask.Env.View.Session().Contents())
		if !strings.HasPrefix(name, label) {
			name = label
		}
	})
	return name
}

// inMenu is the further actions on a panel, for the menu of its title row.
func (n *navigator) inMenu(p panel.Panel) []workspace.Choice {
	if n.ask.Env.View.None() {
		return nil
	}
	return []workspace.Choice{{Label: "Export rows or picture…", Key: n.keyOf("export"), Run: func() { n.export(p) }}}
}
