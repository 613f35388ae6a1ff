package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/app/convert"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/pstats/gen"
)

func photo(t *testing.T, o PhotoOptions) *image.RGBA {
	t.Helper()
	p, warnings, err := Photo(o)
	testkit.MustThat(t, err == nil && len(warnings) == 0, "%v %v", err, warnings)
	img := p.Image()
	testkit.MustThat(t, img.Rect.Dx() == o.Width && img.Rect.Dy() == o.Height,
		"%v for %d × %d", img.Rect, o.Width, o.Height)
	return img
}

// TestPhotos: a picture of the whole window shows what was asked for, and the same every time.
func TestPhotos(t *testing.T) {
	inOneGoroutine(t)
	base := PhotoOptions{File: captureFile(t, "late.pstats"), Width: 1280, Height: 720}
	plain := photo(t, base)
	testkit.That(t, bytes.Equal(plain.Pix, photo(t, base).Pix), "two pictures of the same window differ")
	frame := testkit.Must(place.ParseRange("60"))(t)
	seen := map[string]string{string(plain.Pix): "nothing asked for"}
	for what, change := range map[string]func(o *PhotoOptions){
		"light":     func(o *PhotoOptions) { o.Theme = "light" },
		"contrast":  func(o *PhotoOptions) { o.Theme = "high-contrast" },
		"scale":     func(o *PhotoOptions) { o.Scale = 1.5 },
		"samples":   func(o *PhotoOptions) { o.Workspace = "samples" },
		"pipeline":  func(o *PhotoOptions) { o.Workspace = "Pipeline" },
		"frame":     func(o *PhotoOptions) { o.Range = frame },
		"times":     func(o *PhotoOptions) { o.Range = place.TimeRange{Times: true, A: 1e9, B: 2e9, HasA: true, HasB: true} },
		"command":   func(o *PhotoOptions) { o.Commands = []string{"statistics"} },
		"find":      func(o *PhotoOptions) { o.Find = "dra" },
		"help":      func(o *PhotoOptions) { o.Help = true },
		"no file":   func(o *PhotoOptions) { o.File = "" },
		"its spike": func(o *PhotoOptions) { o.Commands = []string{"previous spike"} },
	} {
		o := base
		if what == "scale" {
			o.Width, o.Height = 1920, 1080
		}
		change(&o)
		pix := string(photo(t, o).Pix)
		testkit.Equal(t, seen[pix], "", "%s looks like", what)
		seen[pix] = what
	}
}

func TestPhotosThatCannotBe(t *testing.T) {
	for want, o := range map[string]PhotoOptions{
		"at least 640x400":    {Width: 320, Height: 200},
		"at least 1280x800":   {Width: 1200, Height: 900, Scale: 2},
		"megapixels":          {Width: 16000, Height: 16000},
		"choose one of dark":  {Width: 1280, Height: 720, Theme: "pink"},
		"choose one of: Game": {Width: 1280, Height: 720, Workspace: "Kitchen"},
		"no thread":           {Width: 1280, Height: 720, Thread: "Nobody"},
		"no frame of thread":  {Width: 1280, Height: 720, Range: place.TimeRange{A: 1e6, HasA: true}},
		"there is no \"zzz\"": {Width: 1280, Height: 720, Commands: []string{"zzz"}},
		"README.md":           {Width: 1280, Height: 720, File: captureFile(t, "README.md")},
	} {
		if o.File == "" {
			o.File = captureFile(t, "nested.pstats")
		}
		_, _, err := Photo(o)
		testkit.That(t, err != nil && strings.Contains(err.Error(), want), "%v, want %q", err, want)
	}
}

// TestFirstScreens compares the window on a recording of each kind with what was looked at.
func TestFirstScreens(t *testing.T) {
	inOneGoroutine(t)
	for _, row := range testkit.Rows("testdata/first_screens.txt") {
		name, file := row[0], row[1]
		t.Run(name, func(t *testing.T) {
			p, _, err := Photo(PhotoOptions{File: filepath.Join("../testdata", file), Width: 1280, Height: 720})
			testkit.NoErr(t, err)
			golden.Check(t, "testdata/first/"+name+".png", p)
		})
	}
}

// Only what changed is painted: nothing of a window at rest, the status line alone where its words changed.
func TestOnlyWhatChangedIsPainted(t *testing.T) {
	g := tradeGame(t, 0, 1920, 1080)
	painted := func() (pixels float32) {
		for _, r := range g.paint.changed(g.lists) {
			pixels += r.W() * r.H()
		}
		return pixels
	}
	g.paint.begin(g.seen(1920, 1080), g.stage.tick, 0)
	testkit.Equal(t, painted(), 1920*1080, "pixels of the first picture")
	turn(t, g, -1, -1)
	testkit.Equal(t, painted(), 0, "pixels of a window at rest")
	g.bars.status.right = append(g.bars.status.right, " more"...)
	turn(t, g, -1, -1)
	_, _, _, status := g.stage.regions()
	n := painted()
	testkit.That(t, n > 0 && n <= status.W()*status.H(), "%v pixels for words in the status line", n)
}

// A tick of a paused window paints nothing, however much comes; a live one and one in which the mouse or the
// frames move paint what these change, not all of the window. A session that takes long to come in, as on a busy
// machine, may stand elsewhere at first, where a new frame moves more: then another is tried.
func TestPixelsOfTicks(t *testing.T) {
	testkit.OneGoroutine(t)
	complaint := ""
	for range 4 {
		if complaint = pixelsOfTicks(t); complaint == "" {
			return
		}
	}
	t.Error(complaint)
}

func pixelsOfTicks(t *testing.T) (complaint string) {
	const width, height = 1920, 1080
	r := testkit.Must(NewRehearsal(gen.Options{Spans: 200_000, Tracks: 3, Depth: 6, Seed: 1}, width, height))(t)
	defer r.Close()
	typical := func(tick func(i int) int) int {
		for i := range 60 { // typical times settle
			tick(i)
		}
		pixels := make([]int, 21)
		for i := range pixels {
			pixels[i] = tick(i)
		}
		slices.Sort(pixels) // what comes by the clock, as figures of the process, paints more in some
		return pixels[len(pixels)/2]
	}
	within := func(what string, least, most int, tick func(i int) int) {
		if n := typical(tick); n < least || n > most*width*height/100 {
			complaint += fmt.Sprintf("%s: %d pixels a tick, %d %% of the window are allowed; ", what, n, most)
		}
	}
	r.Follow(false)
	rest(t, r.g, -1, -1)
	r.Tick(-1, -1)
	within("at rest", 0, 0, func(int) int { return r.Tick(-1, -1) })
	within("paused", 0, 2, func(int) int { r.Go(); return r.Tick(-1, -1) })
	within("hovering", 1, 25, func(i int) int { return r.Tick(float32(400+7*i), 400) })
	within("scrubbing", 1, 75, func(i int) int { r.Show(i); return r.Tick(-1, -1) })
	r.Follow(true)
	within("live", 1, 75, func(int) int { r.Go(); return r.Tick(-1, -1) })
	return complaint
}

// What is new is shown at full pace, but where nobody looks for it.
func TestNewsPace(t *testing.T) {
	now := time.Now()
	for want, w := range map[int]pacer{
		60:         {paused: true, lastUsed: now},
		pausedTPS:  {paused: true},
		quietTPS:   {behind: true, lastUsed: now},
		readingTPS: {behind: true},
	} {
		testkit.Equal(t, w.newsPace(now, 60), want, "ticks a second")
	}
	testkit.Equal(t, new(pacer).newsPace(now, 60), 60, "ticks a second while live")
}

// A paused picture stays for some ticks where nobody touches it; a window of another size is painted at once.
func TestPausedPicturesRest(t *testing.T) {
	for _, c := range []struct {
		paused bool
		unused time.Duration
		width  int
		want   int
	}{{true, time.Hour, 640, 5}, {true, time.Second, 640, 33}, {false, time.Hour, 640, 33}, {true, time.Hour, 0, 33}} {
		w := painter{pacer: pacer{paused: c.paused, lastUsed: time.Now().Add(-c.unused)}}
		painted := 0
		for tick := range int64(33) {
			at := picture{width: c.width}
			if c.width == 0 {
				at.width = int(tick) + 1
			}
			at.sum.Add(uint64(tick))
			if w.begin(at, tick, 0) == paintIt {
				painted++
			}
		}
		testkit.Equal(t, painted, c.want, "pictures of 33 ticks: %+v", c)
	}
}

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
