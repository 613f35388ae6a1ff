// Package view holds what all panels of a session share: the window of time, the thread, what is
// selected, what is under the mouse, what is hidden, and in which colours. It is read by methods
// and changed by verbs only, so that one rule decides what follows from a choice: a span that is
// selected anywhere brings its thread, its frame, its time and its collector with it, in every
// panel.
//
// It knows the model and nothing of panels.
package view

import (
	"math"

	"framescope/assets"
	"framescope/model"
	"framescope/model/store"
)

// DefaultBudgetNs is the frame budget of a new view: 60 frames per second.
const DefaultBudgetNs = 16_666_667

// View is what all panels of one session share. A span that is selected is always one of the view's
// thread, and of what is selected in time.
type View struct {
	session *store.Session
	axis    Axis
	shown
	cursors
	hidden   map[model.CollectorID]bool
	unseen   map[model.TrackID]bool // tracks
	folded   map[model.TrackID]bool
	colors   map[string]assets.Color // the user's, by full name
	messages messages
	belongs  about // to the selected thing
	steps    history[step]
	pace     pace

	nowNs   int64
	animate bool
	// The selected frames by number: indices shift when old frames leave or late ones come in.
	numberA, numberB int64
	ranged           bool // the range was chosen as such, not by frames
	sessionRev       uint64
	placed           bool // the axis has been placed once
	wasLive          bool
	fitted           Window // what spans.open showed last
	picked           picked
	unitOf           unitKey
	unit             unit
	hoverOwner       any
	hoverSeen        bool // SetHover was called since the last Tick
	stamps           stamps
	palette          Palette
	visible          []model.TrackID
}

// shown is what pictures depend on, but for the session, the window of time and the cursors. It is
// compared as a whole: what is added here changes the stamp.
type shown struct {
	track          model.TrackID
	frameA, frameB int // -1 none
	rangeA, rangeB int64
	live           bool
	span           store.Bar
	hasSpan        bool
	chosen         model.CollectorID
	thing          Thing
	hover          model.CollectorID
	budgetNs       int64
	interpolated   bool
	counters       bool
	depth          int
	measure        store.Measure
	shownRev       uint64 // of hidden, unseen and folded
	colorsRev      uint64
	messagesRev    uint64
}

// cursors are what only the top layers of panels depend on.
type cursors struct {
	playhead  int64
	hoverTime int64
	hasHover  bool
}

// New returns a view of a session, which may be nil: live unless it is a file, nothing selected, a
// budget of 60 frames per second.
func New(s *store.Session) *View {
	v := &View{session: s, sessionRev: math.MaxUint64, shown: shown{
		frameA: -1, frameB: -1, chosen: model.NoCollector, hover: model.NoCollector,
		budgetNs: DefaultBudgetNs, interpolated: true,
	}}
	if s != nil {
		_, ended := s.Ended()
		v.live = !s.Info().File && !ended
	}
	return v
}

// Session returns the session, nil when there is none.
func (v *View) Session() *store.Session { return v.session }

// Time returns the visible window of time.
func (v *View) Time() Window { return v.axis.Window }

// Track returns the thread whose frames the frame strip shows and on which frame-wise panels work.
func (v *View) Track() model.TrackID { return v.track }

// Shown returns the thread of Track, nil while there is none.
func (v *View) Shown() *store.Track {
	if v.session == nil {
		return nil
	}
	return v.session.Track(v.track)
}

// FrameA returns the first selected frame as an index into Track's frames, -1 when none is.
func (v *View) FrameA() int { return v.frameA }

// FrameB returns the last selected frame, that of FrameA when one is selected, -1 when none is.
func (v *View) FrameB() int { return v.frameB }

// RangeA returns the begin of the selected range of time in ns, which is that of the selected
// frames when frames were chosen. It equals RangeB when nothing is selected.
func (v *View) RangeA() int64 { return v.rangeA }

// RangeB returns the end of the selected range.
func (v *View) RangeB() int64 { return v.rangeB }

// HasRange tells whether a range of time is selected.
func (v *View) HasRange() bool { return v.rangeB > v.rangeA }

// RangeIsFrames tells whether the selected range is just that of the selected frames.
func (v *View) RangeIsFrames() bool {
	t := v.Shown()
	if t == nil || v.frameA < 0 || v.frameB < v.frameA || v.frameB >= t.NumFrames() {
		return false
	}
	return v.rangeA == t.Frame(v.frameA).Begin && v.rangeB == t.Frame(v.frameB).End
}

// TimeRange returns what panels sum up where there are no frames, [aNs, bNs): the selected range,
// else all of the session. ok is false while nothing is stored.
func (v *View) TimeRange() (aNs, bNs int64, ok bool) {
	if v.HasRange() {
		return v.rangeA, v.rangeB, true
	}
	if v.session == nil {
		return 0, 0, false
	}
	aNs, bNs, ok = v.session.Bounds()
	return aNs, bNs + 1, ok // what happened at the very end belongs to it
}

// Playhead returns the time under the playhead, ns.
func (v *View) Playhead() int64 { return v.playhead }

// Live tells whether the view follows the newest data. Navigation into the past ends it; the
// recording goes on.
func (v *View) Live() bool { return v.live }

// LagNs returns how far the playhead is behind the newest data.
func (v *View) LagNs() int64 {
	if v.session == nil {
		return 0
	}
	_, end, ok := v.session.Bounds()
	if !ok {
		return 0
	}
	return max(0, end-v.playhead)
}

// Span returns the selected span, if HasSpan.
func (v *View) Span() store.Bar { return v.span }

// HasSpan tells whether a span is selected. It is one of Track.
func (v *View) HasSpan() bool { return v.hasSpan }

// Collector returns the selected collector: that of the selected span, else the chosen one,
// NoCollector when there is none.
func (v *View) Collector() model.CollectorID {
	if v.hasSpan {
		return v.span.Collector
	}
	return v.chosen
}

// Chosen returns the collector that was chosen for its own sake, whose occurrences lists show and
// keys walk through: a step to one of its neighbours or to a spike selects that, and leaves it.
func (v *View) Chosen() model.CollectorID { return v.chosen }

// HoverCollector returns the collector under the mouse in any panel.
func (v *View) HoverCollector() model.CollectorID { return v.hover }

// HoverTime returns the time under the mouse in any panel, if HasHoverTime.
func (v *View) HoverTime() int64 { return v.hoverTime }

// HasHoverTime tells whether the mouse is at a time.
func (v *View) HasHoverTime() bool { return v.hasHover }

// FrameBudgetNs returns the time that a frame should take at most: it colours frames.
func (v *View) FrameBudgetNs() int64 { return v.budgetNs }

// ShowInterpolated tells whether bridged gaps are shown.
func (v *View) ShowInterpolated() bool { return v.interpolated }

// ShowCounters tells whether the timeline shows the counters of each track below its lanes.
func (v *View) ShowCounters() bool { return v.counters }

// DepthLimit returns how many lanes of a track the timeline shows at most, 0 all.
func (v *View) DepthLimit() int { return v.depth }

// Measure returns what flame graphs and call trees of sampled sessions add up. Where tracks can't
// give it they show durations.
func (v *View) Measure() store.Measure { return v.measure }
