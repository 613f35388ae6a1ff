package locks

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table/tabletest"
	"framescope/model/locks"
)

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	s := chartstest.NewLockSession(t)
	tabletest.Unharmed(t, func() tabletest.Shown[locks.Stats] {
		tab, src := NewLockPanel()
		rig := chartstest.NewRig(s, 1, 1800, 200)
		rig.Env.View.Steer().FitAll()
		return tabletest.Shown[locks.Stats]{Rig: rig, Table: tab, Columns: &src.columns}
	})
}
