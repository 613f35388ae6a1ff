package view

import (
	"framescope/model"
	"framescope/model/spans"
)

// SelectSpan selects a span, with its thread, its frame and its collector, moves the playhead to
// its begin and brings it into view. It ends Live.
func (v *View) SelectSpan(b spans.Bar) {
	v.chooses(false)
	v.chosen = b.Collector
	v.StepToSpan(b)
}

// GoToSpan is GoToFrame for a span that stands for a unit of time: the collector being stepped
// through stays.
func (v *View) GoToSpan(b spans.Bar) {
	v.StepToSpan(b)
	v.window.bring(b.Begin, b.End)
}

// StepToSpan is SelectSpan that keeps the collector being stepped through (Chosen).
func (v *View) StepToSpan(b spans.Bar) {
	v.chooses(true)
	v.takeSpan(b, b.Begin)
	v.window.axis.Show(b.Begin, b.End, v.window.animate, v.window.nowNs)
}

// SelectSpanAt is SelectSpan for a span that is in view: the playhead moves to a time within it.
func (v *View) SelectSpanAt(b spans.Bar, timeNs int64) {
	v.chooses(false)
	v.chosen = b.Collector
	v.takeSpan(b, timeNs)
}

// SelectCall is SelectSpan that also selects the time from the span's begin to the end of the call
// and shows it with room at its sides. The collector being stepped through stays unless choose is
// set.
func (v *View) SelectCall(b spans.Bar, endNs int64, choose bool) {
	v.chooses(false)
	if choose || v.chosen == model.NoCollector {
		v.chosen = b.Collector
	}
	v.takeSpan(b, b.Begin)
	v.SelectRange(b.Begin, max(endNs, b.Begin+1))
	v.window.zoomAround(b.Begin, endNs)
}

// takeSpan selects a span and everything that follows from it.
func (v *View) takeSpan(b spans.Bar, timeNs int64) {
	if v.session.Track(b.Ref.Track) == nil {
		return
	}
	if stored, ok := v.session.Spans().ByRef(b.Ref); ok {
		b = stored // a picture may have moved it in time, or cut it
	}
	if !v.session.Track(b.Ref.Track).Def.OwnClock { // a narrow bar is pressed a little beside it
		timeNs = min(max(timeNs, b.Begin), max(b.End-1, b.Begin))
	}
	v.window.live = false
	v.setTrack(b.Ref.Track)
	v.strayed, v.playhead = strayed{}, v.within(timeNs)
	v.span, v.hasSpan = b, true
	v.dropThing()
	v.units().atSpan(v)
}

// SelectCollector chooses a collector. A selected span stays if it is one of it.
func (v *View) SelectCollector(c model.CollectorID) {
	if c != v.chosen {
		v.chooses(false)
	}
	v.chosen = c
	v.dropThing()
	if v.span.Collector != c {
		v.dropSpan()
	}
}

// SelectCollectorOf is SelectCollector of a thing in a panel of a thread, which becomes the view's
// (NoTrack: the panel has several).
func (v *View) SelectCollectorOf(id model.TrackID, c model.CollectorID) {
	v.SetTrack(id)
	v.SelectCollector(c)
}

// SelectFrames selects the frames with index a to b of Track (in any order, clamped), moves the
// playhead to the first and brings it into view. It ends Live.
func (v *View) SelectFrames(a, b int) {
	t := v.Shown()
	if t == nil || t.NumFrames() == 0 {
		return
	}
	if a > b {
		a, b = b, a
	}
	n := t.NumFrames()
	v.chooses(true)
	v.window.live = false
	v.setFrames(min(max(a, 0), n-1), min(max(b, 0), n-1))
	v.playhead = v.rangeA
	v.keepSpan()
	v.window.axis.Show(v.rangeA, v.rangeB, v.window.animate, v.window.nowNs)
}

// GoToFrame is SelectFrames of one frame that was chosen by its name or figures rather than by its
// place in time: it comes wholly into view, and is wide enough there to be looked at.
func (v *View) GoToFrame(i int) {
	v.SelectFrames(i, i)
	v.window.bring(v.rangeA, v.rangeB)
}

// SelectHitch selects one frame and drops the span, the collector and the thing, so that panels
// explain why the frame was slow rather than the collector's work in it.
func (v *View) SelectHitch(i int) {
	v.TakeLead()
	v.chooses(v.Collector() == model.NoCollector && v.thing.None())
	v.ClearThing()
	v.SelectFrames(i, i)
}

// GoToHitch brings a frame of the leading thread into view and selects its root cause there, so that all
// panels show what made it slow; where the cause is not known it selects the frame, as SelectHitch does.
func (v *View) GoToHitch(i int) {
	v.SelectHitch(i)
	v.window.bring(v.rangeA, v.rangeB)
	v.followCause(i)
}

// SelectRange selects a range of time, as far as the session has some then, and its frames
// (store.Track.FramesIn; none where it lies in a gap). It ends Live.
func (v *View) SelectRange(aNs, bNs int64) {
	if aNs > bNs {
		aNs, bNs = bNs, aNs
	}
	if aNs, bNs = v.recorded(aNs, bNs); bNs <= aNs {
		return
	}
	v.chooses(true)
	v.window.live = false
	if t := v.Shown(); t != nil && t.NumFrames() > 0 {
		if a, b := t.FramesIn(aNs, bNs); a <= b {
			v.setFrames(a, b)
		} else {
			v.clearFrames()
		}
	}
	v.rangeA, v.rangeB, v.ranged = aNs, bNs, true
	v.keepSpan()
}

// recorded returns the part of a range of time in which the session has something, its end included:
// panels show more than that.
func (v *View) recorded(aNs, bNs int64) (fromNs, toNs int64) {
	if b, e, ok := v.session.Bounds(); ok {
		return max(aNs, b), min(bNs, e+1)
	}
	return aNs, bNs
}

// FramesIn returns the indices of the first and the last frame of the view's thread of a range of
// time: those that SelectRange selects. ok is false where there is none.
func (v *View) FramesIn(aNs, bNs int64) (first, last int, ok bool) {
	t := v.Shown()
	if t == nil || t.NumFrames() == 0 {
		return 0, -1, false
	}
	first, last = t.FramesIn(aNs, bNs)
	return first, last, first <= last
}

// FramesOf returns the indices of the frames of a thread that are selected: of another than the
// view's those that go with its selected ones (store.Session.FramesWith), as in a report on these; of a
// thread that counts for itself and begins no frame in their time that which runs then. Where no frames
// are selected it is those that run in the selected range. last < first where there are none. ok is
// false where nothing is selected.
func (v *View) FramesOf(id model.TrackID) (first, last int, ok bool) {
	if t := v.Shown(); t != nil && v.frameA >= 0 && v.frameB >= v.frameA && v.frameB < t.NumFrames() {
		if id == v.track {
			return v.frameA, v.frameB, true
		}
		if first, last, ok = v.session.FramesWith(id, v.track, v.frameA, v.frameB); ok || first <= last {
			return first, last, true
		}
	}
	if !v.HasRange() {
		return 0, -1, false
	}
	first, last = v.session.Track(id).FramesIn(v.rangeA, v.rangeB)
	return first, last, true
}

// FrameAtPlayhead returns the index of the frame of a thread at the playhead, -1 if there is none: of
// another than the view's the one beside that which the view's has there, but while live, when the
// newest need not have come of each. offsetNs was added to the thread's times where it is shown.
func (v *View) FrameAtPlayhead(id model.TrackID, offsetNs int64) int {
	if t := v.Shown(); t != nil && id != v.track && !v.window.live {
		i := t.FrameCovering(v.playhead)
		if f := t.Frame(v.frameA); v.frameA == v.frameB && (t.Def.OwnClock || f.Begin <= v.playhead && v.playhead < f.End) {
			i = v.frameA // of those that run then
		}
		if i >= 0 {
			if first, last, ok := v.session.FramesBeside(id, v.track, i, i); ok && first <= last {
				return first
			} else if ok {
				return -1
			}
		}
	}
	return v.session.Track(id).FrameCovering(v.playhead - offsetNs)
}

// FramesShown returns the indices of the frames of a thread for a figure beside its name: the selected
// ones (FramesOf), without a selection the one at the playhead (FrameAtPlayhead). last < first if there are none.
func (v *View) FramesShown(id model.TrackID, offsetNs int64) (first, last int) {
	if first, last, selected := v.FramesOf(id); selected {
		return first, last
	}
	if i := v.FrameAtPlayhead(id, offsetNs); i >= 0 {
		return i, i
	}
	return 0, -1
}

// Brush is SelectRange for every tick of a drag: an empty range, or the one that is selected,
// changes nothing.
func (v *View) Brush(aNs, bNs int64) {
	if aNs > bNs {
		aNs, bNs = bNs, aNs
	}
	if aNs < bNs && (aNs != v.rangeA || bNs != v.rangeB) {
		v.SelectRange(aNs, bNs)
	}
}

// ExtendRange moves an end of the selected range by n twentieths of the visible time: the right one
// for n > 0, the left one for n < 0. Without a range it begins at the playhead.
func (v *View) ExtendRange(n int) {
	b, e, ok := v.session.Bounds()
	if !ok || !v.window.axis.Valid() {
		return
	}
	a, z := v.rangeA, v.rangeB
	if z <= a {
		a, z = v.playhead, v.playhead
	}
	end := &z
	if n < 0 {
		end = &a
	}
	*end = min(max(*end+v.stepNs(n), b), e)
	v.Brush(a, z)
	v.window.axis.Show(*end, *end, v.window.animate, v.window.nowNs)
}

// SetPlayhead moves the playhead, within the session, and everything that follows it: the frame
// there is selected (none in a gap) and the axis shows it. It ends Live; the recording goes on.
func (v *View) SetPlayhead(timeNs int64) {
	v.PlacePlayhead(timeNs)
	a, b := v.playhead, v.playhead
	if v.HasRange() {
		a, b = min(a, v.rangeA), max(b, v.rangeB)
	}
	v.window.axis.Show(a, b, v.window.animate, v.window.nowNs)
}

// ScrubTo is SetPlayhead for a drag: the axis follows at once, without animation.
func (v *View) ScrubTo(timeNs int64) {
	animate := v.window.animate
	v.window.animate = false
	v.SetPlayhead(timeNs)
	v.window.animate = animate
}

// PlacePlayhead is SetPlayhead for a visible time: the axis stays where it is.
func (v *View) PlacePlayhead(timeNs int64) {
	v.chooses(true)
	v.window.live = false
	v.strayed, v.playhead = strayed{}, v.within(timeNs)
	v.units().atPlayhead(v)
	v.keepSpan()
}

// SetTrack shows and selects the frames of another thread; the selection moves to its frame at the
// playhead. A selected span of another thread is dropped.
func (v *View) SetTrack(id model.TrackID) {
	if v.session.Track(id) == nil {
		return
	}
	v.picked.byUser = true
	if id == v.track {
		return
	}
	v.chooses(false)
	v.setTrack(id)
}

func (v *View) setTrack(id model.TrackID) {
	v.picked.byUser = true
	if id == v.track {
		return
	}
	frame := v.FrameAtPlayhead(id, 0)
	v.track = id
	v.units().atTrack(v, frame)
	v.keepSpan()
}

// ClearSelection selects nothing: no range, no frames, no span, no collector, no thing.
func (v *View) ClearSelection() {
	v.clearFrames()
	v.ClearThing()
}

// ClearThing selects no span, no collector and no thing. The selected time stays.
func (v *View) ClearThing() {
	v.dropSpan()
	v.dropThing()
	v.chosen = model.NoCollector
}

// Unselect takes back one step of the selection, as the key Esc does: from the cause of a hitch to the hitch,
// the span, the collector and the thing first, then the cause of hitches, then a range without frames, then a run of
// frames; one frame always stays.
func (v *View) Unselect() {
	if _, _, ok := v.Hitch(); ok && v.hitch.given {
		v.TakeLead()
		return
	}
	v.chooses(false)
	switch {
	case v.Collector() != model.NoCollector, !v.thing.None():
		v.ClearThing()
	case v.cause != (Cause{}):
		v.cause = Cause{}
	case v.frameA < 0 && v.HasRange():
		v.ClearSelection()
	case v.frameB > v.frameA, v.frameA >= 0 && !v.RangeIsFrames():
		v.SelectFrames(v.frameA, v.frameA)
	}
}

// keepSpan drops the selected span, or the thing of a time, if it lies outside the selection.
func (s *selection) keepSpan() {
	s.keepThing()
	b := &s.span
	outside := s.HasRange() && (b.Begin >= s.rangeB || b.End < s.rangeA || b.End == s.rangeA && b.Begin < b.End)
	if outside || b.Ref.Track != s.track {
		s.dropSpan()
	}
}

func (s *selection) dropSpan() { s.span, s.hasSpan = spans.Bar{}, false }

// setFrames selects frames [a, b] without any further effect.
func (s *selection) setFrames(a, b int) {
	t := s.session.Track(s.track)
	s.frameA, s.frameB = a, b
	s.numberA, s.numberB = t.Frame(a).Number, t.Frame(b).Number
	s.rangeA, s.rangeB, _ = t.FrameTimes(a, b)
	s.ranged, s.given = false, false
}

func (s *selection) clearFrames() {
	s.frameA, s.frameB = -1, -1
	s.rangeA, s.rangeB, s.ranged, s.given = 0, 0, false, false
}

// within returns the time of the session that is nearest to a time: panels show more than the
// session, and are pressed there.
func (s *selection) within(timeNs int64) int64 {
	if b, e, ok := s.session.Bounds(); ok {
		return min(max(timeNs, b), e)
	}
	return timeNs
}
