package panel

import "framescope/charts/draw"

// Alike reports whether two colors look alike side by side.
func Alike(a, b draw.Color) bool {
	d := func(x, y uint8) int { return (int(x) - int(y)) * (int(x) - int(y)) }
	return 2*d(a.R, b.R)+4*d(a.G, b.G)+3*d(a.B, b.B) < 9*24*24
}

// Sunken reports whether a bar blends into the panel, so that it needs an edge: a color from the
// source can be as dark. Waits, and what a search does not find, are faint on purpose.
func Sunken(env *Env, fill draw.Color, found bool) bool {
	if env.View.Look().Searching() && !found {
		return false
	}
	return Alike(fill, draw.Color(env.Theme.Panel)) && fill != draw.Color(env.Theme.Wait)
}
