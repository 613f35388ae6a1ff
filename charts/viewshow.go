package charts

import (
	"cmp"
	"slices"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
)

// VisibleTracks returns the tracks that panels show, in order (see trackRank): not hidden, and with data or a name. The slice is the view's own.
func (v *View) VisibleTracks() []model.TrackID {
	v.state.visible = v.state.visible[:0]
	if v.Session == nil {
		return nil
	}
	for id := range model.TrackID(v.Session.NumTracks()) {
		t := v.Session.Track(id)
		if t == nil || v.HiddenTracks[id] || t.NumFrames() == 0 && t.NumSpans() == 0 && t.NumMessages() == 0 && t.Def.Name == "" {
			continue
		}
		v.state.visible = append(v.state.visible, id)
	}
	// Sorting moves nothing in most sessions: the order is that of appearance.
	if len(v.state.visible) > maxSortedTracks {
		return v.state.visible
	}
	slices.SortStableFunc(v.state.visible, func(a, b model.TrackID) int {
		return cmp.Compare(trackRank(v.Session.Track(a)), trackRank(v.Session.Track(b)))
	})
	return v.state.visible
}

// maxSortedTracks bounds the work of a tick.
const maxSortedTracks = 4096

// trackRank orders tracks: the main one, what flows through a program (latencies of a pipeline), then threads, those that did little behind the others, and last what has messages only.
func trackRank(t *model.Track) int {
	switch {
	case t.Def.Main:
		return 0
	case t.Def.Kind == model.TrackStream && t.NumFrames() == 0 && t.NumSpans() > 0:
		return 1
	case t.NumFrames() > 0 || t.NumSpans() >= busySpans:
		return 2
	case t.NumSpans() > 0:
		return 3 // a thread that did next to nothing: those of a virtual machine itself
	case t.Def.Name != "" && t.NumMessages() == 0:
		return 3 // is about to get something
	}
	return 4
}

// busySpans is how many spans a thread without frames needs to stand among those that do something. Spans only become more, so a thread moves up once.
const busySpans = 16

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

// ShowAll shows all hidden tracks and collectors again.
func (v *View) ShowAll() {
	clear(v.Hidden)
	clear(v.HiddenTracks)
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

// CycleDepth goes on to the next limit of lanes: all, 8, 4, 2, all.
func (v *View) CycleDepth() {
	switch v.DepthLimit {
	case 0:
		v.DepthLimit = 8
	case 8:
		v.DepthLimit = 4
	case 4:
		v.DepthLimit = 2
	default:
		v.DepthLimit = 0
	}
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
		maps: v.state.mapsRev, colors: v.state.colorsRev, depth: v.DepthLimit,
		counters: v.ShowCounters, messages: v.Messages.rev,
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
