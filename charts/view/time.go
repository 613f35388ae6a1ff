package view

// Steering moves the window of time by gestures: it is the axis as panels may use it. Moves, but
// for zooms, end Live, as what is being pointed at must not run away.
type Steering View

// Steer returns what gestures move the window of time by.
func (v *View) Steer() *Steering { return (*Steering)(v) }

// Now returns the visible window.
func (s *Steering) Now() Window { return s.axis.Window }

// Target returns the window where a running jump ends, the visible one when there is none.
func (s *Steering) Target() (beginNs, endNs float64) { return s.axis.Target() }

// SetWidthPx tells how many pixels wide the panel is that shows the time.
func (s *Steering) SetWidthPx(px float32) { s.axis.SetWidthPx(px) }

// Grab begins a drag.
func (s *Steering) Grab() { s.axis.Grab() }

// Push remembers the present window for Back.
func (s *Steering) Push() { (*View)(s).jumps() }

// Stop ends a running jump where it is.
func (s *Steering) Stop() { s.axis.Stop() }

// ZoomAt and ZoomBy are those of Axis.
func (s *Steering) ZoomAt(timeNs, factor float64) { s.axis.ZoomAt(timeNs, factor) }

// ZoomBy is ZoomAt as a jump.
func (s *Steering) ZoomBy(timeNs, factor float64, animate bool, nowNs int64) {
	s.axis.ZoomBy(timeNs, factor, animate, nowNs)
}

// PanPx moves the window by so many pixels of a panel.
func (s *Steering) PanPx(dxPx, widthPx float64) {
	s.live = false
	s.axis.PanPx(dxPx, widthPx)
}

// Set shows a window. One away from the newest data ends Live.
func (s *Steering) Set(beginNs, endNs float64, animate bool, nowNs int64) {
	(*View)(s).leave(endNs)
	s.axis.Set(beginNs, endNs, animate, nowNs)
}

// leave ends Live when a window that ends at a time does not show the newest data.
func (v *View) leave(endNs float64) {
	if v.session == nil {
		return
	}
	if _, end, ok := v.session.Bounds(); ok && endNs < float64(end) {
		v.live = false
	}
}

// PlaceTime shows a range of time at once, without a way back.
func (v *View) PlaceTime(aNs, bNs int64) { v.axis.Fit(aNs, bNs) }

// CenterOn moves the window, keeping its width, so that a time is in its middle; Back returns.
func (v *View) CenterOn(timeNs int64) {
	half := v.axis.Width() / 2
	v.jumps()
	v.axis.Set(float64(timeNs)-half, float64(timeNs)+half, v.animate, v.nowNs)
}

// Page moves the window by its own width, n times. It ends Live.
func (v *View) Page(n float64) {
	if !v.axis.Valid() {
		return
	}
	v.live = false
	b, e := v.axis.Target()
	w := (e - b) * n
	v.axis.Set(b+w, e+w, v.animate, v.nowNs)
}

// FitAll shows the whole session.
func (v *View) FitAll() {
	if v.session == nil {
		return
	}
	if b, e, ok := v.session.Bounds(); ok {
		v.ZoomTo(b, e)
	}
}

// FitSelection shows the selected range, the frame of the playhead if none is selected, the
// selected span where there are no frames, or everything.
func (v *View) FitSelection() {
	if v.HasRange() {
		v.ZoomTo(v.rangeA, v.rangeB)
		return
	}
	v.units().fit(v)
}

// ZoomTo jumps to a range of time with a little room at both sides; Back returns. It ends Live when
// the newest time is not in the range.
func (v *View) ZoomTo(aNs, bNs int64) {
	v.jumps()
	v.zoom(aNs, bNs)
}

func (v *View) zoom(aNs, bNs int64) {
	v.leave(float64(bNs))
	pad := float64(bNs-aNs) / 40
	v.axis.Set(float64(aNs)-pad, float64(bNs)+pad, v.animate, v.nowNs)
}

// ZoomAround jumps to a stretch of time, which then takes two thirds of the width (pstats-viewer
// section 11.7).
func (v *View) ZoomAround(aNs, bNs int64) {
	v.jumps()
	v.zoomAround(aNs, bNs)
}

func (v *View) zoomAround(aNs, bNs int64) {
	pad := max((bNs-aNs)/4, MinNs/4)
	v.zoom(aNs-pad, bNs+pad)
}
