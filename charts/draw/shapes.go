package draw

import "math"

// Rect fills a rectangle.
func (l *List) Rect(r Rect, c Color) {
	p, ok := l.cut(r)
	if !ok || c.A == 0 {
		return
	}
	cr, cg, cb, ca := premultiply(c)
	l.quad(&p, whiteU, whiteV, whiteU, whiteV, cr, cg, cb, ca)
}

// Gradient fills a rectangle with colors that go from top to bottom.
func (l *List) Gradient(r Rect, top, bottom Color) {
	p, ok := l.cut(r)
	if !ok {
		return
	}
	r0, g0, b0, a0 := premultiply(top)
	r1, g1, b1, a1 := premultiply(bottom)
	t0, t1 := (p.Y0-r.Y0)/r.H(), (p.Y1-r.Y0)/r.H()
	l.quad(&p, whiteU, whiteV, whiteU, whiteV, 0, 0, 0, 0)
	vs := (*[4]Vertex)(l.Vertices[len(l.Vertices)-4:])
	for i := range vs {
		t := t0
		if i >= 2 {
			t = t1
		}
		vs[i].R, vs[i].G, vs[i].B, vs[i].A = mix(r0, r1, t), mix(g0, g1, t), mix(b0, b1, t), mix(a0, a1, t)
	}
}

func mix(a, b, t float32) float32 { return bound(a+(b-a)*t, min(a, b), max(a, b)) }

// Outline draws the four sides of a rectangle, inside it. The width is rounded to whole pixels, 1
// or more.
func (l *List) Outline(r Rect, width float32, c Color) {
	w := wholeWidth(width)
	r = snapRect(r)
	if r.W() <= 2*w || r.H() <= 2*w {
		l.Rect(r, c)
		return
	}
	l.Rect(Rect{r.X0, r.Y0, r.X1, r.Y0 + w}, c)
	l.Rect(Rect{r.X0, r.Y1 - w, r.X1, r.Y1}, c)
	l.Rect(Rect{r.X0, r.Y0 + w, r.X0 + w, r.Y1 - w}, c)
	l.Rect(Rect{r.X1 - w, r.Y0 + w, r.X1, r.Y1 - w}, c)
}

// wholeWidth returns the width in which axis-aligned lines are drawn: whole pixels, 1 or more, so
// that they are crisp and never vanish.
func wholeWidth(width float32) float32 { return max(1, snap(bound(width, 1, farPx))) }

// HLine draws a horizontal line with its top edge at y. The width is rounded to whole pixels, 1 or
// more.
func (l *List) HLine(x0, x1, y, width float32, c Color) {
	y = snap(bound(y, -farPx, farPx))
	l.Rect(Rect{min(x0, x1), y, max(x0, x1), y + wholeWidth(width)}, c)
}

// VLine draws a vertical line with its left edge at x. The width is rounded to whole pixels, 1 or
// more.
func (l *List) VLine(x, y0, y1, width float32, c Color) {
	x = snap(bound(x, -farPx, farPx))
	l.Rect(Rect{x, min(y0, y1), x + wholeWidth(width), max(y0, y1)}, c)
}

// DashedH draws a horizontal line of dashes that are on pixels long, with gaps of off pixels,
// starting at x0. Its top edge is y.
func (l *List) DashedH(x0, x1, y, width, on, off float32, c Color) {
	x0, x1 = min(x0, x1), max(x0, x1)
	start, period, ok := dashes(x0, l.clip.X0, on, off)
	if !ok {
		l.HLine(x0, x1, y, width, c)
		return
	}
	for x, end := start, min(x1, l.clip.X1); x < end; x += period {
		l.HLine(x, min(x+on, x1), y, width, c)
	}
}

// DashedV draws a vertical line of dashes, like DashedH. Its left edge is x.
func (l *List) DashedV(x, y0, y1, width, on, off float32, c Color) {
	y0, y1 = min(y0, y1), max(y0, y1)
	start, period, ok := dashes(y0, l.clip.Y0, on, off)
	if !ok {
		l.VLine(x, y0, y1, width, c)
		return
	}
	for y, end := start, min(y1, l.clip.Y1); y < end; y += period {
		l.VLine(x, y, min(y+on, y1), width, c)
	}
}

// dashes returns the begin of the first dash that reaches into the clip and the period; ok is false
// when the line is to be solid.
func dashes(from, clipFrom, on, off float32) (start, period float32, ok bool) {
	period = on + off
	if !(on > 0 && off > 0 && period >= 2 && period < farPx) {
		return 0, 0, false
	}
	from = bound(from, -farPx, farPx)
	if from < clipFrom {
		from += float32(math.Floor(float64(clipFrom-from)/float64(period))) * period
	}
	return from, period, true
}

// Triangle fills a triangle, without smoothing of its edges.
func (l *List) Triangle(x0, y0, x1, y1, x2, y2 float32, c Color) {
	if c.A == 0 {
		return
	}
	r, g, b, a := premultiply(c)
	var p polygon
	p.add(Vertex{x0, y0, whiteU, whiteV, r, g, b, a})
	p.add(Vertex{x1, y1, whiteU, whiteV, r, g, b, a})
	p.add(Vertex{x2, y2, whiteU, whiteV, r, g, b, a})
	l.polygon(&p)
}

// Line draws a straight line with smooth edges. One that is horizontal or vertical is put on whole
// pixels instead and is crisp.
func (l *List) Line(x0, y0, x1, y1, width float32, c Color) {
	if c.A == 0 || !(width > 0) {
		return
	}
	dx, dy := x1-x0, y1-y0
	switch {
	case dy == 0:
		l.HLine(x0, x1, y0-wholeWidth(width)/2, width, c)
		return
	case dx == 0:
		l.VLine(x0-wholeWidth(width)/2, y0, y1, width, c)
		return
	}
	length := float32(math.Hypot(float64(dx), float64(dy)))
	if !(length > 0 && length < farPx) {
		return
	}
	at := len(l.Indices)
	r, g, b, a := premultiply(c)
	half := width / 2
	if half < 0.5 { // thinner than a pixel: a pixel, but fainter
		k := half * 2
		r, g, b, a = r*k, g*k, b*k, a*k
		half = 0.5
	}
	// The edges fade over a pixel: a solid core between two strips that go from the color to nothing.
	nx, ny := -dy/length, dx/length
	core, outer := half-0.5, half+0.5
	strip := func(from, to, fromAlpha, toAlpha float32) {
		var p polygon
		p.add(Vertex{x0 + nx*from, y0 + ny*from, whiteU, whiteV, r * fromAlpha, g * fromAlpha, b * fromAlpha, a * fromAlpha})
		p.add(Vertex{x1 + nx*from, y1 + ny*from, whiteU, whiteV, r * fromAlpha, g * fromAlpha, b * fromAlpha, a * fromAlpha})
		p.add(Vertex{x1 + nx*to, y1 + ny*to, whiteU, whiteV, r * toAlpha, g * toAlpha, b * toAlpha, a * toAlpha})
		p.add(Vertex{x0 + nx*to, y0 + ny*to, whiteU, whiteV, r * toAlpha, g * toAlpha, b * toAlpha, a * toAlpha})
		l.polygon(&p)
	}
	strip(-outer, -core, 0, 1)
	if core > 0 {
		strip(-core, core, 1, 1)
	}
	strip(core, outer, 1, 0)
	l.noteLine(x0, y0, x1, y1, width, c, at)
}

// Hatch fills a rectangle with diagonal stripes: the look of missing data. The stripes are anchored
// to the window's pixels, so that neighbouring hatches join and nothing swims when the chart moves.
// It is one quad for each tile of about 250 by 126 pixels that is touched.
func (l *List) Hatch(r Rect, c Color) {
	p, ok := l.cut(r)
	if !ok || c.A == 0 || l.atlas == nil {
		return
	}
	cr, cg, cb, ca := premultiply(c)
	t := &l.atlas.hatch
	for y := p.Y0; y < p.Y1; {
		inY := positiveMod(y, t.H())
		y1 := min(p.Y1, y+t.H()-inY)
		for x := p.X0; x < p.X1; {
			inX := positiveMod(x, t.W())
			x1 := min(p.X1, x+t.W()-inX)
			u, v := t.X0+inX, t.Y0+inY
			l.quad(&Rect{x, y, x1, y1}, u, v, u+(x1-x), v+(y1-y), cr, cg, cb, ca)
			x = x1
		}
		y = y1
	}
}

// positiveMod is x modulo m, 0 or more, for whole numbers.
func positiveMod(x, m float32) float32 {
	r := int32(x) % int32(m)
	if r < 0 {
		r += int32(m)
	}
	return float32(r)
}

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
			p.add(Vertex{p0.X + n0.X*from, p0.Y + n0.Y*from, whiteU, whiteV, r * fromAlpha, g * fromAlpha, b * fromAlpha,
				a * fromAlpha})
			p.add(Vertex{p1.X + n1.X*from, p1.Y + n1.Y*from, whiteU, whiteV, r * fromAlpha, g * fromAlpha, b * fromAlpha,
				a * fromAlpha})
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
