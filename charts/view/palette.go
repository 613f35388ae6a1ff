package view

import (
	"cmp"
	"slices"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
	"framescope/model/collectors"
	"framescope/model/spans"
	"framescope/model/store"
)

// Palette holds the colours of a session's collectors on a theme. It is filled when definitions,
// theme or the user's colours change, so that asking costs an index.
type Palette struct {
	key   paletteKey
	bars  [numStrengths][]Bar
	hues  []dataHue // by slot
	ids   []model.CollectorID
	other Bar
	look  *Look
	lit   model.CollectorID
	th    *assets.Theme
}

// Strength is how much a bar stands out.
type Strength uint8

// The strengths.
const (
	Whole   Strength = iota
	Outside          // of what is selected
	Missed           // by the search
	numStrengths
)

// The shares of the panel that are mixed into bars that step back, of 255.
const (
	outsideShare = 140 // 55 %
	missedShare  = 199 // 78 %
)

// faded returns the colours of a bar that steps back.
func faded(b Bar, th *assets.Theme, s Strength) Bar {
	ground := draw.Color(th.Panel)
	waits := b.Fill == draw.Color(th.Wait)
	switch s {
	case Outside:
		b.Fill = draw.Mix(b.Fill, ground, outsideShare)
		if !waits {
			b.Text = draw.Color(th.Text)
		}
	case Missed:
		b.Fill = draw.Mix(b.Fill, ground, missedShare)
		if !waits {
			b.Text = draw.Mix(draw.Color(th.Text), ground, 64)
		}
	}
	return b
}

// paletteKey is what the colours were made of.
type paletteKey struct {
	session *store.Session
	defs    uint64
	colors  uint64
	theme   assets.ThemeKind
	sent    bool
}

// Bar is the colours of a bar: its fill, and text on it.
type Bar struct{ Fill, Text draw.Color }

// Both returns the two colours.
func (b Bar) Both() (fill, text draw.Color) { return b.Fill, b.Text }

// barOf returns the bar of a fill, with the text that reads on it.
func barOf(fill draw.Color) Bar {
	return Bar{fill, draw.Color(assets.TextOn(fill.R, fill.G, fill.B))}
}

// dataHue is the place of a collector among the colours of data.
type dataHue struct {
	pos, hue, chroma float64
	level            assets.Level
	plain            bool // it has no hue: children find theirs as if it were not there
}

// refresh fills the palette anew if anything changed that it depends on.
func (p *Palette) refresh(l *Look, th *assets.Theme) {
	key := paletteKey{session: l.session, colors: l.colorsRev, theme: th.Kind, sent: l.sent}
	if l.session != nil {
		key.defs = l.session.DefsRevision()
	}
	if key == p.key && p.other != (Bar{}) {
		return
	}
	p.key, p.other = key, Bar{draw.Color(th.FrameBar), draw.Color(th.Text)}
	for s := range p.bars {
		p.bars[s] = p.bars[s][:0]
	}
	if l.session == nil {
		return
	}
	h := l.session.Collectors().Tree()
	p.findHues(h, th)
	for id := range model.CollectorID(l.session.Collectors().Len()) {
		bar := p.other
		if at := h.Slot(id); at >= 0 {
			bar = p.barOf(&h.All[at], &p.hues[at], l.colors, th)
		}
		for s := range p.bars {
			p.bars[s] = append(p.bars[s], faded(bar, th, Strength(s)))
		}
	}
}

// barOf returns the colours of a collector: the user's for its full name; those of what waits, and
// of what stands for everything; else those of its hue, which are as they were sent if the user
// wants to see them so.
func (p *Palette) barOf(c *collectors.Collector, at *dataHue, user map[string]assets.Color, th *assets.Theme) Bar {
	if u, ok := user[c.FullName]; ok {
		return barOf(draw.Color(u))
	}
	switch {
	case p.key.sent && suggests(c):
		return barOf(draw.RGB(c.Color.R, c.Color.G, c.Color.B))
	case c.Waits:
		return Bar{draw.Color(th.Wait), draw.Color(th.WaitText)}
	case c.ID == 0:
		return p.other
	}
	return barOf(draw.Color(th.Data.Muted(at.hue, at.level, at.chroma)))
}

// suggests tells whether the sender suggests a colour. Black counts as none (pstats-viewer section
// 7).
func suggests(c *collectors.Collector) bool {
	return c.Color.Set && (c.Color.R|c.Color.G|c.Color.B) != 0
}

// findHues gives each collector its place among the colours of data. A family, which is what has no
// parent and all below it, has a hue; children are to both sides of their parent's, on the other
// level. A colour that was sent keeps its hue. In a stack neighbours are told apart: a child from
// its parent, and from the sibling that was defined before it, where colours that were sent let it.
// Order of definition decides, which only adds at its end: what has a colour keeps it.
func (p *Palette) findHues(h *collectors.Hierarchy, th *assets.Theme) {
	p.hues = append(p.hues[:0], make([]dataHue, len(h.All))...)
	taken := families{}
	for _, at := range h.Order {
		up := &p.hues[at]
		p.ids = append(p.ids[:0], h.Children[at]...)
		slices.SortFunc(p.ids, cmp.Compare)
		var before *dataHue
		left := false
		for _, id := range p.ids {
			slot := h.Slot(id)
			c, x := &h.All[slot], &p.hues[slot]
			if c.Waits && !suggests(c) {
				*x = dataHue{plain: true} // nobody sees its hue, and it takes none from others
				continue
			}
			switch {
			case suggests(c):
				*x = sentHue(c, th, up, before, at == 0)
			case at == 0 || up.plain:
				*x = taken.family(c, th)
			default:
				*x = childHue(c, th, up, before, left)
				left = !left
			}
			if c.Runtime {
				x.chroma = runtimeChroma(c.FullName)
			}
			before = x
		}
	}
}

// sentHue returns the place of a colour that was sent.
func sentHue(c *collectors.Collector, th *assets.Theme, up, before *dataHue, top bool) dataHue {
	const grey = 0.02 // the chroma below which a hue can't be seen
	x := dataHue{}
	x.hue, x.chroma, x.level = th.Data.Clamp(assets.RGB(c.Color.R, c.Color.G, c.Color.B))
	_, x.pos = assets.FreeHue(x.hue)
	x.plain = x.chroma < grey
	switch {
	case !top && !up.plain && x.like(up):
		x.level = x.level.Other()
	case before != nil && x.like(before):
		if x.level = x.level.Other(); !top && x.like(up) {
			x.level = x.level.Other() // it can't be told from both: that from its parent counts more
		}
	}
	return x
}

// childHue returns the place of a child whose colour is made from its parent's.
func childHue(c *collectors.Collector, th *assets.Theme, up, before *dataHue, left bool) dataHue {
	x := dataHue{chroma: th.Data.C, level: up.level.Other()}
	const tries = 8 // four on each side
	for try := range tries {
		x.pos = assets.ChildPos(up.pos, c.Name, left != (try >= tries/2), try)
		x.hue = assets.Hue(x.pos)
		if before == nil || !x.like(before) {
			break
		}
	}
	return x
}

// like tells whether two places can't be told apart side by side: of what is pale the hue does not
// count.
func (x *dataHue) like(y *dataHue) bool {
	const apart, pale = 25, 0.035 // degrees, chroma
	return x.level == y.level && (min(x.chroma, y.chroma) < pale || assets.HueDistance(x.hue, y.hue) < apart)
}

// runtimeChroma returns the chroma of what is of a runtime: it stands back.
func runtimeChroma(fullName string) float64 {
	const least, step = 0.025, 0.01
	return least + step*float64(assets.FamilySlot(fullName)%4)
}

// families counts the hues that are given to families.
type families struct {
	used [assets.NumFamilies]int
	n    int
}

// family returns the place of a family: the hue of its name, or one that fewer have. What has the
// same hue as others is on another level.
func (f *families) family(c *collectors.Collector, th *assets.Theme) dataHue {
	const stride = 5 // leads to all hues
	slot := assets.FamilySlot(c.Name)
	if c.Runtime { // of runtimes there are many packages, and hues that are hardly seen
		pos := assets.FamilyPos(slot)
		return dataHue{pos: pos, hue: assets.Hue(pos)}
	}
	for range assets.NumFamilies {
		if f.used[slot] <= f.n/assets.NumFamilies {
			break
		}
		slot = (slot + stride) % assets.NumFamilies
	}
	x := dataHue{pos: assets.FamilyPos(slot), chroma: th.Data.C}
	x.hue = assets.Hue(x.pos)
	if f.used[slot]%2 == 1 {
		x.level = x.level.Other()
	}
	f.used[slot]++
	f.n++
	return x
}

// Palette returns the colours of the session's collectors on a theme, as strong as selection, search
// and mouse have them. It is asked for once a picture.
func (v *View) Palette(th *assets.Theme) *Palette {
	p := &v.look.palette
	p.refresh(v.look, th)
	p.look, p.lit, p.th = v.look, v.pointer.Collector(), th
	return p
}

// Drawn returns the colours of a bar of a collector: it steps back where the search does not find
// it, or where it is outside of what is selected, and stands out while the mouse is on one of its
// kind in any panel.
func (p *Palette) Drawn(c model.CollectorID, outside bool) Bar {
	return p.drawn(c, p.look.searching && p.Found(c), outside)
}

// DrawnBar is Drawn of a bar of spans, of which the search may find some and others not.
func (p *Palette) DrawnBar(b *spans.Bar, outside bool) Bar {
	return p.drawn(b.Collector, p.look.searching && p.FoundBar(b), outside)
}

// Toned is DrawnBar in other colours than those of its collector.
func (p *Palette) Toned(b *spans.Bar, outside bool, tone Bar) Bar {
	return p.lighten(b.Collector, faded(tone, p.th, p.strength(p.FoundBar(b), outside)))
}

// Tone is Drawn in other colours than those of the collector.
func (p *Palette) Tone(c model.CollectorID, tone Bar) Bar {
	return p.lighten(c, faded(tone, p.th, p.strength(p.Found(c), false)))
}

func (p *Palette) drawn(c model.CollectorID, found, outside bool) Bar {
	return p.lighten(c, p.at(c, p.strength(found, outside)))
}

// strength is how much what is found, or lies outside, stands out.
func (p *Palette) strength(found, outside bool) Strength {
	switch {
	case p.look.searching && !found:
		return Missed
	case outside:
		return Outside
	}
	return Whole
}

// lighten lets a bar stand out while the mouse is on one of its kind.
func (p *Palette) lighten(c model.CollectorID, b Bar) Bar {
	if c == p.lit && c != model.NoCollector {
		b.Fill = draw.Highlight(b.Fill, p.th)
	}
	return b
}

// Group returns the fill of what stands for a collector and all that belongs to it, and whether the
// search finds something of that.
func (p *Palette) Group(c model.CollectorID) (fill draw.Color, found bool) {
	if _, found = p.look.Found(c); p.look.searching && !found {
		return p.at(c, Missed).Fill, false
	}
	return p.Fill(c), found
}

// Found tells whether there is a search, and it finds a collector.
func (p *Palette) Found(c model.CollectorID) bool {
	return p.look.searching && c >= 0 && int(c) < len(p.look.found) && p.look.found[c].is
}

// FoundBar tells whether there is a search, and it finds a bar of spans, or something in it.
func (p *Palette) FoundBar(b *spans.Bar) bool {
	if hits := p.look.FoundCalls(); hits != nil {
		return hits.Is(b)
	}
	if n := p.look.named; b.Count > 1 && p.look.searching && n != nil && n.Of(p.look.session) {
		return n.Is(b)
	}
	return p.Found(b.Collector)
}

// Fill returns the colour of a collector's bars, grey for an unknown one.
func (p *Palette) Fill(c model.CollectorID) draw.Color { return p.at(c, Whole).Fill }

// Bar returns the colours of a collector's bars, grey for an unknown one.
func (p *Palette) Bar(c model.CollectorID) Bar { return p.at(c, Whole) }

func (p *Palette) at(c model.CollectorID, s Strength) Bar {
	if bars := p.bars[s]; c >= 0 && int(c) < len(bars) {
		return bars[c]
	}
	return faded(p.other, p.th, s)
}
