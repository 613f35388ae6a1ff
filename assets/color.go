package assets

import "math"

// The lightness and chroma of every colour made from a name: no bar shouts, and black text reads on
// all of them.
const (
	nameLightness = 0.66
	nameChroma    = 0.105
	// nameHues is the number of different hues. Two names get either the same hue or one that differs
	// by 20 degrees or more: a difference that is seen.
	nameHues = 18
)

// NameColor returns a colour for a collector that has none: OKLCH with constant lightness and
// chroma, and a hue from the full name. The same name has the same colour in every session and on
// every machine, and a collector ("Draw:Flip") never looks like its parent ("Draw"), on which it is
// stacked.
func NameColor(fullName string) (r, g, b uint8) {
	return oklch(nameLightness, nameChroma, NameHue(fullName))
}

// NameHue returns the OKLCH hue, in degrees from 0 to 360, that NameColor gives a name.
func NameHue(fullName string) float64 {
	// FNV-1a. At each colon the hash so far belongs to an ancestor; the next level's hue is two steps
	// or more away from the ancestor's.
	const apart = 2
	h := uint32(2166136261)
	index := uint32(0)
	first := true
	for i := 0; i <= len(fullName); i++ {
		if i == len(fullName) || fullName[i] == ':' && i > 0 {
			if first {
				index, first = scramble(h)%nameHues, false
			} else {
				index = (index + apart + scramble(h)%(nameHues-2*apart+1)) % nameHues
			}
		}
		if i < len(fullName) {
			h = (h ^ uint32(fullName[i])) * 16777619
		}
	}
	return float64(index) * (360.0 / nameHues)
}

// scramble finishes a hash: names that differ in one letter must not end in neighbouring hues.
func scramble(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x7feb352d
	h ^= h >> 15
	h *= 0x846ca68b
	h ^= h >> 16
	return h
}

// ApartFrom returns the colour of a name, moved on by some hues where it would look like that of
// the neighbour it is stacked on. Both are full names.
func ApartFrom(fullName, neighbour string) (r, g, b uint8) {
	hue, other := NameHue(fullName), NameHue(neighbour)
	d := math.Abs(hue - other)
	if d > 180 {
		d = 360 - d
	}
	if d < 30 {
		hue = math.Mod(hue+80, 360)
	}
	return oklch(nameLightness, nameChroma, hue)
}

// oklch converts lightness, chroma and hue (degrees) to sRGB. Colours outside sRGB lose chroma, not
// hue. The constants are those of Björn Ottosson's publication of the colour space.
func oklch(lightness, chroma, hueDeg float64) (r, g, b uint8) {
	sin, cos := math.Sincos(hueDeg * math.Pi / 180)
	for {
		lr, lg, lb := oklabToLinear(lightness, chroma*cos, chroma*sin)
		if chroma <= 0.001 || inGamut(lr) && inGamut(lg) && inGamut(lb) {
			return encode8(lr), encode8(lg), encode8(lb)
		}
		chroma -= 0.001
	}
}

func inGamut(v float64) bool { return v >= -0.0005 && v <= 1.0005 }

func oklabToLinear(l, a, b float64) (lr, lg, lb float64) {
	l1 := l + 0.3963377774*a + 0.2158037573*b
	m1 := l - 0.1055613458*a - 0.0638541728*b
	s1 := l - 0.0894841775*a - 1.2914855480*b
	l3, m3, s3 := l1*l1*l1, m1*m1*m1, s1*s1*s1
	return 4.0767416621*l3 - 3.3077115913*m3 + 0.2309699292*s3,
		-1.2684380046*l3 + 2.6097574011*m3 - 0.3413193965*s3,
		-0.0041960863*l3 - 0.7034186147*m3 + 1.7076147010*s3
}

// LinearToSRGB encodes linear colour components (0…1; others are clamped, NaN counts as 0) for the
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

// SRGBToLinear decodes a display colour to linear components 0…1.
func SRGBToLinear(r, g, b uint8) (lr, lg, lb float32) {
	return float32(decode8(r)), float32(decode8(g)), float32(decode8(b))
}

func decode8(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// TextOn returns the colour of text on a bar of the given colour: black or white, whichever has the
// higher contrast (relative luminance of WCAG 2; the two are equal at a luminance of 0.179).
func TextOn(r, g, b uint8) Color {
	// The squares of the encoded values stand for the linear ones (gamma 2 instead of 2.4): this is
	// asked for every bar of every frame.
	lum := 2126*uint32(r)*uint32(r) + 7152*uint32(g)*uint32(g) + 722*uint32(b)*uint32(b)
	const edge = 10000 * 255 * 255 * 195 / 1000 // grey 113: where gamma 2.4 gives 0.167, between the two contrasts and in favour of black
	if lum >= edge {
		return Color{0, 0, 0, 255}
	}
	return Color{255, 255, 255, 255}
}

// Highlight returns the colour of a bar under the mouse: the linear components times 0.75, as the
// official viewer shows it.
func Highlight(r, g, b uint8) (hr, hg, hb uint8) {
	return encode8(decode8(r) * 0.75), encode8(decode8(g) * 0.75), encode8(decode8(b) * 0.75)
}
