// Package draw holds the draw list that charts fill, the glyph atlas, and the software renderer.
// The Ebitengine renderer of the same list is in draw/gpu.
//
// Coordinates are physical pixels of the window, x to the right, y down. Everything of a list is
// one texture (the atlas) and one triangle list, so that a whole chart is one draw call.
package draw

import "math"

// Rect is an axis-aligned rectangle in physical pixels, X0 <= X1, Y0 <= Y1.
type Rect struct{ X0, Y0, X1, Y1 float32 }

// W returns the width, H the height.
func (r Rect) W() float32 { return r.X1 - r.X0 }

// H returns the height.
func (r Rect) H() float32 { return r.Y1 - r.Y0 }

// Contains reports whether a point is inside (right and bottom edge excluded).
func (r Rect) Contains(x, y float32) bool { return x >= r.X0 && x < r.X1 && y >= r.Y0 && y < r.Y1 }

// Empty reports whether nothing is inside.
func (r Rect) Empty() bool { return r.X0 >= r.X1 || r.Y0 >= r.Y1 }

// Intersect returns the common part.
func (r Rect) Intersect(o Rect) Rect {
	return Rect{max(r.X0, o.X0), max(r.Y0, o.Y0), min(r.X1, o.X1), min(r.Y1, o.Y1)}
}

// Inset returns r made smaller by d on each side.
func (r Rect) Inset(d float32) Rect { return Rect{r.X0 + d, r.Y0 + d, r.X1 - d, r.Y1 - d} }

// Color is a display color, sRGB, not premultiplied.
type Color struct{ R, G, B, A uint8 }

// RGB returns an opaque color.
func RGB(r, g, b uint8) Color { return Color{r, g, b, 255} }

// WithAlpha returns c with another opacity.
func (c Color) WithAlpha(a uint8) Color { c.A = a; return c }

// Face is one of the fonts of the atlas.
type Face uint8

// The faces of the atlas (look/README: Go fonts, 12 px times the scale; axes 10.5 px).
const (
	Regular Face = iota // 12 px
	Medium              // 12 px, titles
	Mono                // 12 px, code
	Small               // 10.5 px, axes and secondary text
	Large               // 16 px, the headline of the selection
	NumFaces
)

// Align is the horizontal alignment of text in a rectangle.
type Align uint8

// The alignments.
const (
	Left Align = iota
	Center
	Right
)

// Vertex is one corner: position in pixels, texture position in atlas pixels, premultiplied color
// 0…1. Its layout is that of the renderers' vertices.
type Vertex struct {
	X, Y, U, V float32
	R, G, B, A float32
}

// List collects the geometry of one panel. The zero value needs an atlas (NewList). Reset keeps
// capacity: filling the same list again allocates nothing.
//
// Everything is cut at the clip rectangle on the CPU, so that a renderer needs no scissor and a
// whole list is one draw call. Axis-aligned shapes are moved to whole pixels by the rule of the
// pixel centre (a pixel is covered when its centre is inside): as the GPU would do anyway, but
// without its freedom of rounding, so that all renderers give the same picture, and shapes that
// cover no pixel cost nothing.
//
// A list is filled by one goroutine; several lists over one atlas may be filled at once.
type List struct {
	Vertices []Vertex
	Indices  []uint32
	atlas    *Atlas
	clip     Rect
	clips    []Rect
	resets   uint32
	filled   fill
	scratch  []byte // of a name that is being cut
	notes    []note
	said     []byte // the texts of the notes
}

// NewList returns an empty list with text from the atlas. With a nil atlas text and hatches are
// left out.
func NewList(a *Atlas) *List { return &List{atlas: a} }

// Atlas returns the atlas to which the texture positions of the vertices refer.
func (l *List) Atlas() *Atlas { return l.atlas }

// SetAtlas makes the list use another atlas (the scale changed) from the next Reset on; it drops
// the content of the list.
func (l *List) SetAtlas(a *Atlas) {
	l.atlas = a
	l.Reset(l.clip)
}

// Reset starts a new picture that is cut at clip.
func (l *List) Reset(clip Rect) {
	l.Vertices = l.Vertices[:0]
	l.Indices = l.Indices[:0]
	l.notes, l.said = l.notes[:0], l.said[:0]
	l.clips = l.clips[:0]
	l.clip = Rect{-farPx, -farPx, farPx, farPx}
	l.PushClip(clip)
	l.clips = l.clips[:0]
	l.resets++
}

// Mark is a place in a list; see Cut.
type Mark struct{ vertices, indices int }

// Mark returns the present end of the list.
func (l *List) Mark() Mark { return Mark{len(l.Vertices), len(l.Indices)} }

// Cut removes everything added since the mark, so that changing parts can be drawn anew over the
// rest. The clip stays as it is.
func (l *List) Cut(m Mark) {
	l.Vertices = l.Vertices[:min(m.vertices, len(l.Vertices))]
	l.Indices = l.Indices[:min(m.indices, len(l.Indices))]
	l.forgetNotes(len(l.Indices))
	l.resets++
}

// PushClip also cuts further shapes at r, until PopClip.
func (l *List) PushClip(r Rect) {
	l.clips = append(l.clips, l.clip)
	c := l.clip.Intersect(snapRect(r))
	c.X1, c.Y1 = max(c.X0, c.X1), max(c.Y0, c.Y1) // cutting at the sides relies on their order
	l.clip = c
}

// PopClip takes back the last PushClip. Without one it does nothing.
func (l *List) PopClip() {
	if n := len(l.clips); n > 0 {
		l.clip = l.clips[n-1]
		l.clips = l.clips[:n-1]
	}
}

// Clip returns the rectangle, in whole pixels, at which shapes are cut. It may be empty.
func (l *List) Clip() Rect { return l.clip }

// Quads returns the number of quads, two triangles counting as one: the cost of drawing the list.
func (l *List) Quads() int { return len(l.Indices) / 6 }

// Revision changes with every Reset and whenever something was added. Equal revisions of one list
// mean equal content.
func (l *List) Revision() uint64 { return uint64(l.resets)<<32 | uint64(uint32(len(l.Indices))) }

// fill is the state of a list at a call of Filled: its sum, and how often the list was reset.
type fill struct {
	sum    uint64
	resets uint32
}

// Filled ends filling a list that is filled in every tick even without changes, as menus are: if it
// has the same content as at the last Filled, and was reset once since, it keeps its revision, so
// that nothing is painted.
func (l *List) Filled() {
	sum := l.sum()
	if sum == l.filled.sum && l.resets == l.filled.resets+1 {
		l.resets = l.filled.resets
	}
	l.filled = fill{sum, l.resets}
}

// sum returns a hash of the list's content.
func (l *List) sum() uint64 {
	h := uint64(len(l.Vertices))
	add := func(v uint64) {
		h = (h ^ v) * 1099511628211
		h ^= h >> 29
	}
	two := func(a, b float32) { add(uint64(math.Float32bits(a))<<32 | uint64(math.Float32bits(b))) }
	for i := range l.Vertices {
		v := &l.Vertices[i]
		two(v.X, v.Y)
		two(v.U, v.V)
		two(v.R, v.G)
		two(v.B, v.A)
	}
	for _, i := range l.Indices {
		add(uint64(i))
	}
	return h
}
