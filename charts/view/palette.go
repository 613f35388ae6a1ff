package view

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
	"framescope/model/collectors"
	"framescope/model/store"
)

// Palette holds the colours of a session's collectors: the user's for the full name, else the one
// that the sender suggests, else one from the name. It is filled when definitions or the user's
// colours change, so that asking costs an index.
type Palette struct {
	session *store.Session
	defs    uint64
	colors  uint64
	fills   []draw.Color
	texts   []draw.Color
}

// refresh fills the palette anew if the session, its definitions or the user's colours changed.
func (p *Palette) refresh(s *store.Session, colors map[string]assets.Color, colorsRev uint64) {
	if s == nil {
		p.session, p.fills, p.texts = nil, p.fills[:0], p.texts[:0]
		return
	}
	defs := s.DefsRevision()
	if p.session == s && p.defs == defs && p.colors == colorsRev {
		return
	}
	p.session, p.defs, p.colors = s, defs, colorsRev
	p.fills, p.texts = p.fills[:0], p.texts[:0]
	for id := range model.CollectorID(s.Collectors().Len()) {
		c := s.Collector(id)
		fill := CollectorColor(c, colors)
		t := assets.TextOn(fill.R, fill.G, fill.B)
		p.fills = append(p.fills, fill)
		p.texts = append(p.texts, draw.Color(t))
	}
}

// CollectorColor returns the colour of a collector: the user's for its full name, else the
// sender's, else one from the name. Black counts as no suggestion (pstats-viewer section 7).
func CollectorColor(c *collectors.Collector, user map[string]assets.Color) draw.Color {
	if c == nil {
		return draw.RGB(128, 128, 128)
	}
	if u, ok := user[c.FullName]; ok {
		return draw.Color(u)
	}
	if c.Color.Set && (c.Color.R|c.Color.G|c.Color.B) != 0 {
		return draw.RGB(c.Color.R, c.Color.G, c.Color.B)
	}
	return draw.RGB(assets.NameColor(c.FullName))
}

// Fill returns the colour of a collector's bars, grey for an unknown one.
func (p *Palette) Fill(c model.CollectorID) draw.Color {
	if c < 0 || int(c) >= len(p.fills) {
		return draw.RGB(128, 128, 128)
	}
	return p.fills[c]
}

// Text returns the colour in which text reads on a collector's bars.
func (p *Palette) Text(c model.CollectorID) draw.Color {
	if c < 0 || int(c) >= len(p.texts) {
		return draw.RGB(0, 0, 0)
	}
	return p.texts[c]
}
