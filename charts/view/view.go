// Package view holds the state that all panels of a session share: the window of time, the thread,
// the selection, the mouse position, hidden things and colors. Methods read it and only verbs
// change it, so that one rule decides the effects of a choice: a span selected anywhere brings its
// thread, its frame, its time and its collector with it, in every panel.
//
// causes_ files find hitches and their causes step by step, comparing files hold the two sides of a
// comparison and the baseline. It knows the model but no panels.
package view

import (
	"math"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/store"
)

// DefaultBudgetNs is the frame budget of a new view: 60 frames per second.
const DefaultBudgetNs = frames.DefaultBudgetNs

// View is the state shared by all panels of one session: the selection, the window of time
// (Steering), how the session is shown (Look), and the mouse position (Pointer). Its own methods
// concern several of these. A selected span always lies on the view's thread and in the selected
// time.
type View struct {
	*selection
	none    bool // there is no session
	window  Steering
	look    *Look
	pointer Pointer

	sessionRev uint64
	picked     picked
	unitOf     unitKey
	unit       unit
	stamps     stamps
	causes     *Causes
	marks      *viewMarks
	compared   uint64 // see SetCompared
}

// Pointer returns the item under the mouse.
func (v *View) Pointer() *Pointer { return &v.pointer }

// New returns a view of a session: live unless it is a file, nothing selected, a budget of 60 frames
// per second. The view of none (nil) has an empty one.
func New(s *store.Session) *View {
	none := s == nil
	if none {
		s = store.NewSession()
	}
	_, ended := s.Ended()
	v := &View{
		none: none,
		selection: &selection{
			session: s, selected: selected{frameA: -1, frameB: -1, chosen: model.NoCollector},
		},
		look:    &Look{session: s, lookState: lookState{budgetNs: DefaultBudgetNs, interpolated: true}},
		pointer: Nothing(), sessionRev: math.MaxUint64, causes: &Causes{},
		marks: &viewMarks{list: &place.MarkList{}},
	}
	v.window.view, v.look.view, v.look.sized = v, v, model.NoTrack
	v.window.live = !none && !s.Info().File && !ended
	return v
}

// Session returns the session, an empty one where there is none.
func (v *View) Session() *store.Session { return v.session }

// None reports whether there is no session.
func (v *View) None() bool { return v.none }

// Time returns the visible window of time.
func (v *View) Time() format.Window { return v.window.axis.Window }

// Live reports whether the view follows the newest data. Navigation into the past ends it; the
// recording goes on.
func (v *View) Live() bool { return v.window.live }

// LagNs returns how far the playhead is behind the newest data.
func (v *View) LagNs() int64 {
	_, end, ok := v.session.Bounds()
	if !ok {
		return 0
	}
	return max(0, end-v.playhead)
}
