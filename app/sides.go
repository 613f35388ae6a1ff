// Comparison in the window: it marks the two sides, by hand or as soon as the requested recordings are
// read, pins a baseline, and shows the workspace for them. The request decides which recording is A and
// which is B, not the reading order.

package app

import (
	"framescope/app/input"
	"framescope/app/prompt"
	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/comparing"
	"framescope/model/store"
	"framescope/widgets"
)

// Sides marks the sides of a comparison.
type Sides struct {
	State comparing.State
	SS    *sessions.Sessions
	Ask   *prompt.Prompt
	Desk  *workspace.Desk
	// Leave shows the workspace of the shown session; Stay keeps the shown workspace for any session.
	Leave, Stay func()

	awaited [2]awaited
	past    past
}

// perTick is how much of a comparison is made in a tick, in nodes of call trees: some
// milliseconds at most. allOfIt is all of it.
const (
	perTick = 20_000
	allOfIt = 1 << 60
)

// names are the names of the sides.
var names = [...]string{comparing.A: "A", comparing.B: "B"}

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
	work := allOfIt
	if paced {
		work = perTick
	}
	c.State.Tick(work)
	c.SS.View().Look().MeasuredBy(c.State.BaselineRevision())
}

func (c *Sides) isOpen(s *store.Session) bool {
	for v := range c.SS.Views() {
		if v.Session() == s {
			return true
		}
	}
	return false
}

// both reports whether both sides are marked.
func (c *Sides) both() bool {
	_, a := c.State.Marked(comparing.A)
	_, b := c.State.Marked(comparing.B)
	return a && b
}

// ended leaves the workspace for comparing when a side was closed, and reports it. The other stays
// marked.
func (c *Sides) ended() {
	gone, left := "A and B were", ""
	if _, is := c.State.Marked(comparing.A); is {
		gone, left = "B was", "; A stays marked"
	} else if _, is := c.State.Marked(comparing.B); is {
		gone, left = "A was", "; B stays marked"
	}
	c.Ask.Tell("%s closed: nothing is compared any more%s", gone, left)
	if c.Desk.Workspace() == workspace.Compare {
		c.Leave()
	}
}

// Mark makes the selection a side.
func (c *Sides) Mark(side int) {
	v := c.SS.View()
	m, ok := comparing.Selected(v, c.SS.TitleOf(v.Session()))
	if !ok {
		c.Ask.Tell("There is nothing to compare yet: connect a game or open a recording")
		return
	}
	c.awaited[side] = awaited{}
	c.set(side, m)
	if _, both := c.State.Marked(1 - side); !both && !c.awaited[1-side].some() {
		c.Ask.Tell("%s is %s of %s. Select others, here or in another session, and mark %s (Shift+%s)",
			names[side], m.What, m.Name, names[1-side], names[1-side])
	}
}

// set makes a stretch a side, and shows the comparison when both are there.
func (c *Sides) set(side int, m comparing.Mark) {
	c.change(func() {
		c.State.Set(side, m, c.SS.View().Look().FrameBudgetNs())
		c.tellApart()
	})
	a, isA := c.State.Marked(comparing.A)
	if b, isB := c.State.Marked(comparing.B); isA && isB {
		c.Ask.Tell("Comparing %s of %s (A) with %s of %s (B)", a.What, a.Name, b.What, b.Name)
		c.Desk.Use(workspace.Compare)
		c.Stay()
	}
}

// tellApart names the sides by their files if their sessions have equal names.
func (c *Sides) tellApart() {
	a, isA := c.State.Marked(comparing.A)
	b, isB := c.State.Marked(comparing.B)
	if !isA || !isB || a.Side.Session == b.Side.Session || c.SS.TitleOf(a.Side.Session) != c.SS.TitleOf(b.Side.Session) {
		return
	}
	rows := c.SS.Sessions()
	for side, m := range [...]comparing.Mark{comparing.A: a, comparing.B: b} {
		for i := range rows {
			if rows[i].Session == m.Side.Session && rows[i].Apart != "" {
				c.State.Rename(side, rows[i].Apart)
			}
		}
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
	name := ""
	if s := v.Session(); s != nil {
		name = s.Info().Program
	}
	m, ok := comparing.Visible(v, name)
	if !ok {
		c.Ask.Tell("There is nothing to measure by yet: connect a game or open a recording")
		return
	}
	c.State.Pin(m)
	c.Ask.TellNow("Measured by ", "%s of %s: red is slower, blue faster, grey as usual there. Alt+C ends that", m.What, m.Name)
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
	if c.Desk.Workspace() == workspace.Compare {
		c.Leave()
	}
}

// Commands are the commands for the sides.
func (c *Sides) Commands(group string) []input.Command {
	return []input.Command{
		{ID: "compare.a", Name: "Compare: mark the selection as A", Words: "diff baseline before", Group: group,
			Keys: []string{"Shift+A"}, Run: func() { c.Mark(comparing.A) },
			Does: "all of the session where nothing is, or while live"},
		{ID: "compare.b", Name: "Compare: mark the selection as B", Words: "diff after", Group: group,
			Keys: []string{"Shift+B"}, Run: func() { c.Mark(comparing.B) }},
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
		{Line: true, Label: "Compare: mark the selection as A", Key: "Shift+A", Run: func() { c.Mark(comparing.A) }},
		{Label: "Compare: mark the selection as B", Key: "Shift+B", Run: func() { c.Mark(comparing.B) }},
	}
}
