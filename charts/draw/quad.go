package draw

import "slices"

// farPx bounds all coordinates: beyond it a float32 has no whole pixels.
const farPx = 1 << 22

// snap moves a coordinate to the pixel edge that decides which pixel centres are covered. x must be
// in ±farPx.
func snap(x float32) float32 { return float32(int32(float64(x)+(farPx+0.5)) - farPx) }

// WholePx rounds a position near the window to whole pixels, upwards from the middle; math.Round
// costs several times as much.
func WholePx(x float64) float32 {
	return float32(PxInt(x))
}

// PxInt is WholePx as a number that is compared and cut without a branch, which matters where the
// outcome differs from bar to bar.
func PxInt(x float64) int {
	const far = 1 << 20 // makes it positive
	return int(int64(x+(far+0.5))) - far
}

// snapRect snaps all sides; infinite values and NaN end at ±farPx.
func snapRect(r Rect) Rect {
	return Rect{snap(bound(r.X0, -farPx, farPx)), snap(bound(r.Y0, -farPx, farPx)), snap(bound(r.X1, -farPx, farPx)),
		snap(bound(r.Y1, -farPx, farPx))}
}

// bound clamps x; NaN becomes lo.
func bound(x, lo, hi float32) float32 {
	if !(x > lo) {
		return lo
	}
	if x > hi {
		return hi
	}
	return x
}

// cut returns the part of r that covers pixels of the clip, in whole pixels; ok is false when there
// is none.
func (l *List) cut(r Rect) (c Rect, ok bool) {
	clip := &l.clip
	c.X0 = snap(bound(r.X0, clip.X0, clip.X1))
	c.X1 = snap(bound(r.X1, clip.X0, clip.X1))
	c.Y0 = snap(bound(r.Y0, clip.Y0, clip.Y1))
	c.Y1 = snap(bound(r.Y1, clip.Y0, clip.Y1))
	return c, c.X0 < c.X1 && c.Y0 < c.Y1
}

// premultiply returns the color as the renderers want it: 0…1, multiplied by the opacity.
func premultiply(c Color) (r, g, b, a float32) {
	a = float32(c.A) * (1.0 / 255)
	k := a * (1.0 / 255)
	if c.A == 255 {
		a, k = 1, 1.0/255
	}
	return float32(c.R) * k, float32(c.G) * k, float32(c.B) * k, a
}

// alloc makes room for n vertices and the given number of indices, and returns the new vertices,
// the new indices and the number of the first vertex.
func (l *List) alloc(vertices, indices int) (vs []Vertex, is []uint32, base uint32) {
	n, m := len(l.Vertices), len(l.Indices)
	l.grow(vertices, indices)
	l.Vertices = l.Vertices[:n+vertices]
	l.Indices = l.Indices[:m+indices]
	return l.Vertices[n:], l.Indices[m:], uint32(n)
}

// grow makes room for more vertices and indices where there is none.
func (l *List) grow(vertices, indices int) {
	if n := len(l.Vertices); n+vertices > cap(l.Vertices) {
		l.Vertices = slices.Grow(l.Vertices, max(vertices, n/2, 256))
	}
	if m := len(l.Indices); m+indices > cap(l.Indices) {
		l.Indices = slices.Grow(l.Indices, max(indices, m/2, 384))
	}
}

// quad adds an axis-aligned quad that was cut already.
func (l *List) quad(p *Rect, u0, v0, u1, v1 float32, r, g, b, a float32) {
	n, m := len(l.Vertices), len(l.Indices)
	if n+4 > cap(l.Vertices) || m+6 > cap(l.Indices) {
		l.grow(4, 6)
	}
	l.Vertices, l.Indices = l.Vertices[:n+4], l.Indices[:m+6]
	v := (*[4]Vertex)(l.Vertices[n:])
	// Field by field: a composite literal of eight fields is built aside and copied, which takes twice
	// as long.
	v[0].X, v[0].Y, v[0].U, v[0].V, v[0].R, v[0].G, v[0].B, v[0].A = p.X0, p.Y0, u0, v0, r, g, b, a
	v[1].X, v[1].Y, v[1].U, v[1].V, v[1].R, v[1].G, v[1].B, v[1].A = p.X1, p.Y0, u1, v0, r, g, b, a
	v[2].X, v[2].Y, v[2].U, v[2].V, v[2].R, v[2].G, v[2].B, v[2].A = p.X1, p.Y1, u1, v1, r, g, b, a
	v[3].X, v[3].Y, v[3].U, v[3].V, v[3].R, v[3].G, v[3].B, v[3].A = p.X0, p.Y1, u0, v1, r, g, b, a
	setQuadIndices((*[6]uint32)(l.Indices[m:]), uint32(n))
}

// setQuadIndices writes the order in which all quads have their corners; the software renderer
// recognises rectangles by it.
func setQuadIndices(i *[6]uint32, base uint32) {
	i[0], i[1], i[2] = base, base+1, base+2
	i[3], i[4], i[5] = base, base+2, base+3
}

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
