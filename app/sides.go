// Comparison in the window: it marks the two sides, by hand or as soon as the requested recordings are
// read, pins a baseline, and shows the workspace for them. The request decides which recording is A and
// which is B, not the reading order.

package app

import (
	"framescope/app/sessions"
	"framescope/app/workspace"

	"framescope/charts/view"
	"framescope/model/store"
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
	past    past
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

// tellApart names the sides by their files if their sessions have equal names.
func (c *Sides) tellApart() {
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

// past holds the earlier comparisons and, after undo, the later ones, for Back and Forward of the shown
// view. Views refer to them by number.
type past struct {
	list  []view.Sides
	first uint64 // number of the first of the list
	now   uint64
	of    *view.View // that was shown in the last tick
}

// mostPast is how many changes of the sides can be undone.
const mostPast = 32

// marked returns the name of a side, empty if it is not marked.
func (c *Sides) marked(side int) string {
	m, ok := c.State.Marked(side)
	if !ok {
		return ""
	}
	return m.What + " of " + m.Name
}
