package charts

import (
	"framescope/charts/draw"
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
func (c *SeriesChart) layHead(env *Env) {
	p := &c.pick
	c.chips.begin()
	curves := !p.same || p.kind != model.SeriesState
	if len(p.items) > 1 {
		rows := !c.overlaid()
		if rows {
			switch c.Order {
			case OrderLast:
				c.chips.add(chipSeriesOrder, "by last", false)
			case OrderMean:
				c.chips.add(chipSeriesOrder, "by mean", false)
			default:
				c.chips.add(chipSeriesOrder, "by name", false)
			}
			if p.same && curves && !c.Distribution {
				c.chips.add(chipSeriesSame, "one scale", c.SameScale)
			}
		}
		if p.same && curves && !c.Distribution {
			if rows {
				c.chips.add(chipSeriesLayout, "rows", false)
			} else {
				c.chips.add(chipSeriesLayout, "overlay", false)
			}
		}
	}
	switch {
	case p.kind == model.SeriesEvent:
		switch {
		case !c.Weight:
			c.chips.add(chipSeriesWeight, "events", false)
		case p.items[0].value.kind == unitBytes:
			c.chips.add(chipSeriesWeight, "bytes", false)
		default:
			c.chips.add(chipSeriesWeight, "weight", false)
		}
	case p.kind == model.SeriesValue, p.kind == model.SeriesGauge:
		c.chips.add(chipSeriesLog, "log", c.Log)
	}
	if curves && !c.Distribution {
		if c.FixedScale {
			c.chips.add(chipSeriesScale, "fixed scale", true)
		} else {
			c.chips.add(chipSeriesScale, "auto scale", false)
		}
	}
	c.chips.add(chipSeriesDist, "histogram", c.Distribution)
	h := c.regions.head
	h.X1 -= env.Px(6)
	h.X0 += env.Px(8)
	left := h.X0
	c.nav.begin()
	if len(c.IDs) == 0 && len(c.groups.groups) > 1 && h.W() > env.Px(150) {
		for i, text := range [...]string{"‹", "›"} {
			c.nav.add(chipGroupBefore+i, text, true)
			n := &c.nav.chips[i]
			w, hh := env.Px(16), env.Px(18)
			y := h.Y0 + snap((h.H()-hh)/2)
			n.rect = draw.Rect{X0: left, Y0: y, X1: left + w, Y1: y + hh}
			left += w + env.Px(3)
		}
	}
	// The name of what is shown keeps some room.
	h.X0 = left + min(env.Px(110), max(0, (h.X1-left)*0.35))
	c.chips.layOut(env, h)
}

// drawHead draws the arrows, the name of the group and how many series it has, and the switches.
func (c *SeriesChart) drawHead(env *Env) {
	l, th := c.list, env.Theme
	h := c.regions.head
	h.X0 += env.Px(9)
	h.X1 -= env.Px(6)
	for i := range c.nav.chips {
		h.X0 = c.nav.chips[i].rect.X1 + env.Px(6)
	}
	for i := range c.chips.chips {
		if r := c.chips.chips[i].rect; !r.Empty() {
			h.X1 = min(h.X1, r.X0-env.Px(6))
		}
	}
	c.chips.draw(l, env)
	c.nav.draw(l, env)
	name := c.Group
	if len(c.IDs) > 0 || name == "" {
		name = env.View.Session().Series(c.focused().id).Def.Name
	}
	if !l.TextIn(draw.Medium, h, draw.Left, name, draw.Color(th.Text)) || len(c.pick.items) < 2 {
		return
	}
	h.X0 += env.Atlas.Measure(draw.Medium, name) + env.Px(8)
	c.buf = append(AppendCount(c.buf[:0], int64(len(c.pick.items))), " series"...)
	l.TextFit(draw.Small, h, draw.Left, scratchText(c.buf), draw.Color(th.TextDim))
}

// pressChip does what a switch stands for.
func (c *SeriesChart) pressChip(env *Env, id int) {
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
