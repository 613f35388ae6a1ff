package view

// Steering is the window of time: panels move it by gestures, and by jumps that Back returns from.
// Moves, but for zooms, end Live, as what is being pointed at must not run away.
type Steering struct {
	axis    Axis
	live    bool   // it follows the newest data
	wasLive bool   // in the last tick
	placed  bool   // it was placed once
	fitted  Window // what was shown last without being asked for; see asFitted
	fitLive bool   // it was live then
	fits    uint64 // see Fits
	nowNs   int64
	animate bool
	view    *View // whose way back is to know of jumps
}

// Steer returns what moves the window of time.
func (v *View) Steer() *Steering { return &v.window }

// asFitted tells whether the window is still the one that was fitted to the session, or what became
// of that by following. Once the user looked at something else, or stopped to follow, it never is
// again.
func (s *Steering) asFitted() bool {
	if s.fitted != s.axis.Window || s.fitLive != s.live || s.view.pace.jumped {
		s.fitted = Window{}
	}
	return s.fitted.Valid()
}

// fit shows a range of a session that nobody asked for, and that may be another when there are more
// data.
func (s *Steering) fit(beginNs, endNs int64) {
	s.axis.Fit(beginNs, endNs)
	s.fitted, s.fitLive = s.axis.Window, s.live
}

// follow moves the window to the newest time, keeping its width.
func (s *Steering) follow(endNs int64) {
	fitted := s.fitted == s.axis.Window
	s.axis.follow(float64(endNs), s.animate && !s.wasLive, s.nowNs)
	if fitted {
		s.fitted = s.axis.Window
	}
}

// Now returns the visible window.
func (s *Steering) Now() Window { return s.axis.Window }

// Target returns the window where a running jump ends, the visible one when there is none.
func (s *Steering) Target() (beginNs, endNs float64) { return s.axis.Target() }

// SetWidthPx tells how many pixels wide the panel is that shows the time.
func (s *Steering) SetWidthPx(px float32) { s.axis.SetWidthPx(px) }

// Grab begins a drag.
func (s *Steering) Grab() { s.axis.Grab() }

// Push remembers the present window for Back.
func (s *Steering) Push() { s.view.jumps() }

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
	s.leave(endNs)
	s.axis.Set(beginNs, endNs, animate, nowNs)
}

// leave ends Live when a window that ends at a time does not show the newest data.
func (s *Steering) leave(endNs float64) {
	if s.view.session == nil {
		return
	}
	if _, end, ok := s.view.session.Bounds(); ok && endNs < float64(end) {
		s.live = false
	}
}

// PlaceTime shows a range of time at once, without a way back.
func (s *Steering) PlaceTime(aNs, bNs int64) { s.axis.Fit(aNs, bNs) }

// CenterOn moves the window, keeping its width, so that a time is in its middle; Back returns.
func (s *Steering) CenterOn(timeNs int64) {
	half := s.axis.Width() / 2
	s.view.jumps()
	s.axis.Set(float64(timeNs)-half, float64(timeNs)+half, s.animate, s.nowNs)
}

// Page moves the window by its own width, n times. It ends Live.
func (s *Steering) Page(n float64) {
	if !s.axis.Valid() {
		return
	}
	s.live = false
	b, e := s.axis.Target()
	w := (e - b) * n
	s.axis.Set(b+w, e+w, s.animate, s.nowNs)
}

// Fits returns how often everything was asked to be shown. Panels with an axis of their own, which
// is not the session's time, show all of theirs when it changed.
func (s *Steering) Fits() uint64 { return s.fits }

// FitAll shows the whole session.
func (s *Steering) FitAll() {
	s.fits++
	if s.view.session == nil {
		return
	}
	if b, e, ok := s.view.session.Bounds(); ok {
		s.ZoomTo(b, e)
	}
}

// FitSelection shows the selected range, the frame of the playhead if none is selected, the
// selected span where there are no frames, or everything.
func (s *Steering) FitSelection() {
	if s.view.HasRange() {
		s.ZoomTo(s.view.rangeA, s.view.rangeB)
		return
	}
	s.view.units().fit(s.view)
}

// ZoomTo jumps to a range of time with a little room at both sides; Back returns. It ends Live when
// the newest time is not in the range.
func (s *Steering) ZoomTo(aNs, bNs int64) {
	s.view.jumps()
	s.zoom(aNs, bNs)
}

func (s *Steering) zoom(aNs, bNs int64) {
	s.leave(float64(bNs))
	pad := float64(bNs-aNs) / 40
	s.axis.Set(float64(aNs)-pad, float64(bNs)+pad, s.animate, s.nowNs)
}

// ZoomAround jumps to a stretch of time, which then takes two thirds of the width (pstats-viewer
// section 11.7).
func (s *Steering) ZoomAround(aNs, bNs int64) {
	s.view.jumps()
	s.zoomAround(aNs, bNs)
}

func (s *Steering) zoomAround(aNs, bNs int64) {
	pad := max((bNs-aNs)/4, MinNs/4)
	s.zoom(aNs-pad, bNs+pad)
}
