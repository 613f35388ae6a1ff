package view

import (
	"framescope/charts/format"
)

// byFrames is the unit of a thread with frames.
type byFrames struct{}

func (byFrames) atPlayhead(v *View) { v.selectFrameAt(v.playhead) }

func (byFrames) atTrack(v *View, frame int) {
	v.selectFrame(frame)
	if t := v.Shown(); frame >= 0 && !t.Def.OwnClock && !v.window.live { // it may begin a little later
		if f := t.Frame(frame); v.playhead < f.Begin || v.playhead >= f.End {
			asked := v.Asked()
			v.playhead = v.within(f.Begin)
			v.strayed = strayed{from: asked, to: v.playhead}
		}
	}
}

func (byFrames) atSpan(v *View) {
	at := v.playhead
	if v.Shown().Def.OwnClock { // the playhead is on the session's clock
		at = v.span.Begin
	}
	if t := v.Shown(); t != nil {
		v.selectFrame(t.FrameOf(v.span.Ref, at))
	}
}

// selectFrameAt selects the frame of the view's thread at a time.
func (v *View) selectFrameAt(timeNs int64) {
	if t := v.Shown(); t != nil {
		v.selectFrame(t.FrameCovering(timeNs))
	}
}

// selectFrame selects a frame, none if there is none with that index.
func (v *View) selectFrame(i int) {
	if i >= 0 {
		v.setFrames(i, i)
	} else {
		v.clearFrames()
	}
}

func (byFrames) step(v *View, n int) {
	v.TakeLead()
	t := v.Shown()
	if t == nil || t.NumFrames() == 0 {
		return
	}
	from := format.Pick(n < 0, v.frameA, v.frameB)
	if from < 0 {
		from = t.FrameAt(v.playhead)
		if n < 0 {
			from++ // in a gap: the frame before it is one step away
		}
	}
	v.SelectFrames(from+n, from+n)
}

func (u byFrames) extend(v *View, n int) {
	v.TakeLead()
	switch a, b := v.frameA, v.frameB; {
	case a < 0:
		u.step(v, n)
	case n < 0:
		v.SelectFrames(a+n, b)
	default:
		v.SelectFrames(a, b+n)
	}
}

func (u byFrames) reach(v *View, dir int, ns int64) {
	t := v.Shown()
	if t == nil || t.NumFrames() == 0 {
		return
	}
	a, b := v.frameA, v.frameB
	if a < 0 {
		a = max(t.FrameAt(v.playhead), 0)
		b = a
	}
	if i := max(t.FrameAt(ns), 0); dir < 0 {
		a = min(a-1, i)
	} else {
		b = max(b+1, i)
	}
	v.SelectFrames(a, b)
}

func (byFrames) edge(v *View, dir int) int64 {
	switch {
	case v.frameA < 0:
		return v.playhead
	case dir < 0:
		return v.rangeA
	}
	return v.rangeB
}

func (byFrames) first(v *View) { v.SelectFrames(0, 0) }

func (byFrames) last(v *View) {
	if t := v.Shown(); t != nil {
		v.SelectFrames(t.NumFrames()-1, t.NumFrames()-1)
	}
}

func (byFrames) spike(v *View, dir int, step bool) bool {
	t := v.Lead()
	first, from := v.LeadFrames()
	switch {
	case t == nil:
		return false
	case dir < 0 && first >= 0:
		from = first
	case dir < 0:
		from = t.NumFrames()
	}
	next := func() (int, bool) { return v.session.Frames().NextSpike(t.Def.ID, from, dir) }
	if v.cause != (Cause{}) && v.Causes().GroupOf(v.cause) != nil {
		next = func() (int, bool) { return v.nextOfCause(from, dir) }
	}
	i, ok := next()
	if ok && step {
		v.GoToHitch(i)
	}
	return ok
}

func (byFrames) around(v *View) (beginNs, endNs int64, ok bool) {
	if t := v.Shown(); t != nil && t.NumFrames() > 0 {
		f := t.Frame(max(0, t.FrameAt(v.playhead)))
		return f.Begin, f.End, true
	}
	return 0, 0, false
}

func (byFrames) follow(v *View, endNs int64) int64 {
	t := v.Shown()
	if t == nil || t.NumFrames() == 0 {
		return endNs
	}
	v.give(t.NumFrames() - 1)
	return v.rangeB
}

// open shows the newest frames of a live session, the first ones of a file, and when all of it is read
// the worst one.
func (u byFrames) open(v *View, beginNs, endNs int64) {
	if t := v.Shown(); t == nil || t.NumFrames() == 0 {
		bySpans{}.open(v, beginNs, endNs)
		return
	}
	if !v.window.live {
		v.give(0)
	}
	u.place(v, endNs)
}

// grow places the window again, until the user looks at something else: how many frames the first
// data of a session bring is chance.
func (u byFrames) grow(v *View, _, endNs int64) {
	if t := v.Shown(); v.window.asFitted() && t != nil && t.NumFrames() > 0 {
		u.place(v, endNs)
	}
}

// worst shows the longest spike of a completely read file with its surroundings, unless the user has
// chosen something.
func (byFrames) worst(v *View) {
	if _, read := v.session.Ended(); read && v.given {
		for _, i := range v.session.Frames().Spikes(v.track, 0, v.Shown().NumFrames()-1, 1, nil) {
			v.TakeLead()
			v.give(i)
			pad := max(v.rangeB-v.rangeA, int64(v.Time().Width())-(v.rangeB-v.rangeA)) / 2
			v.window.fit(v.rangeA-pad, v.rangeB+pad)
			v.followCause(i)
			v.given = true
		}
	}
}

// give selects a frame automatically.
func (v *View) give(i int) {
	v.setFrames(i, i)
	v.given, v.playhead = true, v.rangeA
}

// fewFrames is how many frames are seen at first.
const fewFrames = 6

func (u byFrames) place(v *View, endNs int64) {
	if t := v.Shown(); v.window.live {
		w := fewFrames * roundedNs(v.session.Frames().Typical(v.track).MedianNs, v.look.budgetNs)
		v.window.fit(endNs-w, endNs)
	} else {
		v.window.fit(t.Frame(0).Begin, t.Frame(min(t.NumFrames(), fewFrames)-1).End)
		u.worst(v)
	}
}

// roundedNs returns the budget, doubled until a typical frame is not much longer: a width that
// follows the typical length but changes rarely.
func roundedNs(typicalNs, budgetNs int64) int64 {
	w := max(budgetNs, 1)
	for typicalNs > w+w/4 && w < format.MaxTimeNs/fewFrames/2 {
		w *= 2
	}
	return w
}

// resyncFrames finds the selected frames again by number.
func (s *selection) resyncFrames() {
	t := s.Shown()
	if t == nil || s.frameA < 0 {
		return
	}
	a, okA := t.FrameByNumber(s.numberA)
	b, okB := t.FrameByNumber(s.numberB)
	if !okB {
		b-- // where it would be: the one before is the last that is left
	}
	gone := !okA && !okB && a == b && s.numberA == s.numberB
	if a > b || gone || b < 0 || a >= t.NumFrames() {
		s.clearFrames()
		return
	}
	rangeA, rangeB, ranged, given := s.rangeA, s.rangeB, s.ranged, s.given
	s.setFrames(a, b)
	s.given = given
	if ranged {
		s.rangeA, s.rangeB, s.ranged = rangeA, rangeB, true
	}
}
