package draw

import (
	"image"
	"image/draw"
	"math"
)

// The signs that controls need are drawn here, since the Go fonts lack them (or, for the middle
// dot, have it at the height of an apostrophe) and the bitmap font has them in one size only.
// Coordinates are pixels, y up from the baseline; capital letters are capital high.

// point is a corner of an outline.
type point struct{ x, y float64 }

// sketch collects closed outlines. Where outlines of opposite direction overlap there is a hole.
type sketch struct{ outlines [][]point }

func (s *sketch) add(p ...point) { s.outlines = append(s.outlines, p) }

// box adds a rectangle; with hole it is cut out.
func (s *sketch) box(x0, y0, x1, y1 float64, hole bool) {
	if hole {
		s.add(point{x0, y0}, point{x0, y1}, point{x1, y1}, point{x1, y0})
		return
	}
	s.add(point{x0, y0}, point{x1, y0}, point{x1, y1}, point{x0, y1})
}

// stroke adds a line of the given width.
func (s *sketch) stroke(a, b point, width float64) {
	dx, dy := b.x-a.x, b.y-a.y
	k := width / 2 / math.Hypot(dx, dy)
	nx, ny := -dy*k, dx*k
	s.add(point{a.x - nx, a.y - ny}, point{b.x - nx, b.y - ny}, point{b.x + nx, b.y + ny}, point{a.x + nx, a.y + ny})
}

// star adds a polygon with corners on a circle, at radius outer or, every other pair, inner: a
// circle when both are equal, else a cogwheel.
func (s *sketch) star(cx, cy, outer, inner float64, corners int, hole bool) {
	p := make([]point, corners)
	for i := range p {
		angle := 2 * math.Pi * (float64(i) + 0.5) / float64(corners)
		if hole {
			angle = -angle
		}
		radius := outer
		if i/2%2 == 1 {
			radius = inner
		}
		p[i] = point{cx + radius*math.Cos(angle), cy + radius*math.Sin(angle)}
	}
	s.add(p...)
}

// drawSymbol returns the outlines of a sign and its width in pixels; ok is false for all other
// characters.
func drawSymbol(r rune, capital, stroke float64) (s sketch, width float64, ok bool) {
	h := capital
	line := max(stroke, math.Round(h/8))
	switch r {
	case '·':
		d := max(1, math.Round(h*0.17))
		y := math.Round(h*0.38 - d/2)
		s.box(0, y, d, y+d, false)
		return s, d, true
	case '▾':
		width = math.Round(h*0.45) * 2
		s.add(point{0, h * 0.7}, point{width / 2, h*0.7 - width*0.55}, point{width, h * 0.7})
	case '▴':
		width = math.Round(h*0.45) * 2
		s.add(point{0, h * 0.2}, point{width, h * 0.2}, point{width / 2, h*0.2 + width*0.55})
	case '▲', '◆', '●', '■': // marks: all look as large
		width = h
		switch r {
		case '▲':
			s.add(point{0, h * 0.05}, point{h, h * 0.05}, point{h / 2, h * 0.95})
		case '◆':
			s.add(point{h / 2, -h * 0.08}, point{h * 1.08, h / 2}, point{h / 2, h * 1.08}, point{-h * 0.08, h / 2})
		case '●':
			s.star(h/2, h/2, h*0.48, h*0.48, 24, false)
		case '■':
			s.box(h*0.1, h*0.1, h*0.9, h*0.9, false)
		}
	case '▸', '⏵':
		width = math.Round(h * 0.6)
		if r == '⏵' {
			width = math.Round(h * 0.85)
		}
		s.add(point{0, h/2 - width*0.65}, point{width, h / 2}, point{0, h/2 + width*0.65})
	case '◂':
		width = math.Round(h * 0.6)
		s.add(point{width, h/2 - width*0.65}, point{width, h/2 + width*0.65}, point{0, h / 2})
	case '⏸':
		bar := max(1, math.Round(h*0.3))
		gap := max(1, math.Round(h*0.22))
		s.box(0, 0, bar, h, false)
		s.box(bar+gap, 0, 2*bar+gap, h, false)
		width = 2*bar + gap
	case '✓':
		width = h
		s.check(0, 0, h, line*1.3)
	case '✕':
		width = math.Round(h * 0.9)
		y := (h - width*0.9) / 2
		s.stroke(point{width * 0.05, y}, point{width * 0.95, y + width*0.9}, line*1.2)
		s.stroke(point{width * 0.05, y + width*0.9}, point{width * 0.95, y}, line*1.2)
	case '☐', '☑':
		width = h
		s.box(0, 0, h, h, false)
		s.box(stroke, stroke, h-stroke, h-stroke, true)
		if r == '☑' {
			s.check(h*0.18, h*0.16, h*0.66, line*1.3)
		}
	case '⌕':
		width = h
		radius := h * 0.33
		s.star(h*0.36, h*0.62, radius+line*0.55, radius+line*0.55, 24, false)
		s.star(h*0.36, h*0.62, radius-line*0.55, radius-line*0.55, 24, true)
		s.stroke(point{h*0.36 + radius*0.7, h*0.62 - radius*0.7}, point{h * 0.97, h * 0.03}, line*1.4)
	case '⚙':
		width = math.Round(h*0.55) * 2
		s.star(width/2, h/2, width/2, width*0.36, 32, false)
		s.star(width/2, h/2, width*0.17, width*0.17, 16, true)
	case '☰':
		width = h
		for i := range 3 {
			y := math.Round((h - line) * float64(i) / 2)
			s.box(0, y, h, y+line, false)
		}
	default:
		return sketch{}, 0, false
	}
	return s, width, true
}

// check adds a tick in a square.
func (s *sketch) check(x, y, size, line float64) {
	foot := point{x + size*0.36, y + size*0.12}
	s.stroke(point{x + size*0.06, y + size*0.46}, foot, line)
	s.stroke(point{foot.x - line*0.35, foot.y - line*0.2}, point{x + size*0.95, y + size*0.88}, line)
}

// mask rasterises the outlines. The result's top left is at the returned point, from the pen on the
// baseline with y down.
func (s *sketch) mask(r *rasterizer) (*image.Alpha, image.Point) {
	minX, minY, maxX, maxY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, o := range s.outlines {
		for _, p := range o {
			minX, minY, maxX, maxY = min(minX, p.x), min(minY, p.y), max(maxX, p.x), max(maxY, p.y)
		}
	}
	left, top := math.Floor(minX), math.Ceil(maxY)
	w, h := int(math.Ceil(maxX)-left), int(top-math.Floor(minY))
	r.vector.Reset(w, h)
	r.vector.DrawOp = draw.Src
	for _, o := range s.outlines {
		for i, p := range o {
			x, y := float32(p.x-left), float32(top-p.y)
			if i == 0 {
				r.vector.MoveTo(x, y)
			} else {
				r.vector.LineTo(x, y)
			}
		}
		r.vector.ClosePath()
	}
	mask := image.NewAlpha(image.Rect(0, 0, w, h))
	r.vector.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return mask, image.Pt(int(left), -int(top))
}
