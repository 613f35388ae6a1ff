package widgets

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table"
	"framescope/charts/table/tabletest"
)

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	tabletest.Unharmed(t, func() tabletest.Shown[DiskRow] {
		tab := table.New("", &diskTable{program: &disk{rows: someOnDisk(), limit: 1 << 30}})
		return tabletest.Shown[DiskRow]{Rig: chartstest.NewRig(nil, 1, 1400, 200), Table: tab, Columns: &diskColumns}
	})
}
