package charts

import (
	"math"

	"framescope/model"
)

// Sources without frames (traces, samples of stacks) are looked at by ranges of time: what panels
// ask of the selected frames elsewhere, they ask of the selected range here, or of the whole
// session while none is selected.

// Unframed tells whether the view's track has no frames and never had any, while its session has
// data.
func (v *View) Unframed() bool {
	if v.Session == nil {
		return false
	}
	k := unframedKey{v.Session, v.Session.Revision(), v.Track}
	if c := &v.state.unframed; c.key != k {
		c.key, c.is = k, false
		if t := v.track(); t == nil || !t.HasFrames() {
			_, _, c.is = v.Session.Bounds()
		}
	}
	return v.state.unframed.is
}

type unframedKey struct {
	session *model.Session
	rev     uint64
	track   model.TrackID
}

// TimeRange returns what panels sum up where there are no frames, [aNs, bNs): the selected range,
// else all of the session. ok is false while nothing is stored.
func (v *View) TimeRange() (aNs, bNs int64, ok bool) {
	if v.RangeB > v.RangeA {
		return v.RangeA, v.RangeB, true
	}
	if v.Session == nil {
		return 0, 0, false
	}
	aNs, bNs, ok = v.Session.Bounds()
	return aNs, bNs + 1, ok // what happened at the very end belongs to it
}

// Times at which the first track of a session without frames is chosen, ns of the monotonic clock.
const (
	pickEveryNs = 250_000_000   // a better one is looked for no more often than that while data come in
	pickStopNs  = 1_000_000_000 // after that long a live session keeps what was chosen
)

// picked is what a view remembers of how its track was chosen.
type picked struct {
	byUser  bool // the user chose the track: it stays
	settled bool // the choice is final
	any     bool
	defs    uint64 // when a main track was looked for last
	lookNs  int64
	firstNs int64 // when that was for the first time, among tracks without frames
}

// pickTrack makes the session's main track the view's. What the user chose stays, and so do a track
// with frames, unless the source names another one, and what was chosen among tracks without frames
// when the session is complete, or has run for a second.
func (v *View) pickTrack() {
	p := &v.state.picked
	t, defs := v.track(), v.Session.DefsRevision()
	framed := p.any && t != nil && t.NumFrames() > 0
	_, ended := v.Session.Ended()
	soon := v.state.nowNs-p.lookNs < pickEveryNs && !ended && !(framed && p.defs != defs)
	if p.byUser || p.settled && (framed || !v.Session.HasFrames()) || p.any && soon {
		return
	}
	main := v.Session.MainTrack()
	t = v.Session.Track(main)
	p.lookNs, p.defs = v.state.nowNs, defs
	if t == nil || framed && !t.Def.Main {
		return
	}
	if !p.any {
		p.firstNs = v.state.nowNs
	}
	p.any = true
	longEnough := ended || !v.Session.Info().File && v.state.nowNs-p.firstNs >= pickStopNs
	p.settled = t.Def.Main || !t.HasFrames() && longEnough
	if main != v.Track {
		v.Track, v.FrameA, v.FrameB = main, -1, -1
	}
}

// liveWindowNs is how much a live session without frames shows at most as long as the user did not
// choose.
const liveWindowNs = 10_000_000_000

// fitUnframed shows a session without frames: all of a file, the newest seconds of a live session.
func (v *View) fitUnframed(begin, end int64) {
	if v.Live {
		begin = max(begin, end-liveWindowNs)
	}
	v.Time.Fit(begin, end)
	v.state.fitted = axisRange{v.Time.BeginNs, v.Time.EndNs}
}

// keepFitting fits a session without frames again as it grows, until the user looks at something
// else.
func (v *View) keepFitting(begin, end int64) {
	if f := v.state.fitted; f == (axisRange{}) || f != (axisRange{v.Time.BeginNs, v.Time.EndNs}) || v.Time.CanBack() || !v.Unframed() {
		v.state.fitted = axisRange{}
		return
	}
	v.fitUnframed(begin, end)
}

// stepShare is the part of the visible time that a step takes where there are no spans to step
// over.
const stepShare = 20

// stepSpan selects the n-th span after (n < 0: before) the selected one or the playhead: of the
// chosen collector, else of the row of the selected span, else of the outermost row. On a track
// without spans it moves the playhead by a twentieth of what is visible.
func (v *View) stepSpan(n int) {
	t := v.track()
	if v.HasSpan {
		t = v.Session.Track(v.SpanTrack)
	}
	if t == nil || t.NumSpans() == 0 {
		v.nudge(n)
		return
	}
	if b, ok := v.spanAfter(t, n); ok {
		v.SelectSpan(b)
	}
}

// SelectSpan selects a span, moves the playhead to its begin and brings it into view. It ends Live.
func (v *View) SelectSpan(b model.Bar) {
	v.Span, v.SpanTrack, v.HasSpan, v.Live = b, b.Ref.Track, true, false
	v.Playhead = b.Begin
	v.frameOfPlayhead()
	v.Time.Show(b.Begin, b.End, v.state.animate, v.state.nowNs)
}

// spanAfter finds the span that stepSpan selects: as many steps as there are, n at most.
func (v *View) spanAfter(t *model.Track, n int) (found model.Bar, ok bool) {
	id, at := t.Def.ID, v.Playhead
	if v.HasSpan {
		at = v.Span.Begin
	}
	dir := 1
	if n < 0 {
		dir, n = -1, -n
	}
	if v.Collector != model.NoCollector {
		for range n {
			b, more := v.Session.NextSpan(id, v.Collector, at, dir)
			if !more {
				break
			}
			found, ok, at = b, true, b.Begin
		}
		return found, ok
	}
	if v.HasSpan {
		found = v.Span
	} else {
		b, any := v.Session.SpanAt(id, 0, at, math.MaxInt64)
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
		b, more := v.Session.SpanByRef(ref)
		if !more {
			break
		}
		found, ok = b, true
	}
	return found, ok
}

// StepSpike selects the next (dir > 0) or previous of the longest spans of the view's track, those
// that the list of spikes shows. It returns false where there is none.
func (v *View) StepSpike(dir int) bool {
	t := v.track()
	b, e, ok := v.Session.Bounds()
	if t == nil || !ok {
		return false
	}
	at := v.Playhead
	if v.HasSpan && v.SpanTrack == v.Track {
		at = v.Span.Begin
	}
	next, found := v.Session.NextSpikeSpan(v.Track, v.Collector, b, e+1, at, dir)
	if found {
		v.SelectSpan(next)
	}
	return found
}

// nudge moves the playhead by n twentieths of the visible time, within the session.
func (v *View) nudge(n int) {
	b, e, ok := v.Session.Bounds()
	if !ok || !v.Time.Valid() {
		return
	}
	d := int64(v.Time.Width() * float64(n) / stepShare)
	v.SetPlayhead(min(max(v.Playhead+d, b), e))
}

// ExtendRange moves an end of the selected range by n twentieths of the visible time: the right one
// for n > 0, the left one for n < 0. Without a range it begins at the playhead.
func (v *View) ExtendRange(n int) {
	if v.Session == nil {
		return
	}
	b, e, ok := v.Session.Bounds()
	if !ok || !v.Time.Valid() {
		return
	}
	a, z := v.RangeA, v.RangeB
	if z <= a {
		a, z = v.Playhead, v.Playhead
	}
	if d := int64(v.Time.Width() * float64(n) / stepShare); n < 0 {
		a = min(max(a+d, b), e)
		v.brush(a, z)
		v.Time.Show(a, a, v.state.animate, v.state.nowNs)
	} else {
		z = min(max(z+d, b), e)
		v.brush(a, z)
		v.Time.Show(z, z, v.state.animate, v.state.nowNs)
	}
}

// GoFirst goes to the first frame, or where there are none to the begin of the session; GoLast to
// the last frame or the end.
func (v *View) GoFirst() {
	if v.Unframed() {
		b, _, _ := v.Session.Bounds()
		v.SetPlayhead(b)
		return
	}
	v.SelectFrames(0, 0)
}

// GoLast is GoFirst for the other end.
func (v *View) GoLast() {
	if v.Unframed() {
		_, e, _ := v.Session.Bounds()
		v.SetPlayhead(e)
		return
	}
	if t := v.track(); t != nil {
		v.SelectFrames(t.NumFrames()-1, t.NumFrames()-1)
	}
}
