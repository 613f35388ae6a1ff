package registry

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/model"
)

func BenchmarkLivePanels(b *testing.B) {
	for _, c := range []struct {
		name  string
		chart panel.Panel
	}{
		{"strip", strip.New(model.NoTrack, 0, false)}, {"flame", flame.New(model.NoCollector)}, {"piano", strip.NewPiano(model.NoTrack)},
		{"collectors", table.New("", tables.NewCollectorTree())}, {"stats", table.New("", tables.NewStats(false))}, {"threads", table.New("", tables.NewThreads())},
		{"spikes", table.New("", tables.NewSpikes())}, {"losses", table.New("", tables.NewLosses())},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := chartstest.NewLiveGame(30)
			for range 2000 {
				g.Frame()
			}
			rig := chartstest.NewRig(g.S, 1, 900, 400)
			rig.Env.Animate, rig.Env.Paced = true, true
			rig.Env.View.Follow(true)
			rig.Tick(c.chart)
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				b.StopTimer()
				g.Frame()
				b.StartTimer()
				rig.Tick(c.chart)
			}
			b.ReportMetric(float64(c.chart.List().Quads()), "quads/frame")
		})
	}
}
