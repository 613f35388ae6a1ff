package app

import (
	"framescope/app/layout"
	"framescope/charts/view"
	"framescope/model/store"
)

// change changes the sides, which Back of the shown view undoes.
func (c *Sides) change(do func()) {
	p, v := &c.past, c.SS.View()
	if len(p.list) == 0 {
		p.first, p.list = 1, append(p.list, c.State.Sides())
		p.now = 1
	}
	v.SetCompared(p.now)
	v.Compares()
	do()
	p.list = append(p.list, c.State.Sides())
	if n := len(p.list) - mostPast; n > 0 {
		p.list, p.first = append(p.list[:0], p.list[n:]...), p.first+uint64(n)
	}
	p.now = p.first + uint64(len(p.list)) - 1
	v.SetCompared(p.now)
	p.of = v
}

// travel restores the comparison of the step that Back or Forward went to. It forgets sides of closed
// sessions.
func (c *Sides) travel(there func(*store.Session) bool) {
	p, v := &c.past, c.SS.View()
	if len(p.list) == 0 {
		return
	}
	for i := range p.list {
		p.list[i].Keep(there)
	}
	to := v.Compared()
	if p.of != v || to == p.now || to < p.first || to >= p.first+uint64(len(p.list)) {
		p.of = v
		v.SetCompared(p.now)
		return
	}
	p.now = to
	c.awaited = [2]awaited{}
	c.State.Restore(p.list[to-p.first])
	switch a, b := c.marked(view.SideA), c.marked(view.SideB); {
	case a != "" && b != "":
		c.Ask.Tell("Compared again: %s (A) with %s (B)", a, b)
		c.Desk.Use(layout.Compare)
		c.Stay()
		return
	case a != "":
		c.Ask.Tell("Only A is marked again: %s", a)
	case b != "":
		c.Ask.Tell("Only B is marked again: %s", b)
	default:
		c.Ask.Tell("Nothing is compared, as before")
	}
	if c.Desk.Workspace() == layout.Compare {
		c.Leave()
	}
}
