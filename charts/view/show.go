package view

import (
	"cmp"
	"slices"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
	"framescope/model/store"
)

// VisibleTracks returns the tracks that panels show, in order (see TrackRank): not hidden, and with
// data or a name. The slice is the view's own.
func (v *View) VisibleTracks() []model.TrackID {
	v.visible = v.visible[:0]
	if v.session == nil {
		return nil
	}
	for id := range model.TrackID(v.session.NumTracks()) {
		t := v.session.Track(id)
		if t == nil || v.unseen[id] || t.NumFrames() == 0 && t.NumSpans() == 0 && t.NumMessages() == 0 && t.Def.Name == "" {
			continue
		}
		v.visible = append(v.visible, id)
	}
	// Sorting moves nothing in most sessions: the order is that of appearance.
	if len(v.visible) > maxSortedTracks {
		return v.visible
	}
	slices.SortStableFunc(v.visible, func(a, b model.TrackID) int {
		return cmp.Compare(TrackRank(v.session.Track(a)), TrackRank(v.session.Track(b)))
	})
	return v.visible
}

// maxSortedTracks bounds the work of a tick.
const maxSortedTracks = 4096

// TrackRank orders tracks: the main one, what flows through a program (latencies of a pipeline),
// then threads, those that did little behind the others, and last what has messages only.
func TrackRank(t *store.Track) int {
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

// busySpans is how many spans a thread without frames needs to stand among those that do something.
// Spans only become more, so a thread moves up once.
const busySpans = 16

// Hidden tells whether the user hid a collector.
func (v *View) Hidden(c model.CollectorID) bool { return v.hidden[c] }

// TrackHidden tells whether the user hid a track.
func (v *View) TrackHidden(t model.TrackID) bool { return v.unseen[t] }

// TrackFolded tells whether the user folded a track to one thin row.
func (v *View) TrackFolded(t model.TrackID) bool { return v.folded[t] }

// HidesCollectors tells whether the user hid any collector.
func (v *View) HidesCollectors() bool { return len(v.hidden) > 0 }

// HidesTracks tells whether the user hid any track.
func (v *View) HidesTracks() bool { return len(v.unseen) > 0 }

// SetHidden hides or shows a collector.
func (v *View) SetHidden(c model.CollectorID, hidden bool) { setFlag(v, &v.hidden, c, hidden) }

// SetTrackHidden hides or shows a track.
func (v *View) SetTrackHidden(t model.TrackID, hidden bool) { setFlag(v, &v.unseen, t, hidden) }

// SetTrackFolded folds a track to one thin row, or unfolds it.
func (v *View) SetTrackFolded(t model.TrackID, folded bool) { setFlag(v, &v.folded, t, folded) }

// ShowAll shows all hidden tracks and collectors again.
func (v *View) ShowAll() {
	clear(v.hidden)
	clear(v.unseen)
	v.shownRev++
}

func setFlag[K comparable](v *View, m *map[K]bool, k K, on bool) {
	v.shownRev++
	if !on {
		delete(*m, k)
		return
	}
	if *m == nil {
		*m = map[K]bool{}
	}
	(*m)[k] = true
}

// SetFrameBudget sets the time that a frame should take at most, ns; 0 or less: the default.
func (v *View) SetFrameBudget(ns int64) {
	if v.budgetNs = ns; ns <= 0 {
		v.budgetNs = DefaultBudgetNs
	}
}

// SetShowInterpolated shows or hides bridged gaps.
func (v *View) SetShowInterpolated(on bool) { v.interpolated = on }

// SetShowCounters shows or hides the counters of each track below its lanes in the timeline.
func (v *View) SetShowCounters(on bool) { v.counters = on }

// SetMeasure chooses what flame graphs and call trees add up.
func (v *View) SetMeasure(m store.Measure) { v.measure = m }

// CycleMeasure goes on to the next measure that the visible tracks can give: duration, CPU time,
// samples. It returns the new one.
func (v *View) CycleMeasure() store.Measure {
	if v.session == nil {
		return v.measure
	}
	can := v.session.Measures(v.VisibleTracks(), nil)
	at := max(slices.Index(can, v.measure), slices.Index(can, store.MeasureDuration))
	v.measure = store.MeasureDuration
	if len(can) > 0 {
		v.measure = can[(at+1)%len(can)]
	}
	return v.measure
}

// SetDepthLimit limits the lanes of a track that the timeline shows, 0 all.
func (v *View) SetDepthLimit(lanes int) { v.depth = max(lanes, 0) }

// CycleDepth goes on to the next limit of lanes: all, 8, 4, 2, all.
func (v *View) CycleDepth() {
	switch v.depth {
	case 0:
		v.depth = 8
	case 8, 4:
		v.depth /= 2
	default:
		v.depth = 0
	}
}

// SetColors gives collectors the user's colours, by their full names. The view keeps the map.
func (v *View) SetColors(colors map[string]assets.Color) {
	v.colors = colors
	v.colorsRev++
}

// SetColor gives the collector with a full name a colour of the user's; ResetColor takes it back.
func (v *View) SetColor(fullName string, c assets.Color) {
	if v.colors == nil {
		v.colors = map[string]assets.Color{}
	}
	v.colors[fullName] = c
	v.colorsRev++
}

// ResetColor takes the user's colour of a collector back.
func (v *View) ResetColor(fullName string) {
	delete(v.colors, fullName)
	v.colorsRev++
}

// HasColor tells whether the user gave the collector of a full name a colour.
func (v *View) HasColor(fullName string) bool {
	_, own := v.colors[fullName]
	return own
}

// Palette returns the colours of the session's collectors.
func (v *View) Palette() *Palette {
	v.palette.refresh(v.session, v.colors, v.colorsRev)
	return &v.palette
}

// BarColor returns the fill and text colours of a collector's bars; brighter while it is under the
// mouse in any panel.
func (v *View) BarColor(c model.CollectorID) (fill, text draw.Color) {
	fill, text = v.palette.Fill(c), v.palette.Text(c)
	if c == v.hover && c != model.NoCollector {
		fill = draw.Highlight(fill)
	}
	return fill, text
}
