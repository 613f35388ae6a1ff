package app

import (
	"framescope/app/input"
	"framescope/app/layout"
	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/model/store"
	"framescope/widgets"
)

// perTick is how much of a comparison is made in a tick, in nodes of call trees: some
// milliseconds at most. allOfIt is all of it.
const (
	perTick = 20_000
	allOfIt = 1 << 60
)

// Tick forgets sides of closed sessions, and goes on comparing; at once if unpaced.
func (c *Sides) Tick(paced bool) {
	c.SS.View().Look().MeasuredBy(c.State.BaselineRevision())
	c.await()
	c.travel(c.isOpen)
	if _, pinned, _ := c.State.Pinned(); !c.State.Any() && !pinned {
		return
	}
	both := c.both()
	c.State.Keep(c.isOpen)
	if both && !c.both() {
		c.ended()
	}
	work := format.Pick(paced, perTick, allOfIt)
	c.State.Tick(work)
	c.SS.View().Look().MeasuredBy(c.State.BaselineRevision())
}

// ended leaves the workspace for comparing when a side was closed, and reports it. The other stays
// marked.
func (c *Sides) ended() {
	gone, left := "A and B were", ""
	if _, is := c.State.Marked(view.SideA); is {
		gone, left = "B was", "; A stays marked"
	} else if _, is := c.State.Marked(view.SideB); is {
		gone, left = "A was", "; B stays marked"
	}
	c.Ask.Tell("%s closed: the comparison has ended%s", gone, left)
	if c.Desk.Workspace() == layout.Compare {
		c.Leave()
	}
}

// Show shows a session that is compared, in the workspace for that.
func (c *Sides) Show(s *store.Session) {
	c.SS.Select(s)
	c.Stay()
}

// pin makes the selection, or the viewport, the baseline.
func (c *Sides) pin() {
	v := c.SS.View()
	m, ok := view.MarkVisible(v, v.Session().Info().Program)
	if !ok {
		c.Ask.Tell("No baseline yet: connect a game or open a recording")
		return
	}
	c.State.Pin(m)
	c.Ask.TellNow("Measured by ", "%s of %s: red is slower, blue faster, grey as usual there. Alt+C ends it", m.What, m.Name)
}

// swap exchanges A and B.
func (c *Sides) swap() {
	if c.State.Any() {
		c.change(c.State.Swap)
	}
}

// end forgets both sides, and shows the workspace of the session again.
func (c *Sides) end() {
	if c.State.Any() {
		c.change(c.State.Stop)
	}
	c.awaited = [2]awaited{}
	if c.Desk.Workspace() == layout.Compare {
		c.Leave()
	}
}

// Commands are the commands for the sides.
func (c *Sides) Commands(group string) []input.Command {
	return []input.Command{
		{ID: "compare.a", Name: "Compare: mark the selection as A", Words: "diff baseline before", Group: group,
			Keys: []string{"Shift+A"}, Run: func() { c.Mark(view.SideA) },
			Does: "the whole session if nothing is selected, or while live"},
		{ID: "compare.b", Name: "Compare: mark the selection as B", Words: "diff after", Group: group,
			Keys: []string{"Shift+B"}, Run: func() { c.Mark(view.SideB) }},
		{ID: "compare.open", Name: "Compare: open a recording as B", Words: "diff with file", Group: group, Run: c.AskB, Out: true,
			Does: "compares with the session on screen, as a file dropped with Shift does"},
		{ID: "compare.swap", Name: "Compare: swap A and B", Words: "diff", Group: group, Keys: []string{"Shift+C"}, Run: c.swap},
		{ID: "compare.stop", Name: "Compare: stop", Words: "diff forget", Group: group, Run: c.end},
		{ID: "baseline.pin", Name: "Baseline: use the selection or the view", Words: "live diff typical compare pin",
			Group: group, Keys: []string{"C"}, Run: c.pin, Does: "bars and rows are tinted: slower, faster, as usual"},
		{ID: "baseline.off", Name: "Baseline: off", Words: "live diff unpin", Group: group, Keys: []string{"Alt+C"},
			Run: c.State.Unpin},
	}
}

// Menu returns the same for a menu of the selection.
func (c *Sides) Menu() []widgets.MenuItem {
	return []widgets.MenuItem{
		{Line: true, Label: "Compare: mark the selection as A", Key: "Shift+A", Run: func() { c.Mark(view.SideA) }},
		{Label: "Compare: mark the selection as B", Key: "Shift+B", Run: func() { c.Mark(view.SideB) }},
	}
}
