package assets

import (
	"math"
	"testing"

	"framescope/internal/testkit"
)

func TestLinearToSRGB(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		in   float32
		want uint8
	}{{0, 0}, {-1, 0}, {nan, 0}, {-inf, 0}, {inf, 255}, {1, 255}, {7, 255}, {0.5, 188}, {0.003, 10}, {0.2159, 128}} {
		got, _, _ := LinearToSRGB(c.in, 0, 0)
		testkit.That(t, got == c.want, "%v: %d, want %d", c.in, got, c.want)
	}
	for v := range 256 {
		r, _, _ := SRGBToLinear(uint8(v), 0, 0)
		got, _, _ := LinearToSRGB(float32(r), 0, 0)
		testkit.That(t, got == uint8(v), "%d decodes to %v, which encodes to %d", v, r, got)
	}
}

func TestTextOnIsLegible(t *testing.T) {
	for r := 0; r < 256; r += 5 {
		for g := 0; g < 256; g += 5 {
			for b := 0; b < 256; b += 5 {
				bar := RGB(uint8(r), uint8(g), uint8(b))
				text := TextOn(bar.R, bar.G, bar.B)
				c := Contrast(bar, text)
				testkit.That(t, c >= 4.55, "text %v on %v has a contrast of only %.2f", text, bar, c)
			}
		}
	}
}
