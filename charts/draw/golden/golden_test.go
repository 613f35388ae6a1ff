package golden

import (
	"bytes"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/internal/testkit"
)

// recorder takes the place of a test that is to fail.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Name() string                      { return "TestOf/a picture" }
func (r *recorder) Errorf(format string, args ...any) { r.errors = append(r.errors, format) }

func picture(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{uint8(x * 5), uint8(y * 5), 100, 255})
		}
	}
	return img
}

func TestCheck(t *testing.T) {
	out := t.TempDir()
	t.Setenv("FRAMESCOPE_GOLDEN_OUT", out)
	path := filepath.Join(t.TempDir(), "p.png")
	img := picture(20, 10)
	testkit.NoErr(t, writePNG(path, img))
	defer list(t, path)()
	fails := func(path string, img image.Image) []string {
		r := &recorder{TB: t}
		CheckImage(r, path, img, 2, 3)
		return r.errors
	}
	e := fails(path, img)
	testkit.That(t, e == nil, "the same picture: %v", e)
	// Within the tolerance: small differences everywhere, and three large ones.
	for i := 0; i < len(img.Pix); i += 4 {
		img.Pix[i] += 2
	}
	for x := range 3 {
		img.SetRGBA(x, 3, color.RGBA{0, 0, 0, 255})
	}
	if e := fails(path, img); e != nil {
		t.Errorf("a picture within the tolerance: %v", e)
	}
	img.SetRGBA(9, 9, color.RGBA{0, 0, 0, 255})
	if e := fails(path, img); len(e) != 1 || !strings.Contains(e[0], "differ") {
		t.Errorf("four different pixels: %v", e)
	}
	for _, kind := range []string{"look", "diff"} {
		name := filepath.Join(out, "TestOf_a_picture_p."+kind+".png")
		p, err := readPNG(name)
		testkit.That(t, err == nil && p.Bounds().Size() == image.Pt(20, 10), "%s was not written: %v", name, err)
	}
	if e := fails(path, picture(21, 10)); len(e) != 1 {
		t.Errorf("another size: %v", e)
	}
	testkit.NoErr(t, os.Remove(path))
	if e := fails(path, img); len(e) != 1 || !strings.Contains(e[0], "-update") {
		t.Errorf("no golden picture: %v", e)
	}
	if e := fails(path+"x", img); len(e) != 2 || !strings.Contains(e[0], "list") {
		t.Errorf("colors of a picture that is not listed: %v", e)
	}
}

// list adds a picture to the colored ones until the function returned is called.
func list(t *testing.T, path string) func() {
	old := colored
	colored = append(slices.Clone(old), strings.TrimPrefix(filepath.ToSlash(strings.TrimSuffix(path, ".png")), "/"))
	return func() { colored = old }
}

// scenery is a picture with rectangles that overlap, a hatch, a line and texts, in given colors.
func scenery(change func(l *draw.List, draws []func()) []func(), colors [6]draw.Color) *draw.Picture {
	l := draw.NewList(draw.NewAtlas(1))
	l.Reset(draw.Rect{X1: 200, Y1: 100})
	draws := []func(){
		func() { l.Rect(draw.Rect{X0: 10, Y0: 10, X1: 90, Y1: 50}, colors[1]) },
		func() { l.Rect(draw.Rect{X0: 50, Y0: 30, X1: 150, Y1: 70}, colors[2]) },
		func() { l.Rect(draw.Rect{X0: 20, Y0: 20, X1: 140, Y1: 60}, colors[3].WithAlpha(90)) },
		func() { l.Hatch(draw.Rect{X0: 100, Y0: 75, X1: 160, Y1: 95}, colors[4].WithAlpha(46)) },
		func() { l.Line(160, 5, 195, 65, 0.7, colors[4]) },
		func() { l.Text(draw.Regular, 12, 12, "Update", colors[5]) },
		func() { l.Text(draw.Small, 60, 80, "16.7 ms", colors[5].WithAlpha(180)) },
	}
	for _, f := range change(l, draws) {
		f()
	}
	return &draw.Picture{Seen: draw.Rect{X1: 200, Y1: 100}, Ground: colors[0], Lists: []*draw.List{l}}
}

// A layout is the same in all colors, and not the same of other shapes, texts, or another order.
func TestLayouts(t *testing.T) {
	t.Setenv("FRAMESCOPE_GOLDEN_OUT", t.TempDir())
	path := filepath.Join(t.TempDir(), "p.png")
	dark := [6]draw.Color{
		draw.RGB(28, 29, 32), draw.RGB(200, 90, 90), draw.RGB(90, 200, 90), draw.RGB(250, 250, 250), draw.RGB(255, 255, 255), draw.RGB(0, 0, 0),
	}
	light := [6]draw.Color{
		draw.RGB(246, 246, 247), draw.RGB(90, 90, 200), draw.RGB(0, 80, 0), draw.RGB(9, 9, 9), draw.RGB(0, 0, 0), draw.RGB(20, 20, 20),
	}
	same := func(_ *draw.List, draws []func()) []func() { return draws }
	*update = true
	Check(t, path, scenery(same, dark))
	*update = false
	for _, c := range []struct {
		name   string
		colors [6]draw.Color
		change func(l *draw.List, d []func()) []func()
		fails  bool
	}{
		{"the same", dark, same, false},
		{"other colors", light, same, false},
		{"in another order, of what does not overlap", dark, func(_ *draw.List, d []func()) []func() {
			return append(slices.Clone(d[4:]), d[:4]...)
		}, true}, // the text lies below the shapes
		{"the line first", light, func(_ *draw.List, d []func()) []func() {
			return append([]func(){d[4]}, append(slices.Clone(d[:4]), d[5:]...)...)
		}, false},
		{"a rectangle over another", dark, func(_ *draw.List, d []func()) []func() { d[0], d[1] = d[1], d[0]; return d }, true},
		{"a translucent one below", dark, func(_ *draw.List, d []func()) []func() { d[1], d[2] = d[2], d[1]; return d }, true},
		{"no translucent one", dark, func(_ *draw.List, d []func()) []func() { return slices.Delete(d, 2, 3) }, true},
		{"no hatch", dark, func(_ *draw.List, d []func()) []func() { return slices.Delete(d, 3, 4) }, true},
		{"no line", dark, func(_ *draw.List, d []func()) []func() { return slices.Delete(d, 4, 5) }, true},
		{"a text 1 px away", dark, func(l *draw.List, d []func()) []func() {
			d[5] = func() { l.Text(draw.Regular, 13, 12, "Update", dark[5]) }
			return d
		}, true},
		{"another letter", dark, func(l *draw.List, d []func()) []func() {
			d[5] = func() { l.Text(draw.Regular, 12, 12, "Updafe", dark[5]) }
			return d
		}, true},
		{"a color of two things that was of one", dark, func(l *draw.List, d []func()) []func() {
			d[1] = func() { l.Rect(draw.Rect{X0: 50, Y0: 30, X1: 150, Y1: 70}, dark[1]) }
			return d
		}, true},
	} {
		r := &recorder{TB: t}
		Check(r, path, scenery(c.change, c.colors))
		fails := len(r.errors) > 0
		testkit.That(t, fails == c.fails, "%s: %v", c.name, r.errors)
	}
}

// Pictures of thousands of colors, and of one that is no layout.
func TestLayoutsOfManyColors(t *testing.T) {
	t.Setenv("FRAMESCOPE_GOLDEN_OUT", t.TempDir())
	many := func(gap int) *draw.Picture {
		l := draw.NewList(draw.NewAtlas(1))
		l.Reset(draw.Rect{X1: 200, Y1: 100})
		for i := range 1000 {
			x, y := float32(i%50*4), float32(i/50*4)
			l.Rect(draw.Rect{X0: x, Y0: y, X1: x + 4, Y1: y + 4}, draw.RGB(uint8(i), uint8(i>>8), 9))
			if i == gap {
				l.Rect(draw.Rect{X0: x, Y0: y, X1: x + 4, Y1: y + 4}, draw.RGB(0, 0, 0))
			}
		}
		return &draw.Picture{Seen: draw.Rect{X1: 200, Y1: 100}, Lists: []*draw.List{l}}
	}
	path := filepath.Join(t.TempDir(), "p.png")
	testkit.NoErr(t, writePNG(path, many(-1).Image()))
	fails := func(p *draw.Picture) bool {
		r := &recorder{TB: t}
		Check(r, path, p)
		return len(r.errors) > 0
	}
	testkit.That(t, fails(many(-1)), "a colored picture is compared as a layout")
	shapes, _ := Layout(many(-1))
	testkit.NoErr(t, writePNG(path, shapes))
	testkit.That(t, !fails(many(-1)) && fails(many(700)), "one color of a thousand is not compared")
}

func TestUpdate(t *testing.T) {
	old := *update
	defer func() { *update = old }()
	t.Setenv("FRAMESCOPE_GOLDEN_OUT", t.TempDir())
	*update = true
	path := filepath.Join(t.TempDir(), "new", "folder", "p.png")
	defer list(t, path)()
	whole := picture(30, 30)
	part := whole.SubImage(image.Rect(5, 6, 25, 20))
	CheckImage(t, path, part, 2, 3)
	*update = false
	_, err := os.Stat(path)
	testkit.NoErr(t, err)
	CheckImage(t, path, part, 2, 3)
	// What is within the tolerance is left as it is stored.
	*update = true
	before, _ := os.ReadFile(path)
	whole.SetRGBA(10, 10, color.RGBA{0, 0, 0, 255})
	CheckImage(t, path, part, 2, 3)
	after, _ := os.ReadFile(path)
	testkit.That(t, bytes.Equal(before, after), "a picture that is the same was stored again")
}
