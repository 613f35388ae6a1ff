package subject

import (
	"math"
	"testing"

	"framescope/assets"
)

// deficiencies are how colours look to those whose eyes lack a kind of cones: matrices for linear
// components, of Machado, Oliveira and Fernandes (2009), severity 1.
var deficiencies = map[string][9]float64{
	"usual": {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia": {
		0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
	},
	"deuteranopia": {
		0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881,
	},
	"tritanopia": {
		1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900,
	},
}

// seen returns how a colour looks with a deficiency.
func seen(c assets.Color, m [9]float64) assets.Color {
	r, g, b := assets.SRGBToLinear(c.R, c.G, c.B)
	at := func(i int) float32 { return float32(m[i]*r + m[i+1]*g + m[i+2]*b) }
	return assets.RGB(assets.LinearToSRGB(at(0), at(3), at(6)))
}

// difference is the distance of two colours in OKLab.
func difference(a, b assets.Color) float64 {
	x, y := assets.LChOf(a), assets.LChOf(b)
	angle := assets.HueDistance(x.Hue, y.Hue) * math.Pi / 180
	chroma := x.C*x.C + y.C*y.C - 2*x.C*y.C*math.Cos(angle)
	return math.Sqrt((x.L-y.L)*(x.L-y.L) + max(chroma, 0))
}

// Marks of causes are told apart by everybody: each has a shape of its own, and the three colours
// differ for eyes without a kind of cones, too. Some of these see the pink and the teal as grey, so
// the shape alone parts them from what is not explained. (Differences of 0.02 are just seen side by
// side.)
func TestCausesAreToldApart(t *testing.T) {
	for _, name := range assets.ThemeNames() {
		th, _ := assets.ThemeNamed(name)
		for a := range numCauses {
			own := assets.Color(a.Color(&th))
			if got := assets.Contrast(own, th.Well); got < 3 {
				t.Errorf("%s: the mark of what %s has a contrast of %.2f", name, a.Name(), got)
			}
			for b := range a {
				if causeMarks[a].shape == causeMarks[b].shape {
					t.Errorf("%q and %q have the same shape", a.Name(), b.Name())
				}
				for eyes, m := range deficiencies {
					want := 0.03
					switch {
					case eyes == "usual":
						want = 0.08
					case b == NotExplained:
						want = 0
					}
					if got := difference(seen(own, m), seen(assets.Color(b.Color(&th)), m)); got < want {
						t.Errorf("%s, %s: %q and %q differ by %.3f, want %.2f", name, eyes, a.Name(), b.Name(), got, want)
					}
				}
			}
		}
		// Slower and faster, live and bad are told apart without their words, too.
		for what, pair := range map[string][2]assets.Color{
			"slower and faster": {th.Slower, th.Faster}, "live and bad": {th.Live, th.Bad}, "over and bad": {th.Over, th.Bad},
		} {
			for eyes, m := range deficiencies {
				if got := difference(seen(pair[0], m), seen(pair[1], m)); got < 0.025 {
					t.Errorf("%s, %s: %s differ by %.3f", name, eyes, what, got)
				}
			}
		}
	}
}
