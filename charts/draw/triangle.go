package draw

import "math"

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
	textured := r.texture != nil && !(a.U == b.U && a.U == c.U && a.V == b.V && a.V == c.V && a.U == whiteU && a.V == whiteV)
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
