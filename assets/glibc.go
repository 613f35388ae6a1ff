package assets

// GlibcColor returns the colour that the official viewer on Linux gives a collector without one:
// three numbers of the C library's generator, seeded with a hash of the full name, taken as linear
// components (notes on the official viewer, section 7).
func GlibcColor(fullName string) (r, g, b uint8) {
	lr, lg, lb := GlibcLinear(fullName)
	return LinearToSRGB(lr, lg, lb)
}

// GlibcLinear returns the linear components, 0…1, from which GlibcColor is made.
func GlibcLinear(fullName string) (r, g, b float32) {
	v := glibcRandom(glibcHash(fullName))
	const top = 1<<31 - 1
	return float32(float64(v[0]) / top), float32(float64(v[1]) / top), float32(float64(v[2]) / top)
}

// glibcHash is h·37 + byte, the bytes sign-extended, modulo 2^32.
func glibcHash(s string) uint32 {
	h := uint32(0)
	for i := 0; i < len(s); i++ {
		h = h*37 + uint32(int32(int8(s[i])))
	}
	return h
}

// glibcRandom returns the first three results of random() after srandom(seed): an additive feedback
// generator of degree 31 whose first 310 results are thrown away.
func glibcRandom(seed uint32) [3]uint32 {
	var r [344 + 3]uint32
	word := int32(seed)
	if word == 0 {
		word = 1
	}
	r[0] = uint32(word)
	for i := 1; i < 31; i++ {
		v := int64(16807) * int64(int32(r[i-1])) % (1<<31 - 1)
		if v < 0 {
			v += 1<<31 - 1
		}
		r[i] = uint32(v)
	}
	copy(r[31:34], r[:3])
	for i := 34; i < len(r); i++ {
		r[i] = r[i-3] + r[i-31]
	}
	return [3]uint32{r[344] >> 1, r[345] >> 1, r[346] >> 1}
}
