package draw

import (
	"math"
	"slices"
)

// Damage finds where a picture made of lists differs from the picture before, so that only that is painted
// again. The zero value is ready, and knows no picture.
type Damage struct {
	was, now []*content // from the bottom up
	of       map[*List]*content
	parts    []Rect
	pictures uint64
}

// content is a list as it is on the screen.
type content struct {
	list     *List
	revision uint64
	vertices []Vertex
	indices  []uint32
	bounds   Rect
	picture  uint64 // the last one with the list
}

// partsMax is how many parts are painted by themselves; each costs a walk through the lists.
const partsMax = 6

// Changed takes the lists of a picture from the bottom up, and returns the parts, in whole pixels, in which
// it differs from the last one. The parts do not overlap, and are valid until the next call.
func (d *Damage) Changed(lists []*List) []Rect {
	if d.of == nil {
		d.of = map[*List]*content{}
	}
	d.pictures++
	d.parts, d.now = d.parts[:0], d.now[:0]
	for _, l := range lists {
		c := d.of[l]
		if c == nil {
			c = &content{list: l, revision: l.Revision() + 1}
			d.of[l] = c
		}
		c.picture = d.pictures
		d.now = append(d.now, c)
	}
	d.compareOrder()
	for _, c := range d.now {
		if c.revision != c.list.Revision() {
			d.add(c.update())
		}
	}
	for l, c := range d.of {
		if c.picture != d.pictures {
			delete(d.of, l)
		}
	}
	d.was, d.now = d.now, d.was
	return d.parts
}

// compareOrder adds the lists that came, went, or lie in another order.
func (d *Damage) compareOrder() {
	was, now := d.was, d.now
	for len(was) > 0 && len(now) > 0 && was[0] == now[0] {
		was, now = was[1:], now[1:]
	}
	for len(was) > 0 && len(now) > 0 && was[len(was)-1] == now[len(now)-1] {
		was, now = was[:len(was)-1], now[:len(now)-1]
	}
	for _, c := range was {
		d.add(c.bounds)
	}
	for _, c := range now {
		d.add(c.bounds)
	}
}

// update takes in the list, and returns the smallest rectangle around all triangles that differ.
func (c *content) update() Rect {
	l := c.list
	old, triangles := len(c.indices)/3, len(l.Indices)/3
	changed := nowhere
	from, same := 0, min(old, triangles)
	for from < same && c.equal(from, from) {
		from++
	}
	if old == triangles {
		for i := from; i < triangles; i++ {
			if !c.equal(i, i) {
				changed.around(c.vertices, c.indices[3*i:3*i+3])
				changed.around(l.Vertices, l.Indices[3*i:3*i+3])
			}
		}
	} else {
		end := 0 // how many are equal at the end
		for end < same-from && c.equal(old-1-end, triangles-1-end) {
			end++
		}
		changed.around(c.vertices, c.indices[3*from:3*(old-end)])
		changed.around(l.Vertices, l.Indices[3*from:3*(triangles-end)])
	}
	c.revision = l.Revision()
	c.vertices = append(c.vertices[:0], l.Vertices...)
	c.indices = append(c.indices[:0], l.Indices...)
	c.bounds = nowhere
	c.bounds.around(c.vertices, c.indices)
	return changed
}

// equal reports whether a triangle on the screen is a triangle of the list.
func (c *content) equal(was, now int) bool {
	for k := range 3 {
		if c.vertices[c.indices[3*was+k]] != c.list.Vertices[c.list.Indices[3*now+k]] {
			return false
		}
	}
	return true
}

// nowhere is empty, and grows by around.
var nowhere = Rect{farPx, farPx, -farPx, -farPx}

// around makes r hold the corners of triangles.
func (r *Rect) around(vertices []Vertex, indices []uint32) {
	for _, i := range indices {
		v := &vertices[i]
		r.X0, r.Y0, r.X1, r.Y1 = min(r.X0, v.X), min(r.Y0, v.Y), max(r.X1, v.X), max(r.Y1, v.Y)
	}
}

// add adds a part, joined with those that it touches.
func (d *Damage) add(r Rect) {
	if r.Empty() {
		return
	}
	floor, ceil := func(x float32) float32 { return float32(math.Floor(float64(x))) },
		func(x float32) float32 { return float32(math.Ceil(float64(x))) }
	r = Rect{floor(r.X0), floor(r.Y0), ceil(r.X1), ceil(r.Y1)}
	for i := 0; i < len(d.parts); i++ {
		if !d.parts[i].Intersect(r).Empty() {
			r = d.join(i, r)
			i = -1 // the larger part may touch those before
		}
	}
	if len(d.parts) == partsMax {
		nearest := 0
		for i := range d.parts {
			if growth(d.parts[i], r) < growth(d.parts[nearest], r) {
				nearest = i
			}
		}
		d.add(d.join(nearest, r))
		return
	}
	d.parts = append(d.parts, r)
}

// join takes a part out, and returns the rectangle around it and r.
func (d *Damage) join(i int, r Rect) Rect {
	p := d.parts[i]
	d.parts = slices.Delete(d.parts, i, i+1)
	return both(p, r)
}

// both is the rectangle around two.
func both(a, b Rect) Rect {
	return Rect{min(a.X0, b.X0), min(a.Y0, b.Y0), max(a.X1, b.X1), max(a.Y1, b.Y1)}
}

// growth is how much larger a part is with another in it.
func growth(a, b Rect) float32 {
	all := both(a, b)
	return all.W()*all.H() - a.W()*a.H()
}

// note records a text or a line of a list, as its geometry no longer has the letters. Lists always
// keep them; steadily that takes no memory.
type note struct {
	at, until int  // the indices of it
	from, to  int  // the text, in said; equal for lines
	face      Face // of a text
	// box is that of WatchedText, or for lines the two ends.
	box, clip Rect
	width     float32 // of a line
	color     Color
	line      bool
}

// WatchedText is a text of a list with its place, for tests.
type WatchedText struct {
	Text string
	// Box is from the begin of the first letter to the end of the last, and from the top of capitals to
	// the baseline. Clip is where it was cut.
	Box, Clip Rect
	Color     Color
	// At and Until are how many indices the list had before it, and after it.
	At, Until int
	// Line means that it is a line: Box is its two ends.
	Line bool
}

// Texts returns the texts that the list holds.
func (l *List) Texts() []WatchedText {
	return slices.DeleteFunc(l.Noted(), func(n WatchedText) bool { return n.Line })
}

// Noted returns the texts and lines that the list holds.
func (l *List) Noted() []WatchedText {
	var out []WatchedText
	for i := range l.notes {
		n := &l.notes[i]
		out = append(out, WatchedText{string(l.said[n.from:n.to]), n.box, n.clip, n.color, n.at, n.until, n.line})
	}
	return out
}

// noteText records a text, of one piece or two, with its first index at.
func (l *List) noteText(f Face, s, more string, pen, end, baseline float32, clip Rect, c Color, at int) {
	from := len(l.said)
	l.said = append(append(l.said, s...), more...)
	box := Rect{pen, baseline - l.atlas.faces[f].capHeight, end, baseline}
	l.notes = append(l.notes, note{
		at: at, until: len(l.Indices), from: from, to: len(l.said), face: f, box: box, clip: clip, color: c,
	})
}

// noteLine records a line with its first index at.
func (l *List) noteLine(x0, y0, x1, y1, width float32, c Color, at int) {
	if at == len(l.Indices) {
		return // it is invisible
	}
	l.notes = append(l.notes, note{
		at: at, until: len(l.Indices), from: len(l.said), to: len(l.said), box: Rect{x0, y0, x1, y1}, clip: l.clip,
		width: width, color: c, line: true,
	})
}

// forgetNotes takes back those that were added at a place in the list or later.
func (l *List) forgetNotes(indices int) {
	n := len(l.notes)
	for n > 0 && l.notes[n-1].at >= indices {
		n--
		l.said = l.said[:l.notes[n].from]
	}
	l.notes = l.notes[:n]
}
