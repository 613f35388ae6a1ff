package panel

import "framescope/charts/draw"

// alike tells whether two colours are hard to tell apart side by side.
func Alike(a, b draw.Color) bool {
	d := func(x, y uint8) int { return (int(x) - int(y)) * (int(x) - int(y)) }
	return 2*d(a.R, b.R)+4*d(a.G, b.G)+3*d(a.B, b.B) < 9*24*24
}
