package view

import (
	"framescope/charts/format"
)

// Twin returns a second view of the same session: what is selected, how the session is looked at, its
// causes and its bookmarks are one with those of v, while the window of time and what lies under the
// mouse are its own. It is for two places of one session beside each other. A twin is ticked by
// TickTwin, after Tick of the view that it is one of.
func (v *View) Twin() *View {
	t := &View{
		selection: v.selection, look: v.look, pointer: Nothing(),
		causes: v.causes, marks: v.marks,
	}
	t.window.view = t
	t.window.axis.Place(v.window.axis.Window)
	return t
}

// IsTwin reports whether both views have one selection.
func (v *View) IsTwin(o *View) bool { return v.selection == o.selection }

// TickTwin is Tick of a twin: of what is its own.
func (v *View) TickTwin(nowNs int64, animate bool) {
	v.window.nowNs, v.window.animate = nowNs, animate
	v.pointer.Tick()
	if s := v.session; s != nil {
		if b, e, ok := s.Bounds(); ok {
			v.window.axis.SetLimits(b, e)
		}
	}
}

// Match shows a window of time at once and as it is, also where it reaches beyond the session: for two
// that lie on one scale. One that moves ends Live, and a running jump.
func (s *Steering) Match(w format.Window) {
	if s.axis.Window != w || s.axis.Animating() {
		s.live = false
		s.axis.Place(w)
	}
}

// Beside tells, once a tick, that the window lies on one scale with that of another session, which may
// be longer: zooming out does not stop where all of this one is shown.
func (s *Steering) Beside() { s.beside = s.view.pace.tick }
