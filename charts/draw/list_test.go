package draw

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"framescope/charts/draw/golden"
)

// canvas returns a picture with the dark ground.
func canvas(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{38, 38, 38, 255}), image.Point{}, draw.Src)
	return img
}

func TestGoldenText(t *testing.T) {
	a := NewAtlas(1)
	l := NewList(a)
	l.Reset(Rect{0, 0, 420, 150})
	ink := RGB(230, 230, 230)
	y := float32(4)
	for f, s := range [NumFaces]string{
		Regular:   "App:Show code  Handgloves, fjord 0123456789 (ms)",
		Medium:    "Timeline · Strip chart: Frame › Cull ▾ → ←",
		Mono:      "16.667 ms  1 204  #12407  +2.3 ms  0123456789",
		Small:     "frames 12 405 – 12 409 · 30 Hz  µs  52.9 fps",
		SmallMono: "0 ms    8 ms    16 ms    24.5 ms  0123456789",
	} {
		l.Text(Face(f), 6, y, s, ink)
		y += a.LineHeight(Face(f)) + 3
	}
	l.Text(Regular, 6, y, "Привет, Ελλάδα, 日本語の文字, 汉字, 한글, a\x00b\x80c\u202e", ink)
	y += 22
	l.Rect(Rect{6, y, 120, y + 19}, RGB(194, 121, 164))
	l.TextIn(Regular, Rect{10, y, 116, y + 19}, Left, "Cull 2.69 ms", RGB(0, 0, 0))
	l.Rect(Rect{121, y, 190, y + 19}, RGB(194, 136, 72))
	l.TextIn(Regular, Rect{125, y, 186, y + 19}, Left, "Primitive assembly", RGB(0, 0, 0))
	l.Rect(Rect{191, y, 260, y + 19}, RGB(98, 146, 214))
	l.TextIn(Mono, Rect{195, y, 256, y + 19}, Right, "4.21", RGB(0, 0, 0))
	img := canvas(420, 150)
	Render(img, l)
	golden.Check(t, "testdata/golden/text.png", img)
}
