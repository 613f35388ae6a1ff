package draw

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
