// Package assets embeds the shipped files of the viewer: fonts, icon, color themes.
package assets

import "math"

// Color is a display color, sRGB, not premultiplied. It has the layout of draw.Color:
// draw.Color(c) converts.
type Color struct{ R, G, B, A uint8 }

// RGB returns an opaque color.
func RGB(r, g, b uint8) Color { return Color{r, g, b, 255} }

// WithAlpha returns c with another opacity.
func (c Color) WithAlpha(a uint8) Color { c.A = a; return c }

// LinearToSRGB encodes linear color components (0…1; others are clamped, NaN counts as 0) for the
// display: 12.92·x below 0.0031308, else 1.055·x^(1/2.4) − 0.055, as section 7 of the notes on the
// official viewer has it.
func LinearToSRGB(r, g, b float32) (r8, g8, b8 uint8) {
	return encode8(float64(r)), encode8(float64(g)), encode8(float64(b))
}

func encode8(x float64) uint8 {
	switch {
	case !(x > 0): // NaN too
		return 0
	case x >= 1:
		return 255
	case x < 0.0031308:
		x *= 12.92
	default:
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return uint8(x*255 + 0.5)
}

// SRGBToLinear decodes a display color to linear components 0…1.
func SRGBToLinear(r, g, b uint8) (lr, lg, lb float64) { return linear[r], linear[g], linear[b] }

// TextOn returns the color of text on a bar of the given color: black or white, whichever has the
// higher contrast (relative luminance of WCAG 2; the two are equal at a luminance of 0.179).
func TextOn(r, g, b uint8) Color {
	const edge = 0.1791
	if 0.2126*linear[r]+0.7152*linear[g]+0.0722*linear[b] >= edge {
		return Color{0, 0, 0, 255}
	}
	return Color{255, 255, 255, 255}
}

// linear is each display value as a linear component, 0…1: charts choose the text of every bar and the color
// of every mark by it.
var linear = func() (of [256]float64) {
	for v := range of {
		x := float64(v) / 255
		if of[v] = math.Pow((x+0.055)/1.055, 2.4); x <= 0.04045 {
			of[v] = x / 12.92
		}
	}
	return of
}()

// Contrast returns the contrast of two opaque colors by WCAG 2, 1 to 21.
func Contrast(a, b Color) float64 {
	x, y := luminance(a), luminance(b)
	return max(x, y) / min(x, y)
}

func luminance(c Color) float64 {
	return 0.2126*linear[c.R] + 0.7152*linear[c.G] + 0.0722*linear[c.B] + 0.05
}
