package charts

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
)

// headedTable is a table below a row with switches, both in one list: what CallTree and SlowCalls have in common.
type headedTable struct {
	list       *draw.List
	table      *Table
	chips      chipRow
	head, body draw.Rect
	away       Input // what the table sees of a mouse that is not over it
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
func (h *headedTable) begin(env *Env, rect draw.Rect) (anew bool) {
	h.head, h.body = draw.Rect{}, rect
	if rect.H() > env.Px(70) {
		h.head = draw.Rect{X0: rect.X0, Y0: rect.Y0, X1: rect.X1, Y1: rect.Y0 + env.Px(24)}
		h.body.Y0 = h.head.Y1
	}
	return listFor(&h.list, env)
}

// placeChips gives the switches their places.
func (h *headedTable) placeChips(env *Env) {
	r := h.head
	r.X1 -= env.Px(6)
	h.chips.layOut(env, r)
}

// updateTable hands the input to the table; of what happens in the head it sees nothing.
func (h *headedTable) updateTable(env *Env, in *Input) Action {
	if !h.body.Contains(in.X, in.Y) && h.table.grabY < 0 {
		h.away = *in
		h.away.Over = false
		in = &h.away
	}
	return h.table.Update(env, h.body, in)
}

func (h *headedTable) keyOf(env *Env) headedKey {
	return headedKey{head: h.head, body: h.body, table: h.table.list.Revision(), chip: h.chips.hover, scale: env.Scale, theme: env.Theme}
}

// drawHead begins the list with the ground of the head.
func (h *headedTable) drawHead(env *Env, rect draw.Rect) {
	h.list.Reset(rect)
	h.list.Rect(h.head, draw.Color(env.Theme.Panel))
}

// drawTable draws the switches and the table.
func (h *headedTable) drawTable(env *Env) {
	h.chips.draw(h.list, env)
	h.table.DrawInto(h.list, env)
}

// tracksOf returns all visible tracks, or only one: the view's where track is NoTrack.
func (h *headedTable) tracksOf(env *Env, all bool, track model.TrackID) []model.TrackID {
	if all {
		return env.View.VisibleTracks()
	}
	if track == model.NoTrack {
		track = env.View.Track()
	}
	h.oneTrack[0] = track
	return h.oneTrack[:]
}
