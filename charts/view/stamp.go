package view

import (
	"framescope/model/store"
)

// stamps remember what the stamps were given for.
type stamps struct {
	shown             shown
	session           *store.Session
	data, defs        uint64
	base, baseChanged uint64 // baseChanged: for which base the cursor's stamp was given
	cursors           cursors
	cursor            uint64
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
	if s.base == 0 || s.shown != v.shown || s.session != v.session || s.data != data || s.defs != defs {
		s.shown, s.session, s.data, s.defs = v.shown, v.session, data, defs
		s.base++
		v.Palette()
	}
	return s.base
}

// CursorStamp is Stamp that changes with the playhead and the time under the mouse, too.
func (v *View) CursorStamp() uint64 {
	s := &v.stamps
	if base := v.Stamp(); s.cursor == 0 || s.baseChanged != base || s.cursors != v.cursors {
		s.baseChanged, s.cursors = base, v.cursors
		s.cursor++
	}
	return s.cursor
}

// ShownStamp changes whenever something was hidden, folded, or shown again.
func (v *View) ShownStamp() uint64 { return v.shownRev }
