package charts

import "framescope/model"

// SelectFrames selects the frames with index a to b of Track (in any order, clamped), moves the playhead to the first and brings it into view. It ends Live.
func (v *View) SelectFrames(a, b int) {
	t := v.track()
	if t == nil || t.NumFrames() == 0 {
		return
	}
	if a > b {
		a, b = b, a
	}
	n := t.NumFrames()
	a, b = min(max(a, 0), n-1), min(max(b, 0), n-1)
	v.Live = false
	v.setFrames(a, b)
	v.Playhead = v.RangeA
	v.Time.Show(v.RangeA, v.RangeB, v.state.animate, v.state.nowNs)
}

// SetRange selects a range of time and the frames that it touches (none where it lies in a gap). It ends Live.
func (v *View) SetRange(aNs, bNs int64) {
	if aNs > bNs {
		aNs, bNs = bNs, aNs
	}
	v.Live = false
	if t := v.track(); t != nil && t.NumFrames() > 0 {
		a, b := max(t.FrameAt(aNs), 0), t.FrameAt(bNs)
		if a <= b && t.Frame(a).End <= aNs {
			a++
		}
		if a <= b {
			v.setFrames(a, b)
		} else {
			v.clearFrames()
		}
	}
	v.RangeA, v.RangeB = aNs, bNs
}

// brush is SetRange for every tick of a drag: an empty range, or the one that is selected, changes nothing.
func (v *View) brush(aNs, bNs int64) {
	if aNs > bNs {
		aNs, bNs = bNs, aNs
	}
	if aNs < bNs && (aNs != v.RangeA || bNs != v.RangeB) {
		v.SetRange(aNs, bNs)
	}
}

// RangeIsFrames tells whether the selected range is just that of the selected frames.
func (v *View) RangeIsFrames() bool {
	t := v.track()
	if t == nil || v.FrameA < 0 || v.FrameB < v.FrameA || v.FrameB >= t.NumFrames() {
		return false
	}
	return v.RangeA == t.Frame(v.FrameA).Begin && v.RangeB == t.Frame(v.FrameB).End
}

// ClearSelection selects nothing: no range, no frames, no span, no collector.
func (v *View) ClearSelection() {
	v.clearFrames()
	v.HasSpan, v.Collector = false, model.NoCollector
}

// SetPlayhead moves the playhead, within the session, and everything that follows it: the frame there is selected (none in a gap) and the axis shows it. It ends Live; the recording
// goes on.
func (v *View) SetPlayhead(timeNs int64) {
	timeNs = v.within(timeNs)
	v.Live = false
	v.Playhead = timeNs
	v.frameOfPlayhead()
	if v.RangeB > v.RangeA {
		v.Time.Show(min(timeNs, v.RangeA), max(timeNs, v.RangeB), v.state.animate, v.state.nowNs)
	} else {
		v.Time.Show(timeNs, timeNs, v.state.animate, v.state.nowNs)
	}
}

// ScrubTo is SetPlayhead for a drag: the axis follows at once, without animation.
func (v *View) ScrubTo(timeNs int64) {
	animate := v.state.animate
	v.state.animate = false
	v.SetPlayhead(timeNs)
	v.state.animate = animate
}

// placePlayhead is SetPlayhead for what is visible anyway: the axis stays where it is.
func (v *View) placePlayhead(timeNs int64) {
	v.Live = false
	v.Playhead = v.within(timeNs)
	v.frameOfPlayhead()
}

// within returns the time of the session that is nearest to a time: charts show more than the session, and are pressed there.
func (v *View) within(timeNs int64) int64 {
	if v.Session != nil {
		if b, e, ok := v.Session.Bounds(); ok {
			return min(max(timeNs, b), e)
		}
	}
	return timeNs
}

// frameOfPlayhead selects the frame of Track under the playhead.
func (v *View) frameOfPlayhead() {
	if v.Unframed() {
		if v.Playhead < v.RangeA || v.Playhead >= v.RangeB { // else one looks around in the range
			v.clearFrames()
		}
		return
	}
	t := v.track()
	if t == nil {
		return
	}
	if i := frameCovering(t, v.Playhead); i >= 0 {
		v.setFrames(i, i)
	} else {
		v.clearFrames()
	}
}

// frameCovering returns the frame at a time, -1 before the first and inside a gap. Between the end of a frame and the begin of the next number it is the earlier one.
func frameCovering(t *model.Track, timeNs int64) int {
	i := t.FrameAt(timeNs)
	if i < 0 || i+1 < t.NumFrames() && timeNs >= t.Frame(i).End && t.Frame(i+1).Missing > 0 {
		return -1
	}
	return i
}

// StepFrame selects the frame n after (n < 0: before) the selected one, from the playhead where none is selected. Where there are no frames it steps over spans. It ends Live.
func (v *View) StepFrame(n int) {
	if v.Unframed() {
		v.stepSpan(n)
		return
	}
	t := v.track()
	if t == nil || t.NumFrames() == 0 {
		return
	}
	from := v.FrameB
	if n < 0 {
		from = v.FrameA
	}
	if from < 0 {
		from = t.FrameAt(v.Playhead)
		if n < 0 {
			from++ // in a gap: the frame before it is one step away
		}
	}
	v.SelectFrames(from+n, from+n)
}

// GoLive follows the newest data again.
func (v *View) GoLive() { v.Live = true }

// FitAll shows the whole session.
func (v *View) FitAll() {
	if v.Session == nil {
		return
	}
	if b, e, ok := v.Session.Bounds(); ok {
		v.ZoomTo(b, e)
	}
}

// FitSelection shows the selected range, the frame of the playhead if none is selected, or everything.
func (v *View) FitSelection() {
	if v.RangeB > v.RangeA {
		v.ZoomTo(v.RangeA, v.RangeB)
		return
	}
	if v.HasSpan && v.Unframed() {
		v.ZoomTo(v.Span.Begin, v.Span.End)
		return
	}
	if t := v.track(); t != nil && t.NumFrames() > 0 {
		f := t.Frame(max(0, t.FrameAt(v.Playhead)))
		v.ZoomTo(f.Begin, f.End)
		return
	}
	v.FitAll()
}

// ZoomTo jumps to a range of time with a little room at both sides; Back returns. It ends Live when the newest time is not in the range.
func (v *View) ZoomTo(aNs, bNs int64) {
	if v.Session != nil {
		if _, end, ok := v.Session.Bounds(); ok && bNs < end {
			v.Live = false
		}
	}
	pad := float64(bNs-aNs) / 40
	v.Time.Push()
	v.Time.Set(float64(aNs)-pad, float64(bNs)+pad, v.state.animate, v.state.nowNs)
}

// Back returns to the range shown before the last jump or gesture; Forward undoes that.
func (v *View) Back() {
	v.Live = false
	v.Time.Back(v.state.animate, v.state.nowNs)
}

// Forward undoes Back.
func (v *View) Forward() {
	v.Live = false
	v.Time.Forward(v.state.animate, v.state.nowNs)
}
