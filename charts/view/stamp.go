package view

import (
	"framescope/model"
	"framescope/model/store"
)

// stamps remember what the stamps were given for.
type stamps struct {
	selected          selected
	look              lookState
	live              bool
	hover             model.CollectorID
	session           *store.Session
	data, defs        uint64
	base, baseChanged uint64 // baseChanged: for which base the cursor's stamp was given
	cursors           cursors
	cursor            uint64
}

// cursors are what only the top layers of panels depend on.
type cursors struct {
	playhead  int64
	hoverTime int64
	hasHover  bool
}

// Stamp changes whenever anything changed on which a picture can depend, but for the window of time
// (Time) and the cursors (CursorStamp): the session's data, what is selected, the collector under
// the mouse, colours and visibility.
func (v *View) Stamp() uint64 {
	s := &v.stamps
	var data, defs uint64
	if v.session != nil {
		data, defs = v.session.Revision(), v.session.DefsRevision()
	}
	seen := s.selected == v.selected && s.look == v.look.lookState && s.live == v.window.live &&
		s.hover == v.pointer.collector
	if s.base == 0 || !seen || s.session != v.session || s.data != data || s.defs != defs {
		s.selected, s.look, s.live, s.hover = v.selected, v.look.lookState, v.window.live, v.pointer.collector
		s.session, s.data, s.defs = v.session, data, defs
		s.base++
	}
	return s.base
}

// CursorStamp is Stamp that changes with the playhead and the time under the mouse, too.
func (v *View) CursorStamp() uint64 {
	s, now := &v.stamps, cursors{v.playhead, v.pointer.timeNs, v.pointer.hasTime}
	if base := v.Stamp(); s.cursor == 0 || s.baseChanged != base || s.cursors != now {
		s.baseChanged, s.cursors = base, now
		s.cursor++
	}
	return s.cursor
}
