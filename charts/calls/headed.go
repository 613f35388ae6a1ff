package calls

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
)

// headed is a table below a row with switches, both in one list: what Tree and Slow have in common.
type headed[K comparable] struct {
	panel.Layers[headedKey[K], struct{}]
	table      *table.Table
	chips      panel.ChipRow
	head, body draw.Rect
	oneTrack   [1]model.TrackID
}

// headedKey is what the picture depends on, besides what all pictures do.
type headedKey[K comparable] struct {
	table uint64
	chip  int
	of    K
}

// begin divides the panel.
func (h *headed[K]) begin(env *panel.Env, rect draw.Rect) {
	h.head, h.body = draw.Rect{}, rect
	if rect.H() > env.Px(70) {
		h.head = draw.Rect{X0: rect.X0, Y0: rect.Y0, X1: rect.X1, Y1: rect.Y0 + env.Px(24)}
		h.body.Y0 = h.head.Y1
	}
}

// draw draws the words in the head, the switches and the table if anything changed; of is what the
// head depends on.
func (h *headed[K]) draw(env *panel.Env, rect draw.Rect, of K, words string) {
	if !h.BeginBase(env, rect, headedKey[K]{h.table.Stamp(), h.chips.Hover, of}) {
		return
	}
	if l := h.List(); !h.head.Empty() {
		l.TextIn(draw.Regular, h.chips.Beside(env, h.head, 9, 8), draw.Left, words, draw.Color(env.Theme.Text2))
	}
	h.chips.Draw(h.List(), env)
	h.table.DrawInto(h.List(), env)
}

// Key takes a key for the table.
func (h *headed[K]) Key(env *panel.Env, key string) (panel.Action, bool) {
	return h.table.Key(env, key)
}

// Titles returns the titles of the columns.
func (h *headed[K]) Titles() []string { return h.table.Titles() }

// Copy returns the row under the mouse as text.
func (h *headed[K]) Copy(env *panel.Env) (string, bool) { return h.table.Copy(env) }

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
