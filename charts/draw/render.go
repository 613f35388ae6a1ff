package draw

import (
	"fmt"
	"image"
	stddraw "image/draw"
	"image/png"
	"io"
)

// Render draws lists over dst in software, in order, as the GPU renderer does: source-over with
// premultiplied colors, nearest texel, a pixel is covered when its centre is inside. Pixel (0, 0)
// of the lists is (0, 0) of dst, which may be a part of a larger image. It needs no window system:
// golden tests and headless pictures use it.
func Render(dst *image.RGBA, lists ...*List) { render(dst, nil, lists...) }

// Brush paints pixels in place of the colors of lists: tests number the shapes with it.
type Brush interface {
	// Begin begins a list.
	Begin(l *List)
	// Shape begins the shape of n indices from an index on. A text it may turn into its box, and returns the index after
	// the text, else 0.
	Shape(at, n int) (box Rect, until int)
	// Over paints one pixel.
	Over(c Paint, px []uint8)
	// Fill paints a row of pixels.
	Fill(c Paint, row []uint8)
}

func render(dst *image.RGBA, b Brush, lists ...*List) {
	for _, l := range lists {
		if l == nil {
			continue
		}
		r := renderer{dst: dst, brush: b}
		if b != nil {
			b.Begin(l)
		}
		if l.atlas != nil {
			r.texture = l.atlas.Image()
		}
		r.list(l)
	}
}

// renderer draws one list.
type renderer struct {
	dst     *image.RGBA
	texture *image.RGBA // nil: all shapes are filled
	brush   Brush       // nil: pixels are colors
}

// over puts a paint over one pixel.
func (r *renderer) over(c Paint, px []uint8) {
	if r.brush != nil {
		r.brush.Over(c, px)
		return
	}
	c.over(px)
}

// fill puts a paint over a row of pixels.
func (r *renderer) fill(c Paint, row []uint8) {
	if r.brush != nil {
		r.brush.Fill(c, row)
		return
	}
	c.fill(row)
}

func (r *renderer) list(l *List) {
	vs, is := l.Vertices, l.Indices
	for i, n := 0, 0; i+3 <= len(is); i += n {
		var corners *[4]Vertex
		n = 3
		if i+6 <= len(is) && isQuad(is[i:i+6]) {
			if v := (*[4]Vertex)(vs[is[i]:]); isUpright(v) {
				corners, n = v, 6
			}
		}
		if r.brush != nil {
			if box, until := r.brush.Shape(i, n); until > 0 {
				r.box(box)
				n = until - i
				continue
			}
		}
		if corners != nil {
			r.rect(corners)
		} else {
			r.triangle(&vs[is[i]], &vs[is[i+1]], &vs[is[i+2]])
		}
	}
}

// box fills a box in the paint of the brush.
func (r *renderer) box(b Rect) {
	for y := max(firstCentre(b.Y0), r.dst.Rect.Min.Y); y < min(firstCentre(b.Y1), r.dst.Rect.Max.Y); y++ {
		for x := max(firstCentre(b.X0), r.dst.Rect.Min.X); x < min(firstCentre(b.X1), r.dst.Rect.Max.X); x++ {
			r.brush.Over(Paint{A: FullPaint}, r.dst.Pix[r.dst.PixOffset(x, y):])
		}
	}
}

// isQuad reports whether six indices are those of setQuadIndices.
func isQuad(is []uint32) bool {
	b := is[0]
	return is[1] == b+1 && is[2] == b+2 && is[3] == b && is[4] == b+2 && is[5] == b+3
}

// isUpright reports whether four corners are an axis-aligned rectangle in the order of quad.
func isUpright(v *[4]Vertex) bool {
	return v[0].Y == v[1].Y && v[1].X == v[2].X && v[2].Y == v[3].Y && v[3].X == v[0].X && v[0].X <= v[1].X &&
		v[0].Y <= v[3].Y &&
		v[0].U == v[3].U && v[1].U == v[2].U && v[0].V == v[1].V && v[2].V == v[3].V
}

// firstCentre returns the first pixel with its centre at x or after.
func firstCentre(x float32) int {
	return int(snap(bound(x, -farPx, farPx)))
}

func (r *renderer) rect(v *[4]Vertex) {
	b := r.dst.Rect
	x0, x1 := max(firstCentre(v[0].X), b.Min.X), min(firstCentre(v[1].X), b.Max.X)
	y0, y1 := max(firstCentre(v[0].Y), b.Min.Y), min(firstCentre(v[3].Y), b.Max.Y)
	if x0 >= x1 || y0 >= y1 {
		return
	}
	upright := v[0].sameColor(&v[1]) && v[3].sameColor(&v[2])
	flat := upright && v[0].sameColor(&v[3])
	oneTexel := v[0].U == v[1].U && v[0].V == v[3].V
	if !upright || r.texture == nil && !oneTexel {
		r.triangle(&v[0], &v[1], &v[2])
		r.triangle(&v[0], &v[2], &v[3])
		return
	}
	height := v[3].Y - v[0].Y
	for y := y0; y < y1; y++ {
		t := (float32(y) + 0.5 - v[0].Y) / height
		row := r.dst.Pix[r.dst.PixOffset(x0, y) : r.dst.PixOffset(x1-1, y)+4]
		c := PaintOf(&v[0], 1)
		if !flat {
			m := between(&v[0], &v[3], t)
			c = PaintOf(&m, 1)
		}
		if oneTexel {
			if r.texture != nil && (v[0].U != whiteU || v[0].V != whiteV) {
				c = c.scaled(r.texel(v[0].U, v[0].V))
			}
			r.fill(c, row)
			continue
		}
		r.textureRow(row, x0, v[0].V+(v[3].V-v[0].V)*t, v, c)
	}
}

// textureRow draws one row of pixels of a textured rectangle.
func (r *renderer) textureRow(row []uint8, x0 int, texV float32, v *[4]Vertex, c Paint) {
	tex := r.texture
	ty := int(texV)
	if ty < 0 || ty >= tex.Rect.Dy() {
		return
	}
	step := (v[1].U - v[0].U) / (v[1].X - v[0].X)
	texU := v[0].U + (float32(x0)+0.5-v[0].X)*step
	line := tex.Pix[ty*tex.Stride : ty*tex.Stride+tex.Rect.Dx()*4]
	for i := 0; i+4 <= len(row); i += 4 {
		tx := int(texU)
		texU += step
		if tx < 0 || tx*4 >= len(line) {
			continue
		}
		switch alpha := line[tx*4+3]; alpha {
		case 0:
		case 255:
			r.over(c, row[i:i+4:i+4])
		default:
			r.over(c.scaled(alpha), row[i:i+4:i+4])
		}
	}
}

// texel returns the opacity of the texture at a place; 0 outside.
func (r *renderer) texel(u, v float32) uint8 {
	x, y := int(u), int(v)
	if u < 0 || v < 0 || x >= r.texture.Rect.Dx() || y >= r.texture.Rect.Dy() {
		return 0
	}
	return r.texture.Pix[y*r.texture.Stride+x*4+3]
}

func (v *Vertex) sameColor(o *Vertex) bool {
	return v.R == o.R && v.G == o.G && v.B == o.B && v.A == o.A
}

// Picture is a part of a window with its drawn lists. It reads its lists when it is written.
type Picture struct {
	// Seen is the part, in whole pixels, and Ground the color under the lists; without opacity:
	// nothing.
	Seen   Rect
	Ground Color
	// Name distinguishes the parts of one picture in a document from those of others; it is empty,
	// or letters.
	Name string
	// Lists lie over each other, the first at the bottom; nil ones count for nothing.
	Lists []*List
}

// PictureFormats are the ends of names that Write knows.
var PictureFormats = [...]string{".png", ".svg"}

// Write writes the picture in the format of a file extension, one of PictureFormats.
func (p *Picture) Write(w io.Writer, extension string) error {
	switch extension {
	case ".png":
		return png.Encode(w, p.Image())
	case ".svg":
		return p.svg(w)
	}
	return fmt.Errorf("no picture format ends with %q; use %q", extension, PictureFormats)
}

// Image draws the picture in software.
func (p *Picture) Image() *image.RGBA { return p.Paint(nil) }

// Paint draws the picture in software with a brush; nil: in its colors.
func (p *Picture) Paint(b Brush) *image.RGBA {
	window := image.NewRGBA(image.Rect(0, 0, int(p.Seen.X1), int(p.Seen.Y1)))
	ground := NewList(nil)
	ground.Reset(p.Seen)
	ground.Rect(p.Seen, p.Ground)
	render(window, b, ground)
	render(window, b, p.Lists...)
	if p.Seen.X0 == 0 && p.Seen.Y0 == 0 {
		return window
	}
	part := image.NewRGBA(image.Rect(0, 0, int(p.Seen.W()), int(p.Seen.H())))
	stddraw.Draw(part, part.Rect, window, image.Pt(int(p.Seen.X0), int(p.Seen.Y0)), stddraw.Src)
	return part
}
