package draw

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
