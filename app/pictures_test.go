package app

import (
	"bytes"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/charts/draw/golden"
	"framescope/internal/testkit"
	"framescope/model/place"
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
	g.paint.begin(g.seen(1920, 1080), g.stage.tick)
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
// frames move paint what these change, not all of the window.
func TestPixelsOfTicks(t *testing.T) {
	const width, height = 1920, 1080
	r := testkit.Must(NewRehearsal(gen.Options{Spans: 200_000, Tracks: 3, Depth: 6, Seed: 1}, width, height))(t)
	defer r.Close()
	mean := func(tick func(i int) int) int {
		for i := range 100 { // typical times settle
			tick(i)
		}
		pixels := make([]int, 120)
		for i := range pixels {
			pixels[i] = tick(i)
		}
		slices.Sort(pixels)
		sum := 0
		for _, n := range pixels[:114] { // what comes by the clock, as figures of the process, may paint more in a few
			sum += n
		}
		return sum / 114
	}
	r.Follow(false)
	rest(t, r.g, -1, -1)
	r.Tick(-1, -1)
	testkit.Equal(t, mean(func(int) int { return r.Tick(-1, -1) }), 0, "pixels a tick at rest")
	within := func(what string, most int, tick func(i int) int) {
		n := mean(tick)
		some := n > 0 || what == "paused"
		testkit.That(t, some && n < most*width*height/100, "%s: %d pixels a tick, %d %% of the window are allowed", what, n, most)
		t.Logf("%s: %d pixels a tick", what, n)
	}
	within("paused", 2, func(int) int { r.Go(); return r.Tick(-1, -1) })
	within("hovering", 25, func(i int) int { return r.Tick(float32(400+7*i), 400) })
	within("scrubbing", 75, func(i int) int { r.Show(i); return r.Tick(-1, -1) })
	r.Follow(true)
	within("live", 75, func(int) int { r.Go(); return r.Tick(-1, -1) })
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
			if w.begin(at, tick) == paintIt {
				painted++
			}
		}
		testkit.Equal(t, painted, c.want, "pictures of 33 ticks: %+v", c)
	}
}

// Where the processor draws, there are as many pictures as fit into half a core, within bounds.
func TestPicturesOfTheProcessor(t *testing.T) {
	for presentMs, want := range map[float64]int{2: softMost, 14: 26, 24: 16, 90: softLeast} {
		s := software{on: true, presentMs: presentMs}
		testkit.Equal(t, s.pace(4), want, "pictures a second of %v ms", presentMs)
	}
}
