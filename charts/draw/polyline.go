package draw

import "math"

// Point is a position in pixels.
type Point struct{ X, Y float32 }

// Polyline draws a line through points with smooth edges, in one piece: where parts of it meet they do
// not lie over each other.
func (l *List) Polyline(points []Point, width float32, c Color) {
	if c.A == 0 || !(width > 0) || len(points) < 2 {
		return
	}
	k := min(width, 1) // thinner than a pixel: a pixel, but fainter
	r, g, b, a := premultiply(c)
	r, g, b, a = r*k, g*k, b*k, a*k
	core, outer := max(width/2, 0.5)-0.5, max(width/2, 0.5)+0.5
	n0 := normal(points, 0)
	for i := 1; i < len(points); i++ {
		at, p0, p1, n1 := len(l.Indices), points[i-1], points[i], normal(points, i)
		strip := func(from, to, fromAlpha, toAlpha float32) {
			var p polygon
			p.add(Vertex{p0.X + n0.X*from, p0.Y + n0.Y*from, whiteU, whiteV, r * fromAlpha, g * fromAlpha, b * fromAlpha, a * fromAlpha})
			p.add(Vertex{p1.X + n1.X*from, p1.Y + n1.Y*from, whiteU, whiteV, r * fromAlpha, g * fromAlpha, b * fromAlpha, a * fromAlpha})
			p.add(Vertex{p1.X + n1.X*to, p1.Y + n1.Y*to, whiteU, whiteV, r * toAlpha, g * toAlpha, b * toAlpha, a * toAlpha})
			p.add(Vertex{p0.X + n0.X*to, p0.Y + n0.Y*to, whiteU, whiteV, r * toAlpha, g * toAlpha, b * toAlpha, a * toAlpha})
			l.polygon(&p)
		}
		strip(-outer, -core, 0, 1)
		if core > 0 {
			strip(-core, core, 1, 1)
		}
		strip(core, outer, 1, 0)
		l.noteLine(p0.X, p0.Y, p1.X, p1.Y, width, c, at)
		n0 = n1
	}
}

// normal returns the unit vector across a line at one of its points, halfway between the parts that
// meet there.
func normal(points []Point, i int) Point {
	from, to := points[max(i-1, 0)], points[min(i+1, len(points)-1)]
	dx, dy := to.X-from.X, to.Y-from.Y
	length := float32(math.Hypot(float64(dx), float64(dy)))
	if !(length > 0 && length < farPx) {
		return Point{}
	}
	return Point{-dy / length, dx / length}
}
