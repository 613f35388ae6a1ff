// Package gpu draws draw lists with Ebitengine.
package gpu

import (
	"image"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw"
)

// Renderer draws lists: one draw call a list. It keeps the GPU data of a list and of its atlas for
// as long as they are drawn again and again, and makes them anew only when their revision changed.
// The zero value is ready. It is used by the goroutine that draws.
type Renderer struct {
	lists    map[*draw.List]*converted
	textures map[*draw.Atlas]*texture
	draws    uint64
	options  ebiten.DrawTrianglesOptions
	pixels   []byte
	near     []ebiten.Vertex // of what meets a part
	order    []uint32
	stats    Stats
}

// Stats counts the work of a renderer since it was made.
type Stats struct {
	// Draws is the number of lists drawn, Quads of quads in them. Converted is how many lists had
	// changed, Uploaded the texels sent to the GPU.
	Draws, Quads, Converted, Uploaded uint64
}

// Stats returns the counts.
func (r *Renderer) Stats() Stats { return r.stats }

// converted is a list in Ebitengine's form.
type converted struct {
	revision uint64
	used     uint64 // Renderer.draws at the last use
	vertices []ebiten.Vertex
}

// texture is an atlas on the GPU.
type texture struct {
	image          *ebiten.Image
	revision, used uint64
}

// keptDraws is after how many drawn lists one that was not among them is forgotten.
const keptDraws = 4096

// Draw draws a list over dst. Pixel (0, 0) of the list is (0, 0) of dst; on a sub-image drawing is
// cut at its bounds.
func (r *Renderer) Draw(dst *ebiten.Image, l *draw.List) { r.draw(dst, l, false) }

// DrawPart is Draw over a sub-image; it sends only what meets its bounds.
func (r *Renderer) DrawPart(dst *ebiten.Image, l *draw.List) { r.draw(dst, l, true) }

func (r *Renderer) draw(dst *ebiten.Image, l *draw.List, part bool) {
	r.draws++
	if r.draws%keptDraws == 0 {
		r.forget()
	}
	if len(l.Indices) == 0 || l.Atlas() == nil {
		return
	}
	t := r.texture(l.Atlas())
	c := r.converted(l)
	r.options.ColorScaleMode = ebiten.ColorScaleModePremultipliedAlpha
	r.options.Filter = ebiten.FilterNearest
	vertices, indices := c.vertices, l.Indices
	if part {
		vertices, indices = r.within(dst.Bounds(), vertices, indices)
	}
	if len(indices) == 0 {
		return
	}
	dst.DrawTriangles32(vertices, indices, t.image, &r.options)
	r.stats.Draws++
	r.stats.Quads += uint64(len(indices) / 6)
}

// converted returns the list's vertices for the GPU.
func (r *Renderer) converted(l *draw.List) *converted {
	c := r.lists[l]
	if c == nil {
		if r.lists == nil {
			r.lists = map[*draw.List]*converted{}
		}
		c = &converted{revision: l.Revision() + 1}
		r.lists[l] = c
	}
	c.used = r.draws
	if c.revision == l.Revision() {
		return c
	}
	c.revision = l.Revision()
	r.stats.Converted++
	if cap(c.vertices) < len(l.Vertices) {
		c.vertices = make([]ebiten.Vertex, len(l.Vertices), len(l.Vertices)+len(l.Vertices)/2)
	}
	c.vertices = c.vertices[:len(l.Vertices)]
	for i := range l.Vertices {
		v := &l.Vertices[i]
		e := &c.vertices[i]
		e.DstX, e.DstY, e.SrcX, e.SrcY = v.X, v.Y, v.U, v.V
		e.ColorR, e.ColorG, e.ColorB, e.ColorA = v.R, v.G, v.B, v.A
	}
	return c
}

// within returns the triangles whose surroundings meet a part, with their vertices. They are valid until the
// next call.
func (r *Renderer) within(
	part image.Rectangle, vertices []ebiten.Vertex, indices []uint32,
) ([]ebiten.Vertex, []uint32) {
	x0, y0, x1, y1 := float32(part.Min.X), float32(part.Min.Y), float32(part.Max.X), float32(part.Max.Y)
	r.near, r.order = r.near[:0], r.order[:0]
	for len(indices) >= 3 {
		n := 3
		if q := indices[0]; len(indices) >= 6 && indices[1] == q+1 && indices[2] == q+2 && indices[3] == q &&
			indices[4] == q+2 && indices[5] == q+3 {
			n = 6 // a quad
		}
		a := &vertices[indices[0]]
		box := [4]float32{a.DstX, a.DstY, a.DstX, a.DstY}
		for _, i := range indices[1:n] {
			v := &vertices[i]
			box[0], box[1], box[2], box[3] = min(box[0], v.DstX), min(box[1], v.DstY), max(box[2], v.DstX), max(box[3], v.DstY)
		}
		if box[0] < x1 && box[2] > x0 && box[1] < y1 && box[3] > y0 {
			base := uint32(len(r.near))
			if n == 6 {
				r.near = append(r.near, vertices[indices[0]:indices[0]+4]...)
				r.order = append(r.order, base, base+1, base+2, base, base+2, base+3)
			} else {
				r.near = append(r.near, vertices[indices[0]], vertices[indices[1]], vertices[indices[2]])
				r.order = append(r.order, base, base+1, base+2)
			}
		}
		indices = indices[n:]
	}
	return r.near, r.order
}

// texture returns the atlas' texture, after sending its changes.
func (r *Renderer) texture(a *draw.Atlas) *texture {
	t := r.textures[a]
	if t == nil {
		if r.textures == nil {
			r.textures = map[*draw.Atlas]*texture{}
		}
		t = &texture{}
		r.textures[a] = t
	}
	t.used = r.draws
	if t.image != nil && t.revision == a.Revision() {
		return t
	}
	img := a.Image()
	if t.image != nil && t.image.Bounds() != img.Rect { // the atlas grew
		t.image.Deallocate()
		t.image, t.revision = nil, 0
	}
	if t.image == nil {
		// Not in Ebitengine's own atlases: it fills a texture of its own, and is written to in parts.
		t.image = ebiten.NewImageWithOptions(img.Rect, &ebiten.NewImageOptions{Unmanaged: true})
	}
	changed, revision := a.Changed(t.revision)
	t.revision = revision
	r.upload(t.image, img, changed)
	return t
}

// upload sends a part of an image.
func (r *Renderer) upload(dst *ebiten.Image, src *image.RGBA, part image.Rectangle) {
	if part.Empty() {
		return
	}
	r.pixels = r.pixels[:0]
	for y := part.Min.Y; y < part.Max.Y; y++ {
		r.pixels = append(r.pixels, src.Pix[src.PixOffset(part.Min.X, y):src.PixOffset(part.Max.X-1, y)+4]...)
	}
	dst.SubImage(part).(*ebiten.Image).WritePixels(r.pixels)
	r.stats.Uploaded += uint64(part.Dx() * part.Dy())
}

// forget drops items not drawn for long: lists of closed panels, atlases of other scale factors.
func (r *Renderer) forget() {
	for l, c := range r.lists {
		if r.draws-c.used >= keptDraws {
			delete(r.lists, l)
		}
	}
	for a, t := range r.textures {
		if r.draws-t.used >= keptDraws {
			t.image.Deallocate()
			delete(r.textures, a)
		}
	}
}
