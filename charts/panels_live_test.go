package charts

import (
	"testing"

	"framescope/model"
)

func BenchmarkLivePanels(b *testing.B) {
	for _, c := range []struct {
		name  string
		chart Chart
	}{
		{"strip", NewStripChart(model.NoTrack, 0, false)}, {"flame", NewFlameGraph(model.NoCollector)}, {"piano", NewPianoRoll(model.NoTrack)},
		{"collectors", NewTable("", NewCollectorTree())}, {"stats", NewTable("", NewStatsTable(false))}, {"threads", NewTable("", NewThreadTable())},
		{"spikes", NewTable("", NewSpikeTable())}, {"losses", NewTable("", NewLossTable())}, {"histogram", &Histogram{Collector: 3}},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := newLiveGame(30)
			for range 2000 {
				g.frame()
			}
			rig := newPanelRig(g.s, 1, 900, 400)
			rig.env.Animate = true
			rig.env.View.Follow(true)
			rig.tick(c.chart)
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				b.StopTimer()
				g.frame()
				b.StartTimer()
				rig.tick(c.chart)
			}
			b.ReportMetric(float64(c.chart.List().Quads()), "quads/frame")
		})
	}
}
