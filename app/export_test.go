package app

import (
	"bytes"
	"encoding/json"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
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
	kinds := map[string]int{}
	g.desk.EachInSight(func(tab *workspace.Tab, r draw.Rect) {
		for range 3 {
			tab.Panel.Update(env, r, &panel.Input{X: -1, Y: -1})
		}
		x, err := export(env, g.desk, tab.Panel)
		if err != nil {
			t.Errorf("%s: %v", tab.ID, err)
			return
		}
		kinds[x.suggested]++
		if x.suggested == ".csv" {
			content := x.contents[".csv"]
			if lines := strings.Count(string(content), "\n"); lines < 2 && tab.ID != "spikes" { // none stands out
				t.Errorf("%s: %d lines: %s", tab.ID, lines, content)
			}
			var rows []map[string]any
			if err := json.Unmarshal(x.contents[".json"], &rows); err != nil || len(rows) != strings.Count(string(content), "\n")-1 {
				t.Errorf("%s: %d rows as JSON, %v", tab.ID, len(rows), err)
			}
		}
		if !bytes.HasPrefix(x.contents[".svg"], []byte("<svg ")) {
			t.Errorf("%s: as SVG %.80s", tab.ID, x.contents[".svg"])
		}
		img, err := png.Decode(bytes.NewReader(x.contents[".png"]))
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

// The end of a file's name says what is written; one that says nothing known is refused, and leaves
// no file behind.
func TestExportByTheNameOfTheFile(t *testing.T) {
	x := exported{contents: map[string][]byte{}}
	for _, extension := range []string{".csv", ".svg"} {
		if err := x.add(extension, func(w io.Writer) error { _, err := w.Write([]byte("as " + extension)); return err }); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	for name, want := range map[string]string{"a.csv": "as .csv", "a.SVG": "as .svg", "a": "as .csv"} {
		path := filepath.Join(dir, name)
		if err := x.write(path); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Errorf("%s holds %s", name, got)
		}
	}
	path := filepath.Join(dir, "a.xlsx")
	if err := x.write(path); err == nil || !strings.Contains(err.Error(), "one of .csv, .svg") {
		t.Errorf("as .xlsx it says %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was left behind")
	}
}
