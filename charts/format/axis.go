package format

import (
	"math"

	"framescope/charts/draw"
	"framescope/model"
)

// The limits and the speed of an Axis.
const (
	MinNs     = 100         // narrowest visible range (VIEWER.md section 11.7)
	AnimateNs = 160_000_000 // duration of a jump
	MaxTimeNs = 1 << 62     // farthest time from 0 that is shown, so that sums of times fit an int64
)

// Axis is a window of time with animated jumps. The zero value shows nothing until Fit.
type Axis struct {
	Window // visible now
	// target of a running animation; equal to Begin/End when at rest
	targetBegin, targetEnd, fromBegin, fromEnd float64
	startNs                                    int64
	animating                                  bool

	limitBegin, limitEnd int64
	limited              bool
	whole                bool    // see StopAtAll
	heldBegin, heldEnd   float64 // the range that stays in view, see Hold; empty: none
	widthPx              float32 // of the panel that showed it last; 0 unknown
	anchorEnd            bool    // zooms keep the right edge: the view follows live data
	panRest              float64 // pixels that PanPx has not moved yet, because it moves whole ones
}

// AnchorEnd reports whether zooms keep the right edge: the window follows live data.
func (a *Axis) AnchorEnd(on bool) { a.anchorEnd = on }

// Now returns the visible window.
func (a *Axis) Now() Window { return a.Window }

// Animating reports whether a jump is under way.
func (a *Axis) Animating() bool { return a.animating }

// Target returns the range where a running jump ends; the visible range when there is none.
func (a *Axis) Target() (beginNs, endNs float64) {
	if a.animating {
		return a.targetBegin, a.targetEnd
	}
	return a.BeginNs, a.EndNs
}

// SetLimits sets the session's bounds: the axis never shows more than twice as much, nor goes so
// far away that nothing of the session is visible.
func (a *Axis) SetLimits(beginNs, endNs int64) {
	beginNs, endNs = min(max(beginNs, -MaxTimeNs/2), MaxTimeNs/2), min(max(endNs, -MaxTimeNs/2), MaxTimeNs/2)
	a.limitBegin, a.limitEnd, a.limited = beginNs, max(endNs, beginNs), true
}

// StopAtAll makes zooming out end when everything within the limits is visible, in the middle with a
// margin at both sides; on the way there it shows no more than that. Otherwise one can zoom out to
// twice as much, for data yet to come.
func (a *Axis) StopAtAll(on bool) { a.whole = on }

// Hold keeps [beginNs, endNs] in view: a narrower window stays within it, a wider one has all of it.
func (a *Axis) Hold(beginNs, endNs float64) { a.heldBegin, a.heldEnd = beginNs, max(endNs, beginNs) }

// SetWidthPx sets the width in pixels of the panel that shows the axis, for moves by whole pixels
// outside a panel (followLive).
func (a *Axis) SetWidthPx(px float32) { a.widthPx = px }

// Fit shows [beginNs, endNs] at once, widened to the least width that an axis can have.
func (a *Axis) Fit(beginNs, endNs int64) {
	a.Set(float64(beginNs), float64(endNs), false, 0)
}

// Set shows [beginNs, endNs] within the limits: at once, or as a jump of 160 ms that begins at
// nowNs from the range visible at that moment.
func (a *Axis) Set(beginNs, endNs float64, animate bool, nowNs int64) {
	beginNs, endNs = a.Clamp(beginNs, endNs)
	if !animate || !a.Valid() {
		a.BeginNs, a.EndNs, a.animating = beginNs, endNs, false
		a.targetBegin, a.targetEnd = beginNs, endNs
		return
	}
	if tb, te := a.Target(); tb == beginNs && te == endNs {
		return
	}
	a.fromBegin, a.fromEnd = a.BeginNs, a.EndNs
	a.targetBegin, a.targetEnd = beginNs, endNs
	a.startNs, a.animating = nowNs, true
}

// Place shows a window at once and as it is, whatever the limits.
func (a *Axis) Place(w Window) {
	a.Window = w
	a.Stop()
}

// Show moves the axis, keeping its width, so that [beginNs, endNs] is visible; it does nothing when
// it is. A range that does not fit is shown with its begin at the left.
func (a *Axis) Show(beginNs, endNs int64, animate bool, nowNs int64) {
	b, e := a.Target()
	w := e - b
	lo, hi := float64(beginNs), float64(endNs)
	if lo >= b && hi <= e {
		return
	}
	mid := (lo + hi) / 2
	if hi-lo > w {
		if lo < e && hi > b { // something of it is visible, and no position shows more
			return
		}
		mid = lo + w/2
	}
	a.Set(mid-w/2, mid+w/2, animate, nowNs)
}

// Step moves a running jump on to nowNs. It returns true while the visible range changes.
func (a *Axis) Step(nowNs int64) bool {
	if !a.animating {
		return false
	}
	u := float64(nowNs-a.startNs) / AnimateNs
	if u >= 1 || u < 0 {
		a.BeginNs, a.EndNs, a.animating = a.targetBegin, a.targetEnd, false
		return true
	}
	s := 1 - (1-u)*(1-u)*(1-u) // ease out
	w0, w1 := a.fromEnd-a.fromBegin, a.targetEnd-a.targetBegin
	// The width moves evenly in log scale, and the begin in proportion to the width: then the one
	// instant that has the same place in both ranges (the time under the cursor, in a zoom) keeps
	// it all the way.
	w := w0 * math.Pow(w1/w0, s)
	if math.Abs(w1-w0) > 1e-6*w0 {
		s = (w - w0) / (w1 - w0)
	}
	a.BeginNs = a.fromBegin + (a.targetBegin-a.fromBegin)*s
	a.EndNs = a.BeginNs + w
	return true
}

// Follow moves the axis, keeping its width and any running zoom, so that endNs is at its right
// edge: by whole pixels, or as a jump. The pixels are those of all time, not of where the axis
// began to follow: the picture does not depend on when data came.
func (a *Axis) Follow(endNs float64, animate bool, nowNs int64) {
	tb, te := a.Target()
	d := endNs - te
	if !a.Valid() {
		return
	}
	if a.widthPx > 0 {
		perPx := (te - tb) / float64(a.widthPx)
		d = math.Floor(endNs/perPx)*perPx - te
		if math.Abs(d) < perPx/1000 { // a rest of rounding
			d = 0
		}
	}
	switch {
	case d == 0:
	case animate:
		a.Set(tb+d, te+d, true, nowNs)
	default:
		a.BeginNs, a.EndNs = a.BeginNs+d, a.EndNs+d
		a.targetBegin, a.targetEnd = a.targetBegin+d, a.targetEnd+d
		a.fromBegin, a.fromEnd = a.fromBegin+d, a.fromEnd+d
	}
}

// Stop ends a running jump where it is.
func (a *Axis) Stop() {
	a.animating = false
	a.targetBegin, a.targetEnd = a.BeginNs, a.EndNs
}

// ZoomAt makes the visible range factor times as narrow at once (factor > 1 zooms in); timeNs keeps
// its place on the screen.
func (a *Axis) ZoomAt(timeNs, factor float64) {
	b, e, ok := a.zoomed(a.BeginNs, a.EndNs, timeNs, factor)
	if ok {
		a.Set(b, e, false, 0)
	}
}

// ZoomBy is ZoomAt as a jump: several calls in a row multiply, however far the jump before has
// come, and timeNs keeps its place on the screen all the way.
func (a *Axis) ZoomBy(timeNs, factor float64, animate bool, nowNs int64) {
	if a.anchorEnd {
		timeNs = a.EndNs
	}
	if !animate {
		a.ZoomAt(timeNs, factor)
		return
	}
	tb, te := a.Target()
	share := (timeNs - a.BeginNs) / a.Width()
	b := timeNs - share*(te-tb) // the target's width at the cursor's place
	b, e, ok := a.zoomed(b, b+(te-tb), timeNs, factor)
	if ok {
		a.Set(b, e, true, nowNs)
	}
}

// zoomed returns [begin, end] zoomed at a time, the width within the limits.
func (a *Axis) zoomed(beginNs, endNs, timeNs, factor float64) (b, e float64, ok bool) {
	w := endNs - beginNs
	if !(factor > 0) || math.IsInf(factor, 0) || !(w > 0) {
		return beginNs, endNs, false
	}
	share := (timeNs - beginNs) / w
	w = a.clampWidth(w / factor)
	b = timeNs - share*w
	if factor < 1 && a.whole && a.limited {
		b, w = a.zoomedOut(b, w)
	}
	return b, b + w, true
}

// Margin is the share of a stretch of time that is shown beside it, at both sides, where it is shown
// whole.
const Margin = 1.0 / 40

// zoomedOut returns the window nearest to one from b on, w wide, that StopAtAll allows.
func (a *Axis) zoomedOut(b, w float64) (beginNs, width float64) {
	first, last := float64(a.limitBegin), float64(a.limitEnd)
	margin := (last - first) * Margin
	if all := last - first + 2*margin; w >= all {
		w = max(all, min(w, 1e6))
		return (first+last)/2 - w/2, w
	}
	return min(max(b, first-margin), last+margin-w), w
}

// Grab begins a drag: it drops the rest of a pixel from the move before.
func (a *Axis) Grab() { a.panRest = 0 }

// PanPx moves the visible range by dxPx pixels of a panel widthPx wide (positive: later times come
// into view), at once and in whole pixels; the rest of a pixel is kept for the next call, so that
// slow moves are not lost.
func (a *Axis) PanPx(dxPx, widthPx float64) {
	if !(widthPx > 0) || !a.Valid() {
		return
	}
	a.panRest += dxPx
	whole := math.Trunc(a.panRest)
	a.panRest -= whole
	if whole == 0 {
		return
	}
	d := whole * a.Width() / widthPx
	a.Set(a.BeginNs+d, a.EndNs+d, false, 0)
}

// clampWidth returns the width that is nearest to w and allowed.
func (a *Axis) clampWidth(w float64) float64 {
	if a.limited {
		w = min(w, max(2*float64(a.limitEnd-a.limitBegin), 1e6))
	}
	return max(w, MinNs)
}

// Clamp returns the range nearest to [b, e] that the limits allow.
func (a *Axis) Clamp(b, e float64) (float64, float64) {
	if math.IsNaN(b) || math.IsNaN(e) || math.IsInf(b, 0) || math.IsInf(e, 0) {
		b, e = float64(a.limitBegin), float64(a.limitEnd)
	}
	if e < b {
		b, e = e, b
	}
	b, e = min(max(b, -MaxTimeNs), MaxTimeNs), min(max(e, -MaxTimeNs), MaxTimeNs)
	w := a.clampWidth(e - b)
	// Years away from 0 a float64 steps by more than the narrowest range: the range stays wide
	// enough to have an inside.
	far := max(math.Abs(b), math.Abs(e))
	w = max(w, 64*(math.Nextafter(far, math.Inf(1))-far))
	if w != e-b {
		b = (b+e)/2 - w/2
		e = b + w
	}
	if a.limited {
		// A tenth of the panel, or the whole session when it is smaller, stays in view.
		keep := min(w/10, float64(a.limitEnd-a.limitBegin))
		if lo := float64(a.limitBegin) + keep; e < lo {
			b, e = lo-w, lo
		}
		if hi := float64(a.limitEnd) - keep; b > hi {
			b, e = hi, hi+w
		}
	}
	if a.heldEnd > a.heldBegin {
		w, first, last := e-b, a.heldBegin, a.heldEnd-(e-b)
		b = min(max(b, min(first, last)), max(first, last))
		e = b + w
	}
	return b, e
}

// Windows of time: the visible time of a panel, its place there, and the movement of the window.

// Window is a visible range of time, and where its times lie in a panel. The zero value shows
// nothing.
//
// Times are float64 so that a zoomed range can begin between two nanoseconds. A float64 is exact to
// 1 ns up to 104 days; conversions subtract in int64 first, so that positions on screen stay exact
// for any session time.
type Window struct {
	BeginNs, EndNs float64
	// Folds are times that take less room, if there are any: both ends are places on their axis.
	Folds *model.Folds
}

// Valid reports whether the window shows anything.
func (w Window) Valid() bool { return w.EndNs > w.BeginNs }

// Width returns the visible duration in ns.
func (w Window) Width() float64 { return w.EndNs - w.BeginNs }

// NsPerPx returns how many ns one pixel of a panel is.
func (w Window) NsPerPx(r draw.Rect) float64 {
	if r.W() <= 0 {
		return math.Inf(1)
	}
	return w.Width() / float64(r.W())
}

// ToPx returns the x position of a time in a panel.
func (w Window) ToPx(r draw.Rect, timeNs int64) float64 {
	if !w.Valid() {
		return float64(r.X0)
	}
	base := int64(w.BeginNs)
	rel := float64(w.Folds.Short(timeNs)-base) - (w.BeginNs - float64(base))
	return float64(r.X0) + rel*float64(r.W())/w.Width()
}

// ToTime returns the time at an x position in a panel, rounded to whole ns.
func (w Window) ToTime(r draw.Rect, pxX float64) int64 {
	return int64(math.Round(w.ToTimeF(r, pxX)))
}

// ToTimeF is ToTime with fractions of a nanosecond.
func (w Window) ToTimeF(r draw.Rect, pxX float64) float64 { return w.Folds.Long(w.At(r, pxX)) }

// At returns the place on the axis at an x position in a panel: without folds it is the time.
func (w Window) At(r draw.Rect, pxX float64) float64 {
	if r.W() <= 0 {
		return w.BeginNs
	}
	return w.BeginNs + (pxX-float64(r.X0))*w.Width()/float64(r.W())
}

// Visible returns the visible range of time in whole ns, rounded outwards.
func (w Window) Visible() (beginNs, endNs int64) {
	return int64(math.Floor(w.Folds.Long(w.BeginNs))), int64(math.Ceil(w.Folds.Long(w.EndNs)))
}
