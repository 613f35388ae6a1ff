//go:build soak

package compare

// noises are many comparisons without a change, of few rows and of many.
var noises = []noise{
	{game{rows: 6, phi: 0, cv: 0.2}, 400, 1000},
	{game{rows: 6, phi: 0.5, cv: 0.2, hitch: 60}, 400, 1000},
	{game{rows: 20, phi: 0.3, cv: 0.2, hitch: 60}, 400, 1000},
	{game{rows: 6, phi: 0.8, cv: 0.2, hitch: 100}, 2000, 1000},
	{game{rows: 6, phi: 0.95, cv: 0.2, hitch: 100}, 4000, 1000},
	{game{rows: 8, phi: 0.7, cv: 0.12, drift: "curve"}, 1000, 1000},
	{game{rows: 8, phi: 0.7, cv: 0.12, hitch: 100, drift: "walk"}, 1000, 1000},
	{game{rows: 20, phi: 0.5, cv: 0.05, drift: "curve"}, 600, 1000},
	{game{rows: 6, phi: 0.3, cv: 0.1, drift: "load"}, 400, 1000},
	{game{rows: 12, phi: 0.5, cv: 0.1, drift: "machine", from: 400}, 800, 1000},
}
