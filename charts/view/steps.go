package view

import (
	"framescope/charts/format"
	"framescope/model"
	"framescope/model/spans"
)

// step is the state that Back restores: the window of time, the selection, the hidden things, and
// how tracks are shown. Frames are named by number, as their indices shift.
type step struct {
	window                           format.Window
	track                            model.TrackID
	frames                           bool
	numberA, numberB, rangeA, rangeB int64
	ranged                           bool
	span                             spans.Bar
	hasSpan                          bool
	chosen                           model.CollectorID
	thing                            Thing
	path, focus                      Path
	playhead                         int64
	live                             bool
	look                             *hidings // see Look.hidings: the same pointer as long as nothing changed
}

// same reports whether two steps are equal. While live, moving parts make no difference.
func (s step) same(o step) bool {
	if s.live && o.live {
		s, o = s.still(), o.still()
	}
	return s == o
}

// still is a step of a live view without its moving parts.
func (s step) still() step {
	s.window = format.Window{EndNs: s.window.Width()}
	s.frames, s.numberA, s.numberB, s.playhead = false, 0, 0, 0
	if !s.ranged {
		s.rangeA, s.rangeB = 0, 0
	}
	return s
}

// here returns the present step; of a running jump it is the target.
func (v *View) here() step {
	b, e := v.window.axis.Target()
	s := step{
		window: format.Window{BeginNs: b, EndNs: e}, track: v.track, rangeA: v.rangeA, rangeB: v.rangeB, ranged: v.ranged,
		span: v.span, hasSpan: v.hasSpan, chosen: v.chosen, thing: v.thing, playhead: v.playhead,
		path: v.path, focus: v.focus, live: v.window.live, look: v.look.hidings(),
	}
	if v.frameA >= 0 {
		s.frames, s.numberA, s.numberB = true, v.numberA, v.numberB
	}
	return s
}

// stepQuietNs is the silence after which a change of the selection is a new step; changes without a
// pause, a drag or a held key, are one.
const stepQuietNs = 800_000_000

// pace separates steps.
type pace struct {
	tick     int64 // of the view
	stepTick int64 // in which a step was remembered last
	atNs     int64 // when the selection changed last
	sizedNs  int64 // when the height of a track did
	jumped   bool  // the window was moved by a jump or gesture
}

// jumps makes the present step one that Back returns to, before the window moves. It may go wherever
// there are data by now, also those that came since the last tick.
func (v *View) jumps() {
	v.pace.jumped = true
	v.limit()
	if b, e := v.window.axis.Target(); e > b {
		v.steps.Push(v.here())
	}
}

// limit sets the limits of the window to those of the data.
func (v *View) limit() {
	if b, e, ok := v.session.Bounds(); ok {
		v.window.axis.SetLimits(b, e)
	}
}

// chooses makes the present step one that Back returns to, before a selection: once per tick, as a
// click selects several things. steady means that the selection may continue the previous one.
func (v *View) chooses(steady bool) {
	v.remembers(steady)
	v.leaveHitch()
}

// remembers notes a step as chooses does, and lets the leading hitch lead on while its cause is selected.
func (v *View) remembers(steady bool) {
	p := &v.pace
	v.limit()
	steady = steady && v.window.nowNs-p.atNs < stepQuietNs && p.atNs > 0
	p.atNs, p.sizedNs = v.window.nowNs, 0
	v.pushes(steady)
}

// rearranges is chooses before things are hidden or tracks are shown differently. sizes means that
// the change may continue the previous resize.
func (v *View) rearranges(sizes bool) {
	p := &v.pace
	sizes = sizes && v.window.nowNs-p.sizedNs < stepQuietNs && p.sizedNs > 0
	p.atNs, p.sizedNs = 0, v.window.nowNs
	v.pushes(sizes)
}

// pushes remembers the present step, once in a tick, unless it is one with the step before.
func (v *View) pushes(steady bool) {
	p := &v.pace
	if v.window.axis.Valid() && !steady && p.stepTick != p.tick {
		p.stepTick = p.tick
		v.steps.Push(v.here())
	}
}

// Back returns to the view and selection before the last jump, gesture or choice; Forward undoes
// that.
func (v *View) Back() { v.travel(v.steps.Back) }

// Forward undoes Back.
func (v *View) Forward() { v.travel(v.steps.Forward) }

// CanBack reports whether Back would do anything.
func (v *View) CanBack() bool { return v.steps.CanBack() }

// CanForward reports whether Forward would do anything.
func (v *View) CanForward() bool { return v.steps.CanForward() }

// travel goes to a step. It selects those of its frames and its span that are still stored. From
// one live step to another the view stays live.
func (v *View) travel(to func(step, func(a, b step) bool) (step, bool)) {
	here := v.here()
	s, ok := to(here, step.same)
	if !ok || v.session.Track(s.track) == nil {
		v.window.live = false
		return
	}
	v.look.bringBack(s.look)
	v.window.live = here.live && s.live
	if v.window.live {
		s.window.BeginNs, s.window.EndNs = here.window.EndNs-s.window.Width(), here.window.EndNs
	}
	v.window.axis.Set(s.window.BeginNs, s.window.EndNs, v.window.animate, v.window.nowNs)
	v.track, v.playhead, v.chosen, v.thing = s.track, v.within(s.playhead), s.chosen, s.thing
	v.path, v.focus = s.path, s.focus
	v.clearFrames()
	t := v.session.Track(s.track)
	a, okA := t.FrameByNumber(s.numberA)
	b, okB := t.FrameByNumber(s.numberB)
	if s.frames && okA && okB {
		v.setFrames(a, b)
	}
	v.rangeA, v.rangeB, v.ranged = s.rangeA, s.rangeB, s.ranged
	v.span, v.hasSpan = s.span, s.hasSpan
	if _, stored := v.session.Spans().ByRef(s.span.Ref); s.hasSpan && !stored {
		v.dropSpan()
	}
}

// most bounds the steps that are remembered in each direction.
const most = 64

// History is a list of steps to go back to, and forward again.
type History[T comparable] struct {
	back, forward []T
}

// Push remembers a step, unless it is the newest anyway.
func (h *History[T]) Push(s T) {
	if n := len(h.back); n > 0 && h.back[n-1] == s {
		return
	}
	h.back = remember(h.back, s)
	h.forward = h.forward[:0]
}

// Back returns the newest step that differs from here, false if there is none. same reports whether
// two steps are equal.
func (h *History[T]) Back(here T, same func(a, b T) bool) (T, bool) {
	return travel(&h.back, &h.forward, here, same)
}

// Forward undoes Back.
func (h *History[T]) Forward(here T, same func(a, b T) bool) (T, bool) {
	return travel(&h.forward, &h.back, here, same)
}

func travel[T comparable](from, to *[]T, here T, same func(a, b T) bool) (s T, ok bool) {
	for len(*from) > 0 {
		s = (*from)[len(*from)-1]
		*from = (*from)[:len(*from)-1]
		if !same(s, here) { // else it was remembered, but nothing happened then
			*to = remember(*to, here)
			return s, true
		}
	}
	return s, false
}

// remember appends a step; the oldest leaves when there are too many.
func remember[T any](list []T, s T) []T {
	if len(list) >= most {
		copy(list, list[1:])
		list = list[:most-1]
	}
	return append(list, s)
}

// CanBack reports whether there is a step to go back to, CanForward whether there is one to go on to.
func (h *History[T]) CanBack() bool { return len(h.back) > 0 }

// CanForward is CanBack in the other direction.
func (h *History[T]) CanForward() bool { return len(h.forward) > 0 }

// Choice is the selection, except its time. Panels compare it, and bring it into view when another
// panel changed it.
type Choice struct {
	Track     model.TrackID
	Span      spans.Ref // if HasSpan
	HasSpan   bool
	Collector model.CollectorID
	Thing     Thing
	Frame     int64 // number of the first selected frame, 0 of none and while live, when it runs along
}

// Choice returns the current selection.
func (v *View) Choice() Choice {
	c := Choice{Track: v.track, HasSpan: v.hasSpan, Collector: v.Collector(), Thing: v.thing}
	if v.hasSpan {
		c.Span = v.span.Ref
	}
	if !v.window.live && v.frameA >= 0 {
		c.Frame = v.numberA
	}
	return c
}
