package draw

import "framescope/assets"

// Mix returns a with the given share (0…255) of b, opaque as a is.
func Mix(a, b Color, share uint8) Color {
	m := func(x, y uint8) uint8 {
		return uint8((int(x)*(255-int(share)) + int(y)*int(share) + 127) / 255)
	}
	return Color{R: m(a.R, b.R), G: m(a.G, b.G), B: m(a.B, b.B), A: a.A}
}

// Highlight returns the color of a bar with its collector under the mouse in some panel: further
// from the ground.
func Highlight(c Color, th *assets.Theme) Color { return Mix(c, Color(th.Text), 72) }

// Dim returns the color of a bar that steps back, on a ground: outside a search or a filter.
func Dim(c Color, ground assets.Color) Color { return Mix(c, Color(ground), 150) }
