// Windows of time: the visible time of a panel, its place there, and the movement of the window.

package format

import (
	"math"

	"framescope/charts/draw"
)

// Window is a visible range of time, and where its times lie in a panel. The zero value shows
// nothing.
//
// Times are float64 so that a zoomed range can begin between two nanoseconds. A float64 is exact to
// 1 ns up to 104 days; conversions subtract in int64 first, so that positions on screen stay exact
// for any session time.
type Window struct {
	BeginNs, EndNs float64
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
	rel := float64(timeNs-base) - (w.BeginNs - float64(base))
	return float64(r.X0) + rel*float64(r.W())/w.Width()
}

// ToTime returns the time at an x position in a panel, rounded to whole ns.
func (w Window) ToTime(r draw.Rect, pxX float64) int64 {
	return int64(math.Round(w.ToTimeF(r, pxX)))
}

// ToTimeF is ToTime with fractions of a nanosecond.
func (w Window) ToTimeF(r draw.Rect, pxX float64) float64 {
	if r.W() <= 0 {
		return w.BeginNs
	}
	return w.BeginNs + (pxX-float64(r.X0))*w.Width()/float64(r.W())
}

// Visible returns the visible range in whole ns, rounded outwards.
func (w Window) Visible() (beginNs, endNs int64) {
	return int64(math.Floor(w.BeginNs)), int64(math.Ceil(w.EndNs))
}
