// Comparison in the window: it marks the two sides, by hand or as soon as the requested recordings are
// read, pins a baseline, and shows the workspace for them. The request decides which recording is A and
// which is B, not the reading order.

package app

import (
	"io/fs"

	"framescope/app/input"
	"framescope/app/layout"
	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/model/store"
	"framescope/widgets"
)

// Sides marks the sides of a comparison.
type Sides struct {
	State view.Comparing
	SS    *sessions.Sessions
	Ask   *workspace.Prompt
	Desk  *workspace.Desk
	// Leave shows the workspace of the shown session; Stay keeps the shown workspace for any session.
	Leave, Stay func()

	awaited [2]awaited
}

// names are the names of the sides.
var names = [...]string{view.SideA: "A", view.SideB: "B"}

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
	_, a := c.State.Marked(view.SideA)
	_, b := c.State.Marked(view.SideB)
	return a && b
}

// nameByFiles names the sides by their files if their sessions have equal names.
func (c *Sides) nameByFiles() {
	a, isA := c.State.Marked(view.SideA)
	b, isB := c.State.Marked(view.SideB)
	if !isA || !isB || a.Side.Session == b.Side.Session || c.SS.TitleOf(a.Side.Session) != c.SS.TitleOf(b.Side.Session) {
		return
	}
	rows := c.SS.Sessions()
	for side, m := range [...]view.Mark{view.SideA: a, view.SideB: b} {
		for i := range rows {
			if rows[i].Session == m.Side.Session && rows[i].Apart != "" {
				c.State.Rename(side, rows[i].Apart)
			}
		}
	}
}

// awaited is a recording that becomes a side when all of it is read.
type awaited struct {
	of   sessions.Opening
	seen bool // it has a session
}

func (a *awaited) some() bool { return a.of != sessions.Opening{} }

// await sets the requested recordings as sides once they are read. It drops unreadable and closed ones:
// their errors were reported.
func (c *Sides) await() {
	for side := range c.awaited {
		a := &c.awaited[side]
		if !a.some() {
			continue
		}
		switch s, read := c.SS.SessionOf(a.of); {
		case s == nil && a.seen, read && s.NumTracks() == 0:
			*a = awaited{}
		case read:
			*a = awaited{}
			c.set(side, view.MarkWhole(s, c.SS.TitleOf(s)))
			if b, both := c.State.Marked(view.SideB); both { // whichever was read last
				c.SS.Select(b.Side.Session)
			}
		case s != nil:
			a.seen = true
		}
	}
}

// Open compares recordings that are being opened as soon as they are read: the first is A and the
// second B; a single one is B, and A the shown session.
func (c *Sides) Open(list []sessions.Opening) {
	c.open(c.SS.View(), list)
}

func (c *Sides) open(shown *view.View, list []sessions.Opening) {
	switch {
	case len(list) == 0:
		return
	case len(list) > 1:
		c.State.Stop()
		c.awaited = [2]awaited{{of: list[0]}, {of: list[1]}}
		if n := len(list) - 2; n > 0 {
			c.Ask.Notify("Two recordings are compared; the others open beside them")
		}
		return
	}
	if m, ok := view.MarkChosen(shown, c.SS.TitleOf(shown.Session())); ok {
		c.State.Stop()
		c.awaited[view.SideA] = awaited{}
		c.set(view.SideA, m)
	} else {
		c.Ask.Notify("Nothing to compare with: the recording opens as B")
	}
	c.awaited[view.SideB] = awaited{of: list[0]}
}

// Drop opens files that were dropped on the window, and with Shift compares them.
func (c *Sides) Drop(files fs.FS, shift bool) {
	shown := c.SS.View()
	if list := c.SS.OpenDropped(files); shift {
		c.open(shown, list)
	}
}

// AskB asks for a recording and opens it as B.
func (c *Sides) AskB() {
	c.SS.AskFiles("Open as B of a comparison", nil, func(paths []string) {
		v := c.SS.View()
		c.open(v, []sessions.Opening{c.SS.OpenFile(paths[0])})
	})
}

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
	c.Ask.Notify("%s closed: the comparison has ended%s", gone, left)
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
		c.Ask.Notify("No baseline yet: connect a game or open a recording")
		return
	}
	c.State.Pin(m)
	c.Ask.ReplaceNotice("Measured by ", "%s of %s: red is slower, blue faster, grey as usual there. Alt+C ends it", m.What,
		m.Name)
}

// swap exchanges A and B.
func (c *Sides) swap() {
	if c.State.Any() {
		c.State.Swap()
	}
}

// end forgets both sides, and shows the workspace of the session again.
func (c *Sides) end() {
	if c.State.Any() {
		c.State.Stop()
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
		{ID: "compare.open", Name: "Compare: open a recording as B", Words: "diff with file", Group: group, Run: c.AskB,
			Out:  true,
			Does: "compares with the session on screen, as a file dropped with Shift does"},
		{ID: "compare.swap", Name: "Compare: swap A and B", Words: "diff", Group: group, Keys: []string{"Shift+C"},
			Run: c.swap},
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

// Mark makes the selection a side.
func (c *Sides) Mark(side int) {
	v := c.SS.View()
	m, ok := view.MarkSelected(v, c.SS.TitleOf(v.Session()))
	if !ok {
		c.Ask.Notify("There is nothing to compare yet: connect a game or open a recording")
		return
	}
	if other, both := c.State.Marked(1 - side); both {
		m = m.FrameLike(&other)
	}
	c.awaited[side] = awaited{}
	c.set(side, m)
	if _, both := c.State.Marked(1 - side); !both && !c.awaited[1-side].some() {
		c.Ask.Notify("%s is %s of %s. Select others, here or in another session, and mark %s (Shift+%s)",
			names[side], m.What, m.Name, names[1-side], names[1-side])
	}
}

// set makes a stretch a side, and shows the comparison when both are there.
func (c *Sides) set(side int, m view.Mark) {
	c.State.Set(side, m, c.SS.View().Look().FrameBudgetNs())
	c.nameByFiles()
	a, isA := c.State.Marked(view.SideA)
	if b, isB := c.State.Marked(view.SideB); isA && isB {
		for _, side := range names { // both sides are marked: no notice asks for one
			c.Ask.Notices.Drop(side + " is ")
		}
		c.Ask.ReplaceNotice("Comparing ", "%s of %s (A) with %s of %s (B)", a.What, a.Name, b.What, b.Name)
		c.Desk.Use(layout.Compare)
		c.Stay()
	}
}
