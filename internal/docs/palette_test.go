package docs

import (
	"image"
	"image/color"
	"math"
	"slices"
)

// group is colors of a picture for which one stands, with what each counts.
type group struct {
	colors []color.RGBA
	counts []float64
	// axis is the component that differs most, spread by how much in all, mean its middle.
	axis         int
	spread, mean float64
}

func component(c color.RGBA, axis int) float64 { return float64([3]uint8{c.R, c.G, c.B}[axis]) }

// measure finds the axis of a group.
func (g *group) measure() {
	g.spread = -1
	for axis := range 3 {
		sum, squares, n := 0.0, 0.0, 0.0
		for i, c := range g.colors {
			v := component(c, axis)
			sum, squares, n = sum+v*g.counts[i], squares+v*v*g.counts[i], n+g.counts[i]
		}
		if spread := squares - sum*sum/n; spread > g.spread {
			g.axis, g.spread, g.mean = axis, spread, sum/n
		}
	}
}

// paletted returns an opaque picture in 256 colors: those that differ most are told apart first, and a
// rare color counts for more than its pixels.
func paletted(img *image.RGBA) *image.Paletted {
	pixels := map[color.RGBA]float64{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			pixels[img.RGBAAt(x, y)]++
		}
	}
	all := &group{}
	for c := range pixels {
		all.colors = append(all.colors, c)
	}
	slices.SortFunc(all.colors, func(a, b color.RGBA) int {
		return (int(a.R)-int(b.R))<<16 + (int(a.G)-int(b.G))<<8 + int(a.B) - int(b.B)
	})
	for _, c := range all.colors {
		all.counts = append(all.counts, math.Sqrt(pixels[c]))
	}
	all.measure()
	groups := []*group{all}
	for len(groups) < 256 {
		g := slices.MaxFunc(groups, func(a, b *group) int { return int(math.Copysign(1, a.spread-b.spread)) })
		if len(g.colors) == 1 {
			break
		}
		low, high := &group{}, &group{}
		for i, c := range g.colors {
			to := low
			if component(c, g.axis) > g.mean {
				to = high
			}
			to.colors, to.counts = append(to.colors, c), append(to.counts, g.counts[i])
		}
		low.measure()
		high.measure()
		*g = *low
		groups = append(groups, high)
	}
	out := image.NewPaletted(image.Rect(0, 0, b.Dx(), b.Dy()), nil)
	places := map[color.RGBA]uint8{}
	for i, g := range groups {
		most := 0 // the color of the most pixels stands for all
		for k, c := range g.colors {
			places[c] = uint8(i)
			if g.counts[k] > g.counts[most] {
				most = k
			}
		}
		out.Palette = append(out.Palette, g.colors[most])
	}
	for i := range out.Pix {
		out.Pix[i] = places[img.RGBAAt(b.Min.X+i%out.Stride, b.Min.Y+i/out.Stride)]
	}
	return out
}
