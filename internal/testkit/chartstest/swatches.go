package chartstest

import "framescope/charts/draw"

// Swatches returns the colors of the squares that stand before texts in a list, by the text; of
// equal texts that of the last.
func Swatches(l *draw.List) map[string]draw.Color {
	type square struct {
		r     draw.Rect
		color draw.Color
	}
	const least, most, gap = 5, 12, 16 // px at scale 1
	var squares []square
	for i := 0; i+6 <= len(l.Indices); i += 6 {
		a, b := &l.Vertices[l.Indices[i]], &l.Vertices[l.Indices[i+2]]
		r := draw.Rect{X0: a.X, Y0: a.Y, X1: b.X, Y1: b.Y}
		if isFilled(a) && r.W() >= least && r.W() <= most && r.H() >= least && r.H() <= most {
			squares = append(squares, square{r, draw.RGB(byteOf(a.R), byteOf(a.G), byteOf(a.B))})
		}
	}
	found := map[string]draw.Color{}
	for _, x := range l.Texts() {
		mid := (x.Box.Y0 + x.Box.Y1) / 2
		for _, s := range squares {
			if s.r.X1 <= x.Box.X0 && s.r.X1 >= x.Box.X0-gap && s.r.Y0 <= mid && s.r.Y1 >= mid {
				found[x.Text] = s.color
			}
		}
	}
	return found
}

func byteOf(v float32) uint8 { return uint8(v*255 + 0.5) }
