package series

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
)

// input handles a tick's mouse and keys: the head, the labels, the value gutter, and the plots.
func (c *Chart) input(env *panel.Env, in *panel.Input) panel.Action {
	v := env.View
	c.over = model.NoSeries
	if in.Over && !c.time.Busy() {
		c.over, _ = c.SeriesAt(env, in.X, in.Y)
	}
	if act, done := c.labelInput(env, in); done {
		return act
	}
	if c.gutterInput(in) {
		c.time.LetGo()
		return panel.Action{}
	}
	g, over := c.time.Input(env, v.Steer(), in)
	c.scrollY += g.ScrollPx
	if !over {
		return panel.Action{}
	}
	c.hover.AtTime(v.Time().ToTime(c.regions.plot, float64(in.X)))
	switch {
	case g.DoubleClick:
		// A range that is selected is zoomed to; else everything.
		if v.HasRange() {
			v.Steer().ZoomTo(v.RangeA(), v.RangeB())
		} else {
			v.Steer().FitSelection()
		}
		c.again.Doubled(v, in)
	case g.Click && c.again.Single(v):
		c.selectAt(env, in)
	case g.Menu:
		return panel.MenuOf(c.HitTest(env, in.X, in.Y), in.X, in.Y)
	}
	return panel.Action{}
}

// selectAt moves the playhead to where the mouse is, or to the sample that is drawn there, and
// focuses the series.
func (c *Chart) selectAt(env *panel.Env, in *panel.Input) {
	v := env.View
	at := v.Time().ToTime(c.regions.plot, float64(in.X))
	if k := c.lineAt(env, in.X, in.Y); k >= 0 {
		it := &c.pick.items[c.lines[k].item]
		v.Select(view.Series(it.id))
		slop := int64(v.Time().NsPerPx(c.regions.plot)*float64(env.Px(4))) + 1
		if sample, ok := v.Session().Series().ByID(it.id).Nearest(at, slop); ok {
			at = sample.Time
		}
	}
	v.SetPlayhead(at)
}

// labelInput handles the column of labels: a click focuses a series, a double click shows it alone,
// or all of its group again; the wheel scrolls. done: the mouse is there.
func (c *Chart) labelInput(env *panel.Env, in *panel.Input) (act panel.Action, done bool) {
	if !in.Over || !c.regions.labels.Contains(in.X, in.Y) || c.time.Busy() {
		return panel.Action{}, false
	}
	if in.WheelY != 0 {
		c.scrollY -= in.WheelY * max(c.rowH, env.Px(panel.WheelRowPx))
		c.layPlots(env)
	}
	i := c.labelAt(env, in.X, in.Y)
	if i < 0 || i >= len(c.pick.items) {
		return panel.Action{}, true
	}
	id := c.pick.items[i].id
	switch {
	case in.DoubleClick:
		if len(c.IDs) == 1 && c.IDs[0] == id {
			c.Show(env.View.Session().Series().ByID(id).Def.Group)
		} else {
			c.ShowSeries(id)
		}
		env.View.Select(view.Series(id))
	case in.Left.Pressed:
		env.View.Select(view.Series(id))
	case in.Right.Released && !in.Right.Dragging:
		return panel.MenuOf(c.HitTest(env, in.X, in.Y), in.X, in.Y), true
	}
	return panel.Action{}, true
}

// gutterInput handles the values at the right: the wheel stretches the scale and keeps it, a double
// click makes it automatic again. It returns true while it has the mouse.
func (c *Chart) gutterInput(in *panel.Input) bool {
	if !in.Over || !c.regions.values.Contains(in.X, in.Y) || c.time.Busy() {
		return false
	}
	if in.DoubleClick {
		c.FixedScale = false
		c.scaleOf, c.query = seriesScaleKey{}, seriesQueryKey{}
		return true
	}
	if in.WheelY == 0 {
		return in.Left.Pressed
	}
	c.FixedScale = true
	i := c.plotAt(in.Y)
	if c.oneScale() {
		i = 0
	}
	if i >= 0 {
		c.scaleFor(c.plots[i].item).Stretch(panel.WheelStretch(in.WheelY))
	}
	c.query = seriesQueryKey{}
	return true
}

// lineAt returns the index of the line at a point: of a row its own; of an overlay the nearest
// within a few pixels, -1 none.
func (c *Chart) lineAt(env *panel.Env, pxX, pxY float32) int {
	i := c.plotAt(pxY)
	if i < 0 {
		return -1
	}
	best, near := -1, env.Px(14)
	for k := range c.lines {
		ln := &c.lines[k]
		if ln.plot != i {
			continue
		}
		if !c.overlaid() || len(c.pick.items) == 1 {
			return k
		}
		col := c.grid(ln).at(pxX)
		if col < 0 || col >= ln.n || !c.cols(ln)[col].known() {
			continue
		}
		y := c.curveY(env, &c.plots[i], c.cols(ln)[col].mid) + env.Px(1)/2
		if d := panel.Abs32(y - pxY); d < near {
			best, near = k, d
		}
	}
	return best
}

// columnRect returns the place of a column of a line, over the height of its plot.
func (c *Chart) columnRect(ln *seriesLine, col int) draw.Rect {
	g, p := c.grid(ln), &c.plots[ln.plot]
	return draw.Rect{X0: g.xs[col], Y0: p.rect.Y0, X1: max(g.xs[col+1], g.xs[col]+1), Y1: p.rect.Y1}
}

// The tools of the series chart.
const (
	toolGroup = iota
	toolOrder
	toolScale
	toolOverlay
	toolWeight
	toolLog
	toolFixed
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
	curves := !p.same || p.kind != model.SeriesState
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
	}
}

// Turn implements panel.Turner: the wheel goes through the groups.
func (c *Chart) Turn(env *panel.Env, id, steps int) {
	if id == toolGroup {
		c.NextGroup(env, -steps)
	}
}
