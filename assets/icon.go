package assets

import (
	"image"
	"image/color"
)

// iconBars are the rows of the icon from the bottom up: where each bar begins and ends (sixteenths
// of the width) and its hue in degrees.
var iconBars = [...]struct {
	row      int
	from, to int
	hue      float64
}{
	{0, 2, 15, 40},
	{1, 2, 8, 20}, {1, 8, 14, 60},
	{2, 3, 7, 350}, {2, 9, 13, 85},
	{3, 4, 7, 310},
}

// Icon draws the program's icon, size × size pixels (16 to 512 or more): stacked bars of a flame
// graph on a dark, rounded ground.
func Icon(size int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	var colors [len(iconBars)]color.RGBA
	for i, bar := range iconBars {
		c := LCh{0.72, 0.15, bar.hue}.Color()
		colors[i] = color.RGBA{c.R, c.G, c.B, 255}
	}
	gap := 0.5
	if size < 24 { // a whole pixel, so that the bars are crisp
		gap = 16 / float64(max(size, 1))
	}
	// Every pixel is the mean of samples, so that small icons have smooth corners.
	const n = 4
	for y := range size {
		for x := range size {
			var sum [4]int
			for sy := range n {
				for sx := range n {
					u := (float64(x) + (float64(sx)+0.5)/n) / float64(size) * 16
					v := (float64(y) + (float64(sy)+0.5)/n) / float64(size) * 16
					c := iconAt(u, v, gap, &colors)
					sum[0] += int(c.R)
					sum[1] += int(c.G)
					sum[2] += int(c.B)
					sum[3] += int(c.A)
				}
			}
			img.SetRGBA(x, y, color.RGBA{uint8(sum[0] / (n * n)), uint8(sum[1] / (n * n)), uint8(sum[2] / (n * n)),
				uint8(sum[3] / (n * n))})
		}
	}
	return img
}

// iconAt returns the icon's color at a point of a square of 16 units, premultiplied. The bars are
// gap units apart, of the given colors.
func iconAt(u, v, gap float64, colors *[len(iconBars)]color.RGBA) color.RGBA {
	if !inRounded(u, v, 0, 0, 16, 16, 3) {
		return color.RGBA{}
	}
	const rowHeight = 3
	for i, bar := range iconBars {
		y1 := 14 - float64(bar.row)*rowHeight
		if inRounded(u, v, float64(bar.from), y1-rowHeight+gap, float64(bar.to)-gap, y1, 0.4) {
			return colors[i]
		}
	}
	return color.RGBA{34, 34, 38, 255}
}

// inRounded reports whether a point is in a rectangle with round corners.
func inRounded(x, y, x0, y0, x1, y1, radius float64) bool {
	if x < x0 || x >= x1 || y < y0 || y >= y1 {
		return false
	}
	dx := max(x0+radius-x, x-(x1-radius), 0)
	dy := max(y0+radius-y, y-(y1-radius), 0)
	return dx*dx+dy*dy <= radius*radius
}
