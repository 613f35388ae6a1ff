package draw_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"io"
	"strconv"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/draw/internal/scene"
	"framescope/internal/escape"
)

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
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
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
	if err := p.Write(&b, ".svg"); err != nil {
		t.Fatal(err)
	}
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
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: the picture says\n%s\nand the list\n%s", s.Name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
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

// TestSVGShowsTheShapes: filled rectangles lie where Render puts them, in its colours and order.
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
	if !bytes.Equal(got.Pix, want.Pix) {
		t.Error("the shapes differ from what is rendered")
	}
}

// fillPath fills the rectangles of a path.
func fillPath(t *testing.T, img *image.RGBA, d, fill string) {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(fill, "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	c := color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
	for _, r := range strings.SplitAfter(d, "z") {
		var x, y, w, h, back int
		if r == "" {
			continue
		}
		if _, err := fmt.Sscanf(r, "M%d %dh%dv%dh%dz", &x, &y, &w, &h, &back); err != nil || back != -w {
			t.Fatalf("%q: %v", r, err)
		}
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
		if e.name != "svg" && e.name != "text" && e.name != "clipPath" {
			t.Errorf("there is an element %s", e.name)
		}
	}
}

// TestSVGOfStripesAndLines: stripes are one pattern for each colour, gradients and lines are such.
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
		if e.attr["stroke"] == "#01c803" && (e.attr["d"] != "M5 5L590 280" || e.attr["stroke-width"] != "2") {
			t.Errorf("the line is %v", e.attr)
		}
	}
	if count["pattern"] != 1 || count["linearGradient"] != 1 {
		t.Errorf("there are %v", count)
	}
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
			if got.At(x, y) != want.At(x+50, y+40) {
				t.Fatalf("the pixel at %d, %d is %v, want %v", x, y, got.At(x, y), want.At(x+50, y+40))
			}
		}
	}
	var b bytes.Buffer
	if err := part.Write(&b, ".gif"); err == nil || !strings.Contains(err.Error(), `".png" ".svg"`) {
		t.Errorf("of another format it says %v", err)
	}
}
