package view

import (
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
)

// stamps are the inputs of the last stamps.
type stamps struct {
	selected          selected
	look              lookState
	live              bool
	hover             model.CollectorID
	session           *store.Session
	data, defs, found uint64
	causes            uint64
	marked            marked
	marks             uint64
	marksOf           marked // for which the bookmarks' stamp was given
	ground            uint64
	groundChanged     uint64 // for which ground the base's stamp was given
	base, baseChanged uint64 // baseChanged: for which base the cursor's stamp was given
	cursors           cursors
	cursor            uint64
	looked            looked
	looks             uint64
}

// looked is the inputs of the look's stamp.
type looked struct {
	selected selected
	look     lookState
	live     bool
	hover    model.CollectorID
	session  *store.Session
	defs     uint64
	marked   marked
}

// marked is a state of the bookmarks.
type marked struct {
	list *place.MarkList
	rev  uint64
}

func (v *View) marked() marked { return marked{v.marks.list, v.marks.list.Revision()} }

// cursors are the inputs of the top layers of panels only.
type cursors struct {
	playhead  int64
	hoverTime int64
	hasHover  bool
}

// Stamp changes whenever anything changed that a picture can depend on, except the window of time
// (Time) and the cursors (CursorStamp): the session's data, the causes of its hitches, bookmarks,
// the selection, the collector under the mouse, colors and visibility.
func (v *View) Stamp() uint64 {
	s, ground := &v.stamps, v.GroundStamp()
	if s.base == 0 || s.groundChanged != ground || s.selected != v.selected || s.hover != v.pointer.Collector() {
		s.groundChanged, s.selected, s.hover = ground, v.selected, v.pointer.Collector()
		s.base++
	}
	return s.base
}

// GroundStamp is Stamp without the selection and the collector under the mouse: for panels that
// draw these above the rest.
func (v *View) GroundStamp() uint64 {
	s := &v.stamps
	data, defs, found := v.session.Revision(), v.session.DefsRevision(), v.session.Messages().FoundStamp()
	causes, marked := v.causes.Revision(), v.marked()
	seen := s.causes == causes && s.marked == marked && s.look == v.look.lookState && s.live == v.window.live && s.session == v.session
	if s.ground == 0 || !seen || s.data != data || s.defs != defs || s.found != found {
		s.causes, s.marked = causes, marked
		s.look, s.live, s.session, s.data, s.defs = v.look.lookState, v.window.live, v.session, data, defs
		s.found = found
		s.ground++
	}
	return s.ground
}

// LookStamp is Stamp that does not change with the data that come while the view is live, nor with
// the frame that it follows.
func (v *View) LookStamp() uint64 {
	now := looked{selected: v.selected, look: v.look.lookState, live: v.window.live, hover: v.pointer.Collector(),
		session: v.session, defs: v.session.DefsRevision(), marked: v.marked()}
	if now.live {
		now.selected.frameA, now.selected.frameB, now.selected.rangeA, now.selected.rangeB = -1, -1, 0, 0
	}
	if s := &v.stamps; s.looks == 0 || s.looked != now {
		s.looked = now
		s.looks++
	}
	return v.stamps.looks
}

// CursorStamp is Stamp that changes with the playhead and the time under the mouse, too.
func (v *View) CursorStamp() uint64 {
	s, now := &v.stamps, cursors{v.playhead, v.pointer.Time(), v.pointer.HasTime()}
	if base := v.Stamp(); s.cursor == 0 || s.baseChanged != base || s.cursors != now {
		s.baseChanged, s.cursors = base, now
		s.cursor++
	}
	return s.cursor
}

// MarksStamp changes with the bookmarks, and nothing else.
func (v *View) MarksStamp() uint64 {
	if s, now := &v.stamps, v.marked(); s.marksOf != now {
		s.marksOf = now
		s.marks++
	}
	return v.stamps.marks
}
