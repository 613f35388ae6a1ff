package draw

// paint is a premultiplied colour in steps of 1/65535 of full, so that rounding happens once, as on
// the GPU.
type paint struct{ r, g, b, a uint32 }

const fullPaint = 65535

// paintOf returns a vertex' colour times k.
func paintOf(v *Vertex, k float32) paint {
	return paint{part(v.R * k), part(v.G * k), part(v.B * k), part(v.A * k)}
}

func part(x float32) uint32 { return uint32(bound(x, 0, 1)*fullPaint + 0.5) }

// scaled returns the paint with a texel's opacity.
func (c paint) scaled(alpha uint8) paint {
	k := uint32(alpha) * 257
	return paint{scale16(c.r, k), scale16(c.g, k), scale16(c.b, k), scale16(c.a, k)}
}

func scale16(x, k uint32) uint32 { return uint32((uint64(x)*uint64(k) + fullPaint/2) / fullPaint) }

// over puts the paint over one pixel, source-over.
func (c paint) over(px []uint8) {
	_ = px[3]
	if c.a == fullPaint {
		px[0], px[1], px[2], px[3] = to8(c.r), to8(c.g), to8(c.b), 255
		return
	}
	rest := fullPaint - c.a
	px[0] = to8(min(fullPaint, c.r+blend8(px[0], rest)))
	px[1] = to8(min(fullPaint, c.g+blend8(px[1], rest)))
	px[2] = to8(min(fullPaint, c.b+blend8(px[2], rest)))
	px[3] = to8(min(fullPaint, c.a+blend8(px[3], rest)))
}

// blend8 returns an 8-bit component times rest, in paint steps. 257 · 255 · 65535 is below 2^32.
func blend8(v uint8, rest uint32) uint32 { return (uint32(v)*257*rest + fullPaint/2) / fullPaint }

// to8 rounds paint steps to 8 bits.
func to8(x uint32) uint8 { return uint8((x + 128) / 257) }

// fill puts the paint over a row of pixels.
func (c paint) fill(row []uint8) {
	if c.a != fullPaint {
		if c == (paint{}) {
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
