package app

import (
	"testing"

	"framescope/app/launch"
	"framescope/app/load"
	"framescope/app/sessions"
	"framescope/charts/draw"
	"framescope/widgets"
)

// However much a tool bar has to tell, Pause stays: things with less to lose leave before it.
func TestPauseStaysInTheToolBar(t *testing.T) {
	file := launch.File{Path: trace, Registry: load.Registry()}
	g := newTestGame(t, sessions.Options{Inputs: []launch.Input{file}})
	pollUntil(t, g, "a live session", func(rows []widgets.SessionRow) bool { return len(rows) == 1 && g.ss.Live() })
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
