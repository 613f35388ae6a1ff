package tables

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table/tabletest"
	"framescope/model/messages"
)

// A column put before others breaks nothing, be ctrl held or not.
func TestMessagesColumnsGoByTheirNames(t *testing.T) {
	s := chartstest.MessageSession(300)
	for _, ctrl := range []bool{false, true} {
		tabletest.Unharmed(t, func() tabletest.Shown[messages.Hit] {
			m, rig := NewMessages(), chartstest.NewRig(s, 1, 1400, 200)
			rig.In.Ctrl = ctrl
			return tabletest.Shown[messages.Hit]{Rig: rig, Panel: m, Table: m.table, Columns: &m.src.columns}
		})
	}
}
