package app

import (
	"image"
	"image/color"
	idraw "image/draw"

	"framescope/charts/draw"
)

// render paints the lists into a part of an image, which it returns.
func render(on *image.RGBA, part image.Rectangle, ground color.Color, lists []*draw.List) *image.RGBA {
	dst := on.SubImage(part).(*image.RGBA)
	idraw.Draw(dst, dst.Rect, image.NewUniform(ground), image.Point{}, idraw.Src)
	draw.Render(dst, lists...)
	return dst
}

// pixelsOf is a rectangle in whole pixels.
func pixelsOf(r draw.Rect) image.Rectangle {
	return image.Rect(int(r.X0), int(r.Y0), int(r.X1), int(r.Y1))
}
