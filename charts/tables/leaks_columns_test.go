package tables

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table/tabletest"
)

// A column put before others breaks nothing.
func TestLeaksColumnsGoByTheirNames(t *testing.T) {
	s := chartstest.LeakSession()
	tabletest.Unharmed(t, func() tabletest.Shown[leakRow] {
		c, rig := NewLeaks(), chartstest.NewRig(s, 1, 700, 160)
		return tabletest.Shown[leakRow]{Rig: rig, Panel: c, Table: c.table, Columns: &c.source.columns}
	})
	tabletest.Unharmed(t, func() tabletest.Shown[refRow] {
		c, rig := NewLeaks(), chartstest.NewRig(s, 1, 1400, 400)
		c.Select(rig.Env, 0)
		return tabletest.Shown[refRow]{Rig: rig, Panel: c, Table: c.refs, Columns: &c.history.columns}
	})
}
