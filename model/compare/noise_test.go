//go:build !soak

package compare

// noises are the comparisons without a change that every run makes.
var noises = []noise{
	{game{rows: 6, phi: 0.5, cv: 0.2, hitch: 60}, 300, 60},
	{game{rows: 6, phi: 0.5, cv: 0.1, drift: "curve"}, 300, 60},
}
