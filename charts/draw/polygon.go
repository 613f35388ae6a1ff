package draw

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
