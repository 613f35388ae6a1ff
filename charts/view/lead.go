package view

import (
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
)

// lead is a hitch while something that explains it is selected in its place: its root cause, on another
// thread perhaps. The zero value is none.
type lead struct {
	track  model.TrackID
	number int64
	span   spans.Ref // the selected span
	given  bool      // it was selected automatically
	some   bool
}

// Hitch returns the hitch whose cause is selected in its place: the index of a frame of a thread.
func (s *selection) Hitch() (track model.TrackID, index int, ok bool) {
	if !s.hitch.some || !s.hasSpan || s.span.Ref != s.hitch.span {
		return s.track, -1, false
	}
	index, ok = s.session.Track(s.hitch.track).FrameByNumber(s.hitch.number)
	return s.hitch.track, index, ok
}

// LeadTrack returns the thread by whose frames time is divided in strip and rulers, and whose hitches are
// listed: the view's, but while the cause of a hitch is selected the thread of the hitch.
func (s *selection) LeadTrack() model.TrackID {
	if track, _, ok := s.Hitch(); ok {
		return track
	}
	return s.track
}

// Lead returns the thread of LeadTrack, nil while there is none.
func (s *selection) Lead() *store.Track {
	return s.session.Track(s.LeadTrack())
}

// LeadFrames returns the first and last of the selected frames of the leading thread, -1 when none are.
func (s *selection) LeadFrames() (a, b int) {
	if _, index, ok := s.Hitch(); ok {
		return index, index
	}
	return s.frameA, s.frameB
}

// LeadA returns the first of LeadFrames.
func (s *selection) LeadA() int { a, _ := s.LeadFrames(); return a }

// LeadB returns the last of LeadFrames.
func (s *selection) LeadB() int { _, b := s.LeadFrames(); return b }

// TakeLead selects the hitch itself while its cause is selected.
func (v *View) TakeLead() {
	track, index, ok := v.Hitch()
	if !ok {
		return
	}
	v.hitch = lead{}
	v.track = track
	v.dropSpan()
	v.setFrames(index, index)
	v.playhead = v.rangeA
}

// leaveHitch forgets the hitch before something else is selected, and the cause that was not the user's choice.
func (v *View) leaveHitch() {
	if _, _, ok := v.Hitch(); ok && v.hitch.given {
		v.dropSpan()
	}
	v.hitch = lead{}
}

// followCause selects the root cause of the selected frame with an index, if it is known and has a span on a
// thread with frames that is not the frame itself. The window of time stays.
func (v *View) followCause(i int) {
	a, _ := v.Causes().Frame(nil, v.track, i, v.session.Revision())
	if a == nil || !a.Stands || len(a.Chain) == 0 {
		return
	}
	b, ok := v.causeSpan(&a.Chain[len(a.Chain)-1])
	whole := b.Ref.Track == v.track && b.End-b.Begin >= (v.rangeB-v.rangeA)/64*63 // the frame itself
	if ok && !whole && v.session.Track(b.Ref.Track).NumFrames() > 0 {
		hitch := v.leading(b)
		v.takeSpan(b, b.Begin) // no collector is chosen: it goes with the span
		v.hitch, v.hitch.given = hitch, true
	}
}

// leading returns what leads while a span is selected that explains the selected frame.
func (v *View) leading(b spans.Bar) lead {
	first, last := v.LeadFrames()
	if first < 0 || first != last || v.session.Track(b.Ref.Track).NumFrames() == 0 {
		return lead{}
	}
	return lead{track: v.LeadTrack(), number: v.Lead().Frame(first).Number, span: b.Ref, some: true}
}

// SelectCause selects the subject of a link of a chain: its longest span; without one its time, or
// its thread and its collector. The hitch that the chain explains goes on to lead.
func (v *View) SelectCause(l *why.Link) {
	if b, ok := v.causeSpan(l); ok {
		hitch := v.leading(b)
		v.SelectSpan(b)
		v.hitch = hitch
		return
	}
	v.SelectCollectorOf(l.Track, l.Collector)
	if l.EndNs > l.BeginNs {
		v.ClearThing()
		v.SelectRange(l.BeginNs, l.EndNs)
		v.window.axis.Show(l.BeginNs, l.EndNs, v.window.animate, v.window.nowNs)
	}
}
