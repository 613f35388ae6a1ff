package calls

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
)

// headed is a table below a row with switches, both in one list: what Tree and Slow have in common.
type headed struct {
	list       *draw.List
	table      *table.Table
	chips      panel.ChipRow
	head, body draw.Rect
	oneTrack   [1]model.TrackID
}

// headedKey is what the picture depends on, besides what the switches stand for.
type headedKey struct {
	head, body draw.Rect
	table      uint64
	chip       int
	scale      float32
	theme      *assets.Theme
}

// begin makes the list ready and divides the panel. anew tells that all must be drawn.
func (h *headed) begin(env *panel.Env, rect draw.Rect) (anew bool) {
	h.head, h.body = draw.Rect{}, rect
	if rect.H() > env.Px(70) {
		h.head = draw.Rect{X0: rect.X0, Y0: rect.Y0, X1: rect.X1, Y1: rect.Y0 + env.Px(24)}
		h.body.Y0 = h.head.Y1
	}
	return panel.ListFor(&h.list, env)
}

// List returns the picture of the last Update.
func (h *headed) List() *draw.List { return h.list }

// placeChips gives the switches their places.
func (h *headed) placeChips(env *panel.Env) {
	r := h.head
	r.X1 -= env.Px(6)
	h.chips.LayOut(env, r)
}

func (h *headed) keyOf(env *panel.Env) headedKey {
	return headedKey{
		head: h.head, body: h.body, table: h.table.Stamp(), chip: h.chips.Hover, scale: env.Scale, theme: env.Theme,
	}
}

// drawHead begins the list with the ground of the head.
func (h *headed) drawHead(env *panel.Env, rect draw.Rect) {
	h.list.Reset(rect)
	h.list.Rect(h.head, draw.Color(env.Theme.Panel))
}

// drawTable draws the switches and the table.
func (h *headed) drawTable(env *panel.Env) {
	h.chips.Draw(h.list, env)
	h.table.DrawInto(h.list, env)
}

// Key takes a key for the table.
func (h *headed) Key(env *panel.Env, key string) (panel.Action, bool) { return h.table.Key(env, key) }

// Copy returns the row under the mouse as text.
func (h *headed) Copy(env *panel.Env) (string, bool) { return h.table.Copy(env) }

// tracksOf returns all visible tracks, or only one: the view's where track is NoTrack.
func (h *headed) tracksOf(env *panel.Env, all bool, track model.TrackID) []model.TrackID {
	if all {
		return env.View.VisibleTracks()
	}
	if track == model.NoTrack {
		track = env.View.Track()
	}
	h.oneTrack[0] = track
	return h.oneTrack[:]
}
