package view

import (
	"framescope/charts/format"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
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
