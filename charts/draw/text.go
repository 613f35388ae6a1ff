package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hajimehoshi/bitmapfont/v4"
	"golang.org/x/text/language"
)

// ellipsis ends text that was cut.
const ellipsis = '…'

// Text draws one line of text; y is the top of its line box. It returns the advance width in
// pixels. Characters stand on whole pixels; those without a glyph (control characters, broken
// UTF-8, other scripts) are a hollow box.
func (l *List) Text(f Face, x, y float32, s string, c Color) float32 {
	if l.atlas == nil {
		return 0
	}
	pen := snap(bound(x, -farPx, farPx))
	baseline := snap(bound(y, -farPx, farPx)) + l.atlas.faces[f].ascent
	at := len(l.Indices)
	end := l.glyphs(f, pen, baseline, s, c, l.clip)
	l.noteText(f, s, "", pen, end, baseline, l.clip, c, at)
	return end - pen
}

// TextIn draws text in a rectangle, vertically centred, never outside it. Text that is too long is
// cut and ends with "…"; where not even three letters and the "…" fit (nor the whole string),
// nothing is drawn and the answer is false.
func (l *List) TextIn(f Face, r Rect, al Align, s string, c Color) bool {
	return l.textIn(f, r, al, s, c, true)
}

// TextFit draws text in a rectangle like TextIn, but only if the whole of it fits. It reports whether
// it does.
func (l *List) TextFit(f Face, r Rect, al Align, s string, c Color) bool {
	return l.textIn(f, r, al, s, c, false)
}

// TextPlate draws text like TextFit, on a filled plate that keeps it legible over hatching and
// lines.
func (l *List) TextPlate(f Face, r Rect, al Align, s string, c, plate Color) bool {
	if l.atlas == nil || s == "" {
		return false
	}
	r = snapRect(r)
	width, height := l.atlas.Measure(f, s), l.atlas.LineHeight(f)
	pad := snap(3 * l.atlas.scale)
	if width+2*pad > r.W() || height > r.H() {
		return false
	}
	x := r.X0
	switch al {
	case Center:
		x = snap((r.X0 + r.X1 - width - 2*pad) / 2)
	case Right:
		x = r.X1 - width - 2*pad
	}
	y := snap((r.Y0 + r.Y1 - height) / 2)
	box := Rect{x, y, x + width + 2*pad, y + height}
	l.Rect(box, plate)
	return l.TextFit(f, Rect{box.X0 + pad, box.Y0, box.X1 - pad, box.Y1}, Left, s, c)
}

func (l *List) textIn(f Face, r Rect, al Align, s string, c Color, cut bool) bool {
	if l.atlas == nil || s == "" {
		return false
	}
	r = snapRect(r)
	face := &l.atlas.faces[f]
	room := r.W()
	if r.H() < face.capHeight || room <= 0 {
		return false
	}
	width, whole := l.atlas.fits(f, s, room)
	var ell *glyph
	cutAt := len(s)
	if !whole {
		if !cut {
			return false
		}
		ell = l.atlas.glyph(f, ellipsis)
		letters := 0
		if cutAt, width, letters = l.atlas.begin(f, s, room-ell.advance); letters < leastLetters {
			return false
		}
		width += ell.advance
	}
	pen := r.X0
	switch al {
	case Center:
		pen = snap((r.X0 + r.X1 - width) / 2)
	case Right:
		pen = r.X1 - width
	}
	clip := l.clip.Intersect(r)
	baseline := snap((r.Y0 + r.Y1 + face.capHeight) / 2)
	at, begin, mark := len(l.Indices), pen, ""
	pen = l.glyphs(f, pen, baseline, s[:cutAt], c, clip)
	if !whole {
		mark = string(ellipsis)
		cr, cg, cb, ca := premultiply(c)
		l.glyph(ell, pen, baseline, clip, cr, cg, cb, ca)
	}
	l.noteText(f, s[:cutAt], mark, begin, begin+width, baseline, clip, c, at)
	return true
}

// fits returns the width of a line of text, and whether it is no wider than the room; of one that is
// wider the width is that of a part.
func (a *Atlas) fits(f Face, s string, room float32) (width float32, whole bool) {
	ascii := &a.faces[f].ascii
	s = inOrder(s)
	for i := 0; i < len(s); {
		if ch := s[i]; ch < utf8.RuneSelf {
			width += ascii[ch].advance
			i++
		} else {
			g, n := a.next(f, s[i:])
			width += g.advance
			i += n
		}
		if width > room {
			return width, false
		}
	}
	return width, true
}

// begin returns how many bytes of a line of text fit into the room, how wide they are, and how many
// letters.
func (a *Atlas) begin(f Face, s string, room float32) (n int, width float32, letters int) {
	for n < len(s) {
		g, k := a.next(f, s[n:])
		if width+g.advance > room {
			break
		}
		n, width, letters = n+k, width+g.advance, letters+1
	}
	return n, width, letters
}

// inOrder returns a text in the order in which its letters stand from left to right: of Arabic and Hebrew that is
// not the order in which they are read, and Arabic ones are joined; in India some vowels stand before their consonant.
func inOrder(s string) string {
	for i := range len(s) {
		if s[i] >= 0xd6 && s[i] <= 0xe0 { // the first bytes of U+0580 to U+0FFF
			return reordered(vowelsFirst(s))
		}
	}
	return s
}

// Of Devanagari, Bengali and Tamil: the vowels that are stored behind the consonants which they stand before, and the
// signs that join two consonants.
const (
	vowelsBefore = "\u093f\u09bf\u09c7\u09c8\u0bc6\u0bc7\u0bc8"
	joiners      = "\u094d\u09cd\u0bcd"
)

// vowelsFirst moves vowels to the left of the consonants that they stand before.
func vowelsFirst(s string) string {
	out := []rune(s)
	for i, r := range out {
		if i == 0 || !strings.ContainsRune(vowelsBefore, r) {
			continue
		}
		at := i - 1
		for at >= 2 && strings.ContainsRune(joiners, out[at-1]) {
			at -= 2
		}
		copy(out[at+1:i+1], out[at:i])
		out[at] = r
	}
	return string(out)
}

// reordered puts each stretch in order that begins and ends with a letter written from right to left.
func reordered(s string) string {
	out, done, from, to := make([]byte, 0, len(s)), 0, -1, 0
	put := func() {
		if from >= 0 {
			out = append(out, s[done:from]...)
			out = append(out, bitmapfont.PresentationForms(s[from:to], bitmapfont.DirectionRightToLeft, language.Und)...)
			done, from = to, -1
		}
	}
	for i, r := range s {
		switch {
		case r >= firstFallback && r <= lastLeftward:
			if from < 0 {
				from = i
			}
			to = i + utf8.RuneLen(r)
		case unicode.IsLetter(r):
			put()
		}
	}
	put()
	return string(append(out, s[done:]...))
}

// lastLeftward is the last letter of the scripts that are written from right to left, which begin with Hebrew.
const lastLeftward = 0x8ff

// glyphs adds the glyphs of s, cut at clip, and returns where the pen ends.
func (l *List) glyphs(f Face, pen, baseline float32, s string, c Color, clip Rect) float32 {
	r, g, b, a := premultiply(c)
	shown := !clip.Empty() && c.A != 0
	s = inOrder(s)
	for i := 0; i < len(s); {
		var gl *glyph
		if ch := s[i]; ch < utf8.RuneSelf {
			gl = &l.atlas.faces[f].ascii[ch]
			i++
		} else {
			var n int
			gl, n = l.atlas.next(f, s[i:])
			i += n
		}
		if gl.w > 0 && shown {
			l.glyph(gl, pen, baseline, clip, r, g, b, a)
		}
		pen += gl.advance
	}
	return pen
}

// glyph adds one glyph, cut at clip.
func (l *List) glyph(gl *glyph, pen, baseline float32, clip Rect, r, g, b, a float32) {
	p := Rect{pen + gl.x, baseline + gl.y, pen + gl.x + gl.w*gl.times, baseline + gl.y + gl.h*gl.times}
	u0, v0, u1, v1 := gl.u, gl.v, gl.u+gl.w, gl.v+gl.h
	if p.X0 < clip.X0 || p.Y0 < clip.Y0 || p.X1 > clip.X1 || p.Y1 > clip.Y1 {
		q := p.Intersect(clip)
		if q.Empty() {
			return
		}
		u0, u1 = u0+(q.X0-p.X0)/gl.times, u1-(p.X1-q.X1)/gl.times
		v0, v1 = v0+(q.Y0-p.Y0)/gl.times, v1-(p.Y1-q.Y1)/gl.times
		p = q
	}
	l.quad(&p, u0, v0, u1, v1, r, g, b, a)
}
