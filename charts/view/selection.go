package view

import (
	"framescope/charts/format"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
)

// selection is the selection in time and of things, with its history. It serves the queries of all
// panels; View has the methods that change it.
type selection struct {
	session *store.Session
	selected
	playhead int64
	strayed  strayed
	// The selected frames by number: indices shift when old frames leave or late ones come in.
	numberA, numberB int64
	ranged           bool // the range was chosen as such, not by frames
	given            bool // the frame was chosen automatically: the first one shown, or the newest
	hitch            lead
	follows          int   // one more than the index of the selected frame whose cause is to be selected once it is known
	belongs          about // to the selected thing
	steps            History[step]
	pace             pace
}

// selected is the part of the selection that pictures depend on. It is compared as a whole: every
// field added here changes the stamp.
type selected struct {
	track          model.TrackID
	frameA, frameB int // -1 none
	rangeA, rangeB int64
	span           spans.Bar
	hasSpan        bool
	chosen         model.CollectorID
	thing          Thing
	path, focus    Path
	cause          Cause // only hitches with it are stepped through
}

// Track returns the thread that the frame strip shows and frame-wise panels work on.
func (s *selection) Track() model.TrackID { return s.track }

// Shown returns the thread of Track, nil while there is none.
func (s *selection) Shown() *store.Track {
	return s.session.Track(s.track)
}

// FrameA returns the first selected frame as an index into Track's frames, -1 when none is.
func (s *selection) FrameA() int { return s.frameA }

// FrameB returns the last selected frame, that of FrameA when one is selected, -1 when none is.
func (s *selection) FrameB() int { return s.frameB }

// RangeA returns the begin of the selected range of time in ns, which is that of the selected
// frames when frames were chosen. It equals RangeB when nothing is selected.
func (s *selection) RangeA() int64 { return s.rangeA }

// RangeB returns the end of the selected range.
func (s *selection) RangeB() int64 { return s.rangeB }

// strayed records how a switch of thread moved the playhead, unintended by the user.
type strayed struct{ from, to int64 }

// Asked returns the playhead as the user set it. It differs from Playhead if another thread was
// chosen and its frame of that time begins later or ended earlier.
func (s *selection) Asked() int64 {
	return format.Pick(s.playhead == s.strayed.to, s.strayed.from, s.playhead)
}

// HasRange reports whether a range of time is selected.
func (s *selection) HasRange() bool { return s.rangeB > s.rangeA }

// ChoseRange reports whether the user chose a range of time, or its frames: a session opens with a
// frame, and stops at one, automatically.
func (s *selection) ChoseRange() bool { return s.HasRange() && !s.given }

// RangeIsFrames reports whether the selected range is just that of the selected frames.
func (s *selection) RangeIsFrames() bool {
	t := s.Shown()
	if t == nil || s.frameA < 0 || s.frameB < s.frameA || s.frameB >= t.NumFrames() {
		return false
	}
	begin, end, _ := t.FrameTimes(s.frameA, s.frameB)
	return s.rangeA == begin && s.rangeB == end
}

// TimeRange returns the range of panels without frames, [aNs, bNs): the selected range, else all of
// the session. ok is false while nothing is stored.
func (s *selection) TimeRange() (aNs, bNs int64, ok bool) {
	if s.HasRange() {
		return s.rangeA, s.rangeB, true
	}
	aNs, bNs, ok = s.session.Bounds()
	return aNs, bNs + 1, ok // include events at the very end
}

// Around is the kind of time of figures of things with a state at each moment, such as the elements
// of a pipeline.
type Around uint8

// The times that figures may be of.
const (
	AroundAll    Around = iota // the whole recording
	AroundRange                // the selected range
	AroundBuffer               // while the selected buffer was on its way
	AroundMoment               // the last second before a moment
)

// MomentNs is the length of the time before a moment for its figures.
const MomentNs = 1_000_000_000

// FigureRange returns the time [aNs, bNs) for figures of things with a state: the selected range,
// else the time of the selected buffer's way, else the last second before the playhead, or before
// the newest data while live. At the end of an ended program everything is shut down: there, the
// whole recording is more useful than its last second.
func (v *View) FigureRange() (aNs, bNs int64, of Around) {
	begin, end, _ := v.session.Bounds()
	_, ended := v.session.Ended()
	switch {
	case ended && !v.HasRange() && (v.Live() || v.playhead >= end):
		return begin, end + 1, AroundAll
	case v.Live():
		return max(begin, end-MomentNs+1), end + 1, AroundMoment
	case v.HasRange():
		return v.rangeA, v.rangeB, AroundRange
	case v.hasSpan && v.session.Track(v.span.Ref.Track).Def.Kind == model.TrackStream:
		return v.span.Begin, v.span.End + 1, AroundBuffer
	case v.playhead > begin:
		return max(begin, v.playhead-MomentNs+1), v.playhead + 1, AroundMoment
	}
	return begin, end + 1, AroundAll
}

// Playhead returns the time under the playhead, ns.
func (s *selection) Playhead() int64 { return s.playhead }

// Span returns the selected span, if HasSpan.
func (s *selection) Span() spans.Bar { return s.span }

// HasSpan reports whether a span is selected. It is one of Track.
func (s *selection) HasSpan() bool { return s.hasSpan }

// Collector returns the selected collector: that of the selected span, else the chosen one,
// NoCollector when there is none.
func (s *selection) Collector() model.CollectorID {
	return format.Pick(s.hasSpan, s.span.Collector, s.chosen)
}

// Chosen returns the collector that was chosen for itself; lists show its occurrences and keys step
// through them. A step to a neighbour or a spike's span selects that and keeps Chosen.
func (s *selection) Chosen() model.CollectorID { return s.chosen }

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
	v.hitch, v.follows = lead{}, 0
}

// followLater is followCause for a frame whose cause was not known yet, if it is still selected.
func (v *View) followLater() {
	i := v.follows - 1
	if v.follows = 0; i >= 0 && i == v.frameA && i == v.frameB && !v.hasSpan && !v.window.live {
		v.followCause(i)
	}
}

// followCause selects the root cause of the selected frame with an index, if it has a span on a thread with frames
// that is not the frame itself, now or when it is known. The window of time stays.
func (v *View) followCause(i int) {
	a, _ := v.Causes().Frame(nil, v.track, i)
	if a != nil && a.Pending && a.Stands {
		v.follows = i + 1
	}
	if a == nil || !a.Stands || len(a.Chain) == 0 {
		return
	}
	b, ok := v.causeSpan(&a.Chain[len(a.Chain)-1])
	whole := b.Ref.Track == v.track && b.End-b.Begin >= (v.rangeB-v.rangeA)/64*63 // the frame itself
	if ok && !whole && v.session.Track(b.Ref.Track).NumFrames() > 0 {
		hitch := v.leading(b)
		v.takeSpan(b, v.causeTime(b)) // no collector is chosen: it goes with the span
		v.hitch, v.hitch.given = hitch, true
	}
}

// causeTime returns the time to select the span of a cause at: one in the leading frame, if the span began before
// that on its thread.
func (v *View) causeTime(b spans.Bar) int64 {
	i, last := v.LeadFrames()
	if i < 0 || i != last || v.LeadTrack() != b.Ref.Track {
		return b.Begin
	}
	return min(max(b.Begin, v.Lead().Frame(i).Begin), max(b.End-1, b.Begin))
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
		hitch, at := v.leading(b), v.causeTime(b)
		v.SelectSpan(b)
		v.takeSpan(b, at)
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
