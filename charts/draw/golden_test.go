package draw_test

import (
	"image"
	"image/color"
	stddraw "image/draw"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/draw/internal/scene"
)

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
