package draw

import "framescope/assets"

// Ink is a color as it is painted: made once, it serves many rectangles.
type Ink struct{ corner Vertex }

// InkOf returns the ink of a color.
func InkOf(c Color) Ink {
	ink := Ink{Vertex{U: whiteU, V: whiteV}}
	v := &ink.corner
	v.R, v.G, v.B, v.A = premultiply(c)
	return ink
}

// Shades caches the inks of a picture of many bars in few colors: most repeat. The zero value has
// none.
type Shades struct {
	ground Color
	kept   [shadeSlots]shade
}

const shadeBits, shadeSlots = 10, 1 << shadeBits

// shade is an ink, and its inputs; 0 for none.
type shade struct {
	of  uint64
	ink Ink
}

// Use sets the ground with which colors are mixed.
func (s *Shades) Use(ground Color) {
	if s.ground != ground {
		*s = Shades{ground: ground}
	}
}

// Mixed returns the ink of Mix(ground, c, share). It is valid until the next call.
func (s *Shades) Mixed(c Color, share uint8) *Ink {
	k, made := s.at(uint64(share)<<8|1, c)
	if !made {
		k.ink = InkOf(Mix(s.ground, c, share))
	}
	return &k.ink
}

// Plain returns the ink of a color. It is valid until the next call.
func (s *Shades) Plain(c Color) *Ink {
	k, made := s.at(2, c)
	if !made {
		k.ink = InkOf(c)
	}
	return &k.ink
}

// at returns the place of an ink, and whether it is there.
func (s *Shades) at(how uint64, c Color) (k *shade, made bool) {
	of := how<<32 | uint64(c.R) | uint64(c.G)<<8 | uint64(c.B)<<16 | uint64(c.A)<<24
	k = &s.kept[of*0x9e3779b97f4a7c15>>(64-shadeBits)]
	made = k.of == of
	k.of = of
	return k, made
}

// Mix returns a with the given share (0…255) of b, opaque as a is.
func Mix(a, b Color, share uint8) Color {
	m := func(x, y uint8) uint8 {
		return uint8((int(x)*(255-int(share)) + int(y)*int(share) + 127) / 255)
	}
	return Color{R: m(a.R, b.R), G: m(a.G, b.G), B: m(a.B, b.B), A: a.A}
}

// Highlight returns the color of a bar with its collector under the mouse in some panel: further
// from the ground.
func Highlight(c Color, th *assets.Theme) Color { return Mix(c, Color(th.Text), 72) }

// Dim returns the color of a bar that steps back, on a ground: outside a search or a filter.
func Dim(c Color, ground assets.Color) Color { return Mix(c, Color(ground), 150) }

// Paint is a premultiplied color in steps of 1/FullPaint, so that rounding happens once, as on the GPU.
type Paint struct{ R, G, B, A uint32 }

// FullPaint is the opacity of a paint that hides what is under it.
const FullPaint = 65535

// PaintOf returns a vertex' color times k.
func PaintOf(v *Vertex, k float32) Paint {
	return Paint{part(v.R * k), part(v.G * k), part(v.B * k), part(v.A * k)}
}

func part(x float32) uint32 { return uint32(bound(x, 0, 1)*FullPaint + 0.5) }

// scaled returns the paint with a texel's opacity.
func (c Paint) scaled(alpha uint8) Paint {
	k := uint32(alpha) * 257
	return Paint{scale16(c.R, k), scale16(c.G, k), scale16(c.B, k), scale16(c.A, k)}
}

func scale16(x, k uint32) uint32 { return uint32((uint64(x)*uint64(k) + FullPaint/2) / FullPaint) }

// over puts the paint over one pixel, source-over.
func (c Paint) over(px []uint8) {
	_ = px[3]
	if c.A == FullPaint {
		px[0], px[1], px[2], px[3] = to8(c.R), to8(c.G), to8(c.B), 255
		return
	}
	rest := FullPaint - c.A
	px[0] = to8(min(FullPaint, c.R+blend8(px[0], rest)))
	px[1] = to8(min(FullPaint, c.G+blend8(px[1], rest)))
	px[2] = to8(min(FullPaint, c.B+blend8(px[2], rest)))
	px[3] = to8(min(FullPaint, c.A+blend8(px[3], rest)))
}

// blend8 returns an 8-bit component times rest, in paint steps. 257 · 255 · 65535 is below 2^32.
func blend8(v uint8, rest uint32) uint32 { return (uint32(v)*257*rest + FullPaint/2) / FullPaint }

// to8 rounds paint steps to 8 bits.
func to8(x uint32) uint8 { return uint8((x + 128) / 257) }

// fill puts the paint over a row of pixels.
func (c Paint) fill(row []uint8) {
	if c.A != FullPaint {
		if c == (Paint{}) {
			return
		}
		for i := 0; i+4 <= len(row); i += 4 {
			c.over(row[i : i+4 : i+4])
		}
		return
	}
	c.over(row[:4:4])
	for n := 4; n < len(row); n *= 2 {
		copy(row[n:], row[:n])
	}
}
