package view

import (
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/why"
)

// Causes returns why frames of the view's session are slow.
func (v *View) Causes() *Causes {
	if !v.causes.Of(v.session) {
		made, revision := v.causes.made, v.causes.revision
		*v.causes = NewCauses(v.session)
		v.causes.made, v.causes.revision = made, revision+1
	}
	return v.causes
}

// PrepareCauses finds and explains hitches of the leading thread further: see Causes.Prepare.
func (v *View) PrepareCauses(wholly bool) {
	v.Causes().Prepare(v.LeadTrack(), v.pace.tick, v.window.nowNs, wholly)
}

// Cause returns the chosen cause: only hitches with it are stepped through. The zero value means
// none.
func (s *selection) Cause() Cause { return s.cause }

// ChooseCause lets the keys walk through the hitches of one cause alone; of the zero value through all.
func (v *View) ChooseCause(c Cause) {
	if c != v.cause {
		v.chooses(false)
		v.cause = c
	}
}

// nextOfCause returns the next frame (dir < 0: the previous one) with the chosen cause, from one on.
func (v *View) nextOfCause(from, dir int) (index int, ok bool) {
	t, g := v.Lead(), v.Causes().GroupOf(v.cause)
	if t == nil || g == nil || t.NumFrames() == 0 {
		return 0, false
	}
	number := t.Frame(min(max(from, 0), t.NumFrames()-1)).Number
	if from >= t.NumFrames() {
		number++
	}
	k := CauseFrom(g.Hitches, number)
	if dir < 0 {
		k--
	} else if k < len(g.Hitches) && g.Hitches[k].Number == number {
		k++
	}
	if k < 0 || k >= len(g.Hitches) {
		return 0, false
	}
	return t.FrameByNumber(g.Hitches[k].Number)
}

// ChoseCause reports whether the selection is the one that SelectCause makes.
func (v *View) ChoseCause(l *why.Link) bool {
	if v.track != l.Track {
		return false
	}
	if v.hasSpan {
		return v.span.Collector == l.Collector && v.span.Begin == l.BeginNs && v.span.End == l.EndNs
	}
	return l.EndNs > l.BeginNs && v.rangeA == l.BeginNs && v.rangeB == l.EndNs ||
		l.EndNs == l.BeginNs && v.chosen == l.Collector && v.Collector() != model.NoCollector
}

// causeSpan returns the longest span of a link.
func (v *View) causeSpan(l *why.Link) (b spans.Bar, ok bool) {
	var one [1]spans.Bar
	for _, b := range v.session.Spans().Longest(l.Track, l.Collector, -1, l.BeginNs, l.EndNs, 1, one[:0]) {
		return b, l.How != why.NotMeasured
	}
	return spans.Bar{}, false
}
