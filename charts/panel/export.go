package panel

import (
	"image"
	"io"

	"framescope/charts/draw"
)

// Format is how an export is written.
type Format uint8

// The formats: comma-separated values, and those that tabs separate.
const (
	CSV Format = iota
	TSV
)

// Exporter is a panel whose content can be written as text. Of others there is the picture.
type Exporter interface {
	// Export writes all of it, in the order of display, below a line of titles.
	Export(env *Env, w io.Writer, f Format) error
}

// Picture draws what a panel shows in a part of the window, with its title in the row above it.
func Picture(env *Env, p Panel, rect draw.Rect) *image.RGBA {
	window := image.NewRGBA(image.Rect(0, 0, int(rect.X1), int(rect.Y1)))
	ground := draw.NewList(env.Atlas)
	ground.Reset(rect)
	ground.Rect(rect, draw.Color(env.Theme.Panel))
	row := draw.Rect{X0: rect.X0 + env.Px(8), Y0: rect.Y0, X1: rect.X1 - env.Px(8), Y1: rect.Y0 + env.Px(24)}
	ground.TextIn(draw.Medium, row, draw.Left, p.Title(env), draw.Color(env.Theme.Text))
	row.X0 += env.Atlas.Measure(draw.Medium, p.Title(env)) + env.Px(12)
	ground.TextIn(draw.Regular, row, draw.Right, p.Mode(env), draw.Color(env.Theme.Text2))
	draw.Render(window, ground, p.List())
	part := image.NewRGBA(image.Rect(0, 0, int(rect.W()), int(rect.H())))
	for y := range part.Rect.Dy() {
		from := window.PixOffset(int(rect.X0), int(rect.Y0)+y)
		copy(part.Pix[y*part.Stride:(y+1)*part.Stride], window.Pix[from:from+part.Stride])
	}
	return part
}
