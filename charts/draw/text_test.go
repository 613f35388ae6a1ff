package draw_test

import (
	"image"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/internal/testkit"
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
		testkit.MustEqual(t, l.Atlas().Measure(f, s), width, "%q advances %v, measures", s, width)
		testkit.MustThat(t, width == float32(int(width)) && width >= 0, "%q advances %v, not a whole number", s, width)
	})
}

func TestDigitsAreTabular(t *testing.T) {
	for _, scale := range []float64{1, 1.25, 1.5, 2, 3} {
		a := draw.NewAtlas(scale)
		for f := range draw.NumFaces {
			want := a.Measure(f, "0")
			for d := '1'; d <= '9'; d++ {
				got := a.Measure(f, string(d))
				testkit.That(t, got == want, "scale %v, face %d: %c is %v wide, 0 is %v", scale, f, d, got, want)
			}
		}
		testkit.That(t, a.Measure(draw.Mono, "iiiii") == a.Measure(draw.Mono, "WWµ·…"), "scale %v: mono is not", scale)
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
		want := width >= smallest
		testkit.That(t, ok == want, "width %v: TextIn says %v; the smallest label is %v", width, ok, smallest)
		testkit.That(t, ok != (l.Quads() == 0), "width %v: TextIn says %v with %d quads", width, ok, l.Quads())
		box := inkBox(l, 400, 100)
		testkit.That(t, box.In(image.Rect(20, 10, 20+int(width), 29)), "width %v: drawn at %v", width, box)
		cut := full > width
		quads := len(strings.ReplaceAll(name, " ", ""))
		testkit.That(t, !ok || cut || l.Quads() == quads,
			"width %v: %d quads for the whole name, want %d", width, l.Quads(), quads)
		window(l)
		if fit := l.TextFit(draw.Regular, r, draw.Left, name, white); fit == cut || fit == (l.Quads() == 0) {
			t.Errorf("width %v of %v: TextFit says %v with %d quads", width, full, fit, l.Quads())
		}
	}
	window(l)
	testkit.That(t, !l.TextIn(draw.Regular, draw.Rect{X1: 100, Y1: 5}, draw.Left, name, white) && l.Quads() == 0,
		"text was drawn in a rectangle lower than its capitals")
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
	x := boxes[draw.Left].Min.X
	testkit.That(t, x >= 50 && x <= 52, "left aligned text begins at %d", x)
	x = boxes[draw.Right].Max.X
	testkit.That(t, x >= 248 && x <= 250, "right aligned text ends at %d", x)
	c := boxes[draw.Center]
	mid := c.Min.X + c.Max.X
	testkit.That(t, mid >= 298 && mid <= 302, "centred text is at %v", c)
	above, below := c.Min.Y-20, 50-c.Max.Y
	testkit.That(t, above-below <= 1 && below-above <= 1, "capitals have %d pixels above and %d below", above, below)
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
					testkit.That(t, most >= 190,
						"scale %v, face %d: row %d of %s is only %d of 255", scale, f, y, s, most)
				}
				base := 10 + int(l.Atlas().Ascent(f))
				testkit.That(t, box.Max.Y == base,
					"scale %v, face %d: %s ends at %d, the baseline is %d", scale, f, s, box.Max.Y, base)
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
		w := l.Text(draw.Regular, 5, 5, s, white)
		testkit.That(t, w >= 4 && l.Quads() != 0, "%q is %v wide, %d quads", s, w, l.Quads())
	}
	a := l.Atlas()
	w := a.Measure(draw.Regular, "e\ufe0f")
	testkit.That(t, w == a.Measure(draw.Regular, "e"), "a variation selector is %v wide", w)
	w = a.Measure(draw.Regular, "e\u0301")
	testkit.That(t, w == a.Measure(draw.Regular, "e"), "a letter with a combining accent is %v wide", w)
	long := strings.Repeat("日本\x00", 1<<16)
	window(l)
	l.Text(draw.Regular, 0, 0, long, white)
	n := l.Quads()
	testkit.That(t, n <= 200, "a long name gave %d quads in a window 400 wide", n)
	window(l)
	testkit.That(t, l.TextIn(draw.Regular, draw.Rect{X1: 200, Y1: 20}, draw.Left, long, white),
		"a long name is not shown at all")
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
		testkit.That(t, golden.Compare(missing, box(string(s)), 10).Pixels != 0,
			"%c is shown as the box for missing characters", s)
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
	testkit.MustThat(t, a.Image().Rect != size && a.Revision() != revision, "12000 characters did not change the atlas")
	max := a.Image().Rect
	testkit.That(t, max.Dx() <= 4096 && max.Dy() <= 4096, "the atlas grew to %v", max)
	after := image.NewRGBA(image.Rect(0, 0, 100, 40))
	draw.Render(after, l) // the same list, not filled again
	c := golden.Compare(before, after, 0)
	testkit.That(t, c.Pixels == 0, "a list changed its look when the atlas grew: %d pixels", c.Pixels)
	changed, now := a.Changed(revision)
	testkit.That(t, !changed.Empty() && changed.In(a.Image().Rect) && now == a.Revision(),
		"changed: %v, revision %d of %d", changed, now, a.Revision())
	r, _ := a.Changed(now)
	testkit.That(t, r.Empty(), "nothing changed, but %v", r)
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
		testkit.That(t, w == widths[0], "widths differ: %v", widths)
	}
}

func TestScaleIsBounded(t *testing.T) {
	for _, scale := range []float64{-1, 0, 1e9} {
		a := draw.NewAtlas(scale)
		s := a.Scale()
		testkit.That(t, s >= 0.5 && s <= 8, "scale %v became %v", scale, s)
		l := draw.NewList(a)
		window(l)
		l.Text(draw.Regular, 0, 0, "Hg", white)
		testkit.That(t, l.Quads() != 0, "scale %v draws nothing", scale)
	}
}

// widthOf is the room for as many letters of a font of equal widths.
func widthOf(a *draw.Atlas, letters int) float32 {
	return a.Measure(draw.Mono, strings.Repeat("x", letters))
}

// shownIn returns what is shown of names where there is room for as many letters of each.
func shownIn(l *draw.List, letters int, names []string) []string {
	var n draw.Names
	l.Reset(draw.Rect{X1: 1000, Y1: 1000})
	for i, name := range names {
		y := float32(20 * i)
		n.Add(0, draw.Mono, draw.Rect{Y0: y, X1: widthOf(l.Atlas(), letters), Y1: y + 20}, draw.Left, name, white)
	}
	return draw.ShownNames(&n, l.Atlas())
}

func TestNamesLoseWhatTellsLeast(t *testing.T) {
	a := draw.NewAtlas(1)
	for _, row := range testkit.Rows("testdata/names.txt") {
		letters := testkit.Must(strconv.Atoi(row[1]))(t)
		got := a.ShortName(draw.Mono, draw.WithoutAddress(row[0]), widthOf(a, letters))
		testkit.That(t, got == row[2], "%q in %d letters: %q, want %q", row[0], letters, got, row[2])
	}
}

// Names that differ are shown differently wherever there is room for what differs.
func TestNamesOfAListDiffer(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	for _, c := range []struct {
		letters int
		names   string
	}{
		{11, "queue level buffers|queue level bytes|queue level time"},
		{8, "queue0|queue1|queue2|queue10|queue11|queue100"},
		{4, "queue0|queue1|queue2"},
		{12, "query videoscale0.src latency|query videotestsrc0.src latency|query queue1.src latency|query queue10.src latency"},
		{14, "Workload$OrderService.priceCart()|Workload$OrderService.priceLine()|Workload$ReportJob.run()|Workload.run()|java.lang:Thread.run()"},
		{9, "a.b.C.run|a.b.D.run|a.c.C.run"},
		{12, "videotestsrc0.src → fakesink0.sink|videotestsrc0.src → fakesink1.sink|audiotestsrc0.src → fakesink0.sink"},
		{10, "the very long same begin A and the same end|the very long same begin B and the same end"},
	} {
		names := strings.Split(c.names, "|")
		shown := shownIn(l, c.letters, names)
		for i, s := range shown {
			if s == "" || slices.Contains(shown[:i], s) {
				t.Errorf("%d letters: %q, shown as %q", c.letters, names, shown)
				break
			}
		}
	}
}

// Of names that begin alike and fit nowhere the parts that differ are seen, also where a number or the
// room of one makes them look different.
func TestNamesShowWhatDiffers(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	names := []string{
		"PresentBench.exe 0x2A70D2CAC00", "dwm.exe 0x19D7EF5E390", "dwm.exe 0x19D7EF5E390 GPU", "dwm.exe 0x19D7F1BA8F0",
		"dwm.exe 0x19D7F1BA8F0 GPU", "PresentBench.exe 0x2A70D2CAC00 GPU", "worker", "worker of the pool of the renderer",
	}
	for letters := 14; letters < 34; letters++ {
		for i, s := range shownIn(l, letters, names) {
			if strings.HasSuffix(names[i], " GPU") != strings.Contains(s, " G") || i < 6 && strings.HasSuffix(s, "…") && !strings.HasSuffix(s, " G…") {
				t.Errorf("%d letters: %q is shown as %q", letters, names[i], s)
			}
		}
	}
}

// Whatever the names are: what is shown fits, is whole or has the mark, is the same for equal
// names, and drawing them twice allocates nothing.
func TestNamesFit(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	rapid.Check(t, func(t *rapid.T) {
		var n draw.Names
		names := rapid.SliceOf(rapid.StringOf(rapid.RuneFrom([]rune("ab.:$/ →0(é")))).Draw(t, "names")
		room := float32(rapid.IntRange(0, 120).Draw(t, "room"))
		for _, s := range names {
			n.Add(0, draw.Regular, draw.Rect{X1: room, Y1: 20}, draw.Left, s, white)
		}
		for i, s := range draw.ShownNames(&n, l.Atlas()) {
			switch {
			case l.Atlas().Measure(draw.Regular, s) > room || !utf8.ValidString(s):
				t.Fatalf("%q does not fit %v", s, room)
			case s != "" && s != names[i] && !strings.Contains(s, "…"):
				t.Fatalf("%q is cut to %q without a mark", names[i], s)
			}
		}
	})
	var n draw.Names
	if allocs := testing.AllocsPerRun(10, func() {
		l.Reset(draw.Rect{X1: 1000, Y1: 1000})
		for i := range 40 {
			r := draw.Rect{Y0: float32(20 * i), X1: 60, Y1: float32(20*i + 20)}
			n.Add(0, draw.Regular, r, draw.Left, "query queue"+"0123456789"[i%10:]+".src latency", white)
		}
		n.Draw(l)
	}); allocs > 40 { // the names that are made here
		t.Errorf("%v allocations", allocs)
	}
}

// A sentence about a file has both of its ends, and fits.
func TestCutMiddle(t *testing.T) {
	a := draw.NewAtlas(1)
	const text = "Delete “demo 2026-11-23 14.50.12 Wait disk on Main, frame 65123.pstats” from the disk?"
	for room := float32(80); room < 700; room += 7 {
		got := a.CutMiddle(draw.Medium, text, room)
		head, tail, cut := strings.Cut(got, "…")
		if w := a.Measure(draw.Medium, got); w > room || cut == (got == text) || cut && (!strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) || tail == "") {
			t.Errorf("in %v px: %q, %v px", room, got, w)
		}
	}
}

// anyCoordinate is a coordinate as a chart may produce it: mostly near the window, sometimes far
// away or no number.
func anyCoordinate() *rapid.Generator[float32] {
	return rapid.OneOf(
		rapid.Float32Range(-60, 160),
		rapid.Float32Range(-60, 160),
		rapid.Map(rapid.IntRange(-60, 160), func(n int) float32 { return float32(n) / 2 }),
		rapid.SampledFrom([]float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e30, -1e30, 3e7, -3e7, 0}),
	)
}

func anyRect() *rapid.Generator[draw.Rect] {
	return rapid.Custom(func(t *rapid.T) draw.Rect {
		c := anyCoordinate()
		r := draw.Rect{X0: c.Draw(t, "x0"), Y0: c.Draw(t, "y0"), X1: c.Draw(t, "x1"), Y1: c.Draw(t, "y1")}
		if rapid.IntRange(0, 3).Draw(t, "upright") > 0 { // most have something in them
			r = draw.Rect{X0: min(r.X0, r.X1), Y0: min(r.Y0, r.Y1), X1: max(r.X0, r.X1), Y1: max(r.Y0, r.Y1)}
		}
		return r
	})
}

// addAny adds a random shape.
func addAny(t *rapid.T, l *draw.List) {
	c := anyCoordinate()
	x := func(name string) float32 { return c.Draw(t, name) }
	col := draw.Color{R: 200, G: rapid.Byte().Draw(t, "g"), B: 90, A: rapid.Byte().Draw(t, "a")}
	names := rapid.SampledFrom([]string{"", "a", "Cull", "日本語", "Primitive assembly\x00\xff", "é…▾"})
	face := draw.Face(rapid.IntRange(0, int(draw.NumFaces)-1).Draw(t, "face"))
	align := draw.Align(rapid.IntRange(0, 2).Draw(t, "align"))
	shapes := []func(){
		func() { l.Rect(anyRect().Draw(t, "r"), col) },
		func() { l.Gradient(anyRect().Draw(t, "r"), col, draw.RGB(0, 0, 255)) },
		func() { l.Outline(anyRect().Draw(t, "r"), x("w"), col) },
		func() { l.HLine(x("x0"), x("x1"), x("y"), x("w"), col) },
		func() { l.VLine(x("x"), x("y0"), x("y1"), x("w"), col) },
		func() { l.DashedH(x("x0"), x("x1"), x("y"), x("w"), x("on"), x("off"), col) },
		func() { l.DashedV(x("x"), x("y0"), x("y1"), x("w"), x("on"), x("off"), col) },
		func() { l.Line(x("x0"), x("y0"), x("x1"), x("y1"), x("w"), col) },
		func() { l.Triangle(x("x0"), x("y0"), x("x1"), x("y1"), x("x2"), x("y2"), col) },
		func() { l.Hatch(anyRect().Draw(t, "r"), col) },
		func() { l.Text(face, x("x"), x("y"), names.Draw(t, "s"), col) },
		func() { l.TextIn(face, anyRect().Draw(t, "r"), align, names.Draw(t, "s"), col) },
		func() { l.TextFit(face, anyRect().Draw(t, "r"), align, names.Draw(t, "s"), col) },
		func() { l.TextPlate(face, anyRect().Draw(t, "r"), align, names.Draw(t, "s"), col, draw.RGB(9, 9, 9)) },
	}
	shapes[rapid.IntRange(0, len(shapes)-1).Draw(t, "shape")]()
}

// checkSound checks what every renderer relies on: indices are in range, all corners are inside the
// clip, colors are premultiplied and within 0…1.
func checkSound(t *rapid.T, l *draw.List, clip draw.Rect) {
	testkit.MustThat(t, len(l.Indices)%3 == 0, "%d indices", len(l.Indices))
	for _, i := range l.Indices {
		testkit.MustThat(t, int(i) < len(l.Vertices), "index %d of %d vertices", i, len(l.Vertices))
	}
	tex := l.Atlas().Image().Rect
	const slack = 1e-3
	for _, v := range l.Vertices {
		testkit.MustThat(t, v.X >= clip.X0 && v.X <= clip.X1 && v.Y >= clip.Y0 && v.Y <= clip.Y1,
			"vertex (%v, %v) is outside %v", v.X, v.Y, clip)
		testkit.MustThat(t, v.U >= 0 && v.U <= float32(tex.Dx()) && v.V >= 0 && v.V <= float32(tex.Dy()),
			"texture position (%v, %v) is outside %v", v.U, v.V, tex)
		for _, k := range []float32{v.R, v.G, v.B, v.A} {
			testkit.MustThat(t, k >= -slack && k <= v.A+slack && k <= 1+slack,
				"color %v %v %v %v is not premultiplied", v.R, v.G, v.B, v.A)
		}
	}
}

func TestNothingOutsideTheClip(t *testing.T) {
	atlas := draw.NewAtlas(1)
	l := draw.NewList(atlas)
	rapid.Check(t, func(t *rapid.T) {
		l.Reset(draw.Rect{X0: 10, Y0: 5, X1: 100, Y1: 80})
		clip := l.Clip()
		for range rapid.IntRange(0, 2).Draw(t, "clips") {
			l.PushClip(anyRect().Draw(t, "clip"))
			clip = l.Clip()
		}
		for range rapid.IntRange(1, 4).Draw(t, "shapes") {
			addAny(t, l)
		}
		checkSound(t, l, clip)
	})
}

// TestClipCutsOnly compares a clipped picture with the same part of the whole picture.
func TestClipCutsOnly(t *testing.T) {
	atlas := draw.NewAtlas(1)
	whole, part := draw.NewList(atlas), draw.NewList(atlas)
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.IntRange(0, 60).Draw(t, "x"), rapid.IntRange(0, 40).Draw(t, "y")
		w, h := rapid.IntRange(1, 60).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
		seed := rapid.Custom(func(t *rapid.T) *draw.List {
			whole.Reset(draw.Rect{X1: 120, Y1: 80})
			part.Reset(draw.Rect{X1: 120, Y1: 80})
			part.PushClip(draw.Rect{X0: float32(x), Y0: float32(y), X1: float32(x + w), Y1: float32(y + h)})
			r := draw.Rect{X0: rapid.Float32Range(-20, 60).Draw(t, "x0"), Y0: rapid.Float32Range(-20, 60).Draw(t, "y0")}
			r.X1, r.Y1 = r.X0+rapid.Float32Range(0, 90).Draw(t, "rw"), r.Y0+rapid.Float32Range(0, 60).Draw(t, "rh")
			for _, l := range []*draw.List{whole, part} {
				l.Rect(r, draw.RGB(90, 120, 200))
				l.Hatch(draw.Rect{X0: r.X0 + 5, Y0: r.Y0 + 5, X1: r.X1 + 30, Y1: r.Y1 + 9}, draw.Color{R: 255, G: 255, B: 255, A: 99})
				l.Outline(r, 2, draw.RGB(255, 255, 0))
				l.TextIn(draw.Regular, r, draw.Center, "Primitive 日本", draw.RGB(255, 255, 255))
				l.DashedH(r.X0, r.X1, r.Y0+3, 1, 4, 3, draw.RGB(255, 0, 0))
				l.DashedV(r.X0+4, r.Y0, r.Y1, 1, 4, 3, draw.RGB(255, 0, 255))
			}
			return part
		}).Draw(t, "picture")
		a, b := image.NewRGBA(image.Rect(0, 0, 120, 80)), image.NewRGBA(image.Rect(0, 0, 120, 80))
		draw.Render(a, whole)
		draw.Render(b, seed)
		clip := image.Rect(x, y, x+w, y+h)
		c := golden.Compare(a.SubImage(clip), b.SubImage(clip), 0)
		testkit.MustThat(t, c.Pixels == 0, "inside the clip %d pixels differ, the first at %v", c.Pixels, c.At)
		for py := range 80 {
			for px := range 120 {
				testkit.MustThat(t, image.Pt(px, py).In(clip) || b.RGBAAt(px, py).A == 0,
					"(%d, %d) was drawn outside %v", px, py, clip)
			}
		}
	})
}
