package draw

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"framescope/internal/escape"
)

// svg writes the picture as Image draws it: shapes as shapes, and text as text that can be searched
// and copied. Fonts are the reader's own where the Go fonts are not there; each text keeps its
// width. The error is that of w.
func (p *Picture) svg(w io.Writer) error {
	s := &svg{name: p.Name, w: bufio.NewWriterSize(w, 1<<16), clips: map[Rect]int{}, hatches: map[string]int{}}
	seen := p.Seen
	fmt.Fprintf(s.w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s %s %s %s" width="%[3]s" height="%[4]s" `+
		"font-family=\"'Go', 'Helvetica Neue', Helvetica, Arial, sans-serif\">\n", px(seen.X0), px(seen.Y0), px(seen.W()),
		px(seen.H()))
	if p.Ground.A != 0 {
		s.gather(colorAttr("fill", p.Ground), box(seen))
	}
	for _, l := range p.Lists {
		if l != nil {
			s.list(l)
		}
	}
	s.flush()
	s.w.WriteString("</svg>\n")
	return s.w.Flush()
}

// box returns the path of a rectangle.
func box(r Rect) string {
	return fmt.Sprintf("M%s %sh%sv%sh%sz", px(r.X0), px(r.Y0), px(r.W()), px(r.H()), px(-r.W()))
}

// svg writes one picture.
type svg struct {
	w     *bufio.Writer
	name  string // before each id
	paint string // of the shapes gathered
	shape strings.Builder
	clips map[Rect]int
	defs  int // patterns and gradients made
	// hatches are the patterns by color.
	hatches map[string]int
}

// list writes the shapes of a list, and in their places its texts and lines.
func (s *svg) list(l *List) {
	at := 0
	for i := range l.notes {
		n := &l.notes[i]
		s.shapes(l, at, n.at)
		at = n.until
		if n.line {
			s.line(n)
		} else {
			s.text(l, n)
		}
	}
	s.shapes(l, at, len(l.Indices))
}

// shapes writes the shapes between two indices of a list.
func (s *svg) shapes(l *List, from, to int) {
	for i := from; i+3 <= to; {
		is := l.Indices[i:to]
		if len(is) >= 6 && isQuad(is) {
			v := (*[4]Vertex)(l.Vertices[is[0]:])
			if isUpright(v) {
				s.rect(l, v)
				i += 6
				continue
			}
		}
		a, b, c := &l.Vertices[is[0]], &l.Vertices[is[1]], &l.Vertices[is[2]]
		s.gather(paintAttr("fill", a), fmt.Sprintf("M%s %sL%s %sL%s %sz", px(a.X), px(a.Y), px(b.X), px(b.Y), px(c.X),
			px(c.Y)))
		i += 3
	}
}

// rect writes an upright rectangle: filled with a color, two, or stripes.
func (s *svg) rect(l *List, v *[4]Vertex) {
	at := box(Rect{v[0].X, v[0].Y, v[2].X, v[2].Y})
	switch {
	case l.atlas != nil && v[0].U != whiteU && l.atlas.hatch.Contains(v[0].U, v[0].V):
		s.gather(s.hatch(l.atlas, &v[0]), at)
	case !v[0].sameColor(&v[2]):
		s.flush()
		s.defs++
		fmt.Fprintf(s.w, `<linearGradient id="%sd%d" x1="0" x2="0" y1="0" y2="1"><stop %s/><stop offset="1" %s/></linearGradient>`+"\n",
			s.name, s.defs, paintAttr("stop", &v[0]), paintAttr("stop", &v[2]))
		s.gather(fmt.Sprintf(`fill="url(#%sd%d)"`, s.name, s.defs), at)
		s.flush()
	default:
		s.gather(paintAttr("fill", &v[0]), at)
	}
}

// gather adds a shape to those before it, if they have one look and are opaque; else it begins
// anew.
func (s *svg) gather(paint, shape string) {
	if paint != s.paint || strings.Contains(paint, "opacity") || strings.Contains(paint, "url") {
		s.flush()
	}
	s.paint = paint
	s.shape.WriteString(shape)
}

// flush writes the shapes gathered.
func (s *svg) flush() {
	if s.shape.Len() > 0 {
		fmt.Fprintf(s.w, `<path %s d="%s"/>`+"\n", s.paint, s.shape.String())
		s.shape.Reset()
	}
}

// hatch returns the look of stripes in the color of a corner.
func (s *svg) hatch(a *Atlas, v *Vertex) string {
	color := paintAttr("stroke", v)
	n, known := s.hatches[color]
	if !known {
		s.flush()
		s.defs++
		n = s.defs
		s.hatches[color] = n
		p := math.Round(float64(a.scale) * 6)
		fmt.Fprintf(s.w, `<pattern id="%sd%d" patternUnits="userSpaceOnUse" width="%v" height="%[3]v"><path %s stroke-width="%.3g" `+
			`d="M-1 1L1 -1M-1 %[6]vL%[6]v -1M%[7]v %[6]vL%[6]v %[7]v"/></pattern>`+"\n",
			s.name, n, p, color, max(0.9, float64(a.scale)*0.9), p+1, p-1)
	}
	return fmt.Sprintf(`fill="url(#%sd%d)"`, s.name, n)
}

// line writes a straight line.
func (s *svg) line(n *note) {
	s.flush()
	fmt.Fprintf(s.w, `<path%s fill="none" %s stroke-width="%s" d="M%s %sL%s %s"/>`+"\n", s.clip(n.clip, n.box.bounds()),
		colorAttr("stroke", n.color), px(n.width), px(n.box.X0), px(n.box.Y0), px(n.box.X1), px(n.box.Y1))
}

// bounds returns the rectangle between two points in any order.
func (r Rect) bounds() Rect {
	return Rect{min(r.X0, r.X1), min(r.Y0, r.Y1), max(r.X0, r.X1), max(r.Y0, r.Y1)}
}

// text writes a text, as wide as it is on the screen.
func (s *svg) text(l *List, n *note) {
	if n.at == n.until {
		return // it is invisible
	}
	s.flush()
	f := &l.atlas.faces[n.face]
	look := ""
	switch n.face {
	case Medium, Large:
		look = ` font-weight="500"`
	case Mono:
		look = ` font-family="'Go Mono', Menlo, Consolas, monospace"`
	}
	extent := Rect{n.box.X0, n.box.Y0 - f.descent, n.box.X1, n.box.Y1 + f.descent}
	fmt.Fprintf(s.w, `<text%s x="%s" y="%s" font-size="%s" textLength="%s"%s %s xml:space="preserve">`,
		s.clip(n.clip, extent),
		px(n.box.X0), px(n.box.Y1), px(float32(f.ppem)), px(n.box.W()), look, colorAttr("fill", n.color))
	xml.EscapeText(s.w, []byte(escape.Line(string(l.said[n.from:n.to]))))
	s.w.WriteString("</text>\n")
}

// clip returns the attribute that cuts a shape at a rectangle; empty if it lies inside.
func (s *svg) clip(at, what Rect) string {
	if what.X0 >= at.X0 && what.Y0 >= at.Y0 && what.X1 <= at.X1 && what.Y1 <= at.Y1 {
		return ""
	}
	n, known := s.clips[at]
	if !known {
		n = len(s.clips) + 1
		s.clips[at] = n
		fmt.Fprintf(s.w, `<clipPath id="%sc%d"><path d="%s"/></clipPath>`+"\n", s.name, n, box(at))
	}
	return fmt.Sprintf(` clip-path="url(#%sc%d)"`, s.name, n)
}

// paintAttr returns the attributes for the color of a corner: its fill, stroke or stop.
func paintAttr(of string, v *Vertex) string {
	if !(v.A > 0) {
		return colorAttr(of, Color{})
	}
	full := func(x float32) uint8 { return uint8(bound(x/v.A*255, 0, 255) + 0.5) }
	return colorAttr(of, Color{full(v.R), full(v.G), full(v.B), uint8(bound(v.A*255, 0, 255) + 0.5)})
}

// colorAttr returns the attributes for a color.
func colorAttr(of string, c Color) string {
	name := of
	if of == "stop" {
		name = "stop-color"
	}
	out := fmt.Sprintf(`%s="#%02x%02x%02x"`, name, c.R, c.G, c.B)
	if c.A != 255 {
		out += fmt.Sprintf(` %s-opacity="%.3g"`, of, float64(c.A)/255)
	}
	return out
}

// px returns a number of pixels as text, in hundredths.
func px(x float32) string {
	return strconv.FormatFloat(math.Round(float64(x)*100)/100, 'f', -1, 64)
}
