package assets

import "math"

// LCh is a color in OKLCH: lightness 0…1, chroma, and hue in degrees from 0 to 360. The constants
// are those of Björn Ottosson's publication of the color space.
type LCh struct{ L, C, Hue float64 }

// LChOf returns a display color in OKLCH. Of greys the hue is 0.
func LChOf(c Color) LCh {
	l, a, b := oklab(c)
	x := LCh{L: l, C: math.Hypot(a, b)}
	if x.C > 1e-4 {
		x.Hue = wheel(math.Atan2(b, a) * 180 / math.Pi)
	}
	return x
}

// Color returns the display color. Colors outside sRGB lose chroma, not hue.
func (x LCh) Color() Color {
	sin, cos := math.Sincos(x.Hue * math.Pi / 180)
	for chroma := x.C; ; chroma -= 0.001 {
		r, g, b := oklabToLinear(x.L, chroma*cos, chroma*sin)
		if chroma <= 0.001 || inGamut(r) && inGamut(g) && inGamut(b) {
			return RGB(encode8(r), encode8(g), encode8(b))
		}
	}
}

// HueDistance returns how many degrees two hues are apart, 0 to 180.
func HueDistance(a, b float64) float64 {
	d := math.Abs(a - b)
	return min(d, 360-d)
}

// wheel brings an angle into 0 to 360.
func wheel(deg float64) float64 {
	if deg = math.Mod(deg, 360); deg < 0 {
		deg += 360
	}
	return deg
}

func inGamut(v float64) bool { return v >= -0.0005 && v <= 1.0005 }

func oklab(c Color) (l, a, b float64) {
	lr, lg, lb := SRGBToLinear(c.R, c.G, c.B)
	l1 := math.Cbrt(0.4122214708*lr + 0.5363325363*lg + 0.0514459929*lb)
	m1 := math.Cbrt(0.2119034982*lr + 0.6806995451*lg + 0.1073969566*lb)
	s1 := math.Cbrt(0.0883024619*lr + 0.2817188376*lg + 0.6299787005*lb)
	return 0.2104542553*l1 + 0.7936177850*m1 - 0.0040720468*s1,
		1.9779984951*l1 - 2.4285922050*m1 + 0.4505937099*s1,
		0.0259040371*l1 + 0.7827717662*m1 - 0.8086757660*s1
}

func oklabToLinear(l, a, b float64) (lr, lg, lb float64) {
	l1 := l + 0.3963377774*a + 0.2158037573*b
	m1 := l - 0.1055613458*a - 0.0638541728*b
	s1 := l - 0.0894841775*a - 1.2914855480*b
	l3, m3, s3 := l1*l1*l1, m1*m1*m1, s1*s1*s1
	return 4.0767416621*l3 - 3.3077115913*m3 + 0.2309699292*s3,
		-1.2684380046*l3 + 2.6097574011*m3 - 0.3413193965*s3,
		-0.0041960863*l3 - 0.7034186147*m3 + 1.7076147010*s3
}
