package series

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table"
	"framescope/charts/table/tabletest"
)

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	s := tableSession()
	tabletest.Unharmed(t, func() tabletest.Shown[seriesRow] {
		src := NewTable()
		src.Chart = NewChart()
		rig := chartstest.NewRig(s, 1, 1400, 200)
		return tabletest.Shown[seriesRow]{Rig: rig, Table: table.New("", src), Columns: &src.columns}
	})
}
