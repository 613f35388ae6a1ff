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

// TestPicturesOfTheReadme makes the pictures of README.md, the main window's of a recording of the
// demo: framescope demo --record demo.pstats, for half a minute, then go test ./app/e2e -run Readme
// -readme $PWD/demo.pstats. Look at them before they are committed.
func TestPicturesOfTheReadme(t *testing.T) {
	if *readme == "" {
		t.Skip("-readme makes them")
	}
	open := func(t *testing.T, file string) *viewer {
		v := startViewer(t, start{w: 1600, h: 960, scale: 1.15, files: []string{file}})
		v.rest()
		return v
	}
	save := func(v *viewer, name string) {
		v.ticks(30)
		writePNG(t, filepath.Join("..", "..", "docs", name+".png"), v.picture())
	}
	t.Run("main-window", func(t *testing.T) {
		v := open(t, *readme)
		v.press(ebiten.KeyN)
		v.press(ebiten.KeyN)
		v.rest()
		save(v, "main-window")
	})
	t.Run("gstreamer", func(t *testing.T) {
		v := open(t, recordings.File(t, recordings.GStreamer, "medium-av.log.gz"))
		v.drag(400, 70, 700, 70)
		v.ticks(60)
		v.click(522, 768) // a queue
		v.rest()
		save(v, "gstreamer")
	})
	t.Run("profile-lib", func(t *testing.T) {
		v := open(t, recordings.File(t, recordings.ProfileLib, "locks-waits-logs.prof"))
		v.press(ebiten.KeyN)
		v.press(ebiten.KeyDigit7)
		v.click(1180, 527) // contention
		v.rest()
		save(v, "profile-lib")
	})
	t.Run("flare", func(t *testing.T) {
		v := open(t, filepath.Join(flaretest.Captures(t), "recorded-60s"))
		v.drag(300, 70, 420, 70)
		v.press(ebiten.KeyZ)
		v.rest()
		save(v, "flare")
	})
}
