package widgets

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table/tabletest"
)

// A column put before others breaks nothing.
func TestMetricsColumnsGoByTheirNames(t *testing.T) {
	tabletest.Unharmed(t, func() tabletest.Shown[metricRow] {
		tab := New(func() Costs { return Costs{Quads: 5} })
		return tabletest.Shown[metricRow]{Rig: chartstest.NewRig(nil, 1, 400, 200), Table: tab, Columns: &metricColumns}
	})
}
