// The pictures of README.md and docs: what a document shows is what the program draws.
//
//	go test ./app/truth -update
//
// A picture shows the whole window, drawn in software (app.Photo): it needs no display, and the same program draws the
// same picture.
package truth_test

import (
	"bufio"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"framescope/app"
	"framescope/app/demo"
	"framescope/app/headless"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/model/place"
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
	"java":   func(t *testing.T, dir string) string { return filepath.Join(flaretest.Captures(t), "recorded-60s") },
	"engine": func(t *testing.T, _ string) string { return recordings.File(t, "chrometrace", "engine-object.json.gz") },
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
	chosen, byCause := []string{"compile shader"}, []string{"spikes of the same cause"}
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
		{path: "look/why-spikes.png", of: "game", rng: slow, photo: full(app.PhotoOptions{Thread: "Main", Commands: byCause}), part: image.Rect(1612, 786, 1920, 1010)},
		{path: "look/why-chain.png", of: "game", rng: slow, photo: full(app.PhotoOptions{Thread: "Main"}), part: image.Rect(1612, 100, 1920, 264)},
		{path: "look/query.png", of: "game", rng: hitch, photo: full(app.PhotoOptions{
			Thread: "Draw", Commands: []string{"query: the longest calls", "query: highlight the spans"},
		})},
		{path: "look/empty.png", photo: full(app.PhotoOptions{})},
		{path: "look/pipeline.png", of: "pipeline", photo: full(app.PhotoOptions{Commands: []string{"queue2"}})},
		{path: "look/java.png", of: "java", rng: "23s:25s", photo: full(app.PhotoOptions{})},
		{path: "look/flows.png", of: "engine", rng: "5:9", photo: app.PhotoOptions{
			Width: 1600, Height: 900, Commands: []string{"cull", "next occurrence", "show all flows"},
		}},
		{path: "profile-lib.png", of: "foundation", photo: full(app.PhotoOptions{Commands: []string{"next spike", "locks"}})},
	}
}

// named finds the pictures that a document shows or leads to: ![words](docs/x.png), [words](x.png).
var named = regexp.MustCompile(`\]\(([^)\s]+\.png)\)`)

// TestDocumentsAndPictures: a document names no picture that there is none of, each picture in docs is
// named by a document, and each is made by the command that makes them all.
func TestDocumentsAndPictures(t *testing.T) {
	root := filepath.Join("..", "..")
	by := map[string]string{} // who names a picture
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			by[filepath.Join(filepath.Dir(path), filepath.FromSlash(m[1]))] = path
		}
		return nil
	})
	testkit.NoErr(t, err)
	made := map[string]bool{}
	for _, p := range pictures() {
		made[filepath.Join(root, "docs", filepath.FromSlash(p.path))] = true
	}
	for _, path := range slices.Sorted(maps.Keys(by)) {
		_, err := os.Stat(path)
		testkit.That(t, err == nil, "%s names %s: %v", by[path], path, err)
	}
	for path := range made {
		testkit.That(t, by[path] != "", "%s is made and no document names it", path)
	}
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		testkit.That(t, err != nil || filepath.Ext(path) != ".png" || made[path],
			"%s is made by nothing: go test ./app/truth -update makes what pictures lists", path)
		return err
	})
	testkit.NoErr(t, err)
}

// TestPictures makes the pictures that README.md and docs name.
func TestPictures(t *testing.T) {
	if !*testkit.Update {
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
	go func() { played <- demo.Run(t.Context(), live.Addr(), o) }()
	testkit.WaitUntil(t, "the end of the game", func() bool {
		testkit.NoErr(t, live.Poll(nil))
		return live.Ended()
	})
	testkit.NoErr(t, <-played)
	f, err := os.Create(path)
	testkit.NoErr(t, err)
	defer f.Close()
	w := bufio.NewWriter(f)
	testkit.NoErr(t, live.Clients()[0].Events.WriteSession(w))
	testkit.NoErr(t, w.Flush())
	return path
}

// group is colors of a picture for which one stands, with what each counts.
type group struct {
	colors []color.RGBA
	counts []float64
	// axis is the component that differs most, spread by how much in all, mean its middle.
	axis         int
	spread, mean float64
}

func component(c color.RGBA, axis int) float64 { return float64([3]uint8{c.R, c.G, c.B}[axis]) }

// measure finds the axis of a group.
func (g *group) measure() {
	g.spread = -1
	for axis := range 3 {
		sum, squares, n := 0.0, 0.0, 0.0
		for i, c := range g.colors {
			v := component(c, axis)
			sum, squares, n = sum+v*g.counts[i], squares+v*v*g.counts[i], n+g.counts[i]
		}
		if spread := squares - sum*sum/n; spread > g.spread {
			g.axis, g.spread, g.mean = axis, spread, sum/n
		}
	}
}

// paletted returns an opaque picture in 256 colors: those that differ most are told apart first, and a
// rare color counts for more than its pixels.
func paletted(img *image.RGBA) *image.Paletted {
	pixels := map[color.RGBA]float64{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			pixels[img.RGBAAt(x, y)]++
		}
	}
	all := &group{}
	for c := range pixels {
		all.colors = append(all.colors, c)
	}
	slices.SortFunc(all.colors, func(a, b color.RGBA) int {
		return (int(a.R)-int(b.R))<<16 + (int(a.G)-int(b.G))<<8 + int(a.B) - int(b.B)
	})
	for _, c := range all.colors {
		all.counts = append(all.counts, math.Sqrt(pixels[c]))
	}
	all.measure()
	groups := []*group{all}
	for len(groups) < 256 {
		g := slices.MaxFunc(groups, func(a, b *group) int { return int(math.Copysign(1, a.spread-b.spread)) })
		if len(g.colors) == 1 {
			break
		}
		low, high := &group{}, &group{}
		for i, c := range g.colors {
			to := low
			if component(c, g.axis) > g.mean {
				to = high
			}
			to.colors, to.counts = append(to.colors, c), append(to.counts, g.counts[i])
		}
		low.measure()
		high.measure()
		*g = *low
		groups = append(groups, high)
	}
	out := image.NewPaletted(image.Rect(0, 0, b.Dx(), b.Dy()), nil)
	places := map[color.RGBA]uint8{}
	for i, g := range groups {
		most := 0 // the color of the most pixels stands for all
		for k, c := range g.colors {
			places[c] = uint8(i)
			if g.counts[k] > g.counts[most] {
				most = k
			}
		}
		out.Palette = append(out.Palette, g.colors[most])
	}
	for i := range out.Pix {
		out.Pix[i] = places[img.RGBAAt(b.Min.X+i%out.Stride, b.Min.Y+i/out.Stride)]
	}
	return out
}
