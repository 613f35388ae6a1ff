package headless

import (
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/app/demo"
	"framescope/app/load"
	"framescope/internal/testkit"
)

func TestDemo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo")
	files, err := Demo(t.Context(), DemoOptions{Dir: dir, Duration: time.Minute, Width: 640, Height: 360, Game: demo.Options{Frames: 500, Fast: true, Seed: 3}})
	testkit.OK(t, err)
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	want := []string{"frames.png", "timeline.png", "strip.png", "levels.png", "flame.png", "piano.png", "report.txt", "frames.txt", "demo.pstats"}
	if !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	for _, path := range files {
		if strings.HasSuffix(path, ".png") {
			f := testkit.Must(os.Open(path))(t)
			img, err := png.Decode(f)
			f.Close()
			if err != nil || img.Bounds().Dx() != 640 {
				t.Errorf("%s: %v %v", path, img.Bounds(), err)
			}
		}
	}
	text := testkit.Must(os.ReadFile(filepath.Join(dir, "report.txt")))(t)
	for _, want := range []string{"Solar Chase", "Thread Main", "Thread GPU", "Thread Loader", "App:Physics:Solve", "System memory:Heap (MB)"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report has no %q", want)
		}
	}
	// The recording is the session.
	rec := testkit.Must(load.File(t.Context(), filepath.Join(dir, "demo.pstats"), load.Options{}))(t)
	main := rec.Session.Track(0)
	if main.Title() != "Main" || main.NumFrames() < 470 || main.Missing() == 0 {
		t.Errorf("%s: %d frames, %d missing", main.Title(), main.NumFrames(), main.Missing())
	}

	if _, err := Demo(t.Context(), DemoOptions{Dir: dir}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("into a folder with files: %v", err)
	}
}
