package gpu

import (
	"errors"
	"image"
	"image/color"
	stddraw "image/draw"
	"os"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/draw/internal/scene"
	"framescope/internal/testkit"
)

// noDisplay says why the tests cannot draw; "" when they can.
var noDisplay = "no display: DISPLAY is not set"

// runner runs the tests inside the game loop, where pixels can be read back.
type runner struct {
	m    *testing.M
	code int
}

func (r *runner) Update() error {
	r.code = r.m.Run()
	return ebiten.Termination
}

func (r *runner) Draw(*ebiten.Image) {}

func (r *runner) Layout(w, h int) (int, int) { return w, h }

func TestMain(m *testing.M) {
	if os.Getenv("DISPLAY") == "" {
		os.Exit(m.Run())
	}
	noDisplay = ""
	r := &runner{m: m, code: -1}
	ebiten.SetWindowVisible(false)
	err := ebiten.RunGameWithOptions(r, &ebiten.RunGameOptions{InitUnfocused: true})
	if r.code < 0 { // the loop never began: there is a display, but it cannot be used
		noDisplay = "the display cannot be used"
		if err != nil && !errors.Is(err, ebiten.Termination) {
			noDisplay += ": " + err.Error()
		}
		r.code = m.Run()
	}
	os.Exit(r.code)
}

func needDisplay(t *testing.T) {
	t.Helper()
	os.Getenv("DISPLAY") // asked again, inside a test: only then does the go command know that results depend on it
	if noDisplay != "" {
		t.Skip(noDisplay)
	}
}

func ground() color.RGBA {
	return color.RGBA{scene.Ground.R, scene.Ground.G, scene.Ground.B, scene.Ground.A}
}

// drawGPU draws lists and reads the picture back.
func drawGPU(r *Renderer, w, h int, lists ...*draw.List) *image.RGBA {
	dst := ebiten.NewImage(w, h)
	defer dst.Deallocate()
	dst.Fill(ground())
	for _, l := range lists {
		r.Draw(dst, l)
	}
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	dst.ReadPixels(img.Pix)
	return img
}

func drawSoftware(w, h int, lists ...*draw.List) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	stddraw.Draw(img, img.Rect, image.NewUniform(ground()), image.Point{}, stddraw.Src)
	draw.Render(img, lists...)
	return img
}

// TestSameAsSoftware draws every scene on the GPU and in software. Axis-aligned shapes must agree
// on every pixel; of smooth lines and triangles a few pixels on edges may differ, since GPUs
// interpolate with less precision.
func TestSameAsSoftware(t *testing.T) {
	needDisplay(t)
	var r Renderer
	for _, s := range scene.All() {
		t.Run(s.Name, func(t *testing.T) {
			l := draw.NewList(draw.NewAtlas(s.Scale))
			s.Fill(l, draw.Rect{X1: float32(s.W), Y1: float32(s.H)})
			want, got := drawSoftware(s.W, s.H, l), drawGPU(&r, s.W, s.H, l)
			allowed := 0
			if !s.Static {
				allowed = s.W * s.H / 500
			}
			c := golden.Compare(want, got, 2)
			testkit.That(t, c.Pixels <= allowed, "%d pixels differ, allowed %d", c.Pixels, allowed)
		})
	}
}

// TestUnchangedListIsNotConverted counts the work: a list that is drawn again costs no conversion,
// an atlas that got a glyph sends only that glyph.
func TestUnchangedListIsNotConverted(t *testing.T) {
	needDisplay(t)
	var r Renderer
	l := draw.NewList(draw.NewAtlas(1))
	clip := draw.Rect{X1: 100, Y1: 40}
	white := draw.RGB(255, 255, 255)
	l.Reset(clip)
	l.Text(draw.Regular, 2, 2, "abc", white)
	for range 3 {
		drawGPU(&r, 100, 40, l)
	}
	first := r.Stats()
	testkit.That(t, first.Draws == 3 && first.Converted == 1 && first.Quads == 9,
		"after three draws of one list: %+v", first)
	l.Reset(clip)
	l.Text(draw.Regular, 2, 2, "abc日", white)
	got := drawGPU(&r, 100, 40, l)
	second := r.Stats()
	testkit.That(t, second.Converted == 2, "a changed list was not converted: %+v", second)
	sent := second.Uploaded - first.Uploaded
	testkit.That(t, sent != 0 && sent <= 40*40, "one new glyph sent %d texels", sent)
	c := golden.Compare(drawSoftware(100, 40, l), got, 2)
	testkit.That(t, c.Pixels <= 0, "the new glyph: %d pixels differ", c.Pixels)
}

// TestAtlasGrows draws more characters than the first texture holds.
func TestAtlasGrows(t *testing.T) {
	needDisplay(t)
	var r Renderer
	a := draw.NewAtlas(1)
	l := draw.NewList(a)
	before := a.Image().Rect
	white := draw.RGB(255, 255, 255)
	for row := range 300 {
		l.Reset(draw.Rect{X1: 400, Y1: 40})
		line := make([]rune, 30)
		for i := range line {
			line[i] = rune(0x4e00 + row*30 + i)
		}
		l.Text(draw.Regular, 2, 2, string(line), white)
		l.Text(draw.Regular, 2, 20, "abcdefg", white)
		if row%60 == 0 || row == 299 {
			c := golden.Compare(drawSoftware(400, 40, l), drawGPU(&r, 400, 40, l), 2)
			testkit.MustThat(t, c.Pixels <= 0, "row %d: %d pixels differ", row, c.Pixels)
		}
	}
	testkit.That(t, a.Image().Rect != before, "9000 characters fit into %v", before)
}

// TestSubImage draws on a part of an image: positions stay those of the whole, nothing is drawn
// outside.
func TestSubImage(t *testing.T) {
	needDisplay(t)
	var r Renderer
	l := draw.NewList(draw.NewAtlas(1))
	l.Reset(draw.Rect{X1: 100, Y1: 100})
	l.Rect(draw.Rect{X0: 10, Y0: 10, X1: 90, Y1: 90}, draw.RGB(255, 0, 0))
	dst := ebiten.NewImage(100, 100)
	defer dst.Deallocate()
	r.Draw(dst.SubImage(image.Rect(50, 50, 70, 70)).(*ebiten.Image), l)
	for _, p := range []struct {
		x, y int
		red  uint8
	}{{49, 60, 0}, {50, 50, 255}, {69, 69, 255}, {70, 60, 0}} {
		got := dst.RGBA64At(p.x, p.y).R >> 8
		testkit.That(t, got == uint16(p.red), "(%d, %d): red is %d, want %d", p.x, p.y, got, p.red)
	}
}

// TestForgets checks that lists and atlases which are no longer drawn are let go.
func TestForgets(t *testing.T) {
	needDisplay(t)
	var r Renderer
	clip := draw.Rect{X1: 20, Y1: 20}
	gone, kept := draw.NewList(draw.NewAtlas(1)), draw.NewList(draw.NewAtlas(1))
	for _, l := range []*draw.List{gone, kept} {
		l.Reset(clip)
		l.Text(draw.Regular, 0, 0, "a", draw.RGB(255, 255, 255))
		drawGPU(&r, 20, 20, l)
	}
	empty := draw.NewList(kept.Atlas())
	empty.Reset(clip)
	dst := ebiten.NewImage(20, 20)
	defer dst.Deallocate()
	for range 3 * keptDraws / 1000 {
		for range 1000 {
			r.Draw(dst, empty)
		}
		r.Draw(dst, kept)
	}
	testkit.That(t, len(r.lists) == 1 && r.lists[kept] != nil && len(r.textures) == 1 &&
		r.textures[kept.Atlas()] != nil, "%d lists and %d textures are kept", len(r.lists), len(r.textures))
	c := golden.Compare(drawSoftware(20, 20, gone), drawGPU(&r, 20, 20, gone), 2)
	testkit.That(t, c.Pixels <= 0, "a list that comes back: %d pixels differ", c.Pixels)
}

// busy fills a list with 20,000 bars and 300 labels.
func busy(l *draw.List) {
	l.Reset(draw.Rect{X1: 1600, Y1: 960})
	for i := range 20000 {
		x, y := float32(i%400)*4, float32(i/400)*19
		l.Rect(draw.Rect{X0: x, Y0: y, X1: x + 3, Y1: y + 18}, draw.Color{R: uint8(i), G: 140, B: 160, A: 255})
	}
	for i := range 300 {
		x, y := float32(i%15)*106, float32(i/15)*20
		l.TextIn(draw.Regular, draw.Rect{X0: x, Y0: y, X1: x + 100, Y1: y + 19}, draw.Left, "Collide pass", draw.RGB(0, 0, 0))
	}
}

// BenchmarkUnchanged draws a list that stays the same, BenchmarkChanged one that is filled anew
// each time. What is measured is the work of this process' processor; reading a pixel back, not
// measured, empties the queue.
func BenchmarkUnchanged(b *testing.B) { benchmark(b, false) }

func BenchmarkChanged(b *testing.B) { benchmark(b, true) }

func benchmark(b *testing.B, change bool) {
	if noDisplay != "" {
		b.Skip(noDisplay)
	}
	var r Renderer
	l := draw.NewList(draw.NewAtlas(1))
	busy(l)
	dst := ebiten.NewImage(1600, 960)
	defer dst.Deallocate()
	b.ReportAllocs()
	for b.Loop() {
		if change {
			busy(l)
		}
		r.Draw(dst, l)
		b.StopTimer()
		dst.At(0, 0)
		b.StartTimer()
	}
	b.ReportMetric(float64(l.Quads()), "quads")
}
