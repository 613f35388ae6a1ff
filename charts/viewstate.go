package charts

import (
	"math"

	"framescope/assets"
	"framescope/charts/draw"
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
	if v.Session == nil {
		return false
	}
	if v.state.session != v.Session {
		v.state.session, v.state.shown = v.Session, false
		v.state.sessionRev = math.MaxUint64
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
		v.Time.Fit(begin, end)
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

// pickTrack chooses a track with frames when the present one has none: threads before GPU tracks, the one with the lowest id.
func (v *View) pickTrack() {
	if t := v.Session.Track(v.Track); t != nil && t.NumFrames() > 0 {
		return
	}
	best := model.NoTrack
	for id := range model.TrackID(v.Session.NumTracks()) {
		t := v.Session.Track(id)
		if t == nil || t.NumFrames() == 0 {
			continue
		}
		if t.Def.Kind == model.TrackThread {
			best = id
			break
		}
		if best == model.NoTrack {
			best = id
		}
	}
	if best != model.NoTrack {
		v.Track, v.FrameA, v.FrameB = best, -1, -1
	}
}

// SetHover tells all panels what is under the mouse: a collector (or NoCollector) and, if hasTime, a time. owner is the chart that has the mouse.
func (v *View) SetHover(owner any, c model.CollectorID, timeNs int64, hasTime bool) {
	v.state.hoverOwner = owner
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
	if id == v.Track || v.Session == nil || v.Session.Track(id) == nil {
		return
	}
	v.Track = id
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

// ClearSelection selects nothing: no range, no frames, no span, no collector.
func (v *View) ClearSelection() {
	v.clearFrames()
	v.HasSpan, v.Collector = false, model.NoCollector
}

// SetPlayhead moves the playhead and everything that follows it: the frame there is selected (none in a gap) and the axis shows it. It ends Live; the recording goes on.
func (v *View) SetPlayhead(timeNs int64) {
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
	v.Playhead = timeNs
	v.frameOfPlayhead()
}

// frameOfPlayhead selects the frame of Track under the playhead.
func (v *View) frameOfPlayhead() {
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

// StepFrame selects the frame n after (n < 0: before) the selected one, from the playhead where none is selected. It ends Live.
func (v *View) StepFrame(n int) {
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

// VisibleTracks returns the tracks that panels show, in order: not hidden, and with data or a name. The slice is the view's own.
func (v *View) VisibleTracks() []model.TrackID {
	v.state.visible = v.state.visible[:0]
	if v.Session == nil {
		return nil
	}
	for id := range model.TrackID(v.Session.NumTracks()) {
		t := v.Session.Track(id)
		if t == nil || v.HiddenTracks[id] || t.NumFrames() == 0 && t.NumSpans() == 0 && t.Def.Name == "" {
			continue
		}
		v.state.visible = append(v.state.visible, id)
	}
	return v.state.visible
}

// SetHidden hides or shows a collector.
func (v *View) SetHidden(c model.CollectorID, hidden bool) {
	setFlag(&v.Hidden, c, hidden)
	v.Touch()
}

// SetTrackHidden hides or shows a track.
func (v *View) SetTrackHidden(t model.TrackID, hidden bool) {
	setFlag(&v.HiddenTracks, t, hidden)
	v.Touch()
}

// SetTrackFolded folds a track to one thin row, or unfolds it.
func (v *View) SetTrackFolded(t model.TrackID, folded bool) {
	setFlag(&v.FoldedTracks, t, folded)
	v.Touch()
}

func setFlag[K comparable](m *map[K]bool, k K, on bool) {
	if !on {
		delete(*m, k)
		return
	}
	if *m == nil {
		*m = map[K]bool{}
	}
	(*m)[k] = true
}

// SetColor gives the collector with a full name a colour of the user's; ResetColor takes it back.
func (v *View) SetColor(fullName string, c assets.Color) {
	if v.Colors == nil {
		v.Colors = map[string]assets.Color{}
	}
	v.Colors[fullName] = c
	v.Touch()
}

// ResetColor takes the user's colour of a collector back.
func (v *View) ResetColor(fullName string) {
	delete(v.Colors, fullName)
	v.Touch()
}

// Touch tells the view that one of its maps (Hidden, Colors, HiddenTracks, FoldedTracks) was changed directly.
func (v *View) Touch() { v.state.mapsRev++; v.state.colorsRev++ }

// Palette returns the colours of the session's collectors.
func (v *View) Palette() *Palette {
	v.state.palette.refresh(v.Session, v.Colors, v.state.colorsRev)
	return &v.state.palette
}

// BarColor returns the fill and text colours of a collector's bars; brighter while it is under the mouse in any panel.
func (v *View) BarColor(c model.CollectorID) (fill, text draw.Color) {
	p := &v.state.palette
	fill, text = p.Fill(c), p.Text(c)
	if c == v.HoverCollector && c != model.NoCollector {
		fill = Highlight(fill)
	}
	return fill, text
}

// Revision changes whenever anything changed on which a picture can depend, but for the visible time (Time), the playhead, and the ghost cursor (see CursorRevision):
// the session's data, the selection, the collector under the mouse, colours and visibility.
func (v *View) Revision() uint64 {
	k := viewKey{
		session: v.Session, track: v.Track, spanTrack: v.SpanTrack, frameA: v.FrameA, frameB: v.FrameB, rangeA: v.RangeA, rangeB: v.RangeB,
		live: v.Live, hasSpan: v.HasSpan, interpol: v.ShowInterpolated, collector: v.Collector, hover: v.HoverCollector, budget: v.FrameBudgetNs,
		maps: v.state.mapsRev, colors: v.state.colorsRev,
	}
	if v.HasSpan {
		k.span, k.spanBegin, k.spanEnd = v.Span.Ref, v.Span.Begin, v.Span.End
	}
	if v.Session != nil {
		k.sessionRev, k.defsRev = v.Session.Revision(), v.Session.DefsRevision()
	}
	if k != v.state.key || v.state.revision == 0 {
		v.state.key = k
		v.state.revision++
		v.Palette()
	}
	return v.state.revision
}

// CursorRevision is Revision that changes with the playhead and the ghost cursor, too.
func (v *View) CursorRevision() uint64 {
	k := cursorKey{v.Revision(), v.Playhead, v.HoverTime, v.HasHoverTime}
	if !k.hasHover {
		k.hoverTime = 0
	}
	if k != v.state.cursorKey {
		v.state.cursorKey = k
		v.state.cursorRev++
	}
	return v.state.cursorRev
}
