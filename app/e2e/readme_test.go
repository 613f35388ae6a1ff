package e2e

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/internal/recordings"
	"framescope/net/flare/flaretest"
)

var readme = flag.String("readme", "", "make the pictures of README.md anew; the main window's of this recording")

// TestPicturesOfTheReadme makes the pictures of README.md and docs, games' of a recording of the
// demo: framescope demo --record demo.pstats, for half a minute, then go test ./app/e2e -run Readme
// -readme $PWD/demo.pstats. Look at them before they are committed.
func TestPicturesOfTheReadme(t *testing.T) {
	if *readme == "" {
		t.Skip("-readme makes them")
	}
	open := func(t *testing.T, w, h int, scale float64, files ...string) *viewer {
		v := startViewer(t, start{w: w, h: h, scale: scale, files: files})
		v.rest()
		return v
	}
	save := func(v *viewer, name string) {
		v.ticks(30)
		writePNG(t, filepath.Join("..", "..", "docs", name+".png"), v.picture())
	}
	command := func(v *viewer, words string) {
		v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
		v.typeText(words)
		v.press(ebiten.KeyEnter)
		v.rest()
	}
	hitch := func(t *testing.T, w, h int, scale float64) *viewer {
		v := open(t, w, h, scale, *readme)
		v.press(ebiten.KeyN)
		v.press(ebiten.KeyN)
		v.rest()
		return v
	}
	t.Run("game", func(t *testing.T) {
		v := hitch(t, 1920, 1080, 1)
		save(v, "main-window")
		command(v, "light colours")
		save(v, "look/game-light")
	})
	t.Run("game-720", func(t *testing.T) { save(hitch(t, 1280, 720, 1), "look/game-720") })
	t.Run("game-175", func(t *testing.T) { save(hitch(t, 1920, 1080, 1.75), "look/game-175") })
	t.Run("palette", func(t *testing.T) {
		v := hitch(t, 1280, 720, 1)
		v.press(ebiten.KeySlash)
		v.typeText("sha")
		save(v, "look/palette")
	})
	t.Run("help", func(t *testing.T) {
		v := hitch(t, 1280, 720, 1)
		v.press(ebiten.KeyF1)
		save(v, "look/help")
	})
	t.Run("empty", func(t *testing.T) { save(open(t, 1280, 720, 1), "look/empty") })
	t.Run("gstreamer", func(t *testing.T) {
		v := open(t, 1920, 1080, 1, recordings.File(t, recordings.GStreamer, "medium-av.log.gz"))
		command(v, "queue2")
		save(v, "gstreamer")
	})
	t.Run("profile-lib", func(t *testing.T) {
		v := open(t, 1920, 1080, 1, recordings.File(t, recordings.ProfileLib, "locks-waits-logs.prof"))
		v.press(ebiten.KeyN)
		command(v, "panel: locks")
		save(v, "profile-lib")
	})
	t.Run("flare", func(t *testing.T) {
		v := open(t, 1920, 1080, 1, filepath.Join(flaretest.Captures(t), "recorded-60s"))
		v.overStrip(0.2, 0.3)
		v.press(ebiten.KeyZ)
		v.rest()
		save(v, "flare")
	})
}
