package assets

import "math"

// Bounds are the limits of the data colors on a theme, in OKLCH, so that none shouts and black
// text reads on all of them.
type Bounds struct {
	MinL, MaxL float64
	C          float64 // chroma; that of colors that were sent is at most that
}

// Level is one of the two lightnesses of data. Two are enough to separate neighbours; a hue is most
// distinct at these, neither darker nor brighter.
type Level uint8

// The levels.
const (
	Bright Level = iota
	Deep
)

// Other returns the other level.
func (l Level) Other() Level { return 1 - l }

// The accent's hues, in degrees: no data have them, nor any nearer than rounding to 8 bits may lead
// into them.
const (
	AccentFrom, AccentTo = 280, 320
	accentMargin         = 3
	freeFrom             = AccentTo + accentMargin // where the hues of data begin
	freeHues             = 360 - (AccentTo - AccentFrom) - 2*accentMargin
)

// Hue returns a hue of data: pos degrees along those that are free, which go round without the
// accent's.
func Hue(pos float64) float64 {
	if pos = math.Mod(pos, freeHues); pos < 0 {
		pos += freeHues
	}
	return wheel(freeFrom + pos)
}

// FreeHue returns a hue as data may have it, moved out of the accent's to the nearer side, and its
// position along those that are free.
func FreeHue(hue float64) (free, pos float64) {
	const mid = (AccentFrom + AccentTo) / 2
	free = wheel(hue)
	switch {
	case free >= mid && free < freeFrom:
		free = freeFrom
	case free > AccentFrom-accentMargin && free < mid:
		free = AccentFrom - accentMargin
	}
	return free, wheel(free - freeFrom)
}

// NumFamilies is the number of hues that are distinct at one lightness.
const NumFamilies = 12

// FamilyPos returns the position of the hue of a family: a collector without a parent, and all
// below it.
func FamilyPos(slot int) float64 {
	return (float64(slot%NumFamilies) + 0.5) * (freeHues / float64(NumFamilies))
}

// FamilySlot returns the family of a name, 0 to NumFamilies-1, the same in every session and on
// every machine.
func FamilySlot(name string) int { return int(hashName(name) % NumFamilies) }

// childSteps are how far a child's hue is from its parent's, in degrees: two on different sides are
// further apart than a family is from the next.
var childSteps = [...]float64{23, 14, 20, 17}

// ChildPos returns the position of the hue of a child, on one side of that of its parent, by its
// name; the tries after the first are others.
func ChildPos(parent float64, name string, left bool, try int) float64 {
	step := childSteps[(int(hashName(name)%uint32(len(childSteps)))+try)%len(childSteps)]
	if left {
		step = -step
	}
	return parent + step
}

// Color returns a color of data.
func (b Bounds) Color(hue float64, level Level) Color { return b.Muted(hue, level, b.C) }

// Muted is Color of another chroma.
func (b Bounds) Muted(hue float64, level Level, chroma float64) Color {
	const inside = 0.002 // of rounding to 8 bits
	x := LCh{L: b.MaxL - inside, C: chroma, Hue: hue}
	if level == Deep {
		x.L = b.MinL + inside
	}
	return x.Color()
}

// Clamp returns a color that was sent as one of data: it keeps its hue, unless that is the
// accent's, and its chroma as far as data have any; of lightness it has the nearer one.
func (b Bounds) Clamp(c Color) (hue, chroma float64, level Level) {
	x := LChOf(c)
	hue, _ = FreeHue(x.Hue)
	if x.L < (b.MinL+b.MaxL)/2 {
		level = Deep
	}
	return hue, min(x.C, b.C), level
}

// NameColor returns the color of something identified by its name alone: the same name has the
// same color wherever it appears. The part after a colon is a child of the part before it.
func (t *Theme) NameColor(name string) Color {
	hue, level := NameHue(name)
	return t.Data.Color(hue, level)
}

// NameHue returns the hue and the level that NameColor gives a name.
func NameHue(name string) (hue float64, level Level) {
	pos, begin, first := 0.0, 0, true
	for i := 0; i <= len(name); i++ {
		if i < len(name) && (name[i] != ':' || i == 0) {
			continue
		}
		if part := name[begin:i]; first {
			pos, first = FamilyPos(FamilySlot(part)), false
		} else {
			pos, level = ChildPos(pos, part, hashName(name[:i])&64 != 0, 0), level.Other()
		}
		begin = i + 1
	}
	return Hue(pos), level
}

// numNumbered is the number of colors for numbered things.
const numNumbered = 2 * NumFamilies

// numbers sets the colors of numbered things: neighbours in number are as different as possible.
func (t Theme) numbers() Theme {
	const first, stride = 10, 5 // blue; a step that has no divisor in common with the number of families
	for n := range t.numbered {
		level := Level(n / NumFamilies)
		t.numbered[n] = t.Data.Color(Hue(FamilyPos(first+n*stride+2*int(level))), level)
	}
	return t
}

// Numbered returns the color of the thing of a number (a processor, a thread): the number alone
// decides.
func (t *Theme) Numbered(n int) Color {
	if n < 0 {
		n = -(n + 1)
	}
	return t.numbered[n%numNumbered]
}

// hashName is FNV-1a, finished so that names that differ in one letter do not end side by side.
func hashName(s string) uint32 {
	// The usual beginning of FNV would do. From this one on App is blue, Cull green, Draw orange and GC
	// teal, far from each other: these four stand side by side in most games.
	h := uint32(12742)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	h ^= h >> 16
	h *= 0x7feb352d
	h ^= h >> 15
	h *= 0x846ca68b
	h ^= h >> 16
	return h
}
