// Hues places the collectors of a session among the data colors: a family has a hue, children lie on
// both sides of their parent's. Palette turns them into colors of a theme.

package view

import (
	"cmp"
	"slices"

	"framescope/assets"
	"framescope/model"
)

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

// Find assigns each collector its place among the data colors. A family (a collector without a
// parent and all below it) has a hue; children lie on both sides of their parent's, on the other
// level. A color set by the source keeps its hue. In a stack neighbours differ, unless colors
// from the source prevent it: a child from its parent and from the sibling defined before it. The
// order of definition decides and only grows at its end, so that assigned colors stay.
func (p *Hues) Find(h *model.Hierarchy, th *assets.Theme) {
	p.list = append(p.list[:0], make([]Hue, len(h.All))...)
	taken := families{}
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
			default:
				*x = childHue(c, th, up, before, left)
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
	const tries = 8 // four on each side
	for try := range tries {
		x.pos = assets.ChildPos(up.pos, c.Name, left != (try >= tries/2), try)
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
