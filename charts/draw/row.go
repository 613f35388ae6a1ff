package draw

// Row draws many rectangles between two heights, beside each other: it computes the clip at the top
// and bottom once. It is valid as long as the list's clip stays as it is.
type Row struct {
	list   *List
	clip   Rect
	y0, y1 float32 // cut, in whole pixels
}

// Row returns a row of the list.
func (l *List) Row(y0, y1 float32) Row {
	c := l.clip
	return Row{l, c, snap(bound(y0, c.Y0, c.Y1)), snap(bound(y1, c.Y0, c.Y1))}
}

// Bar fills the row from x0 to x1, which are whole pixels, as Rect does, but several times as fast.
func (r *Row) Bar(x0, x1 float32, ink *Ink) {
	if x0 < r.clip.X0 {
		x0 = r.clip.X0
	}
	if x1 > r.clip.X1 {
		x1 = r.clip.X1
	}
	if x0 < x1 && r.y0 < r.y1 {
		r.list.ink(x0, r.y0, x1, r.y1, ink)
	}
}

// Fill is Rect in an ink.
func (l *List) Fill(r Rect, ink *Ink) {
	if p, ok := l.cut(r); ok {
		l.ink(p.X0, p.Y0, p.X1, p.Y1, ink)
	}
}

// ink adds an axis-aligned quad that was cut already.
func (l *List) ink(x0, y0, x1, y1 float32, ink *Ink) {
	if ink.corner.A == 0 {
		return
	}
	n, m := len(l.Vertices), len(l.Indices)
	if n+4 > cap(l.Vertices) || m+6 > cap(l.Indices) {
		l.grow(4, 6)
	}
	l.Vertices, l.Indices = l.Vertices[:n+4], l.Indices[:m+6]
	v := (*[4]Vertex)(l.Vertices[n:])
	v[0], v[1], v[2], v[3] = ink.corner, ink.corner, ink.corner, ink.corner
	v[0].X, v[0].Y = x0, y0
	v[1].X, v[1].Y = x1, y0
	v[2].X, v[2].Y = x1, y1
	v[3].X, v[3].Y = x0, y1
	setQuadIndices((*[6]uint32)(l.Indices[m:]), uint32(n))
}
