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
	chipSeriesLog
	chipSeriesWeight
	chipSeriesSame
	chipSeriesScale
	chipSeriesDist
	chipGroupBefore
	chipGroupNext
)

// layHead lays the switches out; before input, so that they can be pressed where they are.
func (c *Chart) layHead(env *panel.Env) {
	p := &c.pick
	c.chips.Begin()
	curves := !p.same || p.kind != model.SeriesState
	if len(p.items) > 1 {
		rows := !c.overlaid()
		if rows {
			switch c.Order {
			case OrderLast:
				c.chips.Add(chipSeriesOrder, "by last", false)
			case OrderMean:
				c.chips.Add(chipSeriesOrder, "by mean", false)
			default:
				c.chips.Add(chipSeriesOrder, "by name", false)
			}
			if p.same && curves && !c.Distribution {
				c.chips.Add(chipSeriesSame, "one scale", c.SameScale)
			}
		}
		if p.same && curves && !c.Distribution {
			if rows {
				c.chips.Add(chipSeriesLayout, "rows", false)
			} else {
				c.chips.Add(chipSeriesLayout, "overlay", false)
			}
		}
	}
	switch {
	case p.kind == model.SeriesEvent:
		switch {
		case !c.Weight:
			c.chips.Add(chipSeriesWeight, "events", false)
		case p.items[0].value.Kind == format.UnitBytes:
			c.chips.Add(chipSeriesWeight, "bytes", false)
		default:
			c.chips.Add(chipSeriesWeight, "weight", false)
		}
	case p.kind == model.SeriesValue, p.kind == model.SeriesGauge:
		c.chips.Add(chipSeriesLog, "log", c.Log)
	}
	if curves && !c.Distribution {
		if c.FixedScale {
			c.chips.Add(chipSeriesScale, "fixed scale", true)
		} else {
			c.chips.Add(chipSeriesScale, "auto scale", false)
		}
	}
	c.chips.Add(chipSeriesDist, "histogram", c.Distribution)
	h := c.regions.head
	h.X1 -= env.Px(6)
	h.X0 += env.Px(8)
	left := h.X0
	c.nav.Begin()
	if len(c.IDs) == 0 && len(c.groups.Groups(env.View.Session())) > 1 && h.W() > env.Px(150) {
		for i, text := range [...]string{"‹", "›"} {
			c.nav.Add(chipGroupBefore+i, text, true)
			n := &c.nav.Chips[i]
			w, hh := env.Px(16), env.Px(18)
			y := h.Y0 + panel.Snap((h.H()-hh)/2)
			n.Rect = draw.Rect{X0: left, Y0: y, X1: left + w, Y1: y + hh}
			left += w + env.Px(3)
		}
	}
	// The name of what is shown keeps some room.
	h.X0 = left + min(env.Px(110), max(0, (h.X1-left)*0.35))
	c.chips.LayOut(env, h)
}

// DrawHead draws the arrows, the name of the group and how many series it has, and the switches.
func (c *Chart) drawHead(env *panel.Env) {
	l, th := c.list, env.Theme
	h := c.regions.head
	h.X0 += env.Px(9)
	h.X1 -= env.Px(6)
	for i := range c.nav.Chips {
		h.X0 = c.nav.Chips[i].Rect.X1 + env.Px(6)
	}
	for i := range c.chips.Chips {
		if r := c.chips.Chips[i].Rect; !r.Empty() {
			h.X1 = min(h.X1, r.X0-env.Px(6))
		}
	}
	c.chips.Draw(l, env)
	c.nav.Draw(l, env)
	name := c.Group
	if len(c.IDs) > 0 || name == "" {
		name = env.View.Session().Series(c.focused().id).Def.Name
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
	case chipSeriesLog:
		c.ToggleLog()
	case chipSeriesWeight:
		c.ToggleWeight()
	case chipSeriesSame:
		c.SameScale = !c.SameScale
	case chipSeriesScale:
		c.ToggleScale()
	case chipSeriesDist:
		c.ToggleDistribution()
	case chipGroupBefore:
		c.NextGroup(env, -1)
	case chipGroupNext:
		c.NextGroup(env, 1)
	}
}
