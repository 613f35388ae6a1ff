package tables

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/table"
)

// A click on a spike goes there and leaves the list as it is.
func TestSpikesHoldStill(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewCallSession(false), 1, 400, 300)
	spikes := NewSpikes()
	tab := table.New("", spikes)
	for range 50 {
		rig.Tick(tab)
	}
	list := spikes.Spans.(*spanSpikes)
	if len(list.rows) < 2 {
		t.Fatalf("%d spikes", len(list.rows))
	}
	n, row, third := len(list.rows), list.row, list.rows[1].span
	list.Click(rig.Env, &list.rows[1], &panel.Input{})
	for range 50 {
		rig.Tick(tab)
	}
	if len(list.rows) != n || list.row != row || list.rows[1].span.Ref != third.Ref {
		t.Errorf("%d spikes of row %d, were %d of row %d", len(list.rows), list.row, n, row)
	}
	if v := rig.Env.View; !v.HasSpan() || v.Span().Ref != third.Ref {
		t.Error("the spike is not selected")
	}
}
