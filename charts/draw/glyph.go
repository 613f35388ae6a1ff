package draw

import (
	"image"
	"math"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/hajimehoshi/bitmapfont/v4"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"framescope/assets"
	"framescope/internal/escape"
)

// glyph is one character's picture in the atlas. All numbers are whole.
type glyph struct {
	u, v    float32 // top left in the texture
	w, h    float32 // size in the texture; 0: nothing to draw
	x, y    float32 // top left of the picture from the pen on the baseline, pixels
	times   float32 // pixels per texel
	advance float32
}

// glyphPage is the glyphs of neighbouring characters, nil for unused ones. Reading takes no lock:
// labels are full of "µ", "·" and "…".
type glyphPage [1 << pageBits]atomic.Pointer[glyph]

const pageBits = 9

// face is one font at one size.
type face struct {
	*cut
	others [(utf8.MaxRune + 1) >> pageBits]atomic.Pointer[glyphPage]
}

// cut is the part of a face that never changes: it is read without a lock.
type cut struct {
	font            *sfnt.Font
	ppem            float64
	ascent, descent float32

	capHeight float32
	mono      float32 // advance of all glyphs, 0: each its own
	zones     zones
	ascii     [128]glyph
	missing   glyph // a hollow box
}

// cut rasterises the common glyphs of a face. The embedded fonts are known to be sound: a font that cannot
// be parsed is a broken build, and panics.
func (a *Atlas) cut(ttf []byte, ppem float64, mono bool) *cut {
	parsed, err := sfnt.Parse(ttf)
	if err != nil {
		panic("draw: embedded font: " + err.Error())
	}
	f := &cut{font: parsed, ppem: ppem}
	f.zones = a.raster.measureZones(parsed, ppem)
	f.capHeight = float32(f.zones.capHeight())
	m, err := parsed.Metrics(&a.raster.buffer, fixed.Int26_6(math.Round(ppem*64)), 0)
	if err != nil {
		panic("draw: embedded font: " + err.Error())
	}
	f.ascent, f.descent = float32(m.Ascent.Ceil()), float32(m.Descent.Ceil())
	if mono {
		f.mono = float32(math.Round(a.raster.advance(parsed, 'x', ppem)))
	}
	f.missing = a.box(f)
	for r := range f.ascii {
		if r < ' ' || r == 0x7f {
			f.ascii[r] = f.missing
			continue
		}
		if g, ok := a.outline(f, rune(r)); ok {
			f.ascii[r] = g
		} else {
			f.ascii[r] = f.missing
		}
	}
	f.ascii['\t'] = f.ascii[' '] // names with a tab in them are legible
	return f
}

// newGlyph makes the glyph of a character that is not ASCII: from the face, else from the bitmap
// font, else a hollow box. a.mu is held.
func (a *Atlas) newGlyph(fc Face, r rune) *glyph {
	f := a.faces[fc].cut
	switch {
	case escape.Joins(r):
		return &glyph{}
	case unicode.Is(unicode.Zs, r):
		return &f.ascii[' ']
	case !escape.IsVisible(r):
		return &f.missing
	}
	if g, ok := a.symbol(f, r); ok {
		return &g
	}
	if g, ok := a.outline(f, r); ok {
		return &g
	}
	if g, ok := a.emoji(f, r); ok {
		return &g
	}
	if g := a.bitmap(r); g != nil {
		return g
	}
	return &f.missing
}

// fallbackFont has emoji, and letters that the faces lack.
var fallbackFont = sync.OnceValue(func() *sfnt.Font {
	parsed, err := sfnt.Parse(assets.Fallback())
	if err != nil {
		panic("draw: embedded font: " + err.Error())
	}
	return parsed
})

// emoji rasterises a glyph of the fallback font at the size of the face.
func (a *Atlas) emoji(f *cut, r rune) (g glyph, ok bool) {
	if r < firstFallback {
		return glyph{}, false
	}
	other := cut{font: fallbackFont(), ppem: f.ppem}
	if g, ok = a.outline(&other, r); ok && unicode.Is(unicode.Mn, r) {
		g.advance = 0
	}
	return g, ok
}

// firstFallback is the first letter of Hebrew: what comes before is in the faces, or nowhere.
const firstFallback = 0x590

// outline rasterises a glyph of the face; ok is false when the font lacks it, or the atlas is full.
func (a *Atlas) outline(f *cut, r rune) (g glyph, ok bool) {
	index, err := f.font.GlyphIndex(&a.raster.buffer, r)
	if err != nil || index == 0 {
		return glyph{}, false
	}
	g = glyph{times: 1, advance: f.mono}
	if f.mono == 0 {
		g.advance = float32(math.Round(a.raster.advance(f.font, r, f.ppem)))
	}
	mask, at := a.raster.draw(f.font, index, f.ppem, &f.zones)
	if mask == nil {
		return g, true // a space
	}
	return a.add(g, mask, at)
}

// symbol makes the glyph of a sign that is drawn by this package.
func (a *Atlas) symbol(f *cut, r rune) (g glyph, ok bool) {
	s, width, ok := drawSymbol(r, float64(f.capHeight), math.Max(1, math.Round(float64(a.scale))))
	if !ok {
		return glyph{}, false
	}
	g = glyph{times: 1, advance: f.mono}
	side := float64(max(1, math.Round(float64(a.scale)))) // the free space left and right
	if r == '·' {
		side = math.Round(f.ppem/6 - width/2)
	}
	if f.mono == 0 {
		g.advance = float32(width + 2*side)
	} else {
		side = math.Floor((float64(f.mono) - width) / 2)
	}
	mask, at := s.mask(&a.raster)
	return a.add(g, mask, at.Add(image.Pt(int(side), 0)))
}

// add places a mask in the texture and completes the glyph; ok is false when the atlas is full.
func (a *Atlas) add(g glyph, mask *image.Alpha, at image.Point) (_ glyph, ok bool) {
	p, ok := a.place(mask.Rect.Dx(), mask.Rect.Dy())
	if !ok {
		return glyph{}, false
	}
	for y := range mask.Rect.Dy() {
		for x := range mask.Rect.Dx() {
			a.set(p.X+x, p.Y+y, mask.Pix[y*mask.Stride+x])
		}
	}
	g.u, g.v = float32(p.X), float32(p.Y)
	g.w, g.h = float32(mask.Rect.Dx()), float32(mask.Rect.Dy())
	g.x, g.y = float32(at.X), float32(at.Y)
	return g, true
}

// bitmap returns the glyph of the bitmap font, nil when it has none. One picture, unscaled, serves
// all faces.
func (a *Atlas) bitmap(r rune) *glyph {
	if g, ok := a.fallback[r]; ok {
		return g
	}
	g := a.newBitmap(r)
	a.fallback[r] = g
	return g
}

func (a *Atlas) newBitmap(r rune) *glyph {
	cell, mask, maskAt, advance, ok := bitmapfont.Face.Glyph(fixed.Point26_6{}, r)
	if !ok {
		return nil
	}
	// The ink inside the cell.
	var ink image.Rectangle
	isInk := func(x, y int) bool {
		_, _, _, alpha := mask.At(maskAt.X+x, maskAt.Y+y).RGBA()
		return alpha != 0
	}
	for y := range cell.Dy() {
		for x := range cell.Dx() {
			if isInk(x, y) {
				ink = ink.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if ink.Empty() {
		return nil
	}
	p, ok := a.place(ink.Dx(), ink.Dy())
	if !ok {
		return nil
	}
	for y := range ink.Dy() {
		for x := range ink.Dx() {
			if isInk(ink.Min.X+x, ink.Min.Y+y) {
				a.set(p.X+x, p.Y+y, 255)
			}
		}
	}
	times := float32(max(1, math.Floor(float64(a.scale)+0.25)))
	g := &glyph{
		u: float32(p.X), v: float32(p.Y), w: float32(ink.Dx()), h: float32(ink.Dy()),
		x: float32(cell.Min.X+ink.Min.X) * times, y: float32(cell.Min.Y+ink.Min.Y) * times,
		times: times, advance: float32(advance.Round()) * times,
	}
	if unicode.Is(unicode.Mn, r) { // an accent goes over the letter before it
		g.x -= g.advance
		g.advance = 0
	}
	return g
}

// box draws the hollow box for characters without a glyph.
func (a *Atlas) box(f *cut) glyph {
	stroke := max(1, int(a.scale+0.5))
	h := int(f.capHeight)
	w := max(h*2/3, 3*stroke)
	g := glyph{times: 1, x: float32(stroke), y: float32(-h), w: float32(w), h: float32(h), advance: float32(w + 2*stroke)}
	if f.mono > 0 {
		g.w = min(g.w, f.mono-2)
		g.x, g.advance = 1, f.mono
		w = int(g.w)
	}
	p, ok := a.place(w, h)
	if !ok {
		return glyph{advance: g.advance}
	}
	for y := range h {
		for x := range w {
			if x < stroke || y < stroke || x >= w-stroke || y >= h-stroke {
				a.set(p.X+x, p.Y+y, 255)
			}
		}
	}
	g.u, g.v = float32(p.X), float32(p.Y)
	return g
}
