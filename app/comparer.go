package app

import (
	"framescope/app/command"
	"framescope/app/prompt"
	"framescope/app/sessions"
	"framescope/app/workspace"
	"framescope/charts/comparing"
	"framescope/charts/subject"
	"framescope/model/store"
	"framescope/widgets"
)

// comparer marks the two sides that are compared, and shows the workspace for them.
type comparer struct {
	ss     *sessions.Sessions
	ask    *prompt.Prompt
	desk   *workspace.Desk
	spaces *spaces
	state  comparing.State
}

// compareWork is how much of a comparison is made in a tick, in nodes of call trees: some
// milliseconds at most. compareAll is all of it.
const (
	compareWork = 20_000
	compareAll  = 1 << 60
)

// sideNames are what the sides are called.
var sideNames = [...]string{comparing.A: "A", comparing.B: "B"}

// tick forgets sides whose session was closed, and goes on comparing; at once where nothing is paced.
func (c *comparer) tick(paced bool) {
	c.ss.View().Look().MeasuredBy(c.state.BaselineRevision())
	if _, pinned, _ := c.state.Pinned(); !c.state.Any() && !pinned {
		return
	}
	c.state.Keep(func(s *store.Session) bool {
		for v := range c.ss.Views() {
			if v.Session() == s {
				return true
			}
		}
		return false
	})
	work := compareAll
	if paced {
		work = compareWork
	}
	c.state.Tick(work)
	c.ss.View().Look().MeasuredBy(c.state.BaselineRevision())
}

// mark makes what is selected a side.
func (c *comparer) mark(side int) {
	v := c.ss.View()
	m, ok := comparing.Selected(v, c.ss.TitleOf(v.Session()))
	if !ok {
		c.ask.Tell("There is nothing to compare yet: connect a game or open a recording")
		return
	}
	budget := v.Look().FrameBudgetNs()
	c.state.Set(side, m, func(ns int64) bool { return subject.OverBudget(ns, budget) })
	other, both := c.state.Marked(1 - side)
	if !both {
		c.ask.Tell("%s is %s of %s. Select others, here or in another session, and mark %s (Shift+%s)",
			sideNames[side], m.What, m.Name, sideNames[1-side], sideNames[1-side])
		return
	}
	sides := [2]comparing.Mark{m, other}
	if side == comparing.B {
		sides = [2]comparing.Mark{other, m}
	}
	c.ask.Tell("Comparing %s of %s (A) with %s of %s (B)", sides[comparing.A].What, sides[comparing.A].Name,
		sides[comparing.B].What, sides[comparing.B].Name)
	c.desk.Use(workspace.Compare)
}

// show shows a session that is compared, in the workspace for that.
func (c *comparer) show(s *store.Session) {
	c.ss.Select(s)
	c.spaces.kind = c.ss.Kind() // whatever it is: what is compared stays in sight
}

// pin makes what is selected, or in view, the baseline.
func (c *comparer) pin() {
	v := c.ss.View()
	name := ""
	if s := v.Session(); s != nil {
		name = s.Info().Program
	}
	m, ok := comparing.Visible(v, name)
	if !ok {
		c.ask.Tell("There is nothing to measure by yet: connect a game or open a recording")
		return
	}
	c.state.Pin(m)
	c.ask.Tell("Measured by %s of %s: red is slower, blue faster, grey as usual there. Alt+C ends that", m.What, m.Name)
}

// swap makes A what B is, and the reverse.
func (c *comparer) swap() {
	if c.state.Any() {
		c.state.Swap()
	}
}

// end forgets both sides, and shows the workspace of the session again.
func (c *comparer) end() {
	c.state.Stop()
	if c.desk.Workspace() == workspace.Compare {
		c.spaces.kind = ""
		c.spaces.follow()
	}
}

// commands are what can be done with the sides.
func (c *comparer) commands(group string) []command.Command {
	return []command.Command{
		{ID: "compare.a", Name: "Compare: mark what is selected as A", Words: "diff baseline before", Group: group,
			Keys: []string{"Shift+A"}, Run: func() { c.mark(comparing.A) },
			Does: "all of the session where nothing is, or while live"},
		{ID: "compare.b", Name: "Compare: mark what is selected as B", Words: "diff after", Group: group,
			Keys: []string{"Shift+B"}, Run: func() { c.mark(comparing.B) }},
		{ID: "compare.swap", Name: "Compare: swap A and B", Words: "diff", Group: group, Keys: []string{"Shift+C"}, Run: c.swap},
		{ID: "compare.stop", Name: "Compare: stop", Words: "diff forget", Group: group, Run: c.end},
		{ID: "baseline.pin", Name: "Baseline: measure by what is selected or in view", Words: "live diff typical compare pin",
			Group: group, Keys: []string{"C"}, Run: c.pin, Does: "bars and rows are tinted: slower, faster, as usual"},
		{ID: "baseline.off", Name: "Baseline: off", Words: "live diff unpin", Group: group, Keys: []string{"Alt+C"},
			Run: c.state.Unpin},
	}
}

// menu are the same for a menu of what is selected.
func (c *comparer) menu() []widgets.MenuItem {
	return []widgets.MenuItem{
		{Line: true, Label: "Compare: mark what is selected as A", Key: "Shift+A", Run: func() { c.mark(comparing.A) }},
		{Label: "Compare: mark what is selected as B", Key: "Shift+B", Run: func() { c.mark(comparing.B) }},
	}
}
