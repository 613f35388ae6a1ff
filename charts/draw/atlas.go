package draw

import (
	"image"
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"framescope/assets"
)

// The atlas starts with a white square, so that filled shapes and text are one texture and one draw
// call; all its texels are white with an opacity.
const (
	whiteSize      = 4
	whiteU, whiteV = whiteSize / 2.0, whiteSize / 2.0
	// minAtlasHeight is the height at the begin; it doubles up to maxAtlasHeight as glyphs come. After
	// that, new characters show as hollow boxes: all glyphs of the fallback font fit long before,
	// since they are kept unscaled.
	minAtlasHeight = 512
	maxAtlasHeight = 4096
)

// Atlas holds the glyphs of all faces at one scale factor in one texture. The printable ASCII
// characters are there from the begin, others are added on their first use. Positions of glyphs
// never change, so that a list stays valid for as long as its atlas.
//
// Measuring and filling lists may happen on several goroutines at once. Image and Changed are for
// the renderer: while they are used, no list may be filled.
type Atlas struct {
	scale float32
	faces [NumFaces]face
	hatch Rect // texture position of the hatch tile

	mu      sync.RWMutex // guards the fields below
	image   *image.RGBA
	shelves shelves
	// changes are the rectangles written, in order: the revision is their number.
	changes  []image.Rectangle
	fallback map[rune]*glyph // glyphs of the bitmap font, for all faces
	raster   rasterizer
}

// NewAtlas returns the atlas for a scale factor (physical pixels per unit of the window system).
// Factors outside 0.5…8 are clamped.
func NewAtlas(scale float64) *Atlas {
	if !(scale > 0.5) {
		scale = 0.5
	}
	scale = min(scale, 8)
	width := 1024
	if scale > 1.5 {
		width = 2048
	}
	begun.Lock()
	defer begun.Unlock()
	if begun.Atlas == nil || begun.scale != float32(scale) {
		begun.Atlas = newAtlas(scale, width)
	}
	first := begun.Atlas
	a := &Atlas{
		scale: first.scale, hatch: first.hatch, fallback: map[rune]*glyph{},
		image: image.NewRGBA(first.image.Rect), changes: slices.Clip(first.changes), shelves: first.shelves,
	}
	a.shelves.rows = slices.Clone(first.shelves.rows)
	copy(a.image.Pix, first.image.Pix)
	for f := range a.faces {
		a.faces[f].cut = first.faces[f].cut
	}
	return a
}

// begun has the common glyphs at the last scale factor. New atlases copy it, as rasterising them takes some ms.
var begun struct {
	sync.Mutex
	*Atlas
}

func newAtlas(scale float64, width int) *Atlas {
	a := &Atlas{scale: float32(scale), image: image.NewRGBA(image.Rect(0, 0, width, minAtlasHeight))}
	a.shelves.width, a.shelves.height = width, minAtlasHeight
	a.addWhite()
	a.addHatch()
	for f, d := range [NumFaces]struct {
		ttf  []byte
		size float64
		mono bool
	}{
		Regular: {assets.GoRegular(), 12, false},
		Medium:  {assets.GoMedium(), 12, false},
		Mono:    {assets.GoMono(), 12, true},
		Small:   {assets.GoRegular(), 10.5, false},
		Large:   {assets.GoMedium(), 16, false},
	} {
		a.faces[f].cut = a.cut(d.ttf, d.size*scale, d.mono)
	}
	a.image.Pix = slices.Clone(a.image.Pix[:a.shelves.bottom*a.image.Stride])
	return a
}

// Scale returns the scale factor.
func (a *Atlas) Scale() float32 { return a.scale }

// LineHeight returns the height of a face's line box in pixels, a whole number.
func (a *Atlas) LineHeight(f Face) float32 { return a.faces[f].ascent + a.faces[f].descent }

// Ascent returns the distance from the top of a face's line box to the baseline in pixels, a whole
// number.
func (a *Atlas) Ascent(f Face) float32 { return a.faces[f].ascent }

// Measure returns the advance width of a line of text in pixels, a whole number.
func (a *Atlas) Measure(f Face, s string) float32 {
	width := float32(0)
	s = inOrder(s)
	for i := 0; i < len(s); {
		if ch := s[i]; ch < utf8.RuneSelf {
			width += a.faces[f].ascii[ch].advance
			i++
			continue
		}
		g, n := a.next(f, s[i:])
		width += g.advance
		i += n
	}
	return width
}

// Image returns the texture: white, with the opacity of glyphs, premultiplied. It is replaced by a
// larger one as glyphs come: get it again after the revision changed.
func (a *Atlas) Image() *image.RGBA {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.image
}

// Revision changes whenever pixels of the texture did.
func (a *Atlas) Revision() uint64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return uint64(len(a.changes))
}

// Changed returns the smallest rectangle that holds all pixels changed since an earlier revision
// (0: all that were ever written), and the revision now.
func (a *Atlas) Changed(since uint64) (image.Rectangle, uint64) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	var r image.Rectangle
	for i := since; i < uint64(len(a.changes)); i++ {
		r = r.Union(a.changes[i])
	}
	return r, uint64(len(a.changes))
}

// next returns the glyph of the first character of s, which must not be empty, and the character's
// length in bytes.
func (a *Atlas) next(f Face, s string) (*glyph, int) {
	if ch := s[0]; ch < utf8.RuneSelf {
		return &a.faces[f].ascii[ch], 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError {
		return &a.faces[f].missing, n
	}
	return a.glyph(f, r), n
}

// glyph returns the glyph of a character that is not ASCII, adding it when it is new.
func (a *Atlas) glyph(f Face, r rune) *glyph {
	if page := a.faces[f].others[r>>pageBits].Load(); page != nil {
		if g := page[r&(1<<pageBits-1)].Load(); g != nil {
			return g
		}
	}
	return a.addGlyph(f, r)
}

// addGlyph adds a glyph, unless another goroutine was faster.
func (a *Atlas) addGlyph(f Face, r rune) *glyph {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := &a.faces[f].others[r>>pageBits]
	page := at.Load()
	if page == nil {
		page = new(glyphPage)
		at.Store(page)
	}
	g := page[r&(1<<pageBits-1)].Load()
	if g == nil {
		g = a.newGlyph(f, r)
		page[r&(1<<pageBits-1)].Store(g)
	}
	return g
}

// place finds room for a picture of w × h texels, growing the texture when it must; ok is false
// when the atlas is full. The caller writes the pixels.
func (a *Atlas) place(w, h int) (p image.Point, ok bool) {
	for {
		if p, ok := a.shelves.place(w, h); ok {
			a.changes = append(a.changes, image.Rect(p.X, p.Y, p.X+w, p.Y+h))
			return p, true
		}
		if a.shelves.height >= maxAtlasHeight || w > a.shelves.width {
			return image.Point{}, false
		}
		a.shelves.height *= 2
		old := a.image
		// A new image, not a longer slice of the same: a renderer that still holds the old one reads
		// valid pixels.
		a.image = image.NewRGBA(image.Rect(0, 0, a.shelves.width, a.shelves.height))
		copy(a.image.Pix, old.Pix)
	}
}

// set writes one texel: white with the given opacity, premultiplied.
func (a *Atlas) set(x, y int, alpha uint8) {
	p := a.image.Pix[a.image.PixOffset(x, y):]
	p[0], p[1], p[2], p[3] = alpha, alpha, alpha, alpha
}

// addWhite must come first: the constants whiteU and whiteV are the middle of the square.
func (a *Atlas) addWhite() {
	p, _ := a.place(whiteSize, whiteSize)
	for y := range whiteSize {
		for x := range whiteSize {
			a.set(p.X+x, p.Y+y, 255)
		}
	}
}

// addHatch draws the tile of diagonal stripes. Its sides are multiples of the stripes' period, so
// that tiles join without a seam.
func (a *Atlas) addHatch() {
	period := int(math.Round(float64(a.scale) * 6))
	strokePx := max(0.9, float64(a.scale)*0.9)
	w := 252 / period * period
	h := max(w/2/period, 1) * period
	p, _ := a.place(w, h)
	for y := range h {
		for x := range w {
			d := (x + y) % period
			d = min(d, period-d)
			coverage := strokePx/2 + 0.5 - float64(d)/math.Sqrt2
			a.set(p.X+x, p.Y+y, uint8(255*min(1, max(0, coverage))+0.5))
		}
	}
	a.hatch = Rect{float32(p.X), float32(p.Y), float32(p.X + w), float32(p.Y + h)}
}

// shelves packs rectangles into rows: each goes to the lowest row that is high enough, or opens a
// new one. One texel between neighbours stays free.
type shelves struct {
	width, height int
	rows          []shelf
	bottom        int // where the next row begins
}

type shelf struct{ y, height, used int }

func (s *shelves) place(w, h int) (p image.Point, ok bool) {
	best := -1
	for i, row := range s.rows {
		// A row much higher than the rectangle is left to those that need it.
		if row.height >= h && row.height <= h+h/3+3 && row.used+w <= s.width &&
			(best < 0 || row.height < s.rows[best].height) {
			best = i
		}
	}
	if best < 0 {
		height := (h + 1) &^ 1
		if w > s.width || s.bottom+height > s.height {
			return image.Point{}, false
		}
		s.rows = append(s.rows, shelf{y: s.bottom, height: height})
		s.bottom += height + 1
		best = len(s.rows) - 1
	}
	row := &s.rows[best]
	p = image.Pt(row.used, row.y)
	row.used += w + 1
	return p, true
}
