package charts

import (
	"testing"

	"framescope/model"
)

func TestGoldenTables(t *testing.T) {
	s := newTestSession(t)
	atScales(t, "table_collectors", func(t *testing.T, scale float32, name string) {
		rig := newPanelRig(s, scale, 232, 520)
		rig.env.View.SelectFrames(90, 119)
		rig.env.View.Collector = cCull
		rig.env.View.SetHidden(cWait, true)
		tb := NewTable("Collectors", NewCollectorTree())
		tb.ModeText = "mean of range"
		rig.check(t, tb, name)
	})
	t.Run("stats", func(t *testing.T) {
		rig := newPanelRig(s, 1, 760, 300)
		rig.env.View.SelectFrames(0, 199)
		tb := NewTable("Statistics", NewStatsTable(false))
		tb.SortColumn, tb.Descending = 2, true
		rig.check(t, tb, "table_stats")
	})
	t.Run("threads", func(t *testing.T) {
		rig := newPanelRig(s, 1, 232, 160)
		rig.env.View.SelectFrames(120, 120)
		rig.check(t, NewTable("Threads", NewThreadTable()), "table_threads")
	})
	t.Run("spikes", func(t *testing.T) {
		rig := newPanelRig(s, 1, 240, 220)
		rig.env.View.SelectFrames(150, 150)
		tb := NewTable("Spikes", NewSpikeTable())
		tb.NoHeader, tb.RowHeight = true, 30
		rig.check(t, tb, "table_spikes")
	})
	t.Run("losses", func(t *testing.T) {
		s.Apply(model.Loss{Reason: model.LossChecksum, Track: model.NoTrack, N: 2, Detail: "checksum of a datagram from 10.1.4.7:40112 is wrong"})
		rig := newPanelRig(s, 1, 260, 220)
		tb := NewTable("Received", NewLossTable())
		tb.NoHeader = true
		rig.check(t, tb, "table_losses")
	})
}

func TestGoldenHistogram(t *testing.T) {
	s := newTestSession(t)
	rig := newPanelRig(s, 1, 232, 150)
	rig.env.View.SelectFrames(100, 100)
	rig.env.View.Collector = cDraw
	rig.check(t, NewHistogram(), "histogram")
	rig.env.View.Collector = model.NoCollector
	rig.check(t, NewHistogram(), "histogram_empty")
}
