package series

import (
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
)

// The tools of the series chart.
const (
	toolGroup = iota
	toolOrder
	toolScale
	toolOverlay
	toolWeight
	toolLog
	toolFixed
	toolHistogram
)

// The options of the choices.
var (
	orders      = [...]Order{OrderName, OrderLast, OrderMean}
	orderNames  = []string{"By name", "By last", "By mean"}
	eventNames  = []string{"Events", "Weight"}
	eventsBytes = []string{"Events", "Bytes"}
)

// Tools implements panel.Tooled.
func (c *Chart) Tools(env *panel.Env) []panel.Tool {
	b, p := &c.tools, &c.pick
	b.Begin()
	if len(p.items) == 0 {
		return b.All()
	}
	if groups := c.groups.Groups(env.View.Session()); len(c.IDs) == 0 && len(groups) > 1 {
		c.groupNames = c.groupNames[:0]
		for i := range groups {
			c.groupNames = append(c.groupNames, groups[i].Name)
		}
		at := slices.IndexFunc(groups, func(g subject.SeriesGroup) bool { return g.Name == c.Group })
		b.Choice(toolGroup, at, c.groupNames, c.Group, "The group of series; the wheel goes to the next")
	}
	curves := (!p.same || p.kind != model.SeriesState) && !c.Distribution
	if len(p.items) > 1 {
		rows := !c.overlaid()
		if rows {
			b.Choice(toolOrder, slices.Index(orders[:], c.Order), orderNames, "", "The order of the rows")
		}
		if p.same && curves {
			b.Toggle(toolOverlay, !rows, "Overlay", "All in one plot")
			if rows {
				b.Toggle(toolScale, c.SameScale, "One scale", "All rows have the same scale")
			}
		}
	}
	switch p.kind {
	case model.SeriesEvent:
		names, at := format.Pick(p.items[0].value.Kind == format.UnitBytes, eventsBytes, eventNames), 0
		if c.Weight {
			at = 1
		}
		b.Choice(toolWeight, at, names, "", "Measure")
	case model.SeriesValue, model.SeriesGauge:
		b.Toggle(toolLog, c.Log, "Log", "A logarithmic scale")
	}
	b.Toggle(toolHistogram, c.Distribution, "Histogram", "How often each value occurs")
	if curves {
		b.Toggle(toolFixed, c.FixedScale, "Fixed scale", "The scales stay as they are")
	}
	return b.All()
}

// Use implements panel.Tooled.
func (c *Chart) Use(env *panel.Env, id, option int) {
	switch id {
	case toolGroup:
		if groups := c.groups.Groups(env.View.Session()); option < len(groups) {
			c.Show(groups[option].Name)
		}
	case toolOrder:
		c.Order = orders[option]
	case toolScale:
		c.SameScale = !c.SameScale
	case toolOverlay:
		c.ToggleLayout()
	case toolWeight:
		c.Weight = option == 1
	case toolLog:
		c.Log = !c.Log
	case toolFixed:
		c.FixedScale = !c.FixedScale
	case toolHistogram:
		c.Distribution = !c.Distribution
	}
}

// Turn implements panel.Turner: the wheel goes through the groups.
func (c *Chart) Turn(env *panel.Env, id, steps int) {
	if id == toolGroup {
		c.NextGroup(env, -steps)
	}
}
