package panel

import "framescope/charts/draw"

// DrawScrollBar draws a bar between x0 and x1 for the visible part of a content in a plot: its
// height, and how far it is scrolled. The bar is no shorter than least; nothing is drawn if all is
// visible.
func DrawScrollBar(l *draw.List, plot draw.Rect, x0, x1, contentH, scrollY, least float32, c draw.Color) {
	if contentH <= plot.H() || plot.H() <= 0 {
		return
	}
	h := max(plot.H()*plot.H()/contentH, least)
	y := plot.Y0 + (plot.H()-h)*scrollY/(contentH-plot.H())
	l.Rect(draw.Rect{X0: x0, Y0: y, X1: x1, Y1: y + h}, c)
}
