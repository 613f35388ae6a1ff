package assets

import (
	"fmt"
	"math"
	"testing"
)

// TestGlibcColor checks the values that were verified against the C library (notes on the official
// viewer, section 7).
func TestGlibcColor(t *testing.T) {
	for _, c := range []struct {
		name    string
		hash    uint32
		r, g, b float32
		srgb    string
	}{
		{"App:Span", 0x707c0811, .919065, .013303, .759264, "f61ee2"},
		{"Wait:Thread block", 0xbd44529e, .585536, .697821, .864980, "c9daef"},
		{"System memory:Heap:Single:Other", 0x468b4ff2, .656160, .581669, .303245, "d4c996"},
		{"L0", 0x00000b2c, .949243, .877382, .553582, "f9f1c4"},
	} {
		if h := glibcHash(c.name); h != c.hash {
			t.Errorf("%s: hash %#x, want %#x", c.name, h, c.hash)
		}
		r, g, b := GlibcLinear(c.name)
		if math.Abs(float64(r-c.r))+math.Abs(float64(g-c.g))+math.Abs(float64(b-c.b)) > 3e-6 {
			t.Errorf("%s: linear %v %v %v, want %v %v %v", c.name, r, g, b, c.r, c.g, c.b)
		}
		r8, g8, b8 := GlibcColor(c.name)
		if got := fmt.Sprintf("%02x%02x%02x", r8, g8, b8); got != c.srgb {
			t.Errorf("%s: sRGB %s, want %s", c.name, got, c.srgb)
		}
	}
	// Seed 0 counts as 1, and bytes from 0x80 on are negative.
	if glibcRandom(0) != glibcRandom(1) {
		t.Error("seed 0 does not give the numbers of seed 1")
	}
	if h, want := glibcHash("\xff"), ^uint32(0); h != want {
		t.Errorf("hash of 0xff is %#x, want %#x", h, want)
	}
}

func TestLinearToSRGB(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		in   float32
		want uint8
	}{{0, 0}, {-1, 0}, {nan, 0}, {-inf, 0}, {inf, 255}, {1, 255}, {7, 255}, {0.5, 188}, {0.003, 10}, {0.2159, 128}} {
		if got, _, _ := LinearToSRGB(c.in, 0, 0); got != c.want {
			t.Errorf("%v: %d, want %d", c.in, got, c.want)
		}
	}
	for v := range 256 {
		r, _, _ := SRGBToLinear(uint8(v), 0, 0)
		if got, _, _ := LinearToSRGB(r, 0, 0); got != uint8(v) {
			t.Errorf("%d decodes to %v, which encodes to %d", v, r, got)
		}
	}
}

func TestTextOnIsLegible(t *testing.T) {
	for r := 0; r < 256; r += 15 {
		for g := 0; g < 256; g += 15 {
			for b := 0; b < 256; b += 15 {
				bar := RGB(uint8(r), uint8(g), uint8(b))
				text := TextOn(bar.R, bar.G, bar.B)
				if c := Contrast(bar, text); c < 3.5 {
					t.Errorf("text %v on %v has a contrast of only %.2f", text, bar, c)
				}
			}
		}
	}
}
