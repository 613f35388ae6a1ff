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

// contrast is the WCAG 2 contrast ratio.
func contrast(a, b Color) float64 {
	lum := func(c Color) float64 { return 0.2126*decode8(c.R) + 0.7152*decode8(c.G) + 0.0722*decode8(c.B) + 0.05 }
	la, lb := lum(a), lum(b)
	return max(la, lb) / min(la, lb)
}

func TestTextOnIsLegible(t *testing.T) {
	for r := 0; r < 256; r += 15 {
		for g := 0; g < 256; g += 15 {
			for b := 0; b < 256; b += 15 {
				bar := RGB(uint8(r), uint8(g), uint8(b))
				text := TextOn(bar.R, bar.G, bar.B)
				if c := contrast(bar, text); c < 3.5 {
					t.Errorf("text %v on %v has a contrast of only %.2f", text, bar, c)
				}
			}
		}
	}
}

func TestNameColors(t *testing.T) {
	seen := map[[3]uint8]bool{}
	ground := Dark().Panel
	for i := range 2000 {
		name := fmt.Sprintf("Collector %d", i)
		r, g, b := NameColor(name)
		seen[[3]uint8{r, g, b}] = true
		if TextOn(r, g, b) != (Color{0, 0, 0, 255}) {
			t.Fatalf("%s: black text does not read on %d,%d,%d", name, r, g, b)
		}
		if c := contrast(RGB(r, g, b), ground); c < 4 {
			t.Fatalf("%s: contrast of %d,%d,%d with the ground is %.2f", name, r, g, b, c)
		}
		other := fmt.Sprintf("App:Collector %d", i*31+7)
		r1, g1, b1 := ApartFrom(name, other)
		r2, g2, b2 := NameColor(other)
		if d := math.Abs(float64(r1)-float64(r2)) + math.Abs(float64(g1)-float64(g2)) + math.Abs(float64(b1)-float64(b2)); d < 30 {
			t.Fatalf("%s on %s: colours differ by %v only", name, other, d)
		}
	}
	if len(seen) != nameHues {
		t.Errorf("%d different colours, want %d", len(seen), nameHues)
	}
}

// TestChildrenLookUnlikeTheirParents checks that a name's hue is well apart from those of the
// collector it is nested in, and that the colours are used evenly.
func TestChildrenLookUnlikeTheirParents(t *testing.T) {
	uses := map[float64]int{}
	for i := range 3000 {
		parent := fmt.Sprintf("Draw:pass %d", i)
		child := fmt.Sprintf("%s:step %d", parent, i*7)
		for _, pair := range [][2]string{{"Draw", parent}, {parent, child}} {
			d := math.Abs(NameHue(pair[0]) - NameHue(pair[1]))
			if d = min(d, 360-d); d < 39 {
				t.Fatalf("%s and %s are %v degrees apart", pair[0], pair[1], d)
			}
		}
		uses[NameHue(child)]++
	}
	for hue, n := range uses {
		if n < 3000/nameHues/2 || n > 3000/nameHues*2 {
			t.Errorf("hue %v is used %d times of 3000", hue, n)
		}
	}
	for _, odd := range []string{"", ":", "::", "a:", ":a", "a::b"} {
		if h := NameHue(odd); h < 0 || h >= 360 {
			t.Errorf("%q has hue %v", odd, h)
		}
	}
}

func TestThemesAreLegible(t *testing.T) {
	for name, th := range map[string]Theme{"dark": Dark(), "light": Light()} {
		for _, c := range []struct {
			what     string
			fg, bg   Color
			contrast float64
		}{
			{"text", th.Text, th.Panel, 10}, {"text on title", th.Text, th.PanelTitle, 10}, {"secondary text", th.Text2, th.Panel, 4.5},
			{"dim text", th.TextDim, th.Panel, 2}, {"accent", th.Accent, th.Panel, 4.5}, {"selection", th.Selection, th.Panel, 4},
			{"over budget", th.Over, th.Panel, 3}, {"bad", th.Bad, th.Panel, 3.5}, {"live", th.Live, th.Panel, 3.5}, {"text on button", th.Text, th.Button, 7},
			{"text in input", th.Text, th.Input, 10},
		} {
			if got := contrast(c.fg, c.bg); got < c.contrast {
				t.Errorf("%s: %s has a contrast of %.2f, want %.1f", name, c.what, got, c.contrast)
			}
		}
	}
}
