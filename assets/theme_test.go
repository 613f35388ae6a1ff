package assets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"framescope/internal/testkit"
)

func themes() map[string]Theme {
	all := map[string]Theme{}
	for _, name := range ThemeNames() {
		all[name], _ = ThemeNamed(name)
	}
	return all
}

// mixed is a color with a share of another over it.
func mixed(a, b Color, share float64) Color {
	m := func(x, y uint8) uint8 { return uint8(float64(x)*(1-share) + float64(y)*share + 0.5) }
	return RGB(m(a.R, b.R), m(a.G, b.G), m(a.B, b.B))
}

// over is a translucent color over an opaque one.
func over(top, ground Color) Color {
	return mixed(ground, RGB(top.R, top.G, top.B), float64(top.A)/255)
}

func TestThemesAreFoundByName(t *testing.T) {
	for i, name := range ThemeNames() {
		if th, ok := ThemeNamed(name); !ok || th.Kind != ThemeKind(i) || th.Kind.String() != name {
			t.Errorf("%q gives theme %v, known %v", name, th.Kind, ok)
		}
	}
	for _, name := range []string{"", "Light", "sepia"} {
		th, ok := ThemeNamed(name)
		testkit.That(t, !ok && th.Kind == DarkTheme, "%q gives theme %v, known %v", name, th.Kind, ok)
	}
}

// The file of the themes gives each color of each theme, and no other.
func TestThemesAreWhole(t *testing.T) {
	d := json.NewDecoder(bytes.NewReader(themesJSON))
	d.DisallowUnknownFields()
	var named map[string]Theme
	testkit.OK(t, d.Decode(&named))
	testkit.Equal(t, len(named), int(numThemes), "themes")
	for name, th := range named {
		for f, v := range reflect.ValueOf(th).Fields() {
			if f.IsExported() && f.Name != "Kind" {
				testkit.That(t, !v.IsZero(), "%s: %s", name, f.Name)
			}
		}
	}
	for _, bad := range []string{"", "#12345", "#1234567", "#12345g", "red"} {
		testkit.Fails(t, new(Color).UnmarshalText([]byte(bad)), "is no color")
	}
}

// TestThemesAreLegible checks every pair of text and ground that panels draw.
func TestThemesAreLegible(t *testing.T) {
	for name, th := range themes() {
		type ground struct {
			what string
			c    Color
		}
		for _, g := range []ground{
			{"panel", th.Panel}, {"title", th.PanelTitle}, {"well", th.Well}, {"chosen time", th.Chosen},
		} {
			for _, c := range []struct {
				what string
				fg   Color
				want float64
			}{
				{"text", th.Text, 12}, {"second text", th.Text2, 5.2}, {"third text", th.TextDim, 3.9},
				{"accent", th.Accent, 4.5}, {"over", th.Over, 4.5}, {"bad", th.Bad, 4.5}, {"live", th.Live, 4.5},
				{"slower", th.Slower, 3}, {"faster", th.Faster, 3},
			} {
				if got := Contrast(c.fg, g.c); got < c.want {
					t.Errorf("%s: %s on %s has a contrast of %.2f, want %.1f", name, c.what, g.what, got, c.want)
				}
			}
		}
		for _, c := range []struct {
			what   string
			fg, bg Color
			want   float64
		}{
			{"text", th.Text, th.Panel, 13}, {"second text", th.Text2, th.Panel, 5.8}, {"third text", th.TextDim, th.Panel, 4.3},
			{"text in a field", th.Text, th.Well, 13},
			{"text on a button", th.Text, th.Button, 10}, {"text on one under the mouse", th.Text, th.ButtonHover, 8},
			{"over on what is chosen", th.Over, th.Button, 4.5}, {"bad on what is chosen", th.Bad, th.Button, 4.5},
			{"second text on a button", th.Text2, th.Button, 4.5}, {"second text on one under the mouse", th.Text2, th.ButtonHover, 3.9},
			{"what is on", th.Accent, th.AccentGround, 4.5}, {"the mark of what is selected", th.Accent, th.Button, 4.5},
			{"text in a tooltip", th.Text, over(th.Tooltip, th.Panel), 13}, {"second text in a tooltip", th.Text2, over(th.Tooltip, th.Panel), 5.8},
			{"text under the mouse", th.Text, over(th.Hover, th.Panel), 10},
			{"text on what waits", th.WaitText, th.Wait, 4.5},
			{"text on what has no color", th.Text, th.FrameBar, 5.8},
			{"a bar that waits", th.Wait, th.Panel, 1.2},
			{"a frame in the strip", th.FrameBar, th.Well, 1.4},
		} {
			got := Contrast(c.fg, c.bg)
			testkit.That(t, got >= c.want, "%s: %s has a contrast of %.2f, want %.1f", name, c.what, got, c.want)
		}
	}
	// High contrast is what its name says.
	th := HighContrast()
	for _, c := range []Color{th.Text, th.Text2, th.TextDim, th.Accent, th.Over, th.Bad, th.Live, th.Slower, th.Faster} {
		got := Contrast(c, th.Panel)
		testkit.That(t, got >= 7, "high contrast: %v has %.2f", c, got)
	}
	got := Contrast(th.WaitText, th.Wait)
	testkit.That(t, got >= 7, "high contrast: text on what waits has %.2f", got)
}

// dataColors returns all the colors of data that a theme makes by itself.
func dataColors(th *Theme) map[string]Color {
	all := map[string]Color{}
	for pos := range freeHues * 2 {
		for _, level := range []Level{Bright, Deep} {
			all[fmt.Sprintf("hue %v", Hue(float64(pos)/2))+[]string{" bright", " deep"}[level]] = th.Data.Color(Hue(float64(pos)/2), level)
		}
	}
	for n := range numNumbered {
		all[fmt.Sprintf("number %d", n)] = th.Numbered(n)
	}
	for i := range 500 {
		name := fmt.Sprintf("Draw:pass %d:step %d", i%40, i)
		all[name] = th.NameColor(name)
	}
	return all
}

// checkData fails where a color is none of data: its lightness, its chroma, its hue, and the
// contrast of the text on it.
func checkData(t *testing.T, theme, what string, th *Theme, c Color) {
	t.Helper()
	x := LChOf(c)
	const round = 0.002
	testkit.That(t, x.L >= th.Data.MinL-round && x.L <= th.Data.MaxL+round && x.C <= th.Data.C+round,
		"%s: %s is %v, in OKLCH %+v, out of %+v", theme, what, c, x, th.Data)
	// Of what is almost grey nobody sees a hue, and rounding moves it.
	testkit.That(t, x.C <= 0.035 || x.Hue <= AccentFrom || x.Hue >= AccentTo,
		"%s: %s is %v with a hue of %.1f, which is the accent's", theme, what, c, x.Hue)
	text := TextOn(c.R, c.G, c.B)
	testkit.That(t, Contrast(text, c) >= 5.8, "%s: text on %s has a contrast of %.2f", theme, what, Contrast(text, c))
}

func TestDataKeepTheirBounds(t *testing.T) {
	for name, th := range themes() {
		for what, c := range dataColors(&th) {
			checkData(t, name, what, &th, c)
		}
		x := LChOf(th.Accent)
		testkit.That(t, x.Hue >= AccentFrom && x.Hue <= AccentTo, "%s: the accent has a hue of %.1f", name, x.Hue)
	}
}

// TestSentColorsKeepTheirHue sends any color: it comes out within the bounds, with its hue where
// that is not the accent's, and never more vivid than it was.
func TestSentColorsKeepTheirHue(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for name, th := range themes() {
		for i := range 20_000 {
			sent := RGB(uint8(rnd.Uint32()), uint8(rnd.Uint32()), uint8(rnd.Uint32()))
			switch i % 5 { // the edges of the cube, too
			case 1:
				sent.R = 0
			case 2:
				sent.G = 255
			case 3:
				sent.B = 255
			}
			hue, chroma, level := th.Data.Clamp(sent)
			got := th.Data.Muted(hue, level, chroma)
			checkData(t, name, fmt.Sprint("what was sent as ", sent), &th, got)
			was, is := LChOf(sent), LChOf(got)
			testkit.That(t, is.C <= was.C+0.002,
				"%s: %v has a chroma of %.3f, shown with %.3f", name, sent, was.C, is.C)
			free, _ := FreeHue(was.Hue)
			testkit.That(t, is.C <= 0.05 || HueDistance(is.Hue, free) <= 2,
				"%s: %v has a hue of %.1f, shown with %.1f", name, sent, was.Hue, is.Hue)
			if t.Failed() {
				return
			}
		}
	}
}

// TestNeighboursAreToldApart checks a name against what it is in, the siblings of a parent, and
// neighbours in number.
func TestNeighboursAreToldApart(t *testing.T) {
	apart := func(a, b Color) bool {
		x, y := LChOf(a), LChOf(b)
		return HueDistance(x.Hue, y.Hue) >= 25-1.5 || // rounded to 8 bits
			x.L-y.L >= 0.06 || y.L-x.L >= 0.06
	}
	for name, th := range themes() {
		for i := range 500 {
			parent := fmt.Sprintf("Draw:pass %d", i)
			child := fmt.Sprintf("%s:step %d", parent, i*7)
			if !apart(th.NameColor("Draw"), th.NameColor(parent)) || !apart(th.NameColor(parent), th.NameColor(child)) {
				t.Errorf("%s: %s, %s and what they are in are not told apart", name, parent, child)
			}
		}
		for n := range 2 * numNumbered {
			testkit.That(t, apart(th.Numbered(n), th.Numbered(n+1)),
				"%s: the colors of %d and %d are not told apart", name, n, n+1)
		}
		for slot := range NumFamilies {
			if !apart(th.Data.Color(Hue(FamilyPos(slot)), Bright), th.Data.Color(Hue(FamilyPos(slot+1)), Bright)) {
				t.Errorf("%s: families %d and %d are not told apart", name, slot, slot+1)
			}
		}
		testkit.Equal(t, th.Numbered(-3), th.Numbered(2), "%s: a number below 0 has the color", name)
	}
	for _, odd := range []string{"", ":", "::", "a:", ":a", "a::b"} {
		h, _ := NameHue(odd)
		testkit.That(t, h >= 0 && h < 360, "%q has the hue %v", odd, h)
	}
}

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
