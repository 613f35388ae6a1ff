package calls

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table/tabletest"
	"framescope/model/spans"
)

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	s := callTreeFixture()
	for _, bottomUp := range []bool{false, true} {
		tabletest.Unharmed(t, func() tabletest.Shown[callRow] {
			c, rig := NewTree(), chartstest.NewRig(s, 1, 900, 200)
			c.BottomUp = bottomUp
			columns := c.source.columns[spans.MeasureDuration].Plain()
			return tabletest.Shown[callRow]{Rig: rig, Panel: c, Table: c.table, Columns: columns}
		})
	}
	for _, flat := range []bool{false, true} {
		tabletest.Unharmed(t, func() tabletest.Shown[slowRow] {
			c, rig := NewSlow(), chartstest.NewRig(s, 1, 1400, 200)
			c.Text, c.Flat = "b", flat
			columns := c.source.groupColumns.Plain()
			if flat {
				columns = c.source.flatColumns.Plain()
			}
			return tabletest.Shown[slowRow]{Rig: rig, Panel: c, Table: c.table, Columns: columns}
		})
	}
}
