package series

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
)

// chip ids of the series chart.
const (
	chipSeriesLayout = iota
	chipSeriesOrder
	chipGroupBefore
	chipGroupNext
)

// layHead lays the switches out; before input, so that they can be pressed where they are.
func (c *Chart) layHead(env *panel.Env) {
	p, r := &c.pick, &c.chips
	r.Begin()
	curves := (!p.same || p.kind != model.SeriesState) && !c.Distribution
	if len(p.items) > 1 {
		rows := !c.overlaid()
		if rows {
			r.Add(chipSeriesOrder, [...]string{OrderName: "by name", OrderLast: "by last", OrderMean: "by mean"}[c.Order], false)
		}
		if p.same && curves {
			if rows {
				r.Switch(&c.SameScale, "one scale", "one scale")
			}
			words := "overlay"
			if rows {
				words = "rows"
			}
			r.Add(chipSeriesLayout, words, false)
		}
	}
	switch {
	case p.kind == model.SeriesEvent:
		words := "weight"
		if p.items[0].value.Kind == format.UnitBytes {
			words = "bytes"
		}
		r.Switch(&c.Weight, words, "events")
		r.Chips[len(r.Chips)-1].On = false // it says which, not whether
	case p.kind == model.SeriesValue, p.kind == model.SeriesGauge:
		r.Switch(&c.Log, "log", "log")
	}
	if curves {
		r.Switch(&c.FixedScale, "fixed scale", "auto scale")
	}
	r.Switch(&c.Distribution, "histogram", "histogram")
	h := c.regions.head
	h.X0 += env.Px(8)
	c.nav.Begin()
	if len(c.IDs) == 0 && len(c.groups.Groups(env.View.Session())) > 1 && h.W() > env.Px(156) {
		for i, text := range [...]string{"‹", "›"} {
			c.nav.Add(chipGroupBefore+i, text, true)
			w, hh := env.Px(16), env.Px(18)
			y := h.Y0 + panel.Snap((h.H()-hh)/2)
			c.nav.Chips[i].Rect = draw.Rect{X0: h.X0, Y0: y, X1: h.X0 + w, Y1: y + hh}
			h.X0 += w + env.Px(3)
		}
	}
	// The name of what is shown keeps some room.
	h.X0 += min(env.Px(110), max(0, (h.X1-env.Px(6)-h.X0)*0.35))
	r.LayOut(env, h)
}

// DrawHead draws the arrows, the name of the group and how many series it has, and the switches.
func (c *Chart) drawHead(env *panel.Env) {
	l, th := c.List(), env.Theme
	h := c.chips.Beside(env, c.regions.head, 9, 6)
	for i := range c.nav.Chips {
		h.X0 = c.nav.Chips[i].Rect.X1 + env.Px(6)
	}
	c.chips.Draw(l, env)
	c.nav.Draw(l, env)
	name := c.Group
	if len(c.IDs) > 0 || name == "" {
		name = env.View.Session().Series().ByID(c.focused(env).id).Def.Name
	}
	if !l.TextIn(draw.Medium, h, draw.Left, name, draw.Color(th.Text)) || len(c.pick.items) < 2 {
		return
	}
	h.X0 += env.Atlas.Measure(draw.Medium, name) + env.Px(8)
	c.buf = append(format.AppendCount(c.buf[:0], int64(len(c.pick.items))), " series"...)
	l.TextFit(draw.Small, h, draw.Left, panel.ScratchText(c.buf), draw.Color(th.TextDim))
}

// pressChip does what a switch stands for.
func (c *Chart) pressChip(env *panel.Env, id int) {
	switch id {
	case chipSeriesLayout:
		c.ToggleLayout()
	case chipSeriesOrder:
		c.CycleOrder()
	case chipGroupBefore:
		c.NextGroup(env, -1)
	case chipGroupNext:
		c.NextGroup(env, 1)
	}
}
