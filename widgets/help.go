package widgets

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// HelpRow is one line of the overlay: what to press or to do, and what it does.
type HelpRow struct{ Key, Does string }

// HelpGroup is a titled run of lines.
type HelpGroup struct {
	Title string
	Rows  []HelpRow
}

// DrawHelp covers the window with all keys and gestures, in as many columns as fit.
func DrawHelp(l *draw.List, env *panel.Env, rect draw.Rect, groups []HelpGroup) {
	t := env.Theme
	l.Rect(rect, draw.Color(t.Panel.WithAlpha(250)))
	inner := rect.Inset(env.Px(28))
	named := l.Text(draw.Medium, inner.X0, inner.Y0, "Keys and mouse", draw.Color(t.Text))
	l.TextFit(draw.Regular, draw.Rect{X0: inner.X0 + named + env.Px(12), Y0: inner.Y0, X1: inner.X1, Y1: inner.Y0 + env.Px(18)}, draw.Right, "any key or click closes this", draw.Color(t.Text2))
	inner.Y0 += env.Px(34)
	rowH, keyW, gapX, gapY := env.Px(18), env.Px(140), env.Px(20), env.Px(10)
	height := func(g *HelpGroup) float32 { return rowH*float32(len(g.Rows)+1) + env.Px(2) }
	// Few wide columns rather than many narrow ones: words are cut only where nothing else fits.
	most := max(1, int((inner.W()+gapX)/env.Px(370)))
	columns := 1
	for ; columns < most && !helpFits(groups, columns, inner.H(), gapY, height); columns++ {
	}
	colW := min(env.Px(760), (inner.W()-gapX*float32(columns-1))/float32(columns))
	ends := make([]float32, columns)
	for i := range groups {
		g := &groups[i]
		h := height(g)
		at := columnFor(ends, h, inner.H())
		x, y := inner.X0+float32(at)*(colW+gapX), inner.Y0+ends[at]
		ends[at] += h + gapY
		l.TextIn(draw.Medium, draw.Rect{X0: x, Y0: y, X1: x + colW, Y1: y + rowH}, draw.Left, g.Title, draw.Color(t.Text2))
		y += rowH + env.Px(2)
		for _, r := range g.Rows {
			l.TextIn(draw.Regular, draw.Rect{X0: x, Y0: y, X1: x + keyW - env.Px(8), Y1: y + rowH}, draw.Left, r.Key, draw.Color(t.Text))
			l.TextIn(draw.Regular, draw.Rect{X0: x + keyW, Y0: y, X1: x + colW, Y1: y + rowH}, draw.Left, r.Does, draw.Color(t.Text2))
			y += rowH
		}
	}
}

// columnFor returns the first column that has room for all of a group, else the last.
func columnFor(ends []float32, h, room float32) int {
	for c := range ends {
		if ends[c]+h <= room {
			return c
		}
	}
	return len(ends) - 1
}

// helpFits tells whether all groups have room in so many columns.
func helpFits(groups []HelpGroup, columns int, room, gap float32, height func(*HelpGroup) float32) bool {
	ends := make([]float32, columns)
	for i := range groups {
		h := height(&groups[i])
		at := columnFor(ends, h, room)
		if ends[at]+h > room {
			return false
		}
		ends[at] += h + gap
	}
	return true
}
