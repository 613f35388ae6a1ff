package charts

import (
	"math"

	"framescope/model"
)

// DefaultBudgetNs is the frame budget of a new view: 60 frames per second.
const DefaultBudgetNs = 16_666_667

// viewState is what a View remembers from tick to tick.
type viewState struct {
	nowNs   int64
	animate bool

	session    *model.Session
	sessionRev uint64
	// The selected frames by number: indices shift when old frames leave or late ones come in.
	numberA, numberB int64
	shown            bool // the axis has been placed once
	wasLive          bool

	mapsRev, colorsRev     uint64
	revision, cursorRev    uint64
	key                    viewKey
	cursorKey              cursorKey
	palette                Palette
	visible                []model.TrackID
	visibleKey             [2]uint64
	lastFrameA, lastFrameB int
	hoverOwner             any
	hoverSeen              bool // SetHover was called since the last Tick

	picked   picked
	fitted   axisRange // what fitUnframed showed last
	unframed struct {
		key unframedKey
		is  bool
	}
}

// viewKey is what the pictures of all charts depend on, but for the cursors and the visible time.
type viewKey struct {
	session                 *model.Session
	sessionRev, defsRev     uint64
	track, spanTrack        model.TrackID
	frameA, frameB          int
	rangeA, rangeB          int64
	span                    model.SpanRef
	spanBegin, spanEnd      int64
	live, hasSpan, interpol bool
	collector, hover        model.CollectorID
	budget                  int64
	maps, colors            uint64
	depth                   int
	counters                bool
	messages                uint64
}

type cursorKey struct {
	revision            uint64
	playhead, hoverTime int64
	hasHover            bool
}

// NewView returns a view of a session: live unless it is a file, no selection, a budget of 60 frames per second.
func NewView(s *model.Session) *View {
	v := &View{
		Session: s, FrameA: -1, FrameB: -1, FrameBudgetNs: DefaultBudgetNs, ShowInterpolated: true,
		Collector: model.NoCollector, HoverCollector: model.NoCollector, SpanTrack: model.NoTrack,
	}
	v.state.lastFrameA, v.state.lastFrameB = -1, -1
	if s != nil {
		_, ended := s.Ended()
		v.Live = !s.Info().File && !ended
	}
	return v
}

// Tick brings the view up to the session's present state, once a tick before any chart's Update: it picks a track with frames if the present one has none, keeps the selected frames
// selected when others left or came, follows the newest data while Live, and moves a running jump on. It returns true while the visible time moves.
func (v *View) Tick(nowNs int64, animate bool) bool {
	v.state.nowNs, v.state.animate = nowNs, animate
	// A chart that has the mouse says so in every Update; one that was closed meanwhile says nothing any more.
	if v.state.hoverOwner != nil && !v.state.hoverSeen {
		v.ClearHover(v.state.hoverOwner)
	}
	v.state.hoverSeen = false
	if v.Session == nil {
		return false
	}
	if v.state.session != v.Session {
		v.state.session, v.state.shown = v.Session, false
		v.state.sessionRev = math.MaxUint64
		v.state.picked = picked{}
	}
	if v.FrameBudgetNs <= 0 {
		v.FrameBudgetNs = DefaultBudgetNs
	}
	if rev := v.Session.Revision(); rev != v.state.sessionRev {
		v.state.sessionRev = rev
		v.pickTrack()
		v.resyncFrames()
		if b, e, ok := v.Session.Bounds(); ok {
			v.Time.SetLimits(b, e)
			if !v.state.shown {
				v.state.shown = true
				v.firstShow(b, e)
			} else {
				v.keepFitting(b, e)
			}
		}
	}
	v.Time.anchorEnd = v.Live
	v.FollowLive(nowNs)
	return v.Time.Step(nowNs)
}

// FollowLive selects the newest frame and moves the axis, keeping its width, to the newest time, while the view is Live. Tick calls it.
func (v *View) FollowLive(int64) {
	defer func() { v.state.wasLive = v.Live }()
	if !v.Live || v.Session == nil {
		return
	}
	_, end, ok := v.Session.Bounds()
	if !ok {
		return
	}
	if t := v.Session.Track(v.Track); t != nil && t.NumFrames() > 0 {
		i := t.NumFrames() - 1
		v.setFrames(i, i)
		v.Playhead = t.Frame(i).End
	} else {
		v.Playhead = end
	}
	v.Time.follow(float64(end), v.state.animate && !v.state.wasLive, v.state.nowNs)
}

// firstShow places the axis when the first data are there: on the newest frames while live, on the first ones of a file, on everything when there are no frames.
func (v *View) firstShow(begin, end int64) {
	t := v.Session.Track(v.Track)
	if t == nil || t.NumFrames() == 0 {
		v.fitUnframed(begin, end)
		if t == nil {
			v.state.shown = false
		}
		return
	}
	n := t.NumFrames()
	const few = 6
	if v.Live {
		w := max(t.Frame(n-1).End-t.Frame(max(0, n-few)).Begin, few*v.FrameBudgetNs)
		v.Time.Fit(end-w, end)
		return
	}
	last := min(n-1, few-1)
	v.Time.Fit(t.Frame(0).Begin, t.Frame(last).End)
	v.setFrames(0, 0)
	v.Playhead = t.Frame(0).Begin
}

// SetHover tells all panels what is under the mouse: a collector (or NoCollector) and, if hasTime, a time. owner is the chart that has the mouse.
func (v *View) SetHover(owner any, c model.CollectorID, timeNs int64, hasTime bool) {
	v.state.hoverOwner, v.state.hoverSeen = owner, true
	v.HoverCollector, v.HoverTime, v.HasHoverTime = c, timeNs, hasTime
}

// ClearHover takes SetHover back, unless another chart has the mouse by now.
func (v *View) ClearHover(owner any) {
	if v.state.hoverOwner == owner {
		v.state.hoverOwner = nil
		v.HoverCollector, v.HasHoverTime = model.NoCollector, false
	}
}

// SetTrack makes another thread the one whose frames are shown and selected; the selection moves to its frame at the playhead.
func (v *View) SetTrack(id model.TrackID) {
	if v.Session == nil || v.Session.Track(id) == nil {
		return
	}
	v.state.picked.byUser = true
	if id == v.Track {
		return
	}
	v.Track = id
	if v.Unframed() {
		v.FrameA, v.FrameB = -1, -1 // the range stays
		v.state.lastFrameA, v.state.lastFrameB = -1, -1
		return
	}
	v.frameOfPlayhead()
}

// resyncFrames finds the selected frames again by number.
func (v *View) resyncFrames() {
	t := v.Session.Track(v.Track)
	if t == nil || v.FrameA < 0 || v.FrameA != v.state.lastFrameA || v.FrameB != v.state.lastFrameB {
		return
	}
	a, okA := t.FrameByNumber(v.state.numberA)
	b, okB := t.FrameByNumber(v.state.numberB)
	if !okB {
		b-- // where it would be: the one before is the last that is left
	}
	if a > b || !okA && !okB && a == b && v.state.numberA == v.state.numberB || b < 0 || a >= t.NumFrames() {
		v.clearFrames()
		return
	}
	v.setFrames(a, b)
}

// setFrames selects frames [a, b] without any further effect.
func (v *View) setFrames(a, b int) {
	t := v.Session.Track(v.Track)
	fa, fb := t.Frame(a), t.Frame(b)
	v.FrameA, v.FrameB = a, b
	v.state.lastFrameA, v.state.lastFrameB = a, b
	v.state.numberA, v.state.numberB = fa.Number, fb.Number
	v.RangeA, v.RangeB = fa.Begin, fb.End
}

func (v *View) clearFrames() {
	v.FrameA, v.FrameB = -1, -1
	v.state.lastFrameA, v.state.lastFrameB = -1, -1
	v.RangeA, v.RangeB = 0, 0
}

// LagNs returns how far the playhead is behind the newest data.
func (v *View) LagNs() int64 {
	if v.Session == nil {
		return 0
	}
	_, end, ok := v.Session.Bounds()
	if !ok {
		return 0
	}
	return max(0, end-v.Playhead)
}

func (v *View) track() *model.Track {
	if v.Session == nil {
		return nil
	}
	return v.Session.Track(v.Track)
}
