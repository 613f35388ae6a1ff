package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
)

// TestShots writes pictures of the whole window at the sizes that people have, to be looked at:
// FRAMESCOPE_SHOTS names the folder, FRAMESCOPE_SHOTS_FILE another recording. Nothing is compared.
func TestShots(t *testing.T) {
	dir := os.Getenv("FRAMESCOPE_SHOTS")
	if dir == "" {
		t.Skip("FRAMESCOPE_SHOTS is not set: no pictures wanted")
	}
	file := os.Getenv("FRAMESCOPE_SHOTS_FILE")
	if file == "" {
		file = filepath.Join("..", "..", "testdata", "pstats", "nested.pstats")
	}
	for _, s := range []struct {
		w, h  int
		scale float64
	}{{1280, 720, 1}, {1600, 960, 1}, {1920, 1080, 1.5}, {2560, 1440, 1}, {2560, 1440, 2}} {
		v := startViewer(t, start{w: s.w, h: s.h, scale: s.scale, files: []string{file}})
		writePNG(t, filepath.Join(dir, fmt.Sprintf("%dx%d@%v.png", s.w, s.h, s.scale)), v.picture())
		v.close()
	}
}

// TestTour writes pictures of what opens over the panes, and of what gestures do.
func TestTour(t *testing.T) {
	dir := os.Getenv("FRAMESCOPE_SHOTS")
	if dir == "" {
		t.Skip("FRAMESCOPE_SHOTS is not set: no pictures wanted")
	}
	file := os.Getenv("FRAMESCOPE_SHOTS_FILE")
	if file == "" {
		file = filepath.Join("..", "..", "testdata", "pstats", "nested.pstats")
	}
	empty := startViewer(t, start{w: 1280, h: 720, scale: 1, listen: "127.0.0.1:0"})
	writePNG(t, filepath.Join(dir, "tour-empty.png"), empty.picture())
	empty.close()

	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{file}})
	shot := func(name string) { writePNG(t, filepath.Join(dir, "tour-"+name+".png"), v.picture()) }
	v.click(640, 70)
	v.ticks(20)
	shot("frame")
	v.click(330, 182)
	shot("span")
	v.rightClick(330, 182)
	shot("menu")
	v.press(ebiten.KeyEscape)
	v.press(ebiten.KeyF1)
	shot("help")
	v.press(ebiten.KeyF1)
	v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	shot("palette")
	v.press(ebiten.KeyEscape)
	v.press(ebiten.KeyG)
	shot("goto")
	v.press(ebiten.KeyEscape)
	v.press(ebiten.KeyComma, ebiten.KeyControlLeft)
	shot("settings")
	v.press(ebiten.KeyEscape)
	v.click(1258, 20)
	shot("settings-by-mouse")
	v.click(1150, 193) // light colours
	v.press(ebiten.KeyEscape)
	shot("light")
	v.click(1258, 20)
	v.click(1150, 193)
	v.press(ebiten.KeyEscape)
	v.press(ebiten.KeyDigit3)
	v.press(ebiten.KeyDigit5)
	shot("tabs")
	v.press(ebiten.KeyDigit2)
	v.press(ebiten.KeyDigit4)
	v.drag(300, 404, 500, 300)
	shot("float")
	v.rightClick(1100, 60)
	shot("frame-menu")
	v.press(ebiten.KeyEscape)
	v.rightClick(560, 195)
	v.click(620, 252) // open strip chart
	v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	v.typeText("costs")
	v.press(ebiten.KeyEnter)
	v.ticks(60)
	shot("extra")
	v.press(ebiten.KeySlash)
	v.typeText("an")
	shot("search")
}
