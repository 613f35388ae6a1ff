package strip

import (
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model/frames"
	"framescope/model/store"
)

// input handles a tick's mouse and keys: the head, the legend, the value gutter, guide bars, and
// the plot.
func (c *Chart) input(env *panel.Env, s *store.Session, track *store.Track, in *panel.Input) panel.Action {
	v := env.View
	c.hover.Begin()
	if i := c.crumbs.Input(in); i >= 0 {
		c.Focus = c.crumbs.Items[i].Collector
		c.crumbs.Follow(s, c.Focus, c.Levels)
		return panel.Action{}
	}
	if c.rescaleInput(in) || c.guideInput(env, in) {
		return panel.Action{}
	}
	if act, done := c.legendInput(env, s, in); done {
		return act
	}
	if !c.own.Window.Valid() {
		return panel.Action{}
	}
	g, over := c.time.Input(env, &c.own, in)
	if g.Panned { // not where the window only became wider or narrower
		v.Follow(false)
	}
	if g.Moved {
		b, e := c.own.Target()
		c.FollowNs = int64(e - b)
	}
	if !over {
		return panel.Action{}
	}
	c.hover.AtTime(c.own.Window.ToTime(c.regions.plot, float64(in.X)))
	column, band := c.bandAt(in.X, in.Y)
	if band >= 0 {
		c.hover.AtCollector(c.strip.Bands[band])
	}
	switch {
	case g.DoubleClick:
		// A child's band leads down; the focus' own band, or where there is none, up (VIEWER.md
		// section 9.8).
		if band < 0 || !c.Descend(c.strip.Bands[band]) {
			c.Ascend(env)
		}
		c.crumbs.Follow(s, c.Focus, c.Levels)
		c.again.Doubled(v, in)
	case g.Click && c.again.Single(v):
		c.selectAt(env, track, column, band, in)
	case g.Menu:
		return panel.MenuOf(c.HitTest(env, in.X, in.Y), in.X, in.Y)
	}
	return panel.Action{}
}

// ToggleScale fixes the vertical scale as it is, or makes it automatic again.
func (c *Chart) ToggleScale() {
	if c.FixedTop > 0 {
		c.FixedTop, c.scaleFor = 0, stripScaleKey{}
		return
	}
	c.FixedTop = c.target.top
}

// rescaleInput handles a drag on the value gutter: the value that was pressed follows the mouse
// (VIEWER.md section 9.5). A double click makes the scale automatic again. It returns true
// while it has the mouse.
func (c *Chart) rescaleInput(in *panel.Input) bool {
	plot, gutter := c.regions.plot, c.regions.values
	over := in.Over && gutter.Contains(in.X, in.Y)
	if over && in.DoubleClick {
		c.rescaling = false
		c.FixedTop, c.scaleFor = 0, stripScaleKey{}
		return true
	}
	if over && in.WheelY != 0 && c.scale.top > 0 {
		c.FixedTop = c.target.top * panel.WheelStretch(in.WheelY)
		return true
	}
	if over && in.Left.Pressed && c.scale.top > 0 && plot.H() > 0 {
		c.rescaling = true
		c.pressValue = c.valueAt(in.Y)
	}
	if !c.rescaling {
		return false
	}
	if !in.Left.Down {
		c.rescaling = false
		return false
	}
	if in.Left.Dragging {
		share := float64((plot.Y1 - in.Y) / plot.H())
		if share > 0.02 && c.pressValue > 0 {
			c.FixedTop = c.pressValue / share
		}
	}
	return true
}

// guideInput handles the user's guide bars (VIEWER.md section 6.5): dragged in from the ruler
// below the plot, moved, and dragged out again. It returns true while it has the mouse.
func (c *Chart) guideInput(env *panel.Env, in *panel.Input) bool {
	plot := c.regions.plot
	if c.guideDrag >= len(c.Guides) {
		c.guideDrag = -1
	}
	if c.guideDrag < 0 {
		if !in.Over || !in.Left.Pressed || in.Shift || in.Ctrl || c.scale.top <= 0 {
			return false
		}
		if c.regions.ruler.Contains(in.X, in.Y) {
			c.Guides = append(c.Guides, 0)
			c.guideDrag = len(c.Guides) - 1
		} else if plot.Contains(in.X, in.Y) {
			for i, g := range c.Guides {
				if panel.Abs32(c.valueY(g)-in.Y) <= env.Px(4) {
					c.guideDrag = i
				}
			}
		}
		if c.guideDrag < 0 {
			return false
		}
	}
	inside := in.Y > plot.Y0 && in.Y < plot.Y1
	if in.Left.Down {
		c.Guides[c.guideDrag] = 0
		if inside {
			c.Guides[c.guideDrag] = c.valueAt(in.Y)
		}
		return true
	}
	if !inside || c.Guides[c.guideDrag] <= 0 {
		c.Guides = slices.Delete(c.Guides, c.guideDrag, c.guideDrag+1)
	}
	c.guideDrag = -1
	return true
}

// legendInput handles the legend.
func (c *Chart) legendInput(env *panel.Env, s *store.Session, in *panel.Input) (panel.Action, bool) {
	if !in.Over || !c.regions.legend.Contains(in.X, in.Y) {
		return panel.Action{}, false
	}
	band := c.bandNamedAt(in.X, in.Y)
	if band < 0 || band >= len(c.strip.Bands) {
		if in.DoubleClick {
			c.Ascend(env)
			c.crumbs.Follow(s, c.Focus, c.Levels)
		}
		return panel.Action{}, true
	}
	id := c.strip.Bands[band]
	c.hover.AtCollector(id)
	switch {
	case in.DoubleClick:
		if !c.Descend(id) {
			c.Ascend(env)
		}
		c.crumbs.Follow(s, c.Focus, c.Levels)
	case in.Left.Pressed:
		env.View.SelectCollectorOf(c.track, id)
	case in.Right.Released && !in.Right.Dragging:
		return panel.MenuOf(c.HitTest(env, in.X, in.Y), in.X, in.Y), true
	}
	return panel.Action{}, true
}

// selectAt selects the frame that a column shows and the band's collector.
func (c *Chart) selectAt(env *panel.Env, track *store.Track, column, band int, in *panel.Input) {
	v := env.View
	t := c.own.Window.ToTime(c.regions.plot, float64(in.X))
	if column >= 0 && column < len(c.strip.Columns) && c.strip.Columns[column].State == frames.ColumnData {
		if f := int(c.strip.Columns[column].Frame); f >= 0 && f < track.NumFrames() {
			// The column may show a frame that is not the one at this instant (the longest of several): the
			// one that is seen is the one that is meant.
			v.SetTrack(c.track)
			v.SelectFrames(f, f)
		}
	} else {
		v.SetPlayhead(t)
	}
	if band >= 0 {
		v.SelectCollectorOf(c.track, c.strip.Bands[band])
	}
}

// The tools of the strip chart.
const (
	toolUnit = iota
	toolColumns
	toolKnee
	toolScale
)

// units are the units of times; columns and columnNames are the modes of a column.
var (
	units       = []string{"ms", "Hz"}
	columns     = [...]frames.StripMode{frames.StripMax, frames.StripHold, frames.StripSmooth}
	columnNames = []string{"Worst frame", "Last frame", "Smooth"}
)

// Tools implements panel.Tooled.
func (c *Chart) Tools(*panel.Env) []panel.Tool {
	b := &c.tools
	b.Begin()
	if !c.Levels {
		unit := format.Pick(c.Hz, 1, 0)
		b.Choice(toolUnit, unit, units, "", "Times, or how often a second they fit in")
	}
	b.Choice(toolColumns, slices.Index(columns[:], c.Columns), columnNames, "", "What a column shows of its frames")
	if !c.Levels {
		b.Toggle(toolKnee, c.bent(), "Knee", "Linear to one and a half of the budget, logarithmic above")
	}
	b.Toggle(toolScale, c.FixedTop > 0, "Fixed scale", "The scale stays as it is")
	return b.All()
}

// Use implements panel.Tooled.
func (c *Chart) Use(_ *panel.Env, id, option int) {
	switch id {
	case toolUnit:
		c.Hz = option == 1
	case toolColumns:
		c.Columns = columns[option]
	case toolKnee:
		if c.FixedTop > 0 { // a scale that the user fixed has none
			c.FixedTop, c.Linear = 0, true
		}
		c.Linear = !c.Linear
	case toolScale:
		c.ToggleScale()
	}
}
