package draw_test

import (
	"image"
	"math"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
)

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
		return draw.Rect{X0: c.Draw(t, "x0"), Y0: c.Draw(t, "y0"), X1: c.Draw(t, "x1"), Y1: c.Draw(t, "y1")}
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
	switch rapid.IntRange(0, 13).Draw(t, "shape") {
	case 0:
		l.Rect(anyRect().Draw(t, "r"), col)
	case 1:
		l.Gradient(anyRect().Draw(t, "r"), col, draw.RGB(0, 0, 255))
	case 2:
		l.Outline(anyRect().Draw(t, "r"), x("w"), col)
	case 3:
		l.HLine(x("x0"), x("x1"), x("y"), x("w"), col)
	case 4:
		l.VLine(x("x"), x("y0"), x("y1"), x("w"), col)
	case 5:
		l.DashedH(x("x0"), x("x1"), x("y"), x("w"), x("on"), x("off"), col)
	case 6:
		l.DashedV(x("x"), x("y0"), x("y1"), x("w"), x("on"), x("off"), col)
	case 7:
		l.Line(x("x0"), x("y0"), x("x1"), x("y1"), x("w"), col)
	case 8:
		l.Triangle(x("x0"), x("y0"), x("x1"), x("y1"), x("x2"), x("y2"), col)
	case 9:
		l.Hatch(anyRect().Draw(t, "r"), col)
	case 10:
		l.Text(face, x("x"), x("y"), names.Draw(t, "s"), col)
	case 11:
		l.TextIn(face, anyRect().Draw(t, "r"), align, names.Draw(t, "s"), col)
	case 12:
		l.TextFit(face, anyRect().Draw(t, "r"), align, names.Draw(t, "s"), col)
	case 13:
		l.TextPlate(face, anyRect().Draw(t, "r"), align, names.Draw(t, "s"), col, draw.RGB(9, 9, 9))
	}
}

// checkSound checks what every renderer relies on: indices are in range, all corners are inside the
// clip, colours are premultiplied and within 0…1.
func checkSound(t *rapid.T, l *draw.List, clip draw.Rect) {
	if len(l.Indices)%3 != 0 {
		t.Fatalf("%d indices", len(l.Indices))
	}
	for _, i := range l.Indices {
		if int(i) >= len(l.Vertices) {
			t.Fatalf("index %d of %d vertices", i, len(l.Vertices))
		}
	}
	tex := l.Atlas().Image().Rect
	const slack = 1e-3
	for _, v := range l.Vertices {
		if !(v.X >= clip.X0 && v.X <= clip.X1 && v.Y >= clip.Y0 && v.Y <= clip.Y1) {
			t.Fatalf("vertex (%v, %v) is outside %v", v.X, v.Y, clip)
		}
		if !(v.U >= 0 && v.U <= float32(tex.Dx()) && v.V >= 0 && v.V <= float32(tex.Dy())) {
			t.Fatalf("texture position (%v, %v) is outside %v", v.U, v.V, tex)
		}
		for _, k := range []float32{v.R, v.G, v.B, v.A} {
			if !(k >= -slack && k <= v.A+slack && k <= 1+slack) {
				t.Fatalf("colour %v %v %v %v is not premultiplied", v.R, v.G, v.B, v.A)
			}
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
		if c := golden.Compare(a.SubImage(clip), b.SubImage(clip), 0); c.Pixels != 0 {
			t.Fatalf("inside the clip %d pixels differ, the first at %v", c.Pixels, c.At)
		}
		for py := range 80 {
			for px := range 120 {
				if !image.Pt(px, py).In(clip) && b.RGBAAt(px, py).A != 0 {
					t.Fatalf("(%d, %d) was drawn outside %v", px, py, clip)
				}
			}
		}
	})
}
