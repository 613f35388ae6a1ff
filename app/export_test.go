package app

import (
	"bytes"
	"encoding/json"
	"image/png"
	"strings"
	"testing"

	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
)

// A table is exported as its rows and, as everything else, as its picture, in each format.
func TestExportedPanels(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	env := g.ask.Env
	g.desk.Settle(g.ss.Contents())
	g.desk.Place(env, draw.Rect{X1: 1600, Y1: 60}, draw.Rect{Y0: 60, X1: 1600, Y1: 1000})
	for range 2 {
		g.desk.Update(env, &g.mouse, &g.keys, 0, false, func(panel.Action) {})
	}
	g.View().SelectCollector(0)
	g.desk.Show("calls")
	for range 2 {
		g.desk.Update(env, &g.mouse, &g.keys, 0, false, func(panel.Action) {})
	}
	kinds, calls := map[string]int{}, false
	g.desk.EachInSight(func(tab *workspace.Tab, r draw.Rect) {
		for range 3 {
			tab.Panel.Update(env, r, &panel.Input{X: -1, Y: -1})
		}
		x, err := ExportOf(env, g.desk, tab.Panel)
		if err != nil {
			t.Errorf("%s: %v", tab.ID, err)
			return
		}
		kinds[x.Suggested]++
		if tab.ID == "calls" {
			calls = true
			if name := g.nav.called(tab.Panel); x.Suggested != ".csv" || !strings.HasPrefix(name, "Calls") {
				t.Errorf("of %q %s is suggested", name, x.Suggested)
			}
			menu := g.desk.More(tab.Panel)
			testkit.That(t, len(menu) == 1 && menu[0].Key == "Ctrl+E" && menu[0].Run != nil, "the menu has %+v", menu)
		}
		if x.Suggested == ".csv" {
			content := x.Content(".csv")
			if lines := strings.Count(string(content), "\n"); lines < 2 && tab.ID != "spikes" { // none stands out
				t.Errorf("%s: %d lines: %s", tab.ID, lines, content)
			}
			var rows []map[string]any
			if err := json.Unmarshal(x.Content(".json"), &rows); err != nil || len(rows) != strings.Count(string(content), "\n")-1 {
				t.Errorf("%s: %d rows as JSON, %v", tab.ID, len(rows), err)
			}
		}
		if !bytes.HasPrefix(x.Content(".svg"), []byte("<svg ")) {
			t.Errorf("%s: as SVG %.80s", tab.ID, x.Content(".svg"))
		}
		img, err := png.Decode(bytes.NewReader(x.Content(".png")))
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
		testkit.That(t, len(seen) >= 8, "%s: only %d colours", tab.ID, len(seen))
	})
	testkit.That(t, calls, "the list of calls is not in sight")
	testkit.That(t, kinds[".csv"] >= 3 && kinds[".png"] >= 3, "exported were %v", kinds)
}
