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
	image    *ebiten.Image
	revision uint64
	used     uint64
}

// keptDraws is after how many drawn lists one that was not among them is forgotten.
const keptDraws = 4096

// Draw draws a list over dst. Pixel (0, 0) of the list is (0, 0) of dst; on a sub-image drawing is
// cut at its bounds.
func (r *Renderer) Draw(dst *ebiten.Image, l *draw.List) {
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
	dst.DrawTriangles32(c.vertices, l.Indices, t.image, &r.options)
	r.stats.Draws++
	r.stats.Quads += uint64(l.Quads())
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
