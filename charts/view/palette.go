package view

import (
	"cmp"
	"slices"
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Palette holds the colors of a session's collectors on a theme. It is filled when definitions,
// theme or the user's colors change, so that a lookup costs an index.
type Palette struct {
	key   paletteKey
	bars  [numStrengths][]Bar
	hues  Hues
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
	Outside          // outside the selection
	Missed           // by the search
	numStrengths
)

// The shares of the panel that are mixed into bars that step back, of 255.
const (
	outsideShare = 140 // 55 %
	missedShare  = 199 // 78 %
)

// faded returns the colors of a bar that steps back.
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

// paletteKey is the inputs of the colors.
type paletteKey struct {
	session      *store.Session
	defs, colors uint64
	theme        assets.ThemeKind
	sent         bool
}

// Bar is the colors of a bar: its fill, and text on it.
type Bar struct{ Fill, Text draw.Color }

// Both returns the two colors.
func (b Bar) Both() (fill, text draw.Color) { return b.Fill, b.Text }

// barOf returns the bar of a fill, with the text that reads on it.
func barOf(fill draw.Color) Bar {
	return Bar{fill, draw.Color(assets.TextOn(fill.R, fill.G, fill.B))}
}

// refresh fills the palette anew if anything changed that it depends on.
func (p *Palette) refresh(l *Look, th *assets.Theme) {
	key := paletteKey{session: l.session, defs: l.session.DefsRevision(), colors: l.colorsRev, theme: th.Kind,
		sent: l.sent}
	if key == p.key && p.other != (Bar{}) {
		return
	}
	p.key, p.other = key, Bar{draw.Color(th.FrameBar), draw.Color(th.Text)}
	for s := range p.bars {
		p.bars[s] = p.bars[s][:0]
	}
	h := l.session.Collectors().Tree()
	p.hues.Find(h, th)
	for id := range model.CollectorID(l.session.Collectors().Len()) {
		bar := p.other
		if at := h.Slot(id); at >= 0 {
			bar = p.barOf(&h.All[at], p.hues.At(at), l.colors, th)
		}
		for s := range p.bars {
			p.bars[s] = append(p.bars[s], faded(bar, th, Strength(s)))
		}
	}
}

// barOf returns the colors of a collector: the user's for its full name; those of waits, and of
// the root; else those of its hue, or the ones from the source if the user wants these.
func (p *Palette) barOf(c *model.Collector, at *Hue, user map[string]assets.Color, th *assets.Theme) Bar {
	if u, ok := user[c.FullName]; ok {
		return barOf(draw.Color(u))
	}
	switch {
	case p.key.sent && Sent(c):
		return barOf(draw.RGB(c.Color.R, c.Color.G, c.Color.B))
	case c.Waits:
		return Bar{draw.Color(th.Wait), draw.Color(th.WaitText)}
	case c.ID == 0:
		return p.other
	}
	return barOf(draw.Color(th.Data.Muted(at.Angle, at.Level, at.Chroma)))
}

// Palette returns the colors of the session's collectors on a theme, with the strength that
// selection, search and mouse give them. Call it once per picture.
func (v *View) Palette(th *assets.Theme) *Palette {
	p := &v.look.palette
	p.refresh(v.look, th)
	p.look, p.lit, p.th = v.look, v.pointer.Collector(), th
	return p
}

// Drawn returns the colors of a bar of a collector: it steps back if the search does not find it
// or it lies outside the selection, and stands out while the mouse is on its collector in any
// panel.
func (p *Palette) Drawn(c model.CollectorID, outside bool) Bar {
	return p.drawn(c, p.look.searching && p.Found(c), outside)
}

// Plain returns the colors of bars that neither search, selection nor mouse set apart, by collector,
// and the collector under the mouse, which stands out, for pictures of many bars.
func (p *Palette) Plain() (bars []Bar, lit model.CollectorID) { return p.bars[Whole], p.lit }

// DrawnBar is Drawn for a bar of spans; the search may find only some of them.
func (p *Palette) DrawnBar(b *spans.Bar, outside bool) Bar {
	return p.drawn(b.Collector, p.look.searching && p.FoundBar(b), outside)
}

// Toned is DrawnBar in other colors than those of its collector.
func (p *Palette) Toned(b *spans.Bar, outside bool, tone Bar) Bar {
	return p.lighten(b.Collector, faded(tone, p.th, p.strength(p.FoundBar(b), outside)))
}

// Tone is Drawn in other colors than those of the collector.
func (p *Palette) Tone(c model.CollectorID, tone Bar) Bar {
	return p.lighten(c, faded(tone, p.th, p.strength(p.Found(c), false)))
}

func (p *Palette) drawn(c model.CollectorID, found, outside bool) Bar {
	return p.lighten(c, p.at(c, p.strength(found, outside)))
}

// strength returns how much a found or outside item stands out.
func (p *Palette) strength(found, outside bool) Strength {
	switch {
	case p.look.searching && !found:
		return Missed
	case outside:
		return Outside
	}
	return Whole
}

// leastText is the least contrast of text on a bar under the mouse.
const leastText = 3.7

// lighten lets a bar stand out while the mouse is on one of its kind.
func (p *Palette) lighten(c model.CollectorID, b Bar) Bar {
	if c == p.lit && c != model.NoCollector {
		b.Fill = draw.Highlight(b.Fill, p.th)
		if assets.Contrast(assets.Color(b.Text), assets.Color(b.Fill)) < leastText {
			b = barOf(b.Fill)
		}
	}
	return b
}

// Group returns the fill of a bar for a collector and all of its descendants, and whether the
// search finds any of these.
func (p *Palette) Group(c model.CollectorID) (fill draw.Color, found bool) {
	if _, found = p.look.Found(c); p.look.searching && !found {
		return p.at(c, Missed).Fill, false
	}
	return p.Fill(c), found
}

// Found reports whether there is a search, and it finds a collector.
func (p *Palette) Found(c model.CollectorID) bool {
	return p.look.searching && c >= 0 && int(c) < len(p.look.found) && p.look.found[c].is
}

// FoundBar reports whether there is a search, and it finds a bar of spans, or something in it.
func (p *Palette) FoundBar(b *spans.Bar) bool {
	if hits := p.look.FoundCalls(); hits != nil {
		return hits.Is(b)
	}
	if n := p.look.named; b.Count > 1 && p.look.searching && n != nil && n.Of(p.look.session) {
		return n.Is(b)
	}
	return p.Found(b.Collector)
}

// Fill returns the color of a collector's bars, grey for an unknown one.
func (p *Palette) Fill(c model.CollectorID) draw.Color { return p.at(c, Whole).Fill }

// Bar returns the colors of a collector's bars, grey for an unknown one.
func (p *Palette) Bar(c model.CollectorID) Bar { return p.at(c, Whole) }

func (p *Palette) at(c model.CollectorID, s Strength) Bar {
	if bars := p.bars[s]; c >= 0 && int(c) < len(bars) {
		return bars[c]
	}
	return faded(p.other, p.th, s)
}

// Hues places the collectors of a session among the data colors: a family has a hue, children lie on
// both sides of their parent's. Palette turns them into colors of a theme.

// Hue is the place of a collector among the colors of data.
type Hue struct {
	Angle, Chroma float64
	Level         assets.Level
	pos           float64
	plain         bool // it has no hue: children find theirs as if it were not there
}

// Hues are those of a session's collectors. The zero value has none.
type Hues struct {
	list []Hue // by slot
	ids  []model.CollectorID
}

// At returns the hue of the collector in a slot.
func (p *Hues) At(slot int32) *Hue { return &p.list[slot] }

// Sent reports whether the sender suggests a color. Black counts as none (VIEWER.md section
// 7).
func Sent(c *model.Collector) bool {
	return c.Color.Set && (c.Color.R|c.Color.G|c.Color.B) != 0
}

// ofProgram is the collector below which Panda3D puts all of a program's own.
const ofProgram = "App"

// Find assigns each collector its place among the data colors. A family (a collector without a parent, or one of the
// program's own, and all below it) has a hue; children lie on both sides of their parent's, on the other level, and
// methods around the hue of their class. A color set by the source keeps its hue. In a stack neighbours differ, unless
// colors from the source prevent it: a child from its parent and from the sibling defined before it. The order of
// definition decides and only grows at its end, so that assigned colors stay.
func (p *Hues) Find(h *model.Hierarchy, th *assets.Theme) {
	p.list = append(p.list[:0], make([]Hue, len(h.All))...)
	var taken, own families
	for _, at := range h.Order {
		up := &p.list[at]
		p.ids = append(p.ids[:0], h.Children[at]...)
		slices.SortFunc(p.ids, cmp.Compare)
		var before *Hue
		left := false
		for _, id := range p.ids {
			slot := h.Slot(id)
			c, x := &h.All[slot], &p.list[slot]
			if c.Waits && !Sent(c) {
				*x = Hue{plain: true} // its hue is invisible, and it takes none from others
				continue
			}
			switch {
			case Sent(c):
				*x = sentHue(c, th, up, before, at == 0)
			case at == 0 || up.plain:
				*x = taken.family(c, th)
			case h.All[at].FullName == ofProgram:
				if *x = own.family(c, th); x.like(up) || before != nil && x.like(before) {
					x.Level = x.Level.Other()
				}
			default:
				of := *up
				if class := classOf(c.Name); class != "" && !c.Runtime {
					of.pos = assets.FamilyPos(assets.FamilySlot(class))
				}
				*x = childHue(c, th, &of, before, left)
				left = !left
			}
			if c.Runtime {
				x.Chroma = runtimeChroma(c.FullName)
			}
			before = x
		}
	}
}

// sentHue returns the place of a color that was sent.
func sentHue(c *model.Collector, th *assets.Theme, up, before *Hue, top bool) Hue {
	const grey = 0.02 // the chroma below which a hue is invisible
	x := Hue{}
	x.Angle, x.Chroma, x.Level = th.Data.Clamp(assets.RGB(c.Color.R, c.Color.G, c.Color.B))
	_, x.pos = assets.FreeHue(x.Angle)
	x.plain = x.Chroma < grey
	switch {
	case !top && !up.plain && x.like(up):
		x.Level = x.Level.Other()
	case before != nil && x.like(before):
		if x.Level = x.Level.Other(); !top && x.like(up) {
			x.Level = x.Level.Other() // it cannot differ from both: the parent counts more
		}
	}
	return x
}

// childHue returns the place of a child with a color made from its parent's.
func childHue(c *model.Collector, th *assets.Theme, up, before *Hue, left bool) Hue {
	x := Hue{Chroma: th.Data.C, Level: up.Level.Other()}
	const tries = 12 // four on each side, then further away
	for try := range tries {
		x.pos = assets.ChildPos(up.pos, c.Name, left != (try/4 == 1), try)
		if try >= 8 {
			x.pos += x.pos - up.pos
		}
		x.Angle = assets.Hue(x.pos)
		if before == nil || !x.like(before) {
			break
		}
	}
	return x
}

// like reports whether two places look the same side by side. The hue of pale colors does not
// count.
func (x *Hue) like(y *Hue) bool {
	const apart, pale = 25, 0.035 // degrees, chroma
	return x.Level == y.Level && (min(x.Chroma, y.Chroma) < pale || assets.HueDistance(x.Angle, y.Angle) < apart)
}

// classOf returns the class in the name of a method, "" without one: Cart of Cart.add(Item) and Cart::add(Item),
// (*Cart) of (*Cart).Add.
func classOf(method string) string {
	if args := strings.LastIndexByte(method, '('); args > 0 {
		method = method[:args]
	}
	return strings.TrimRight(method[:strings.LastIndexAny(method, ".:")+1], ".:")
}

// runtimeChroma returns the chroma of a runtime's collectors: they stand back.
func runtimeChroma(fullName string) float64 {
	const least, step = 0.025, 0.01
	return least + step*float64(assets.FamilySlot(fullName)%4)
}

// families counts the hues that are given to families.
type families struct {
	used [assets.NumFamilies]int
	n    int
}

// family returns the place of a family: the hue of its name, or one that fewer families have.
// Families of the same hue get different levels.
func (f *families) family(c *model.Collector, th *assets.Theme) Hue {
	const stride = 5 // leads to all hues
	slot := assets.FamilySlot(c.Name)
	if c.Runtime { // of runtimes there are many packages, and hues that are hardly seen
		pos := assets.FamilyPos(slot)
		return Hue{pos: pos, Angle: assets.Hue(pos)}
	}
	for range assets.NumFamilies {
		if f.used[slot] <= f.n/assets.NumFamilies {
			break
		}
		slot = (slot + stride) % assets.NumFamilies
	}
	x := Hue{pos: assets.FamilyPos(slot), Chroma: th.Data.C}
	x.Angle = assets.Hue(x.pos)
	if f.used[slot]%2 == 1 {
		x.Level = x.Level.Other()
	}
	f.used[slot]++
	f.n++
	return x
}
