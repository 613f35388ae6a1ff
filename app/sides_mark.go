package app

import (
	"framescope/app/layout"
	"framescope/charts/view"
)

// Mark makes the selection a side.
func (c *Sides) Mark(side int) {
	v := c.SS.View()
	m, ok := view.MarkSelected(v, c.SS.TitleOf(v.Session()))
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
func (c *Sides) set(side int, m view.Mark) {
	c.change(func() {
		c.State.Set(side, m, c.SS.View().Look().FrameBudgetNs())
		c.tellApart()
	})
	a, isA := c.State.Marked(view.SideA)
	if b, isB := c.State.Marked(view.SideB); isA && isB {
		c.Ask.Tell("Comparing %s of %s (A) with %s of %s (B)", a.What, a.Name, b.What, b.Name)
		c.Desk.Use(layout.Compare)
		c.Stay()
	}
}
