package draw

import (
	"image"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Small text is crisp only when the horizontal edges of letters fall on pixel edges. The font
// package does not run the hints inside TrueType fonts, so this file does the part of hinting that
// matters at 12 pixels: the heights at which letters end (baseline, x-height, capitals, ascenders,
// and the small overshoot of round letters beyond them) are moved to whole pixels, and the parts
// between are stretched along. Widths are left as they are designed.

// zones maps heights of outlines to heights in pixels: piecewise linear, up is positive.
type zones struct {
	from, to []float64
	cap      float64
}

func (z *zones) capHeight() float64 { return z.cap }

// at maps one height (pixels above the baseline).
func (z *zones) at(y float64) float64 {
	n := len(z.from)
	switch {
	case n == 0:
		return y
	case y <= z.from[0]:
		return y - z.from[0] + z.to[0]
	case y >= z.from[n-1]:
		return y - z.from[n-1] + z.to[n-1]
	}
	for i := 1; i < n; i++ {
		if y <= z.from[i] {
			t := (y - z.from[i-1]) / (z.from[i] - z.from[i-1])
			return z.to[i-1] + t*(z.to[i]-z.to[i-1])
		}
	}
	return y
}

// add appends a knot above the others; one that is not above (fonts where ascenders are as high as
// capitals) is dropped.
func (z *zones) add(from, to float64) {
	if n := len(z.from); n > 0 && (from <= z.from[n-1]+1e-6 || to < z.to[n-1]) {
		return
	}
	z.from = append(z.from, from)
	z.to = append(z.to, to)
}

// rasterizer turns outlines into masks. It is not safe for use by several goroutines.
type rasterizer struct {
	buffer sfnt.Buffer
	vector vector.Rasterizer
}

// measureZones finds the heights of a font at a size, from letters that end there.
func (r *rasterizer) measureZones(f *sfnt.Font, ppem float64) zones {
	top := func(ch rune) float64 { _, hi := r.extent(f, ch, ppem); return hi }
	bottom := func(ch rune) float64 { lo, _ := r.extent(f, ch, ppem); return lo }
	whole := math.Round
	var z zones
	z.cap = whole(top('H'))
	z.add(bottom('p'), whole(bottom('p')))
	z.add(bottom('o'), 0)
	z.add(0, 0)
	x, capital, ascender := top('x'), top('H'), top('d')
	z.add(x, whole(x))
	z.add(top('o'), whole(x))
	z.add(capital, z.cap)
	z.add(top('O'), z.cap)
	z.add(ascender, max(whole(ascender), z.cap))
	return z
}

// extent returns the lowest and highest point of a character, in pixels above the baseline.
func (r *rasterizer) extent(f *sfnt.Font, ch rune, ppem float64) (lo, hi float64) {
	index, err := f.GlyphIndex(&r.buffer, ch)
	if err != nil {
		return 0, 0
	}
	b, _, err := f.GlyphBounds(&r.buffer, index, fixed.Int26_6(f.UnitsPerEm()), font.HintingNone)
	if err != nil {
		return 0, 0
	}
	k := ppem / float64(f.UnitsPerEm())
	return -float64(b.Max.Y) * k, -float64(b.Min.Y) * k
}

// advance returns a character's advance width in pixels, not rounded.
func (r *rasterizer) advance(f *sfnt.Font, ch rune, ppem float64) float64 {
	index, err := f.GlyphIndex(&r.buffer, ch)
	if err != nil {
		return 0
	}
	w, err := f.GlyphAdvance(&r.buffer, index, fixed.Int26_6(f.UnitsPerEm()), font.HintingNone)
	if err != nil {
		return 0
	}
	return float64(w) * ppem / float64(f.UnitsPerEm())
}

// draw returns the mask of a glyph and where its top left pixel is from the pen on the baseline; a
// nil mask when the glyph has no ink.
func (r *rasterizer) draw(f *sfnt.Font, index sfnt.GlyphIndex, ppem float64, z *zones) (*image.Alpha, image.Point) {
	// In font units: nothing is rounded before the zones are applied.
	segments, err := f.LoadGlyph(&r.buffer, index, fixed.Int26_6(f.UnitsPerEm()), nil)
	if err != nil || len(segments) == 0 {
		return nil, image.Point{}
	}
	k := ppem / float64(f.UnitsPerEm())
	at := func(p fixed.Point26_6) (x, y float64) { return float64(p.X) * k, -z.at(-float64(p.Y) * k) }
	minX, minY, maxX, maxY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, s := range segments {
		for _, p := range s.Args[:arguments(s.Op)] {
			x, y := at(p)
			minX, minY, maxX, maxY = min(minX, x), min(minY, y), max(maxX, x), max(maxY, y)
		}
	}
	left, topY := math.Floor(minX+1e-3), math.Floor(minY+1e-3)
	w, h := int(math.Ceil(maxX-1e-3)-left), int(math.Ceil(maxY-1e-3)-topY)
	if w <= 0 || h <= 0 {
		return nil, image.Point{}
	}
	r.vector.Reset(w, h)
	r.vector.DrawOp = draw.Src
	pt := func(p fixed.Point26_6) (float32, float32) {
		x, y := at(p)
		return float32(x - left), float32(y - topY)
	}
	for _, s := range segments {
		ax, ay := pt(s.Args[0])
		bx, by := pt(s.Args[1])
		cx, cy := pt(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			r.vector.ClosePath()
			r.vector.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			r.vector.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			r.vector.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			r.vector.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	r.vector.ClosePath()
	mask := image.NewAlpha(image.Rect(0, 0, w, h))
	r.vector.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return mask, image.Pt(int(left), int(topY))
}

// arguments returns how many points an operation has.
func arguments(op sfnt.SegmentOp) int {
	switch op {
	case sfnt.SegmentOpQuadTo:
		return 2
	case sfnt.SegmentOpCubeTo:
		return 3
	}
	return 1
}

// triangle fills any triangle: a pixel is covered when its centre is inside, or on an upper or left
// edge, so that triangles which share an edge neither overlap nor leave a gap.
func (r *renderer) triangle(a, b, c *Vertex) {
	// GPUs place corners on a grid of 1/256 pixel; doing the same makes edges agree.
	ax, ay, bx, by, cx, cy := grid(a.X), grid(a.Y), grid(b.X), grid(b.Y), grid(c.X), grid(c.Y)
	area := (bx-ax)*(cy-ay) - (by-ay)*(cx-ax)
	if area == 0 || math.IsNaN(area) {
		return
	}
	if area < 0 {
		b, c = c, b
		bx, by, cx, cy = cx, cy, bx, by
		area = -area
	}
	bounds := r.dst.Rect
	x0 := max(int(math.Floor(min(ax, bx, cx))), bounds.Min.X)
	x1 := min(int(math.Ceil(max(ax, bx, cx))), bounds.Max.X)
	y0 := max(int(math.Floor(min(ay, by, cy))), bounds.Min.Y)
	y1 := min(int(math.Ceil(max(ay, by, cy))), bounds.Max.Y)
	ab, bc, ca := newEdge(ax, ay, bx, by), newEdge(bx, by, cx, cy), newEdge(cx, cy, ax, ay)
	flat := a.sameColor(b) && a.sameColor(c)
	textured := r.texture != nil && !(a.U == b.U && a.U == c.U && a.V == b.V && a.V == c.V && a.U == whiteU &&
		a.V == whiteV)
	paintFlat := PaintOf(a, 1)
	for y := y0; y < y1; y++ {
		py := float64(y) + 0.5
		offset := r.dst.PixOffset(x0, y)
		for x := x0; x < x1; x, offset = x+1, offset+4 {
			px := float64(x) + 0.5
			wc, inC := ab.at(px, py)
			wa, inA := bc.at(px, py)
			wb, inB := ca.at(px, py)
			if !inA || !inB || !inC {
				continue
			}
			ka, kb, kc := float32(wa/area), float32(wb/area), float32(wc/area)
			paint := paintFlat
			if !flat {
				paint = PaintOf(&Vertex{
					R: a.R*ka + b.R*kb + c.R*kc, G: a.G*ka + b.G*kb + c.G*kc, B: a.B*ka + b.B*kb + c.B*kc, A: a.A*ka + b.A*kb + c.A*kc,
				}, 1)
			}
			if textured {
				paint = paint.scaled(r.texel(a.U*ka+b.U*kb+c.U*kc, a.V*ka+b.V*kb+c.V*kc))
			}
			r.over(paint, r.dst.Pix[offset:offset+4:offset+4])
		}
	}
}

func grid(x float32) float64 { return math.Round(float64(x)*256) / 256 }

// edge is one side of a triangle; at is positive inside.
type edge struct {
	x, y, dx, dy float64
	owns         bool // points on the side itself belong to this triangle
}

func newEdge(x0, y0, x1, y1 float64) edge {
	e := edge{x: x0, y: y0, dx: x1 - x0, dy: y1 - y0}
	e.owns = e.dy < 0 || e.dy == 0 && e.dx > 0 // left sides go up, the upper side goes right
	return e
}

func (e *edge) at(x, y float64) (w float64, in bool) {
	w = e.dx*(y-e.y) - e.dy*(x-e.x)
	return w, w > 0 || w == 0 && e.owns
}
