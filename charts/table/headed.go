package table

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// Headed is a table below a row with switches, both in one list: what Tree and Slow have in common.
type Headed struct {
	Drawn      *draw.List
	Table      *Table
	Chips      panel.ChipRow
	Head, body draw.Rect
	away       panel.Input // what the table sees of a mouse that is not over it
	oneTrack   [1]model.TrackID
}

// HeadedKey is what the picture depends on, besides what the switches stand for.
type HeadedKey struct {
	head, body draw.Rect
	table      uint64
	chip       int
	scale      float32
	theme      *assets.Theme
}

// begin makes the list ready and divides the panel. anew tells that all must be drawn.
func (h *Headed) Begin(env *panel.Env, rect draw.Rect) (anew bool) {
	h.Head, h.body = draw.Rect{}, rect
	if rect.H() > env.Px(70) {
		h.Head = draw.Rect{X0: rect.X0, Y0: rect.Y0, X1: rect.X1, Y1: rect.Y0 + env.Px(24)}
		h.body.Y0 = h.Head.Y1
	}
	return panel.ListFor(&h.Drawn, env)
}

// PlaceChips gives the switches their places.
func (h *Headed) PlaceChips(env *panel.Env) {
	r := h.Head
	r.X1 -= env.Px(6)
	h.Chips.LayOut(env, r)
}

// UpdateTable hands the input to the table; of what happens in the head it sees nothing.
func (h *Headed) UpdateTable(env *panel.Env, in *panel.Input) panel.Action {
	if !h.body.Contains(in.X, in.Y) && h.Table.GrabY < 0 {
		h.away = *in
		h.away.Over = false
		in = &h.away
	}
	return h.Table.Update(env, h.body, in)
}

func (h *Headed) KeyOf(env *panel.Env) HeadedKey {
	return HeadedKey{head: h.Head, body: h.body, table: h.Table.Drawn.Revision(), chip: h.Chips.Hover, scale: env.Scale, theme: env.Theme}
}

// DrawHead begins the list with the ground of the head.
func (h *Headed) DrawHead(env *panel.Env, rect draw.Rect) {
	h.Drawn.Reset(rect)
	h.Drawn.Rect(h.Head, draw.Color(env.Theme.Panel))
}

// DrawTable draws the switches and the table.
func (h *Headed) DrawTable(env *panel.Env) {
	h.Chips.Draw(h.Drawn, env)
	h.Table.DrawInto(h.Drawn, env)
}

// TracksOf returns all visible tracks, or only one: the view's where track is NoTrack.
func (h *Headed) TracksOf(env *panel.Env, all bool, track model.TrackID) []model.TrackID {
	if all {
		return env.View.VisibleTracks()
	}
	if track == model.NoTrack {
		track = env.View.Track()
	}
	h.oneTrack[0] = track
	return h.oneTrack[:]
}
