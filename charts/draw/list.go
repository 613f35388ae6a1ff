// Package draw holds the draw list that charts fill, the glyph atlas, and the software renderer. The Ebitengine renderer of the same list is in draw/gpu.
//
// Coordinates are physical pixels of the window, x to the right, y down. Everything of a list is one texture (the atlas) and one triangle list, so that a whole chart
// is one draw call.
package draw

// Rect is an axis-aligned rectangle in physical pixels, X0 <= X1, Y0 <= Y1.
type Rect struct{ X0, Y0, X1, Y1 float32 }

// W returns the width, H the height.
func (r Rect) W() float32 { return r.X1 - r.X0 }

// H returns the height.
func (r Rect) H() float32 { return r.Y1 - r.Y0 }

// Contains tells whether a point is inside (right and bottom edge excluded).
func (r Rect) Contains(x, y float32) bool { return x >= r.X0 && x < r.X1 && y >= r.Y0 && y < r.Y1 }

// Empty tells whether nothing is inside.
func (r Rect) Empty() bool { return r.X0 >= r.X1 || r.Y0 >= r.Y1 }

// Intersect returns the common part.
func (r Rect) Intersect(o Rect) Rect {
	return Rect{max(r.X0, o.X0), max(r.Y0, o.Y0), min(r.X1, o.X1), min(r.Y1, o.Y1)}
}

// Inset returns r made smaller by d on each side.
func (r Rect) Inset(d float32) Rect { return Rect{r.X0 + d, r.Y0 + d, r.X1 - d, r.Y1 - d} }

// Color is a display colour, sRGB, not premultiplied.
type Color struct{ R, G, B, A uint8 }

// RGB returns an opaque colour.
func RGB(r, g, b uint8) Color { return Color{r, g, b, 255} }

// WithAlpha returns c with another opacity.
func (c Color) WithAlpha(a uint8) Color { c.A = a; return c }

// Face is one of the fonts of the atlas.
type Face uint8

// The faces of the atlas (look/README: Go fonts, 12 px times the scale; axes 10.5 px).
const (
	Regular   Face = iota // 12 px
	Medium                // 12 px, titles
	Mono                  // 12 px, numbers
	Small                 // 10.5 px, axes and secondary text
	SmallMono             // 10.5 px, numbers on axes
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

// Vertex is one corner: position in pixels, texture position in atlas pixels, premultiplied colour 0…1. Its layout is that of the renderers' vertices.
type Vertex struct {
	X, Y, U, V float32
	R, G, B, A float32
}

// List collects the geometry of one panel. The zero value needs an atlas (NewList). Reset keeps capacity: filling the same list again allocates nothing.
type List struct {
	Vertices []Vertex
	Indices  []uint32
	atlas    *Atlas
	clip     Rect
	clips    []Rect
	revision uint64
}

// NewList returns an empty list whose text uses the atlas.
func NewList(a *Atlas) *List { return &List{atlas: a} }
