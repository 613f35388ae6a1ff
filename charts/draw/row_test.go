package draw_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/draw"
)

// A row paints what rectangles would, wherever it is cut, and shades are the mixed colours, in
// whatever order they are asked for.
func TestRowPaintsRects(t *testing.T) {
	var shades draw.Shades
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.NewList(nil), draw.NewList(nil)
		clip, ground := anyRect().Draw(t, "clip"), anyColor(t)
		y0, y1 := anyCoordinate().Draw(t, "y0"), anyCoordinate().Draw(t, "y1")
		shades.Use(ground)
		a.Reset(clip)
		b.Reset(clip)
		row := b.Row(y0, y1)
		colors := []draw.Color{anyColor(t), anyColor(t)}
		for range rapid.IntRange(1, 20).Draw(t, "bars") {
			x0, x1 := float32(rapid.IntRange(-60, 160).Draw(t, "x0")), float32(rapid.IntRange(-60, 160).Draw(t, "x1"))
			c, share := colors[rapid.IntRange(0, 1).Draw(t, "color")], rapid.Byte().Draw(t, "share")
			ink := shades.Plain(c)
			if rapid.Bool().Draw(t, "mixed") {
				ink, c = shades.Mixed(c, share), draw.Mix(ground, c, share)
			}
			a.Rect(draw.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1}, c)
			row.Bar(x0, x1, ink)
		}
		if !slices.Equal(a.Vertices, b.Vertices) || !slices.Equal(a.Indices, b.Indices) {
			t.Fatalf("clip %v, row %g to %g: %v, want %v", clip, y0, y1, b.Vertices, a.Vertices)
		}
	})
}

func anyColor(t *rapid.T) draw.Color {
	part := func() uint8 { return rapid.SampledFrom([]uint8{0, 1, 84, 200, 254, 255}).Draw(t, "part") }
	return draw.Color{R: part(), G: part(), B: part(), A: part()}
}
