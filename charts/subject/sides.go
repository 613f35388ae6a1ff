package subject

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
)

// Sizes of the head that shows ranges A and B, at scale 1.
const (
	sideRowPx   = 20
	sideBadgePx = 16
	sideGapPx   = 20 // between both, in one row
)

// sideLetters are the names of the sides.
var sideLetters = [...]string{view.SideA: "A", view.SideB: "B"}

// SideLetter returns the name of a side.
func SideLetter(side int) string { return sideLetters[side] }

// SidesHead is the head of a panel that compares: it shows the ranges and sessions of A and B, beside
// each other, or below each other if that does not fit. The zero value is ready.
type SidesHead struct {
	rect  draw.Rect
	marks [2]view.Mark
	is    [2]bool
	rows  int
	// Note describes all figures of the panel; it stands at the right if it fits.
	Note string
}

// Place gives the head the upper edge of a panel, and returns the rest: all of it without a
// comparison.
func (h *SidesHead) Place(env *panel.Env, rect draw.Rect) (rest draw.Rect) {
	need, half := float32(0), (rect.W()-env.Px(12))/2
	h.rows = 1
	for side := range h.marks {
		h.marks[side], h.is[side] = env.Comparing.Marked(side)
		if need = h.need(env, side); need > half {
			h.rows = 2
		}
	}
	h.rect, rest = rect, rect
	if !env.Comparing.Any() {
		h.rect.Y1 = rect.Y0
		return rest
	}
	h.rect.Y1 = min(rect.Y0+env.Px(4)+float32(h.rows)*env.Px(sideRowPx), rect.Y1)
	rest.Y0 = h.rect.Y1
	return rest
}

// need is how wide a side is.
func (h *SidesHead) need(env *panel.Env, side int) float32 {
	m := &h.marks[side]
	w := env.Px(sideBadgePx+6+8+sideGapPx) + env.Atlas.Measure(draw.Medium, m.Name)
	return w + env.Atlas.Measure(draw.Regular, h.what(side))
}

// what describes the range of a side.
func (h *SidesHead) what(side int) string {
	if !h.is[side] {
		return "not marked yet (Shift+" + sideLetters[side] + ")"
	}
	return h.marks[side].What
}

// Height is how high the head is, as of the last Place.
func (h *SidesHead) Height() float32 { return h.rect.H() }

// Draw writes it.
func (h *SidesHead) Draw(env *panel.Env, l *draw.List) {
	if h.rect.Empty() {
		return
	}
	row := draw.Rect{X0: h.rect.X0 + env.Px(9), Y0: h.rect.Y0 + env.Px(2), X1: h.rect.X1 - env.Px(4)}
	row.Y1 = row.Y0 + env.Px(sideRowPx)
	for side := range h.marks {
		r := row
		if h.rows == 1 && side == view.SideA {
			r.X1 = panel.Snap((row.X0 + row.X1) / 2)
		} else if h.rows == 1 {
			r.X0 = panel.Snap((row.X0 + row.X1) / 2)
		}
		end := drawSide(env, l, r, side, &h.marks[side], h.what(side))
		if need := env.Atlas.Measure(draw.Small, h.Note); need > 0 && side == 2-h.rows && end+env.Px(sideGapPx)+need <= r.X1 {
			note := r
			note.X1 -= env.Px(6)
			l.TextIn(draw.Small, note, draw.Right, h.Note, draw.Color(env.Theme.Text2))
		}
		if h.rows == 2 {
			row.Y0, row.Y1 = row.Y1, row.Y1+env.Px(sideRowPx)
		}
	}
}

// DrawSide writes the range and session of a side into a row, and behind that a note if it fits.
func DrawSide(env *panel.Env, l *draw.List, row draw.Rect, side int, note string) {
	m, _ := env.Comparing.Marked(side)
	row.X0, row.X1 = row.X0+env.Px(9), row.X1-env.Px(4)
	end := drawSide(env, l, row, side, &m, m.What)
	if w := env.Atlas.Measure(draw.Small, note); end+env.Px(sideGapPx)+w <= row.X1-env.Px(6) {
		row.X1 -= env.Px(6)
		l.TextIn(draw.Small, row, draw.Right, note, draw.Color(env.Theme.Text2))
	}
}

// drawSide writes a side: its letter, its session, and which stretch of that. It returns where that
// ends.
func drawSide(env *panel.Env, l *draw.List, r draw.Rect, side int, m *view.Mark, what string) (end float32) {
	th := env.Theme
	SideBadge(env, l, draw.Rect{X0: r.X0, Y0: r.Y0 + env.Px(2), X1: r.X0 + env.Px(sideBadgePx), Y1: r.Y0 + env.Px(2+sideBadgePx)}, side)
	r.X0 += env.Px(sideBadgePx + 6)
	whatW := env.Atlas.Measure(draw.Regular, what) + env.Px(2)
	if m.Name != "" {
		at := r
		at.X1 = max(r.X0, min(r.X1, r.X1-whatW-env.Px(8))) // the session's name is shortened first
		l.NameIn(draw.Medium, at, draw.Left, m.Name, draw.Color(th.Text))
		r.X0 += min(env.Atlas.Measure(draw.Medium, m.Name), at.W()) + env.Px(8)
	}
	l.TextIn(draw.Regular, r, draw.Left, what, draw.Color(th.Text2))
	return r.X0 + whatW
}

// SideBadge draws the letter of a side in its colors: A grey, B in the accent color.
func SideBadge(env *panel.Env, l *draw.List, r draw.Rect, side int) {
	th := env.Theme
	fill, text := th.Button, th.Text
	if side == view.SideB {
		fill, text = th.AccentGround, th.Accent
	}
	l.Rect(r, draw.Color(fill))
	l.TextIn(draw.Medium, r, draw.Center, sideLetters[side], draw.Color(text))
}
