package draw

import (
	"fmt"
	"image"
	stddraw "image/draw"
	"image/png"
	"io"
)

// Picture is a part of a window with its drawn lists. It reads its lists when it is written.
type Picture struct {
	// Seen is the part, in whole pixels, and Ground the color under the lists; without opacity:
	// nothing.
	Seen   Rect
	Ground Color
	// Name distinguishes the parts of one picture in a document from those of others; it is empty,
	// or letters.
	Name string
	// Lists lie over each other, the first at the bottom; nil ones count for nothing.
	Lists []*List
}

// PictureFormats are the ends of names that Write knows.
var PictureFormats = [...]string{".png", ".svg"}

// Write writes the picture in the format of a file extension, one of PictureFormats.
func (p *Picture) Write(w io.Writer, extension string) error {
	switch extension {
	case ".png":
		return png.Encode(w, p.Image())
	case ".svg":
		return p.svg(w)
	}
	return fmt.Errorf("no picture format ends with %q; use %q", extension, PictureFormats)
}

// Image draws the picture in software.
func (p *Picture) Image() *image.RGBA { return p.Paint(nil) }

// Paint draws the picture in software with a brush; nil: in its colors.
func (p *Picture) Paint(b Brush) *image.RGBA {
	window := image.NewRGBA(image.Rect(0, 0, int(p.Seen.X1), int(p.Seen.Y1)))
	ground := NewList(nil)
	ground.Reset(p.Seen)
	ground.Rect(p.Seen, p.Ground)
	render(window, b, ground)
	render(window, b, p.Lists...)
	if p.Seen.X0 == 0 && p.Seen.Y0 == 0 {
		return window
	}
	part := image.NewRGBA(image.Rect(0, 0, int(p.Seen.W()), int(p.Seen.H())))
	stddraw.Draw(part, part.Rect, window, image.Pt(int(p.Seen.X0), int(p.Seen.Y0)), stddraw.Src)
	return part
}
