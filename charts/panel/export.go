package panel

import (
	"io"

	"framescope/charts/draw"
)

// Format is how an export is written.
type Format uint8

// The formats: comma-separated values, tab-separated values, and a list of objects, one per row,
// with the titles as field names.
const (
	CSV Format = iota
	TSV
	JSON
)

// Exporter is a panel with content that can be written as text. Others export a picture.
type Exporter interface {
	// Export writes all of it, in the order of display, below a line of titles.
	Export(env *Env, w io.Writer, f Format) error
}

// Picture returns the picture of a panel in a part of the window, with its title in the row above
// it.
func Picture(env *Env, p Panel, rect draw.Rect) *draw.Picture {
	ground := draw.NewList(env.Atlas)
	ground.Reset(rect)
	row := draw.Rect{X0: rect.X0 + env.Px(8), Y0: rect.Y0, X1: rect.X1 - env.Px(8), Y1: rect.Y0 + env.Px(24)}
	ground.TextIn(draw.Medium, row, draw.Left, p.Title(env), draw.Color(env.Theme.Text))
	row.X0 += env.Atlas.Measure(draw.Medium, p.Title(env)) + env.Px(12)
	ground.TextIn(draw.Regular, row, draw.Right, p.Mode(env), draw.Color(env.Theme.Text2))
	return &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{ground, p.List()}}
}
