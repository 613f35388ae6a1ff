package widgets

import (
	"framescope/charts"
	"framescope/charts/draw"
)

// HelpRow is one line of the overlay: what to press or to do, and what it does.
type HelpRow struct{ Key, Does string }

// HelpGroup is a titled run of lines.
type HelpGroup struct {
	Title string
	Rows  []HelpRow
}

// DrawHelp covers the window with all keys and gestures, in as many columns as fit.
func DrawHelp(l *draw.List, env *charts.Env, rect draw.Rect, groups []HelpGroup) {
	t := env.Theme
	l.Rect(rect, col(t.Ground.WithAlpha(235)))
	inner := rect.Inset(env.Px(28))
	l.Text(draw.Medium, inner.X0, inner.Y0, "Keys and mouse", col(t.Text))
	l.TextIn(draw.Regular, draw.Rect{X0: inner.X0, Y0: inner.Y0, X1: inner.X1, Y1: inner.Y0 + env.Px(18)}, draw.Right, "any key or click closes this", col(t.Text2))
	inner.Y0 += env.Px(34)
	rowH, keyW, colW := env.Px(19), env.Px(150), env.Px(400)
	total := 0
	for _, g := range groups {
		total += len(g.Rows) + 2
	}
	// As few columns as let everything fit in height, then as wide as there is room.
	columns := max(1, int(inner.W()/env.Px(300)))
	for c := 1; c < columns; c++ {
		if float32((total+c-1)/c+3)*rowH <= inner.H() {
			columns = c
			break
		}
	}
	colW = min(colW, (inner.W()-env.Px(24)*float32(columns-1))/float32(columns))
	perColumn := (total + columns - 1) / columns
	x, y, used := inner.X0, inner.Y0, 0
	for _, g := range groups {
		if used > 0 && used+len(g.Rows)+1 > perColumn+2 && x+2*colW < inner.X1+env.Px(30) {
			x += colW + env.Px(24)
			y, used = inner.Y0, 0
		}
		l.TextIn(draw.Medium, draw.Rect{X0: x, Y0: y, X1: x + colW, Y1: y + rowH}, draw.Left, g.Title, col(t.Accent))
		y += rowH + env.Px(2)
		for _, r := range g.Rows {
			l.TextIn(draw.Regular, draw.Rect{X0: x, Y0: y, X1: x + keyW - env.Px(8), Y1: y + rowH}, draw.Left, r.Key, col(t.Text))
			l.TextIn(draw.Regular, draw.Rect{X0: x + keyW, Y0: y, X1: x + colW, Y1: y + rowH}, draw.Left, r.Does, col(t.Text2))
			y += rowH
		}
		y += env.Px(12)
		used += len(g.Rows) + 2
	}
}
