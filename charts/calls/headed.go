package calls

import (
	"io"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
)

// headed is a table in a list of its own: the common part of Tree and Slow.
type headed[K comparable] struct {
	panel.Layers[headedKey[K], struct{}]
	table    *table.Table
	tools    panel.Toolbox
	oneTrack [1]model.TrackID
}

// headedKey is the extra inputs of the picture.
type headedKey[K comparable] struct {
	table uint64
	of    K
}

// draw draws the table if anything changed, and reports whether it did; of holds its other inputs.
func (h *headed[K]) draw(env *panel.Env, rect draw.Rect, of K) bool {
	changed := h.BeginBase(env, rect, headedKey[K]{h.table.Stamp(), of})
	if changed {
		h.table.DrawInto(h.List(), env)
	}
	return changed
}

// Extent implements panel.Sized.
func (h *headed[K]) Extent(env *panel.Env, pxWidth float32) float32 {
	return h.table.Extent(env, pxWidth)
}

// Key takes a key for the table.
func (h *headed[K]) Key(env *panel.Env, key string) (panel.Action, bool) {
	return h.table.Key(env, key)
}

// Titles returns the titles of the columns.
func (h *headed[K]) Titles() []string { return h.table.Titles() }

// Copy returns the row under the mouse as text.
func (h *headed[K]) Copy(env *panel.Env) (string, bool) { return h.table.Copy(env) }

// Export implements panel.Exporter.
func (h *headed[K]) Export(env *panel.Env, w io.Writer, f panel.Format) error {
	return h.table.Export(env, w, f)
}

// Facts implements panel.Teller.
func (h *headed[K]) Facts(env *panel.Env, out []panel.Fact) []panel.Fact {
	return h.table.Facts(env, out)
}

// Marked implements panel.Marker.
func (h *headed[K]) Marked(env *panel.Env, out []panel.Hit) []panel.Hit {
	return h.table.Marked(env, out)
}

// tracksOf returns all visible tracks, or only one: the view's where track is NoTrack.
func (h *headed[K]) tracksOf(env *panel.Env, all bool, track model.TrackID) []model.TrackID {
	if all {
		return env.View.Look().VisibleTracks()
	}
	if track == model.NoTrack {
		track = env.View.Track()
	}
	h.oneTrack[0] = track
	return h.oneTrack[:]
}
