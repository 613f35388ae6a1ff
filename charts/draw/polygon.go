package draw

import "math"

// polygon is a convex polygon on the stack. Cutting a quad at four sides gives at most eight
// corners.
type polygon struct {
	v [12]Vertex
	n int
}

func (p *polygon) add(v Vertex) {
	p.v[p.n] = v
	p.n++
}

// polygon cuts a convex polygon at the clip and adds the rest as a fan of triangles.
func (l *List) polygon(p *polygon) {
	minX, minY, maxX, maxY := p.v[0].X, p.v[0].Y, p.v[0].X, p.v[0].Y
	for i := 0; i < p.n; i++ {
		x, y := p.v[i].X, p.v[i].Y
		if !(x >= -farPx*16 && x <= farPx*16 && y >= -farPx*16 && y <= farPx*16) {
			return // not a number, or so far away that the edges have no exact place
		}
		minX, minY, maxX, maxY = min(minX, x), min(minY, y), max(maxX, x), max(maxY, y)
	}
	clip := l.clip
	if clip.Empty() || maxX <= clip.X0 || minX >= clip.X1 || maxY <= clip.Y0 || minY >= clip.Y1 {
		return
	}
	if minX < clip.X0 {
		p.cut(side{nx: 1, at: clip.X0})
	}
	if maxX > clip.X1 {
		p.cut(side{nx: -1, at: -clip.X1})
	}
	if minY < clip.Y0 {
		p.cut(side{ny: 1, at: clip.Y0})
	}
	if maxY > clip.Y1 {
		p.cut(side{ny: -1, at: -clip.Y1})
	}
	if p.n < 3 {
		return
	}
	vs, is, base := l.alloc(p.n, (p.n-2)*3)
	copy(vs, p.v[:p.n])
	for i := range uint32(p.n - 2) {
		is[i*3], is[i*3+1], is[i*3+2] = base, base+i+1, base+i+2
	}
}

// side is a half plane: nx·x + ny·y ≥ at. One of nx and ny is 0, the other 1 or -1.
type side struct{ nx, ny, at float32 }

// distance is how far a vertex is inside, negative when outside.
func (s side) distance(v *Vertex) float32 { return s.nx*v.X + s.ny*v.Y - s.at }

// cut keeps the part of the polygon that is on the inner side (one step of Sutherland and Hodgman's
// algorithm).
func (p *polygon) cut(s side) {
	src := *p
	p.n = 0
	for i := 0; i < src.n; i++ {
		a, b := &src.v[i], &src.v[(i+1)%src.n]
		da, db := s.distance(a), s.distance(b)
		if da >= 0 {
			p.add(*a)
		}
		if (da >= 0) != (db >= 0) {
			v := between(a, b, da/(da-db))
			if s.nx != 0 { // exactly on the side: interpolation may miss it by a rounding
				v.X = s.at * s.nx
			} else {
				v.Y = s.at * s.ny
			}
			p.add(v)
		}
	}
}

// between returns the vertex at t between two, with texture position and color interpolated.
func between(a, b *Vertex, t float32) Vertex {
	return Vertex{
		a.X + (b.X-a.X)*t, a.Y + (b.Y-a.Y)*t, a.U + (b.U-a.U)*t, a.V + (b.V-a.V)*t,
		a.R + (b.R-a.R)*t, a.G + (b.G-a.G)*t, a.B + (b.B-a.B)*t, a.A + (b.A-a.A)*t,
	}
}

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

// Add appends the content of another list over the same atlas, cut as it was there: for a picture
// made of several. It costs a copy, so compare the Revision of the other first.
func (l *List) Add(o *List) {
	vertices, indices, said := uint32(len(l.Vertices)), len(l.Indices), len(l.said)
	l.Vertices = append(l.Vertices, o.Vertices...)
	for _, i := range o.Indices {
		l.Indices = append(l.Indices, vertices+i)
	}
	l.said = append(l.said, o.said...)
	for _, n := range o.notes {
		n.at, n.until = n.at+indices, n.until+indices
		n.from, n.to = n.from+said, n.to+said
		l.notes = append(l.notes, n)
	}
}
