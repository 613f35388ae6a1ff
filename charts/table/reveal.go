package table

import (
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/store"
)

// revealRows bounds the rows among which the selected one is looked for: longer lists have ways of
// their own to get to it.
const revealRows = 1 << 13

// seek reports whether the selected row is still to be brought into view.
type seek struct {
	session *store.Session
	choice  view.Choice
	pending bool
	looked  uint64 // revision of the rows in which it was not found
}

// reveal brings the selected row into view when another was selected elsewhere: at once, or as soon
// as there is such a row, unless one presses or scrolls here before.
func (t *Table) reveal(env *panel.Env, in *panel.Input) {
	s, choice := &t.seek, env.View.Choice()
	if session := env.View.Session(); session != s.session {
		s.session, s.choice, s.pending = session, choice, false
	}
	if choice != s.choice && !t.OwnReveal {
		s.pending, s.looked = true, t.revision-1
	}
	if in.Over && (in.WheelY != 0 || in.Left.Pressed) || t.FollowEnd && t.atEnd {
		s.pending = false
	}
	if !s.pending || s.looked == t.revision || t.n > revealRows || !t.section.on && t.Body().H() < t.rowPx() {
		return
	}
	s.looked = t.revision
	body, first := t.Body(), -1
	for row := range t.n {
		if !t.rows.info(env, row).Selected {
			continue
		}
		if r := t.RowRect(row); r.Y0 >= body.Y0-1 && r.Y1 <= body.Y1+1 {
			s.pending = false
			return
		}
		if first < 0 {
			first = row
		}
	}
	if first >= 0 {
		s.pending = false
		t.Center(first)
	}
}
