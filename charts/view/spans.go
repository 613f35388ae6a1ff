package view

import (
	"math"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// bySpans is the unit of a thread without frames (traces, samples of stacks). It is viewed by
// ranges of time: the selected range, or without one the whole session, takes the place of the
// selected frames.
type bySpans struct{}

func (bySpans) atPlayhead(v *View) {
	if v.playhead < v.rangeA || v.playhead >= v.rangeB { // else one looks around in the range
		v.clearFrames()
	}
}

func (u bySpans) atSpan(v *View) { u.atPlayhead(v) }

func (bySpans) atTrack(v *View, _ int) { v.frameA, v.frameB = -1, -1 } // the range stays

// step goes over the spans of the chosen collector, else of the row of the selected span, else of
// the outermost row. On a thread without spans it moves the playhead.
func (bySpans) step(v *View, n int) {
	t := v.Shown()
	if t == nil || t.NumSpans() == 0 {
		if b, e, ok := v.session.Bounds(); ok && v.window.axis.Valid() {
			v.SetPlayhead(min(max(v.playhead+v.stepNs(n), b), e))
		}
		return
	}
	if b, ok := v.spanAfter(t, n); ok {
		v.StepToSpan(b)
	}
}

// stepShare is the part of the visible time that a step takes where there are no spans to step
// over.
const stepShare = 20

// stepNs returns how long n such steps are.
func (v *View) stepNs(n int) int64 { return int64(v.window.axis.Width() * float64(n) / stepShare) }

// walksFrom returns the begin of the item that keys continue from: the selected span, else the
// playhead.
func (v *View) walksFrom() int64 {
	return format.Pick(v.hasSpan, v.span.Begin, v.playhead)
}

// spanAfter finds the span that step selects: as many steps as there are, n at most.
func (v *View) spanAfter(t *store.Track, n int) (found spans.Bar, ok bool) {
	id, at := t.Def.ID, v.walksFrom()
	dir := 1
	if n < 0 {
		dir, n = -1, -n
	}
	if v.chosen != model.NoCollector {
		for range n {
			b, more := v.session.Spans().Next(id, v.chosen, at, dir)
			if !more {
				break
			}
			found, ok, at = b, true, b.Begin
		}
		return found, ok
	}
	if v.hasSpan {
		found = v.span
	} else {
		b, any := v.session.Spans().At(id, 0, at, math.MaxInt64)
		if !any {
			return b, false
		}
		if found = b; dir > 0 && b.Begin > at || dir < 0 && b.Begin < at {
			ok = true
			n--
		}
	}
	for range n {
		ref := found.Ref
		ref.Index += int64(dir)
		b, more := v.session.Spans().ByRef(ref)
		if !more {
			break
		}
		found, ok = b, true
	}
	return found, ok
}

func (bySpans) extend(v *View, n int) { v.ExtendRange(n) }

func (u bySpans) reach(v *View, dir int, ns int64) {
	a, b := u.edge(v, -1), u.edge(v, 1)
	if dir < 0 {
		v.Brush(min(a, ns), b)
	} else {
		v.Brush(a, max(b, ns))
	}
}

func (bySpans) edge(v *View, dir int) int64 {
	switch {
	case v.rangeB <= v.rangeA:
		return v.playhead
	case dir < 0:
		return v.rangeA
	}
	return v.rangeB
}

func (bySpans) first(v *View) {
	b, _, _ := v.session.Bounds()
	v.SetPlayhead(b)
}

func (bySpans) last(v *View) {
	_, e, _ := v.session.Bounds()
	v.SetPlayhead(e)
}

func (bySpans) spike(v *View, dir int, step bool) bool {
	b, e, ok := v.session.Bounds()
	if !ok || v.Shown() == nil {
		return false
	}
	next, found, ways := v.Causes().NextLate(v.span, v.hasSpan, v.walksFrom(), dir, v.cause)
	if !ways {
		next, found = v.session.Spans().NextSpike(v.track, v.chosen, b, e+1, v.walksFrom(), dir)
	}
	if found && step {
		v.GoToSpan(next)
	}
	return found
}

func (bySpans) around(*View) (beginNs, endNs int64, ok bool) { return 0, 0, false }

func (bySpans) follow(_ *View, endNs int64) int64 { return endNs }

// liveWindowNs is how much a live session without frames shows at most as long as the user did not
// choose.
const liveWindowNs = 10_000_000_000

// fewSamples is how many samples of a stack are seen at first, where there are manySamples or more.
const fewSamples, manySamples = 100, 400

// open shows all of a file, of a sampled thread the first samples, the newest seconds of a live session.
func (bySpans) open(v *View, beginNs, endNs int64) {
	if v.window.live {
		beginNs = max(beginNs, endNs-liveWindowNs)
	} else if x := v.session.Spans().Stack(v.track); x != nil && x.Len() >= manySamples {
		first, last, _ := x.Bounds()
		beginNs, endNs = first, first+(last-first)/x.Len()*fewSamples
	}
	v.window.fit(beginNs, endNs)
	if v.Shown() == nil {
		v.window.placed = false
	}
}

// grow fits the session again, until the user looks at something else.
func (u bySpans) grow(v *View, beginNs, endNs int64) {
	if v.window.asFitted() {
		u.open(v, beginNs, endNs)
	}
}
