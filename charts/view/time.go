package view

import "framescope/charts/format"

// Steering is the window of time: panels move it by gestures, and by jumps that Back returns from.
// Moves, except zooms, end Live, so that the pointed-at data does not run away.
type Steering struct {
	axis    format.Axis
	live    bool          // it follows the newest data
	wasLive bool          // in the last tick
	placed  bool          // it was placed once
	fitted  format.Window // last window shown automatically; see asFitted
	fitLive bool          // it was live then
	fits    uint64        // see Fits
	nowNs   int64
	animate bool
	beside  int64 // the tick in which it was beside another last; see Beside
	view    *View // its history records jumps
}

// Steer returns the window of time for moves.
func (v *View) Steer() *Steering { return &v.window }

// asFitted reports whether the window is still the one fitted to the session, possibly moved by
// following. Once the user looked at another range, or stopped following, it never is again.
func (s *Steering) asFitted() bool {
	if s.fitted != s.axis.Window || s.fitLive != s.live || s.view.pace.jumped {
		s.fitted = format.Window{}
	}
	return s.fitted.Valid()
}

// AsOpened reports whether a file's window is still the one that it was opened with.
func (v *View) AsOpened() bool { return !v.window.live && v.window.fitted == v.window.axis.Window }

// fit shows a range of a session automatically; the range may change when there is more data.
func (s *Steering) fit(beginNs, endNs int64) {
	s.axis.Fit(beginNs, endNs)
	s.fitted, s.fitLive = s.axis.Window, s.live
}

// follow moves the window to the newest time, keeping its width.
func (s *Steering) follow(endNs int64) {
	fitted := s.fitted == s.axis.Window
	s.axis.Follow(float64(endNs), s.animate && !s.wasLive, s.nowNs)
	if fitted {
		s.fitted = s.axis.Window
	}
}

// Now returns the visible window.
func (s *Steering) Now() format.Window { return s.axis.Window }

// Target returns the window where a running jump ends, the visible one when there is none.
func (s *Steering) Target() (beginNs, endNs float64) { return s.axis.Target() }

// SetWidthPx sets the width in pixels of the panel that shows the time.
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
	if _, end, ok := s.view.session.Bounds(); ok && endNs < float64(end) {
		s.live = false
	}
}

// PlaceTime shows a range of time at once, without a way back.
func (s *Steering) PlaceTime(aNs, bNs int64) { s.axis.Fit(aNs, bNs) }

// CenterOn moves the window, keeping its width, so that a time is in its middle, but not beyond the
// data; Back returns.
func (s *Steering) CenterOn(timeNs int64) {
	b, e := s.centred(float64(timeNs))
	s.view.jumps()
	s.axis.Set(b, e, s.animate, s.nowNs)
}

// Reveal is CenterOn for a time that is not in view; one that is stays where it is.
func (s *Steering) Reveal(timeNs int64) {
	if b, e := s.axis.Target(); float64(timeNs) < b || float64(timeNs) > e {
		s.CenterOn(timeNs)
	}
}

// centred returns the window around a time that CenterOn shows.
func (s *Steering) centred(timeNs float64) (beginNs, endNs float64) {
	b, e := s.axis.Target()
	w := e - b
	begin := timeNs - w/2
	if first, last, ok := s.view.session.Bounds(); ok {
		lo, hi := float64(first), float64(last)-w
		begin = max(min(begin, max(lo, hi)), min(lo, hi))
	}
	return begin, begin + w
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

// Fits returns how often FitAll was called. Panels with an axis other than session time show all of
// their data when it changed.
func (s *Steering) Fits() uint64 { return s.fits }

// FitAll shows the whole session, and flame graphs as a whole.
func (s *Steering) FitAll() {
	s.fits++
	if b, e, ok := s.view.session.Bounds(); ok {
		s.ZoomTo(b, e)
	}
	s.view.focus = Path{}
}

// FitSelection shows the selection: the span, else the range, else the frame of the playhead, else
// everything.
func (s *Steering) FitSelection() {
	if list, n := s.selected(); n > 0 {
		s.ZoomTo(list[0].begin, list[0].end)
		return
	}
	s.FitAll()
}

// CenterSelection moves the selection of FitSelection into the middle; if it is there already, or
// does not fit, it fits it, and if it is fitted, it fits the next larger one: for a span the
// selected range or the frame.
func (s *Steering) CenterSelection() {
	list, n := s.selected()
	b, e := s.axis.Target()
	now := format.Window{BeginNs: b, EndNs: e}
	for i := range n {
		if now == s.padded(list[i].begin, list[i].end) {
			list[0] = list[min(i+1, n-1)]
			s.ZoomTo(list[0].begin, list[0].end)
			return
		}
	}
	if n > 0 {
		mid := list[0].begin + (list[0].end-list[0].begin)/2
		wide := float64(list[0].end-list[0].begin) > now.Width()
		if cb, ce := s.axis.Clamp(s.centred(float64(mid))); !wide && (now != format.Window{BeginNs: cb, EndNs: ce}) {
			s.CenterOn(mid)
			return
		}
	}
	s.FitSelection()
}

// extent is a stretch of time.
type extent struct{ begin, end int64 }

// selected returns the stretches that are selected, the innermost first.
func (s *Steering) selected() (list [2]extent, n int) {
	v := s.view
	if v.hasSpan {
		list[n] = extent{v.span.Begin, v.span.End}
		n++
	}
	if v.HasRange() {
		list[n] = extent{v.rangeA, v.rangeB}
		n++
	} else if b, e, ok := v.units().around(v); ok {
		list[n] = extent{b, e}
		n++
	}
	return list, n
}

// ZoomTo jumps to a range of time with a little room at both sides; Back returns. It ends Live when
// the newest time is not in the range.
func (s *Steering) ZoomTo(aNs, bNs int64) {
	s.view.jumps()
	s.zoom(aNs, bNs)
}

func (s *Steering) zoom(aNs, bNs int64) {
	s.leave(float64(bNs))
	w := s.padded(aNs, bNs)
	s.axis.Set(w.BeginNs, w.EndNs, s.animate, s.nowNs)
}

// padded returns the window in which a range of time has a little room at both sides.
func (s *Steering) padded(aNs, bNs int64) format.Window {
	pad := float64(bNs-aNs) * format.Margin
	b, e := s.axis.Clamp(float64(aNs)-pad, float64(bNs)+pad)
	return format.Window{BeginNs: b, EndNs: e}
}

// narrow is the share of the width below which a target is too narrow to look at.
const narrow = 0.03

// bring zooms around a stretch of time that is wider than the window, or narrow in it; of others the
// scale stays.
func (s *Steering) bring(aNs, bNs int64) {
	b, e := s.axis.Target()
	share := float64(bNs-aNs) / (e - b)
	if bNs > aNs && e > b && (share > 1 || share < narrow) {
		s.zoomAround(aNs, bNs)
	}
}

// ZoomAround jumps to a stretch of time, which then takes two thirds of the width (VIEWER.md
// section 11.7).
func (s *Steering) ZoomAround(aNs, bNs int64) {
	s.view.jumps()
	s.zoomAround(aNs, bNs)
}

func (s *Steering) zoomAround(aNs, bNs int64) {
	pad := max((bNs-aNs)/4, format.MinNs/4)
	s.zoom(aNs-pad, bNs+pad)
}
