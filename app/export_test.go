package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"framescope/app/convert"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// The end of a file's name says what is written; one that says nothing known is refused, and leaves
// no file behind.
func TestExportByTheNameOfTheFile(t *testing.T) {
	x := Export{contents: map[string][]byte{}}
	for _, extension := range []string{".csv", ".svg"} {
		testkit.OK(t, x.add(extension, func(w io.Writer) error { _, err := w.Write([]byte("as " + extension)); return err }))
	}
	dir := t.TempDir()
	for name, want := range map[string]string{"a.csv": "as .csv", "a.SVG": "as .svg", "a": "as .csv"} {
		path := filepath.Join(dir, name)
		testkit.NoErr(t, x.Write(path))
		got, _ := os.ReadFile(path)
		testkit.That(t, string(got) == want, "%s holds %s", name, got)
	}
	path := filepath.Join(dir, "a.xlsx")
	testkit.Fails(t, x.Write(path), "one of .csv, .svg")
	_, err := os.Stat(path)
	testkit.That(t, err != nil, "a file was left behind")
}

// A table is exported as its rows and, as everything else, as its picture, in each format.
func TestExportedPanels(t *testing.T) {
	inOneGoroutine(t)
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
			content := x.contents[".csv"]
			if lines := strings.Count(string(content), "\n"); lines < 2 && tab.ID != "spikes" { // none stands out
				t.Errorf("%s: %d lines: %s", tab.ID, lines, content)
			}
			var rows []map[string]any
			if err := json.Unmarshal(x.contents[".json"], &rows); err != nil || len(rows) != strings.Count(string(content), "\n")-1 {
				t.Errorf("%s: %d rows as JSON, %v", tab.ID, len(rows), err)
			}
		}
		testkit.That(t, bytes.HasPrefix(x.contents[".svg"], []byte("<svg ")), "%s: as SVG %.80s", tab.ID, x.contents[".svg"])
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
		testkit.That(t, len(seen) >= 8, "%s: only %d colors", tab.ID, len(seen))
	})
	testkit.That(t, calls, "the list of calls is not in sight")
	testkit.That(t, kinds[".csv"] >= 3 && kinds[".png"] >= 3, "exported were %v", kinds)
}

// session returns one with so many frames of two spans each on a thread.
func session(frames int) *store.Session { return filled(store.NewSession(), frames) }

func filled(s *store.Session, frames int) *store.Session {
	s.Apply(model.TrackDef{ID: 0, Name: "Main", Object: model.NoObject, Peer: model.NoObject})
	s.Apply(model.CollectorDef{ID: 1, Name: "Update"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	addFrames(s, 0, frames)
	return s
}

// addFrames appends frames from a number on.
func addFrames(s *store.Session, from, n int) {
	for i := from; i < from+n; i++ {
		at := int64(i) * 1000
		s.Append(&model.Batch{HasFrame: true, Number: int64(i), Begin: at, End: at + 1000, Spans: []model.Span{
			{Begin: at, End: at + 400, Path: 1}, {Begin: at + 500, End: at + 900, Path: 1},
		}})
	}
}

// all is a part of what a session has now.
func all(s *store.Session) *convert.Part {
	begin, end, _ := s.Bounds()
	return convert.Between(s, begin, end)
}

// exportingWritten is what is written of a part at once.
func exportingWritten(t *testing.T, p *convert.Part) []byte {
	t.Helper()
	var out bytes.Buffer
	testkit.NoErr(t, convert.ChromeFormat.Write(t.Context(), p, &out))
	return out.Bytes()
}

// A session is written in pieces, between which it goes on: what is written is what it had when that
// began.
func TestPieces(t *testing.T) {
	s := session(20_000)
	want := exportingWritten(t, all(s))
	path := filepath.Join(t.TempDir(), "out.json")
	j := newJob(&convert.ChromeFormat, all(s), path)
	pieces, shares := 0, 0
	for before := int64(0); j.goOn(0); pieces++ {
		addFrames(s, 20_000+pieces, 1)
		if j.done > before && j.done <= j.total {
			shares++
		}
		before = j.done
	}
	got, err := os.ReadFile(path)
	testkit.MustThat(t, err == nil && j.err == nil, "%v %v", err, j.err)
	testkit.That(t, bytes.Equal(got, want), "%d bytes instead of %d", len(got), len(want))
	testkit.That(t, pieces >= 8 && shares >= 8, "%d pieces, %d of them further on", pieces, shares)
}

// What is given up leaves nothing behind, whenever that is.
func TestGiveUp(t *testing.T) {
	for _, pieces := range []int{0, 1, 4} {
		dir := t.TempDir()
		j := newJob(&convert.ChromeFormat, all(session(20_000)), filepath.Join(dir, "out.json"))
		for range pieces {
			testkit.MustThat(t, j.goOn(0), "it is done already")
		}
		j.giveUp(errClosed)
		if left, _ := os.ReadDir(dir); len(left) > 0 || !errors.Is(j.err, context.Canceled) || j.why != errClosed {
			t.Errorf("after %d pieces: %v is there, %v, %v", pieces, left, j.err, j.why)
		}
	}
}

// Tables go into a folder.
func TestFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables")
	j := newJob(&convert.CSVFormat, all(session(1000)), path)
	for j.goOn(time.Hour) {
	}
	files, err := os.ReadDir(path)
	testkit.That(t, err == nil && j.err == nil && len(files) >= 3, "%v, %v, %v", files, err, j.err)
}

// A disk that refuses ends it with the reason.
func TestNoFolder(t *testing.T) {
	j := newJob(&convert.ChromeFormat, all(session(20_000)), filepath.Join(t.TempDir(), "none", "out.json"))
	for j.goOn(0) {
	}
	testkit.That(t, errors.Is(j.err, os.ErrNotExist), "%v", j.err)
}

// What leaves memory meanwhile is not written, and no harm.
func TestLeaves(t *testing.T) {
	keeper := store.New(1 << 20)
	s := filled(keeper.NewSession(), 30_000)
	j := newJob(&convert.ChromeFormat, all(s), filepath.Join(t.TempDir(), "out.json"))
	for range 3 {
		j.goOn(0)
	}
	keeper.EnforceLimit(time.Now().Add(time.Hour))
	for j.goOn(0) {
	}
	gone := s.Ledger().Evicted - j.evicted
	testkit.That(t, j.err == nil && gone != 0, "%v, %d frames left", j.err, gone)
}
