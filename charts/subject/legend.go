package subject

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Legend is a line of words, some with a swatch before them. After the first that has no room nothing follows.
type Legend struct {
	List *draw.List
	Env  *panel.Env
	Row  draw.Rect // its free part
}

// SwatchPx is the width of a plain swatch at scale 1.
const SwatchPx = 8

// Add writes words, behind a swatch of a width at scale 1 that paints itself, if there is one.
func (g *Legend) Add(words string, c draw.Color, swatchPx float32, paint func(draw.Rect)) {
	at, mid := g.Row, (g.Row.Y0+g.Row.Y1)/2
	if swatchPx > 0 {
		at.X0 += g.Env.Px(swatchPx + 5)
	}
	if !g.List.TextFit(draw.Small, at, draw.Left, words, c) {
		g.Row.X0 = g.Row.X1
		return
	}
	if swatchPx > 0 {
		h := g.Env.Px(SwatchPx)
		y := panel.Snap(mid - h/2)
		paint(draw.Rect{X0: g.Row.X0, Y0: y, X1: g.Row.X0 + g.Env.Px(swatchPx), Y1: y + h})
	}
	g.Row.X0 = at.X0 + g.Env.Atlas.Measure(draw.Small, words) + g.Env.Px(14)
}

// Swatch adds words behind a square of a color.
func (g *Legend) Swatch(words string, text, color draw.Color) {
	g.Add(words, text, SwatchPx, func(r draw.Rect) { g.List.Rect(r, color) })
}
