package strip

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model/store"
)

// legendItem is a band with its swatch, name and, where all have room for it, value.
type legendItem struct {
	band  int
	rect  draw.Rect
	value bool
}

// The parts of a legend's item at scale 1.
const (
	legendSwatchPx = 9
	legendNamePx   = 6 // from the swatch to the name
	legendNextPx   = 14
	legendMostPx   = 150 // of a name
	legendValuePx  = 58
	legendLeastPx  = 40 // of a name, for it to be worth its place
	legendMorePx   = 44 // for "+12"
)

// placeLegend decides which bands are named above the plot and where: in the order of the stack,
// from its top. Where there is no room for all, those with the highest peaks stay and "+n" stands
// for the others.
func (c *Chart) placeLegend(env *panel.Env, s *store.Session) {
	c.legend, c.hidden = c.legend[:0], 0
	area := c.regions.legend
	if area.Empty() || len(c.edges) == 0 {
		return
	}
	for k := range c.strip.Bands {
		if c.present(k) {
			c.legend = append(c.legend, legendItem{band: k})
		}
	}
	slices.SortStableFunc(c.legend, func(a, b legendItem) int { return cmp.Compare(c.peaks[b.band], c.peaks[a.band]) })
	width := func(it *legendItem) float32 {
		name := env.Atlas.Measure(draw.Regular, c.legendName(s, it.band))
		return env.Px(legendSwatchPx+legendNamePx) + panel.Snap(min(name, env.Px(legendMostPx)))
	}
	all := float32(0)
	for i := range c.legend {
		all += width(&c.legend[i]) + env.Px(legendNextPx)
	}
	values := all+float32(len(c.legend))*env.Px(legendValuePx) <= area.W()
	room := area.W()
	if all-env.Px(legendNextPx) > room {
		room -= env.Px(legendMorePx)
	}
	for i := range c.legend {
		it := &c.legend[i]
		w := width(it)
		if values {
			w += env.Px(legendValuePx)
		}
		if i == 0 {
			w = min(w, max(room, env.Px(legendLeastPx)))
			room = max(room, w)
		}
		if w > room {
			c.hidden = len(c.legend) - i
			c.legend = c.legend[:i]
			break
		}
		it.value, it.rect = values, draw.Rect{X1: w, Y0: area.Y0, Y1: area.Y1}
		room -= w + env.Px(legendNextPx)
	}
	slices.SortFunc(c.legend, func(a, b legendItem) int { return cmp.Compare(b.band, a.band) })
	x := area.X0
	for i := range c.legend {
		r := &c.legend[i].rect
		r.X0, r.X1 = x, x+r.X1
		x = r.X1 + env.Px(legendNextPx)
	}
}

// legendName is the name of a band: the own band of the focused collector is its self time.
func (c *Chart) legendName(s *store.Session, band int) string {
	id := c.strip.Bands[band]
	if id == c.Focus && len(c.strip.Bands) > 1 {
		return "self"
	}
	return s.Collector(id).Name + c.ownWords(s, band)
}

// ownWords is what follows the name of an opened collector: its band is what is its own.
func (c *Chart) ownWords(s *store.Session, band int) string {
	if id := c.strip.Bands[band]; id != c.Focus && c.isOwn(s, id) {
		return ", self"
	}
	return ""
}

// present reports whether a band is worth a name: it is seen, or has a value.
func (c *Chart) present(band int) bool {
	return c.peaks[band] != 0 || band < len(c.ref.values) && c.ref.values[band] != 0
}

// bandNamedAt returns the band with its name at a point, -1 none.
func (c *Chart) bandNamedAt(pxX, pxY float32) int {
	i := slices.IndexFunc(c.legend, func(it legendItem) bool { return it.rect.Contains(pxX, pxY) })
	if i < 0 {
		return -1
	}
	return c.legend[i].band
}

// drawLegend draws the names above the plot.
func (c *Chart) drawLegend(env *panel.Env, s *store.Session) {
	l, v, th := c.List(), env.View, env.Theme
	for i := range c.legend {
		it := &c.legend[i]
		id := c.strip.Bands[it.band]
		fill, found := c.bandFill(env, it.band)
		if c.isLit(v, it.band) {
			l.Rect(it.rect.Inset(-env.Px(2)), draw.Color(th.Hover))
			fill = draw.Highlight(fill, th)
		}
		if v.Selects(id) {
			l.HLine(it.rect.X0, it.rect.X1, it.rect.Y1-env.Px(1), env.Px(1), draw.Color(th.Accent))
		}
		sw := env.Px(legendSwatchPx)
		box := draw.Rect{X0: it.rect.X0, Y0: it.rect.Y0 + panel.Snap((it.rect.H()-sw)/2)}
		box.X1, box.Y1 = box.X0+sw, box.Y0+sw
		text, text2 := draw.Color(th.Text), draw.Color(th.Text2)
		if v.Look().Hidden(id) {
			l.Outline(box, env.Px(1), fill)
			text, text2 = draw.Color(th.TextDim), draw.Color(th.TextDim)
		} else {
			l.Rect(box, fill)
		}
		if found {
			l.Outline(box.Inset(-env.Px(1)), env.Px(1), draw.Color(th.Accent))
		}
		name := draw.Rect{X0: box.X1 + env.Px(legendNamePx), Y0: it.rect.Y0, X1: it.rect.X1 + env.Px(1), Y1: it.rect.Y1}
		if it.value {
			name.X1 -= env.Px(legendValuePx)
			c.drawLegendValue(env, it, draw.Rect{X0: name.X1, Y0: name.Y0, X1: it.rect.X1, Y1: name.Y1}, s, text2)
		}
		c.names.Add(0, draw.Regular, name, draw.Left, c.legendName(s, it.band), text)
	}
	c.names.Draw(l)
	if c.hidden > 0 {
		x := c.regions.legend.X0
		if n := len(c.legend); n > 0 {
			x = c.legend[n-1].rect.X1 + env.Px(legendNextPx)
		}
		c.buf = format.AppendCount(append(c.buf[:0], '+'), int64(c.hidden))
		r := draw.Rect{X0: x, Y0: c.regions.legend.Y0, X1: c.regions.legend.X1, Y1: c.regions.legend.Y1}
		l.TextFit(draw.Small, r, draw.Left, panel.ScratchText(c.buf), draw.Color(th.TextDim))
	}
}

// drawLegendValue writes the time of a band in the frames of the legend.
func (c *Chart) drawLegendValue(env *panel.Env, it *legendItem, r draw.Rect, s *store.Session, color draw.Color) {
	if it.band >= len(c.ref.values) || c.ref.last < c.ref.first {
		return
	}
	c.buf = c.appendSample(c.buf[:0], c.ref.values[it.band], c.unit(s))
	if !c.Levels && c.ref.values[it.band] == 0 {
		c.buf = append(c.buf[:0], "–"...) // did not run
	}
	r.X0 += env.Px(5)
	c.List().TextFit(draw.Small, r, draw.Left, panel.ScratchText(c.buf), color)
}
