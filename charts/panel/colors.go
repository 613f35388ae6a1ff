package panel

import (
	"framescope/assets"
	"framescope/charts/draw"
)

// Alike reports whether two colours look alike side by side.
func Alike(a, b draw.Color) bool {
	d := func(x, y uint8) int { return (int(x) - int(y)) * (int(x) - int(y)) }
	return 2*d(a.R, b.R)+4*d(a.G, b.G)+3*d(a.B, b.B) < 9*24*24
}

// Sunken reports whether a bar blends into the panel, so that it needs an edge: a colour from the
// source can be as dark. Waits are faint on purpose.
func Sunken(fill draw.Color, th *assets.Theme) bool {
	return Alike(fill, draw.Color(th.Panel)) && fill != draw.Color(th.Wait)
}
