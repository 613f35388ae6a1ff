package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
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
		testkit.OK(t, writePNG(filepath.Join(dir, fmt.Sprintf("%dx%d@%v.png", s.w, s.h, s.scale)), v.picture()))
		v.close()
	}
}
