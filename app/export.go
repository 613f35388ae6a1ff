package app

import (
	"cmp"
	"fmt"
	"time"

	"framescope/app/export"
	"framescope/app/library"
)

// exportPanel writes the panel under the mouse, or the one pressed in last, to a file that the user
// names: the name's end says how. Of a table the rows are suggested, of all others the picture.
func (n *navigator) exportPanel() {
	env, p := n.ask.Env, n.ask.Desk.KeyPanel()
	if p == nil || env.View.Session() == nil {
		n.ask.Tell("Point at the panel that is to be exported")
		return
	}
	x, err := export.Of(env, n.ask.Desk, p)
	if err != nil {
		n.ask.Warn(fmt.Errorf("%s: %w", p.Title(env), err))
		return
	}
	name := library.FileName(n.ss.Title()+" "+cmp.Or(p.Title(env), "panel"), time.Now(), x.Suggested)
	n.ss.Save("Export the panel", name, x.Extensions(), x.Write)
}
