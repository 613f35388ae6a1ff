package app

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// A table is exported as its rows, everything else as its picture.
func TestExportedPanels(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	env := g.ask.Env
	g.desk.Settle(g.ss.Contents())
	g.desk.Place(env, draw.Rect{X1: 1600, Y1: 60}, draw.Rect{Y0: 60, X1: 1600, Y1: 1000})
	for range 2 {
		g.desk.Update(env, &g.mouse, &g.keys, 0, false, func(panel.Action) {})
	}
	kinds := map[string]int{}
	g.desk.EachInSight(func(tab *workspace.Tab, r draw.Rect) {
		for range 3 {
			tab.Panel.Update(env, r, &panel.Input{X: -1, Y: -1})
		}
		content, extension, err := exported(env, g.desk, tab.Panel)
		if err != nil {
			t.Errorf("%s: %v", tab.ID, err)
			return
		}
		kinds[extension]++
		if extension == ".csv" {
			if lines := strings.Count(string(content), "\n"); lines < 2 && tab.ID != "spikes" { // none stands out
				t.Errorf("%s: %d lines: %s", tab.ID, lines, content)
			}
			return
		}
		img, err := png.Decode(bytes.NewReader(content))
		if err != nil {
			t.Errorf("%s: %v", tab.ID, err)
			return
		}
		if b := img.Bounds(); b.Dx() != int(r.W()) || b.Dy() != int(r.H()) {
			t.Errorf("%s: a picture of %v of a panel of %v by %v", tab.ID, b, r.W(), r.H())
		}
		seen := map[[4]uint32]bool{}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				cr, cg, cb, ca := img.At(x, y).RGBA()
				seen[[4]uint32{cr, cg, cb, ca}] = true
			}
		}
		if len(seen) < 8 {
			t.Errorf("%s: only %d colours", tab.ID, len(seen))
		}
	})
	if kinds[".csv"] < 3 || kinds[".png"] < 3 {
		t.Errorf("exported were %v", kinds)
	}
}
