package charts

import (
	"fmt"
	"testing"

	"framescope/model"
)

// liveGame appends a frame of k collectors at a time, as a running game does.
type liveGame struct {
	s  *model.Session
	b  model.Batch
	k  int
	n  int64
	at int64
}

func newLiveGame(k int) *liveGame {
	g := &liveGame{s: model.NewSession(), k: k, at: 1e9}
	g.s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	g.s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	for i := 1; i <= k; i++ {
		g.s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: fmt.Sprintf("Stage %d", i), Sort: i})
		g.s.Apply(model.PathDef{ID: model.PathID(i), Collector: model.CollectorID(i)})
	}
	return g
}

func (g *liveGame) frame() {
	g.b.Reset()
	g.b.HasFrame, g.b.Number, g.b.Begin = true, g.n, g.at
	for i := 1; i <= g.k; i++ {
		d := int64(300_000 + (g.n*int64(i)*7919)%200_000)
		g.b.Spans = append(g.b.Spans, model.Span{Begin: g.at, End: g.at + d, Path: model.PathID(i)})
		g.b.Alone = append(g.b.Alone, model.CollectorTime{Collector: model.CollectorID(i), Ns: d, Count: 1})
		g.at += d
	}
	g.b.End = g.at
	g.n++
	g.s.Append(&g.b)
}

// TestLivePanelsFollow runs a game and the panels together: they show the newest frame, the scale keeps still, and a double click or a hover does not stop them.
func TestLivePanelsFollow(t *testing.T) {
	g := newLiveGame(20)
	for range 200 {
		g.frame()
	}
	rig := newPanelRig(g.s, 1, 900, 400)
	rig.env.Animate = true
	rig.env.View.Follow(true)
	strip, flame, piano := NewStripChart(model.NoTrack, 0, false), NewFlameGraph(model.NoCollector), NewPianoRoll(model.NoTrack)
	tops := map[float64]bool{}
	for range 120 {
		g.frame()
		for _, c := range []Chart{strip, flame, piano} {
			rig.move(c, 500, 200)
		}
		tops[strip.topTarget] = true
		newest := g.s.Track(0).Frame(g.s.Track(0).NumFrames() - 1)
		if got := int64(strip.own.EndNs); got != newest.Begin {
			t.Fatalf("the strip chart ends at %d, the newest frame begins at %d", got, newest.Begin)
		}
		if piano.source.number != newest.Number || flame.source.last != newest.Number || flame.source.frames != 60 {
			t.Fatalf("the panels show frames %d and %d (mean of %d), the newest is %d", piano.source.number, flame.source.last, flame.source.frames, newest.Number)
		}
	}
	if len(tops) > 2 {
		t.Errorf("the scale of a steady game changed %d times", len(tops)-1)
	}
	for _, want := range []int64{300, 1, 60} {
		for _, ch := range flame.chips.chips {
			if ch.id == flameChipMean {
				rig.click(flame, (ch.rect.X0+ch.rect.X1)/2, (ch.rect.Y0+ch.rect.Y1)/2)
			}
		}
		rig.tick(flame)
		if flame.source.frames != want {
			t.Errorf("mean of %d frames, want %d", flame.source.frames, want)
		}
	}
	if !rig.env.View.Live() {
		t.Error("a hover stopped following")
	}
	// looking back leaves the game alone
	rig.drag(strip, 400, 200, 600, 200)
	before := strip.own.EndNs
	for range 30 {
		g.frame()
		rig.tick(strip)
	}
	if rig.env.View.Live() || strip.own.EndNs > before {
		t.Error("the chart runs on after it was dragged into the past")
	}
}

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
