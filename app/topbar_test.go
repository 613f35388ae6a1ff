package app

import (
	"testing"

	"framescope/charts/draw"
	"framescope/net/pstats"
	"framescope/net/pstats/wire"
)

// However much a tool bar has to tell, Pause stays: things with less to lose leave before it.
func TestPauseStaysInTheToolBar(t *testing.T) {
	g := keptGame(t, t.TempDir())
	h := g.ss.handlerFor(pstats.SessionInfo{Hello: wire.ClientHello{Program: "game"}})
	defer h.Close("")
	h.Hello(wire.ClientHello{Program: "game"})
	h.Threads(0, []string{"Main"})
	h.Frame(&wire.Frame{Number: 1}, 10)
	for g.ss.active == nil {
		g.stage.begin()
		g.ss.poll()
	}
	for _, width := range []float32{700, 900, 1280, 1600} {
		bar := draw.Rect{X1: width, Y1: toolHeight}
		g.bars.top.refresh(bar)
		for i := range g.bars.top.items {
			switch it := &g.bars.top.items[i]; it.id {
			case "recorded", "missing", "live":
				it.label = "12 345 678 of 98 765 432 missing, not kept" // as when much went wrong
				it.kind = itemChip
			}
		}
		if width >= 1280 {
			g.bars.top.layOut(&g.stage.env, bar)
		}
		shown := map[string]bool{}
		for _, it := range sortedByX(g.bars.top.items) {
			shown[it.id] = true
		}
		if !shown["pause"] {
			t.Errorf("a bar of %.0f px has %v", width, shown)
		}
	}
}
