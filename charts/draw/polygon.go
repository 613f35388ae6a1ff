package draw

// polygon is a convex polygon on the stack. Cutting a quad at four sides gives at most eight corners.
type polygon struct {
	v [12]Vertex
	n int
}

func (p *polygon) add(v Vertex) {
	p.v[p.n] = v
	p.n++
}

// polygon cuts a convex polygon at the clip and adds what remains as a fan of triangles.
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
	var q polygon
	if minX < clip.X0 {
		cutSide(&q, p, func(v *Vertex) float32 { return v.X - clip.X0 })
		*p = q
	}
	if maxX > clip.X1 {
		cutSide(&q, p, func(v *Vertex) float32 { return clip.X1 - v.X })
		*p = q
	}
	if minY < clip.Y0 {
		cutSide(&q, p, func(v *Vertex) float32 { return v.Y - clip.Y0 })
		*p = q
	}
	if maxY > clip.Y1 {
		cutSide(&q, p, func(v *Vertex) float32 { return clip.Y1 - v.Y })
		*p = q
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

// cutSide keeps the part of src where inside is not negative (one step of Sutherland and Hodgman's algorithm).
func cutSide(dst, src *polygon, inside func(*Vertex) float32) {
	dst.n = 0
	for i := 0; i < src.n; i++ {
		a, b := &src.v[i], &src.v[(i+1)%src.n]
		da, db := inside(a), inside(b)
		if da >= 0 {
			dst.add(*a)
		}
		if da >= 0 != (db >= 0) {
			dst.add(between(a, b, da/(da-db)))
		}
	}
}

// between returns the vertex at t between two, with texture position and colour interpolated.
func between(a, b *Vertex, t float32) Vertex {
	return Vertex{
		a.X + (b.X-a.X)*t, a.Y + (b.Y-a.Y)*t, a.U + (b.U-a.U)*t, a.V + (b.V-a.V)*t,
		a.R + (b.R-a.R)*t, a.G + (b.G-a.G)*t, a.B + (b.B-a.B)*t, a.A + (b.A-a.A)*t,
	}
}
