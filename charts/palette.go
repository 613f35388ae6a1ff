package charts

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
)

// Palette holds the colours of a session's collectors: the user's for the full name, else the one that the sender suggests, else one from the name.
// It is filled when definitions or the user's colours change, so that asking costs an index.
type Palette struct {
	session *model.Session
	defs    uint64
	colors  uint64
	fills   []draw.Color
	texts   []draw.Color
}

// refresh fills the palette anew if the session, its definitions or the user's colours changed.
func (p *Palette) refresh(s *model.Session, colors map[string]assets.Color, colorsRev uint64) {
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
	for id := range model.CollectorID(s.NumCollectors()) {
		c := s.Collector(id)
		fill := CollectorColor(c, colors)
		t := assets.TextOn(fill.R, fill.G, fill.B)
		p.fills = append(p.fills, fill)
		p.texts = append(p.texts, draw.Color(t))
	}
}

// CollectorColor returns the colour of a collector: the user's for its full name, else the sender's, else one from the name. Black counts as no suggestion
// (pstats-viewer section 7).
func CollectorColor(c *model.Collector, user map[string]assets.Color) draw.Color {
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

// Mix returns a with the given share (0…255) of b, opaque as a is.
func Mix(a, b draw.Color, share uint8) draw.Color {
	m := func(x, y uint8) uint8 {
		return uint8((int(x)*(255-int(share)) + int(y)*int(share) + 127) / 255)
	}
	return draw.Color{R: m(a.R, b.R), G: m(a.G, b.G), B: m(a.B, b.B), A: a.A}
}

// Highlight returns the colour of a bar whose collector is under the mouse in some panel.
func Highlight(c draw.Color) draw.Color { return Mix(c, draw.RGB(255, 255, 255), 72) }

// Dim returns the colour of a bar that steps back, on a ground: what a search or a filter does not mean.
func Dim(c draw.Color, ground assets.Color) draw.Color { return Mix(c, draw.Color(ground), 150) }

// OverBudget tells whether a frame that took ns is over a budget (0: there is none). A 32nd above counts as within: frames that wait for the display are as often a little longer than its
// interval as a little shorter.
func OverBudget(ns, budgetNs int64) bool { return budgetNs > 0 && ns > budgetNs+budgetNs/32 }

// FrameColor returns the colour of a frame that took ns: within the budget, over it (see OverBudget), more than twice over it.
func FrameColor(t *assets.Theme, ns, budgetNs int64) draw.Color {
	switch {
	case !OverBudget(ns, budgetNs):
		return draw.Color(t.FrameBar)
	case ns <= 2*budgetNs:
		return draw.Color(t.Over)
	}
	return draw.Color(t.Bad)
}
