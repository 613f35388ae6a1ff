package draw_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	stddraw "image/draw"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/draw/internal/scene"
	"framescope/internal/escape"
	"framescope/internal/testkit"
)

// render draws lists on a transparent picture.
func render(w, h int, lists ...*draw.List) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Render(img, lists...)
	return img
}

func newList(w, h float32) *draw.List {
	l := draw.NewList(draw.NewAtlas(1))
	l.Reset(draw.Rect{X1: w, Y1: h})
	return l
}

// TestPixelCentreRule checks that a pixel is covered when its centre is inside, and that bars which
// share an edge share no pixel.
func TestPixelCentreRule(t *testing.T) {
	for _, c := range []struct {
		x0, x1   float32
		from, to int
	}{{2, 5, 2, 5}, {2.4, 5.4, 2, 5}, {2.6, 5.6, 3, 6}, {2.6, 3.4, 3, 3}, {2.4, 2.6, 2, 3}, {-3, 1.7, 0, 2}, {8.2, 99, 8, 10}, {5, 2, 0, 0}} {
		l := newList(10, 3)
		l.Rect(draw.Rect{X0: c.x0, Y0: 1, X1: c.x1, Y1: 2}, draw.RGB(255, 255, 255))
		img := render(10, 3, l)
		for y := range 3 {
			for x := range 10 {
				want := y == 1 && x >= c.from && x < c.to
				testkit.Equal(t, img.RGBAAt(x, y).A != 0, want, "%v…%v: pixel (%d, %d) covered", c.x0, c.x1, x, y)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		l := newList(100, 1)
		at := float32(0)
		for at < 100 {
			next := at + rapid.Float32Range(0, 7).Draw(t, "width") + 0.001
			l.Rect(draw.Rect{X0: at, Y0: 0, X1: next, Y1: 1}, draw.Color{R: 255, G: 255, B: 255, A: 128})
			at = next
		}
		img := render(100, 1, l)
		for x := range 100 {
			a := img.RGBAAt(x, 0).A
			testkit.MustThat(t, a == 128, "pixel %d has an opacity of %d: neighbours overlap or leave a gap", x, a)
		}
	})
}

// TestTrianglesTile checks that triangles which share edges cover every pixel once: a fan around a
// random point, to the corners of the picture.
func TestTrianglesTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newList(40, 40)
		cx, cy := rapid.Float32Range(1, 39).Draw(t, "cx"), rapid.Float32Range(1, 39).Draw(t, "cy")
		c := draw.Color{R: 255, G: 255, B: 255, A: 128}
		corners := [][2]float32{{0, 0}, {rapid.Float32Range(0, 40).Draw(t, "top"), 0}, {40, 0}, {40, rapid.Float32Range(0, 40).Draw(t, "right")}, {40, 40}, {0, 40}}
		for i, p := range corners {
			q := corners[(i+1)%len(corners)]
			if rapid.Bool().Draw(t, "turn") {
				p, q = q, p
			}
			l.Triangle(cx, cy, p[0], p[1], q[0], q[1], c)
		}
		img := render(40, 40, l)
		for y := range 40 {
			for x := range 40 {
				a := img.RGBAAt(x, y).A
				testkit.MustThat(t, a == 128, "pixel (%d, %d) has an opacity of %d", x, y, a)
			}
		}
	})
}

func TestGradientEnds(t *testing.T) {
	l := newList(1, 256)
	l.Gradient(draw.Rect{X1: 1, Y1: 256}, draw.RGB(0, 0, 0), draw.RGB(255, 0, 0))
	img := render(1, 256, l)
	for y := range 256 {
		d := int(img.RGBAAt(0, y).R) - y
		testkit.That(t, d >= -1 && d <= 1, "row %d: %d", y, img.RGBAAt(0, y).R)
	}
}

// TestRenderIntoPart draws into a part of a larger picture: positions stay, nothing outside
// changes.
func TestRenderIntoPart(t *testing.T) {
	l := newList(100, 100)
	l.Rect(draw.Rect{X0: 10, Y0: 10, X1: 90, Y1: 90}, draw.RGB(255, 0, 0))
	l.Triangle(0, 0, 100, 0, 0, 100, draw.RGB(0, 255, 0))
	l.Hatch(draw.Rect{X1: 100, Y1: 100}, draw.RGB(0, 0, 255))
	whole, img := render(100, 100, l), image.NewRGBA(image.Rect(0, 0, 100, 100))
	part := image.Rect(40, 50, 60, 80)
	draw.Render(img.SubImage(part).(*image.RGBA), l)
	for y := range 100 {
		for x := range 100 {
			want := color.RGBA{}
			if image.Pt(x, y).In(part) {
				want = whole.RGBAAt(x, y)
			}
			testkit.MustEqual(t, img.RGBAAt(x, y), want, "(%d, %d)", x, y)
		}
	}
}

// TestHatchIsAnchored checks that a hatch shows the same stripes wherever its rectangle begins,
// across tiles.
func TestHatchIsAnchored(t *testing.T) {
	white := draw.RGB(255, 255, 255)
	for _, scale := range []float64{1, 1.25, 1.5, 2, 3} {
		a := draw.NewAtlas(scale)
		whole := draw.NewList(a)
		whole.Reset(draw.Rect{X0: -50, Y0: -50, X1: 900, Y1: 700})
		whole.Hatch(draw.Rect{X0: -50, Y0: -50, X1: 900, Y1: 700}, white)
		want := render(900, 700, whole)
		part := draw.NewList(a)
		part.Reset(draw.Rect{X1: 900, Y1: 700})
		for y := float32(0); y < 700; y += 90 {
			for x := float32(0); x < 900; x += 77 {
				part.Hatch(draw.Rect{X0: x, Y0: y, X1: x + 77, Y1: y + 90}, white)
			}
		}
		got := render(900, 700, part)
		testkit.That(t, string(want.Pix) == string(got.Pix), "scale %v: hatches of parts do not join", scale)
		ink := 0
		for i := 3; i < len(want.Pix); i += 4 {
			ink += int(want.Pix[i])
		}
		share := float64(ink) / 255 / 900 / 700
		testkit.That(t, share >= 0.12 && share <= 0.35, "scale %v: the stripes cover %.2f of the area", scale, share)
		n := whole.Quads()
		testkit.That(t, n <= 60, "scale %v: a hatch of the window is %d quads", scale, n)
	}
}

func TestLinesAndDashes(t *testing.T) {
	white := draw.RGB(255, 255, 255)
	count := func(l *draw.List) int {
		n := 0
		img := render(100, 100, l)
		for i := 3; i < len(img.Pix); i += 4 {
			if img.Pix[i] != 0 {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		name string
		add  func(l *draw.List)
		want int
	}{
		{"hline", func(l *draw.List) { l.HLine(10, 60, 5.2, 1, white) }, 50},
		{"thin hline", func(l *draw.List) { l.HLine(10, 60, 5.9, 0.1, white) }, 50},
		{"turned hline", func(l *draw.List) { l.HLine(60, 10, 5, 2, white) }, 100},
		{"vline", func(l *draw.List) { l.VLine(7, 0, 100, 3, white) }, 300},
		{"dashes", func(l *draw.List) { l.DashedH(0, 100, 5, 1, 6, 4, white) }, 60},
		{"dashes from afar", func(l *draw.List) { l.DashedH(-1e6, 1e6, 5, 1, 6, 4, white) }, 60},
		{"dashes down", func(l *draw.List) { l.DashedV(5, 0, 95, 2, 5, 5, white) }, 100},
		{"solid dashes", func(l *draw.List) { l.DashedH(0, 100, 5, 1, 6, 0, white) }, 100},
		{"outline", func(l *draw.List) { l.Outline(draw.Rect{X0: 10, Y0: 10, X1: 30, Y1: 20}, 1, white) }, 2*20 + 2*8},
		{"full outline", func(l *draw.List) { l.Outline(draw.Rect{X0: 10, Y0: 10, X1: 30, Y1: 12}, 1, white) }, 40},
		{"level line", func(l *draw.List) { l.Line(10, 50, 40, 50, 1, white) }, 30},
		{"upright line", func(l *draw.List) { l.Line(10, 50, 10, 20, 2, white) }, 60},
		{"point", func(l *draw.List) { l.Line(10, 50, 10, 50, 2, white) }, 0},
	} {
		l := newList(100, 100)
		c.add(l)
		got := count(l)
		testkit.That(t, got == c.want, "%s covers %d pixels, want %d", c.name, got, c.want)
		n := l.Quads()
		testkit.That(t, n <= 20, "%s is %d quads", c.name, n)
	}
}

func TestSlantedLineHasItsWidth(t *testing.T) {
	for _, width := range []float32{0.5, 1, 1.5, 3, 6} {
		l := newList(100, 100)
		l.Line(10, 20, 80, 60, width, draw.RGB(255, 255, 255))
		img := render(100, 100, l)
		sum := 0.0
		for x := 30; x < 60; x++ {
			for y := range 100 {
				sum += float64(img.RGBAAt(x, y).A) / 255
			}
		}
		const slope = 1.1517 // length of the line per pixel of x
		if got := sum / 30 / slope; got < float64(width)*0.93 || got > float64(width)*1.07 {
			t.Errorf("a line %v wide has the ink of one %.2f wide", width, got)
		}
	}
}

// A row paints what rectangles would, wherever it is cut, and shades are the mixed colors, in
// whatever order they are asked for.
func TestRowPaintsRects(t *testing.T) {
	var shades draw.Shades
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.NewList(nil), draw.NewList(nil)
		clip, ground := anyRect().Draw(t, "clip"), anyColor(t)
		rows := anyRect().Draw(t, "row")
		y0, y1 := rows.Y0, rows.Y1
		shades.Use(ground)
		a.Reset(clip)
		b.Reset(clip)
		row := b.Row(y0, y1)
		colors := []draw.Color{anyColor(t), anyColor(t)}
		for range rapid.IntRange(1, 20).Draw(t, "bars") {
			x0, x1 := float32(rapid.IntRange(-60, 160).Draw(t, "x0")), float32(rapid.IntRange(-60, 160).Draw(t, "x1"))
			c, share := colors[rapid.IntRange(0, 1).Draw(t, "color")], rapid.Byte().Draw(t, "share")
			ink := shades.Plain(c)
			if rapid.Bool().Draw(t, "mixed") {
				ink, c = shades.Mixed(c, share), draw.Mix(ground, c, share)
			}
			a.Rect(draw.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1}, c)
			row.Bar(x0, x1, ink)
		}
		testkit.MustThat(t, slices.Equal(a.Vertices, b.Vertices) && slices.Equal(a.Indices, b.Indices),
			"clip %v, row %g to %g: %v, want %v", clip, y0, y1, b.Vertices, a.Vertices)
	})
}

func anyColor(t *rapid.T) draw.Color {
	part := func() uint8 { return rapid.SampledFrom([]uint8{0, 1, 84, 200, 254, 255}).Draw(t, "part") }
	return draw.Color{R: part(), G: part(), B: part(), A: part()}
}

// svgElement is an element of a picture, with its text.
type svgElement struct {
	name, text string
	attr       map[string]string
}

// readSVG reads the elements of a picture as any reader of XML does.
func readSVG(t *testing.T, data []byte) (out []svgElement) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return out
		}
		testkit.MustThat(t, err == nil, "%v\n%s", err, data)
		switch x := tok.(type) {
		case xml.StartElement:
			e := svgElement{name: x.Name.Local, attr: map[string]string{}}
			for _, a := range x.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			out = append(out, e)
		case xml.CharData:
			if n := len(out); n > 0 && out[n-1].name == "text" {
				out[n-1].text += strings.TrimSuffix(string(x), "\n")
			}
		}
	}
}

func svgOf(t *testing.T, seen draw.Rect, lists ...*draw.List) []byte {
	t.Helper()
	var b bytes.Buffer
	p := draw.Picture{Seen: seen, Lists: lists}
	testkit.NoErr(t, p.Write(&b, ".svg"))
	return b.Bytes()
}

// TestSVGHoldsTheTexts: what is written in sight is text in the picture, in its place and width.
func TestSVGHoldsTheTexts(t *testing.T) {
	for _, s := range scene.All() {
		l := draw.NewList(draw.NewAtlas(s.Scale))
		all := draw.Rect{X1: float32(s.W), Y1: float32(s.H)}
		s.Fill(l, all)
		var want, got []string
		for _, x := range l.Texts() {
			if x.Color.A != 0 && !x.Box.Intersect(x.Clip).Empty() && strings.TrimSpace(x.Text) != "" {
				want = append(want, fmt.Sprintf("%s at %v,%v wide %v", visibleXML(x.Text), x.Box.X0, x.Box.Y1, x.Box.W()))
			}
		}
		for _, e := range readSVG(t, svgOf(t, all, l)) {
			if e.name == "text" {
				got = append(got, fmt.Sprintf("%s at %s,%s wide %s", e.text, e.attr["x"], e.attr["y"], e.attr["textLength"]))
			}
		}
		testkit.That(t, strings.Join(got, "\n") == strings.Join(want, "\n"),
			"%s: the picture says\n%s\nand the list\n%s", s.Name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// visibleXML is a text as XML can hold it, without what is not shown: it could turn what stands around it.
func visibleXML(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(escape.Line(s)))
	out := ""
	xml.Unmarshal(fmt.Appendf(nil, "<a>%s</a>", b.Bytes()), &out)
	return out
}

// TestSVGShowsTheShapes: filled rectangles lie where Render puts them, in its colors and order.
func TestSVGShowsTheShapes(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	all := draw.Rect{X1: 200, Y1: 100}
	l.Reset(all)
	for i := range 40 {
		x := float32(i*37%190) - 5
		l.Rect(draw.Rect{X0: x, Y0: float32(i * 13 % 90), X1: x + 30, Y1: float32(i*13%90) + 12}, draw.RGB(uint8(i*6), uint8(200-i*5), uint8(i%3*100)))
	}
	want, got := canvas(200, 100), canvas(200, 100)
	draw.Render(want, l)
	for _, e := range readSVG(t, svgOf(t, all, l)) {
		if e.name == "path" {
			fillPath(t, got, e.attr["d"], e.attr["fill"])
		}
	}
	testkit.That(t, bytes.Equal(got.Pix, want.Pix), "the shapes differ from what is rendered")
}

// fillPath fills the rectangles of a path.
func fillPath(t *testing.T, img *image.RGBA, d, fill string) {
	t.Helper()
	n := testkit.Must(strconv.ParseUint(strings.TrimPrefix(fill, "#"), 16, 32))(t)
	c := color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
	for _, r := range strings.SplitAfter(d, "z") {
		var x, y, w, h, back int
		if r == "" {
			continue
		}
		_, err := fmt.Sscanf(r, "M%d %dh%dv%dh%dz", &x, &y, &w, &h, &back)
		testkit.MustThat(t, err == nil && back == -w, "%q: %v", r, err)
		for py := y; py < y+h; py++ {
			for px := x; px < x+w; px++ {
				img.SetRGBA(px, py, c)
			}
		}
	}
}

// TestSVGOfHostileTexts: whatever a program calls its collectors, the picture can be read.
func TestSVGOfHostileTexts(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	all := draw.Rect{X1: 900, Y1: 100}
	l.Reset(all)
	l.Text(draw.Regular, 1, 1, "</text><script>\x00\x1b[31m\xff\ufffe&\"' ]]>", draw.RGB(1, 2, 3))
	for _, e := range readSVG(t, svgOf(t, all, l)) {
		testkit.That(t, e.name == "svg" || e.name == "text" || e.name == "clipPath", "there is an element %s", e.name)
	}
}

// TestSVGOfStripesAndLines: stripes are one pattern for each color, gradients and lines are such.
func TestSVGOfStripesAndLines(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	all := draw.Rect{X1: 600, Y1: 300}
	l.Reset(all)
	l.Hatch(all, draw.RGB(90, 90, 90))
	l.Gradient(draw.Rect{X0: 10, Y0: 10, X1: 50, Y1: 90}, draw.RGB(0, 0, 0), draw.RGB(255, 0, 0))
	l.Line(5, 5, 590, 280, 2, draw.RGB(1, 200, 3))
	l.Triangle(50, 50, 90, 50, 70, 90, draw.RGB(9, 9, 200).WithAlpha(100))
	count := map[string]int{}
	for _, e := range readSVG(t, svgOf(t, all, l)) {
		count[e.name]++
		testkit.That(t, e.attr["stroke"] != "#01c803" || e.attr["d"] == "M5 5L590 280" && e.attr["stroke-width"] == "2",
			"the line is %v", e.attr)
	}
	testkit.That(t, count["pattern"] == 1 && count["linearGradient"] == 1, "there are %v", count)
}

// TestPictureOfAPart: the part of a window is the same as cut out of all of it.
func TestPictureOfAPart(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	l.Reset(draw.Rect{X1: 300, Y1: 200})
	l.Rect(draw.Rect{X0: 20, Y0: 20, X1: 120, Y1: 120}, draw.RGB(200, 10, 10))
	l.Text(draw.Regular, 60, 60, "Draw", draw.RGB(255, 255, 255))
	whole := draw.Picture{Seen: draw.Rect{X1: 300, Y1: 200}, Ground: draw.RGB(1, 2, 3), Lists: []*draw.List{l, nil}}
	part := whole
	part.Seen = draw.Rect{X0: 50, Y0: 40, X1: 200, Y1: 150}
	want := whole.Image().SubImage(image.Rect(50, 40, 200, 150))
	got := part.Image()
	for y := range 110 {
		for x := range 150 {
			testkit.MustEqual(t, got.At(x, y), want.At(x+50, y+40), "the pixel at %d, %d", x, y)
		}
	}
	var b bytes.Buffer
	testkit.Fails(t, part.Write(&b, ".gif"), `".png" ".svg"`)
}

// canvas returns a picture with the dark ground.
func canvas(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	g := scene.Ground
	stddraw.Draw(img, img.Rect, image.NewUniform(color.RGBA{g.R, g.G, g.B, g.A}), image.Point{}, stddraw.Src)
	return img
}

func TestGoldenScenes(t *testing.T) {
	for _, s := range scene.All() {
		t.Run(s.Name, func(t *testing.T) {
			l := draw.NewList(draw.NewAtlas(s.Scale))
			s.Fill(l, draw.Rect{X1: float32(s.W), Y1: float32(s.H)})
			img := canvas(s.W, s.H)
			draw.Render(img, l)
			golden.CheckImage(t, "testdata/golden/"+s.Name+".png", img, golden.DefaultMaxDiff, golden.DefaultMaxPixels)
		})
	}
}
