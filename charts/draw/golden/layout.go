package golden

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
)

// Layout returns the picture without its colors and letters, for tests of the places of shapes and texts.
//
// Shapes are numbers instead of colors: a paint gets its number when it first covers a pixel, and a
// transparent one another for each that it is painted over. A shape covers a pixel if it covers half of
// it; a text is the box from the begin to the end, from the top of capitals to the baseline. So the same
// shapes and texts in other colors have the same layout, as long as colors that differ still differ. The
// palette serves to look at it alone: shapes are light, texts dark.
//
// Texts are the written words, a line for those of one baseline, from the top to the bottom.
func Layout(p *draw.Picture) (shapes *image.Paletted, texts string) {
	y := &layout{numbers: map[stroke]sign{}, places: []uint32{0}, begun: map[uint32]uint32{}}
	img := p.Paint(y)
	used, places := [256]bool{}, [256]uint8{}
	for i := 0; i < len(img.Pix); i += 4 {
		used[y.index(signAt(img.Pix[i:]))] = true
	}
	var palette color.Palette
	for n, c := range layoutPalette {
		if used[n] {
			places[n] = uint8(len(palette))
			palette = append(palette, c)
		}
	}
	shapes = image.NewPaletted(img.Rect, palette)
	for i := range shapes.Pix {
		shapes.Pix[i] = places[y.index(signAt(img.Pix[i*4:]))]
	}
	return shapes, textsOf(p)
}

// textsOf returns the texts of a layout.
func textsOf(p *draw.Picture) string {
	var all []draw.WatchedText
	for _, l := range p.Lists {
		if l != nil {
			all = append(all, l.Texts()...)
		}
	}
	all = slices.DeleteFunc(all, func(t draw.WatchedText) bool {
		return t.Text == "" || t.Box.Intersect(t.Clip).Intersect(p.Seen).Empty()
	})
	slices.SortStableFunc(all, func(a, b draw.WatchedText) int {
		return cmp.Or(cmp.Compare(a.Box.Y1, b.Box.Y1), cmp.Compare(a.Box.X0, b.Box.X0))
	})
	var out strings.Builder
	for i, t := range all {
		q := strconv.QuoteToGraphic(t.Text)
		out.WriteString(q[1 : len(q)-1])
		if i+1 < len(all) && all[i+1].Box.Y1 == t.Box.Y1 {
			out.WriteString(" | ")
		} else {
			out.WriteString("\n")
		}
	}
	return out.String()
}

// sign stands for a paint; 0 for nothing. Those of texts have textBit.
type sign uint32

const textBit = 1 << 16

// Indices of the palette: 0, those of shapes, those of texts.
const (
	shapeIndices = 223
	textIndices  = 255 - shapeIndices
)

var layoutPalette = func() color.Palette {
	p := make(color.Palette, 256)
	for i := range p {
		lightness, k := 0.7+0.08*float64(i%4), i
		if i > shapeIndices {
			lightness, k = 0.4, 255-i
		}
		c := assets.LCh{L: lightness, C: 0.12, Hue: math.Mod(float64(k)*137.508, 360)}.Color()
		p[i] = color.NRGBA{c.R, c.G, c.B, 255}
	}
	p[0], p[1], p[255] = color.NRGBA{255, 255, 255, 255}, color.NRGBA{242, 242, 242, 255}, color.NRGBA{90, 90, 90, 255}
	return p
}()

// stroke is a paint over an earlier one.
type stroke struct {
	paint draw.Paint
	under sign // 0 where the paint hides it
	text  bool
}

// hidingPaint is the opacity from which on nothing is seen through a paint, as those of tooltips.
const hidingPaint = draw.FullPaint / 8 * 7

// layout numbers the paints.
type layout struct {
	numbers       map[stroke]sign
	shapes, texts sign
	brush         stroke // the present paint, where it covers a pixel
	last          stroke // the previous stroke, and its number
	lastSign      sign
	place         uint32            // of the present shape
	places        []uint32          // of each number of shapes where it was first painted
	begun         map[uint32]uint32 // how many were first painted there
	list          *draw.List
	notes         []draw.WatchedText // of the list, from the next one on
}

// Begin implements draw.Brush.
func (y *layout) Begin(l *draw.List) { y.list, y.notes = l, l.Noted() }

// Shape implements draw.Brush: the shape at an index, or the text or line that it belongs to, becomes the brush.
func (y *layout) Shape(at, n int) (box draw.Rect, until int) {
	for len(y.notes) > 0 && y.notes[0].Until <= at {
		y.notes = y.notes[1:]
	}
	noted := len(y.notes) > 0 && y.notes[0].At <= at
	if noted {
		at, n = y.notes[0].At, y.notes[0].Until-y.notes[0].At
	}
	is := y.list.Indices[at : at+n]
	full := &y.list.Vertices[is[0]]
	for _, i := range is {
		if v := &y.list.Vertices[i]; v.A > full.A {
			full = v
		}
	}
	y.brush = stroke{paint: draw.PaintOf(full, 1)}
	first := &y.list.Vertices[is[0]]
	y.place = uint32(int(first.X))*0x9e3779b1 ^ uint32(int(first.Y))*0x85ebca6b
	if noted && !y.notes[0].Line {
		y.brush.text = true
		return y.notes[0].Box.Intersect(y.notes[0].Clip), y.notes[0].Until
	}
	return box, 0
}

// Fill implements draw.Brush.
func (y *layout) Fill(c draw.Paint, row []uint8) {
	if len(row) >= 4 && y.brush.paint.A >= hidingPaint { // it has one sign, whatever is below
		if !y.paints(c) {
			return
		}
		y.Over(c, row[:4:4])
		for n := 4; n < len(row); n *= 2 {
			copy(row[n:], row[:n])
		}
		return
	}
	for i := 0; i+4 <= len(row); i += 4 {
		y.Over(c, row[i:i+4:i+4])
	}
}

// paints reports whether a share of the brush is enough of it to be seen.
func (y *layout) paints(c draw.Paint) bool {
	return y.brush.paint.A != 0 && c.A*2 >= y.brush.paint.A
}

// Over implements draw.Brush: it paints over one pixel, which holds a sign, with a share of the brush.
func (y *layout) Over(c draw.Paint, px []uint8) {
	s := y.brush
	if !y.paints(c) {
		return
	}
	if s.paint.A < hidingPaint {
		s.under = signAt(px)
	}
	if s != y.last || y.lastSign == 0 {
		y.last, y.lastSign = s, y.signOf(s)
	}
	n := y.lastSign
	px[0], px[1], px[2], px[3] = uint8(n), uint8(n>>8), uint8(n>>16), 255
}

// signOf returns the number of a stroke.
func (y *layout) signOf(s stroke) sign {
	n, known := y.numbers[s]
	if !known {
		if s.text {
			y.texts++
			n = y.texts | textBit
		} else {
			y.shapes++
			n = y.shapes
			at := y.place ^ y.placeOf(s.under)*31
			y.places = append(y.places, at+y.begun[at]*0x27d4eb2f)
			y.begun[at]++
		}
		y.numbers[s] = n
	}
	return n
}

// placeOf returns where the paint of a number was first used.
func (y *layout) placeOf(n sign) uint32 {
	if n&textBit != 0 {
		return uint32(n)
	}
	return y.places[n]
}

// index returns the index of a number in the palette. Where there are too many shapes it follows from their
// places: so it is the same whatever other colors there are.
func (y *layout) index(n sign) uint8 {
	switch {
	case n == 0:
		return 0
	case n&textBit != 0:
		return uint8(255 - (n&^textBit-1)%textIndices)
	case y.shapes > shapeIndices:
		return uint8(1 + (y.places[n]*0xc2b2ae35>>8)%shapeIndices)
	}
	return uint8(n)
}

func signAt(px []uint8) sign { return sign(px[0]) | sign(px[1])<<8 | sign(px[2])<<16 }
