package strip

import (
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model/frames"
)

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
