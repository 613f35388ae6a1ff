package view

import (
	"framescope/charts/format"
)

// Twin returns a second view of the same session: it shares the selection, the look, the causes and
// the bookmarks with v, but has its own window of time and mouse position. It shows two places of one
// session side by side. Call TickTwin after Tick of v.
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

// TickTwin is Tick for the parts that a twin has for itself.
func (v *View) TickTwin(nowNs int64, animate bool) {
	v.window.nowNs, v.window.animate = nowNs, animate
	v.pointer.Tick()
	v.limit()
}

// Match shows a window of time at once and as it is, also where it reaches beyond the session: for two
// that lie on one scale. One that moves ends Live, and a running jump.
func (s *Steering) Match(w format.Window) {
	if s.axis.Window != w || s.axis.Animating() {
		s.live = false
		s.axis.Place(w)
	}
}

// Beside marks, once a tick, that the window shares its scale with that of another session, which may
// be longer: zooming out does not stop at the limits of this one.
func (s *Steering) Beside() { s.beside = s.view.pace.tick }
