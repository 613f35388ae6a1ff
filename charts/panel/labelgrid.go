package panel

import "framescope/charts/draw"

// LabelGrid knows which parts of a plot have text or boxes on them, in cells of a few pixels, so
// that a place for a label is found without comparing it with every other one.
type LabelGrid struct {
	plot  draw.Rect
	cell  float32
	w, h  int
	taken []uint64
}

// Reset clears the grid for a plot.
func (g *LabelGrid) Reset(plot draw.Rect, cell float32) {
	g.plot, g.cell = plot, max(cell, 2)
	g.w, g.h = int(plot.W()/g.cell)+1, int(plot.H()/g.cell)+1
	n := (g.w*g.h + 63) / 64
	if cap(g.taken) < n {
		g.taken = make([]uint64, n)
	}
	g.taken = g.taken[:n]
	clear(g.taken)
}

// cells returns the range of cells that a rectangle touches; ok is false when none.
func (g *LabelGrid) cells(r draw.Rect) (x0, y0, x1, y1 int, ok bool) {
	r = r.Intersect(g.plot)
	if r.Empty() {
		return
	}
	x0, y0 = int((r.X0-g.plot.X0)/g.cell), int((r.Y0-g.plot.Y0)/g.cell)
	x1, y1 = min(int((r.X1-g.plot.X0-0.01)/g.cell), g.w-1), min(int((r.Y1-g.plot.Y0-0.01)/g.cell), g.h-1)
	return x0, y0, x1, y1, true
}

// Take marks a rectangle as taken.
func (g *LabelGrid) Take(r draw.Rect) {
	x0, y0, x1, y1, ok := g.cells(r)
	if !ok {
		return
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			i := y*g.w + x
			g.taken[i/64] |= 1 << (i % 64)
		}
	}
}

// Free reports whether a rectangle lies in the plot and nothing has taken any of it.
func (g *LabelGrid) Free(r draw.Rect) bool {
	if r.X0 < g.plot.X0 || r.Y0 < g.plot.Y0 || r.X1 > g.plot.X1 || r.Y1 > g.plot.Y1 {
		return false
	}
	x0, y0, x1, y1, ok := g.cells(r)
	if !ok {
		return false
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			i := y*g.w + x
			if g.taken[i/64]&(1<<(i%64)) != 0 {
				return false
			}
		}
	}
	return true
}
