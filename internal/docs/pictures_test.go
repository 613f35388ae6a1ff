package docs

import (
	"bufio"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"framescope/app"
	"framescope/app/demo"
	"framescope/app/headless"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model/place"
	"framescope/net/flare/flaretest"
)

// picture is one of those that documents name.
type picture struct {
	path  string // below docs
	of    string // one of recorded; empty: none
	with  string // what it is compared with, as of; empty: nothing
	rng   string // as the command line has it
	photo app.PhotoOptions
	part  image.Rectangle // of the window; empty: all of it
}

// recorded are what the pictures are of: each returns the path of a recording, for which it may use a
// folder.
var recorded = map[string]func(t *testing.T, dir string) string{
	"game": func(t *testing.T, dir string) string {
		return game(t, dir, "solar-chase", demo.Options{Seed: 1, Frames: 6000})
	},
	"before": func(t *testing.T, dir string) string {
		return game(t, dir, "before", demo.Options{Name: "Solar Chase 1.0", Seed: 1, Frames: 3000})
	},
	"after": func(t *testing.T, dir string) string {
		return game(t, dir, "after", demo.Options{Name: "Solar Chase 1.1", Seed: 2, Frames: 3000, Next: true})
	},
	"pipeline": func(t *testing.T, _ string) string {
		return recordings.File(t, recordings.GStreamer, "medium-av.log.gz")
	},
	"java": func(t *testing.T, dir string) string { return filepath.Join(flaretest.Captures(t), "recorded-60s") },
	"engine": func(t *testing.T, _ string) string {
		return recordings.File(t, "chrometrace", "engine-object.json.gz")
	},
	"foundation": func(t *testing.T, _ string) string {
		return recordings.File(t, recordings.ProfileLib, "locks-waits-logs.prof")
	},
}

// hitch is the slowest frame of the game, in which a shader is compiled.
const hitch = "5430"

// slow is the frame of the main thread that waited for it.
const slow = "5431"

func pictures() []picture {
	full := func(o app.PhotoOptions) app.PhotoOptions { o.Width, o.Height = 1920, 1080; return o }
	chosen, byCause := []string{"compile shader"}, []string{"spikes of this one's cause"}
	return []picture{
		{path: "look/game.png", of: "game", rng: hitch, photo: full(app.PhotoOptions{Thread: "Draw", Commands: chosen})},
		{path: "look/game-light.png", of: "game", rng: hitch, photo: full(app.PhotoOptions{Thread: "Draw", Commands: chosen, Theme: "light"})},
		{path: "look/game-contrast.png", of: "game", rng: hitch, photo: full(app.PhotoOptions{
			Thread: "Draw", Commands: chosen, Theme: "high-contrast",
		})},
		{path: "look/game-720.png", of: "game", rng: hitch, photo: app.PhotoOptions{Width: 1280, Height: 720, Thread: "Draw", Commands: chosen}},
		{path: "look/game-175.png", of: "game", rng: hitch, photo: full(app.PhotoOptions{Scale: 1.75, Thread: "Draw", Commands: chosen})},
		{path: "look/palette.png", of: "game", rng: hitch, photo: full(app.PhotoOptions{Thread: "Draw", Commands: chosen, Find: "shad"})},
		{path: "look/palette-help.png", of: "game", rng: hitch, photo: full(app.PhotoOptions{Thread: "Draw", Commands: chosen, Help: true})},
		{path: "look/compare.png", of: "after", with: "before", photo: full(app.PhotoOptions{})},
		{path: "look/why-strip.png", of: "game", rng: slow, photo: full(app.PhotoOptions{}), part: image.Rect(0, 36, 1612, 104)},
		{path: "look/why-spikes.png", of: "game", rng: slow, photo: full(app.PhotoOptions{Commands: byCause}), part: image.Rect(1612, 600, 1920, 776)},
		{path: "look/why-chain.png", of: "game", rng: slow, photo: full(app.PhotoOptions{}), part: image.Rect(1612, 100, 1920, 264)},
		{path: "look/empty.png", photo: full(app.PhotoOptions{})},
		{path: "look/pipeline.png", of: "pipeline", photo: full(app.PhotoOptions{Commands: []string{"queue2"}})},
		{path: "look/java.png", of: "java", rng: "23s:25s", photo: full(app.PhotoOptions{})},
		{path: "look/flows.png", of: "engine", rng: "5:9", photo: app.PhotoOptions{
			Width: 1600, Height: 900, Commands: []string{"cull", "next occurrence", "show all flows"},
		}},
		{path: "profile-lib.png", of: "foundation", photo: full(app.PhotoOptions{Commands: []string{"next spike", "locks"}})},
	}
}

// TestPictures makes the pictures that README.md and docs name.
func TestPictures(t *testing.T) {
	if !*update {
		t.Skip("-update makes them")
	}
	dir, made := t.TempDir(), map[string]string{}
	for _, p := range pictures() {
		t.Run(p.path, func(t *testing.T) {
			var err error
			p.photo.Range, err = place.ParseRange(p.rng)
			testkit.NoErr(t, err)
			file := func(of string) string {
				if of != "" && made[of] == "" { // it is played once
					made[of] = recorded[of](t, dir)
				}
				return made[of]
			}
			p.photo.File, p.photo.Before = file(p.of), file(p.with)
			picture, warnings, err := app.Photo(p.photo)
			testkit.NoErr(t, err)
			for _, w := range warnings {
				t.Log(w)
			}
			f, err := os.Create(filepath.Join("..", "..", "docs", filepath.FromSlash(p.path)))
			testkit.NoErr(t, err)
			defer f.Close()
			shown := picture.Image()
			if !p.part.Empty() {
				shown = shown.SubImage(p.part).(*image.RGBA)
			}
			testkit.NoErr(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, paletted(shown)))
		})
	}
}

// game plays the demo's game, the same every time of a seed, and returns the recording of it.
func game(t *testing.T, dir, name string, o demo.Options) string {
	o.Fast = true
	path := filepath.Join(dir, name+".pstats")
	live, err := headless.ListenLive(t.Context(), headless.LiveOptions{Addr: "127.0.0.1:0", Events: true})
	testkit.NoErr(t, err)
	defer live.Close()
	played := make(chan error, 1)
	go func() {
		played <- demo.Run(t.Context(), live.Addr(), o)
	}()
	testkit.WaitUntil(t, "the end of the game", func() bool {
		testkit.NoErr(t, live.Poll(nil))
		return live.Ended()
	})
	testkit.NoErr(t, <-played)
	f, err := os.Create(path)
	testkit.NoErr(t, err)
	defer f.Close()
	w := bufio.NewWriter(f)
	testkit.NoErr(t, live.Clients()[0].Events.WriteSession(w, nil))
	testkit.NoErr(t, w.Flush())
	return path
}
