package draw_test

import (
	"image"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
)

var white = draw.RGB(255, 255, 255)

// inkBox returns the smallest rectangle around what a list draws.
func inkBox(l *draw.List, w, h int) image.Rectangle {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Render(img, l)
	var box image.Rectangle
	for y := range h {
		for x := range w {
			if img.RGBAAt(x, y).A != 0 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

func window(l *draw.List) { l.Reset(draw.Rect{X1: 400, Y1: 100}) }

func TestTextAdvancesAsMeasured(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1.25))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		f := draw.Face(rapid.IntRange(0, int(draw.NumFaces)-1).Draw(t, "face"))
		window(l)
		width := l.Text(f, 3.7, 2, s, white)
		if m := l.Atlas().Measure(f, s); m != width {
			t.Fatalf("%q advances %v, measures %v", s, width, m)
		}
		if width != float32(int(width)) || width < 0 {
			t.Fatalf("%q advances %v, not a whole number", s, width)
		}
	})
}

func TestDigitsAreTabular(t *testing.T) {
	for _, scale := range []float64{1, 1.25, 1.5, 2, 3} {
		a := draw.NewAtlas(scale)
		for f := range draw.NumFaces {
			want := a.Measure(f, "0")
			for d := '1'; d <= '9'; d++ {
				if got := a.Measure(f, string(d)); got != want {
					t.Errorf("scale %v, face %d: %c is %v wide, 0 is %v", scale, f, d, got, want)
				}
			}
		}
		if a.Measure(draw.Mono, "iiiii") != a.Measure(draw.Mono, "WWµ·…") {
			t.Errorf("scale %v: mono is not", scale)
		}
	}
}

func TestTextInCuts(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	a := l.Atlas()
	name := "Primitive assembly"
	full := a.Measure(draw.Regular, name)
	smallest := a.Measure(draw.Regular, "Pri…")
	for width := float32(0); width < full+5; width++ {
		window(l)
		r := draw.Rect{X0: 20, Y0: 10, X1: 20 + width, Y1: 29}
		ok := l.TextIn(draw.Regular, r, draw.Left, name, white)
		if want := width >= smallest; ok != want {
			t.Errorf("width %v: TextIn says %v; the smallest label is %v", width, ok, smallest)
		}
		if ok == (l.Quads() == 0) {
			t.Errorf("width %v: TextIn says %v with %d quads", width, ok, l.Quads())
		}
		if box := inkBox(l, 400, 100); !box.In(image.Rect(20, 10, 20+int(width), 29)) {
			t.Errorf("width %v: drawn at %v", width, box)
		}
		cut := full > width
		quads := len(strings.ReplaceAll(name, " ", ""))
		if ok && !cut && l.Quads() != quads {
			t.Errorf("width %v: %d quads for the whole name, want %d", width, l.Quads(), quads)
		}
		window(l)
		if fit := l.TextFit(draw.Regular, r, draw.Left, name, white); fit == cut || fit == (l.Quads() == 0) {
			t.Errorf("width %v of %v: TextFit says %v with %d quads", width, full, fit, l.Quads())
		}
	}
	window(l)
	if l.TextIn(draw.Regular, draw.Rect{X1: 100, Y1: 5}, draw.Left, name, white) || l.Quads() != 0 {
		t.Error("text was drawn in a rectangle lower than its capitals")
	}
}

func TestTextInAligns(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	r := draw.Rect{X0: 50, Y0: 20, X1: 250, Y1: 50}
	var boxes [3]image.Rectangle
	for al := range boxes {
		window(l)
		l.TextIn(draw.Medium, r, draw.Align(al), "HHHH", white)
		boxes[al] = inkBox(l, 400, 100)
	}
	if x := boxes[draw.Left].Min.X; x < 50 || x > 52 {
		t.Errorf("left aligned text begins at %d", x)
	}
	if x := boxes[draw.Right].Max.X; x < 248 || x > 250 {
		t.Errorf("right aligned text ends at %d", x)
	}
	c := boxes[draw.Center]
	if mid := c.Min.X + c.Max.X; mid < 298 || mid > 302 {
		t.Errorf("centred text is at %v", c)
	}
	if above, below := c.Min.Y-20, 50-c.Max.Y; above-below > 1 || below-above > 1 {
		t.Errorf("capitals have %d pixels above and %d below", above, below)
	}
}

// TestCapitalsAreCrisp checks the fitting of heights to the pixel grid: the first and last row of a
// capital and of a small letter are full ink.
func TestCapitalsAreCrisp(t *testing.T) {
	for _, scale := range []float64{1, 1.25, 1.5, 2} {
		l := draw.NewList(draw.NewAtlas(scale))
		for f := range draw.NumFaces {
			for _, s := range []string{"E", "z"} {
				window(l)
				l.Text(f, 10, 10, s, white)
				img := image.NewRGBA(image.Rect(0, 0, 100, 100))
				draw.Render(img, l)
				box := inkBox(l, 100, 100)
				for _, y := range []int{box.Min.Y, box.Max.Y - 1} {
					most := uint8(0)
					for x := range 100 {
						most = max(most, img.RGBAAt(x, y).A)
					}
					if most < 190 {
						t.Errorf("scale %v, face %d: row %d of %s is only %d of 255", scale, f, y, s, most)
					}
				}
				if base := 10 + int(l.Atlas().Ascent(f)); box.Max.Y != base {
					t.Errorf("scale %v, face %d: %s ends at %d, the baseline is %d", scale, f, s, box.Max.Y, base)
				}
			}
		}
	}
}

// TestHostileNames draws what a socket may bring as a name: every character has a width, and
// control characters are visible.
func TestHostileNames(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	for _, s := range []string{"\x00", "\x1b", "\n", "\x7f", "\x80", "\xff", "\xc0\xaf", "\xed\xa0\x80", "\u0085", "\u202e", "\u2066", "\ufeff", "\U000e0001", "😀", "\U0010ffff"} {
		window(l)
		if w := l.Text(draw.Regular, 5, 5, s, white); w < 4 || l.Quads() == 0 {
			t.Errorf("%q is %v wide, %d quads", s, w, l.Quads())
		}
	}
	a := l.Atlas()
	if w := a.Measure(draw.Regular, "e\ufe0f"); w != a.Measure(draw.Regular, "e") {
		t.Errorf("a variation selector is %v wide", w)
	}
	if w := a.Measure(draw.Regular, "e\u0301"); w != a.Measure(draw.Regular, "e") {
		t.Errorf("a letter with a combining accent is %v wide", w)
	}
	long := strings.Repeat("日本\x00", 1<<16)
	window(l)
	l.Text(draw.Regular, 0, 0, long, white)
	if n := l.Quads(); n > 200 {
		t.Errorf("a long name gave %d quads in a window 400 wide", n)
	}
	window(l)
	if !l.TextIn(draw.Regular, draw.Rect{X1: 200, Y1: 20}, draw.Left, long, white) {
		t.Error("a long name is not shown at all")
	}
}

// TestScripts checks that the fonts together have what names are written in.
func TestScripts(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	box := func(s string) *image.RGBA {
		window(l)
		l.Text(draw.Regular, 5, 5, s, white)
		img := image.NewRGBA(image.Rect(0, 0, 40, 40))
		draw.Render(img, l)
		return img
	}
	missing := box("\x00")
	for _, s := range "ÄñŁőПяΩπ日本の汉字漢한글←→↑↓…·–—›▾▸▴◂✓✕☐☑⏸⏵⌕⚙☰●○■×≤≥∞µ²▼" {
		if golden.Compare(missing, box(string(s)), 10).Pixels == 0 {
			t.Errorf("%c is shown as the box for missing characters", s)
		}
	}
}

func TestAtlasGrowsAndKeepsPlaces(t *testing.T) {
	a := draw.NewAtlas(1)
	l := draw.NewList(a)
	window(l)
	l.Text(draw.Regular, 5, 5, "日本 Cull", white)
	before := image.NewRGBA(image.Rect(0, 0, 100, 40))
	draw.Render(before, l)
	size, revision := a.Image().Rect, a.Revision()
	for r := rune(0x4e00); r < 0x4e00+12000; r++ {
		a.Measure(draw.Regular, string(r))
	}
	if a.Image().Rect == size || a.Revision() == revision {
		t.Fatalf("12000 characters did not change the atlas")
	}
	if max := a.Image().Rect; max.Dx() > 4096 || max.Dy() > 4096 {
		t.Errorf("the atlas grew to %v", max)
	}
	after := image.NewRGBA(image.Rect(0, 0, 100, 40))
	draw.Render(after, l) // the same list, not filled again
	if c := golden.Compare(before, after, 0); c.Pixels != 0 {
		t.Errorf("a list changed its look when the atlas grew: %d pixels", c.Pixels)
	}
	changed, now := a.Changed(revision)
	if changed.Empty() || !changed.In(a.Image().Rect) || now != a.Revision() {
		t.Errorf("changed: %v, revision %d of %d", changed, now, a.Revision())
	}
	if r, _ := a.Changed(now); !r.Empty() {
		t.Errorf("nothing changed, but %v", r)
	}
}

// TestParallelFill fills lists over one atlas on several goroutines, as panels do, with characters
// that are new to the atlas.
func TestParallelFill(t *testing.T) {
	a := draw.NewAtlas(1)
	var wg sync.WaitGroup
	widths := make([]float32, 4)
	for g := range widths {
		wg.Go(func() {
			l := draw.NewList(a)
			window(l)
			for r := rune(0x3000); r < 0x3400; r++ {
				widths[g] += l.Text(draw.Face(g%2), 0, 0, string(r), white)
			}
		})
	}
	wg.Wait()
	for _, w := range widths {
		if w != widths[0] {
			t.Errorf("widths differ: %v", widths)
		}
	}
}

func TestScaleIsBounded(t *testing.T) {
	for _, scale := range []float64{-1, 0, 1e9} {
		a := draw.NewAtlas(scale)
		if s := a.Scale(); s < 0.5 || s > 8 {
			t.Errorf("scale %v became %v", scale, s)
		}
		l := draw.NewList(a)
		window(l)
		l.Text(draw.Regular, 0, 0, "Hg", white)
		if l.Quads() == 0 {
			t.Errorf("scale %v draws nothing", scale)
		}
	}
}
