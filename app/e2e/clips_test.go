package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/app/clips"
)

// clipsOf puts clips of hitches where a user's are, and returns their folder: a recording each, the newest
// first, with the number of the hitch's frame.
func clipsOf(t *testing.T, home string, frames ...int64) string {
	t.Helper()
	dir := filepath.Join(home, "state", "framescope", "clips")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(recording("late"))
	if err != nil {
		t.Fatal(err)
	}
	for i, frame := range frames {
		path := filepath.Join(dir, string(rune('a'+i))+".pstats")
		info, err := json.Marshal(clips.Info{
			Program: "late", Cause: []string{"Base on Main", "Leaf on Main", "Disk on Main"}[i%3], Thread: "Main", Frame: frame,
			DurationNs: 27_000_000, At: time.Date(2026, 3, 4, 12, 0, 30-i, 0, time.UTC), LengthNs: 2_000_000_000, Frames: 190,
		})
		if err == nil {
			err = os.WriteFile(path, data, 0o666)
		}
		if err == nil {
			err = os.WriteFile(strings.TrimSuffix(path, ".pstats")+".json", info, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestClips goes through the list of clips by keys and by mouse: a clip is opened at its hitch, another is
// deleted after a question, and the list shuts.
func TestClips(t *testing.T) {
	home := t.TempDir()
	dir := clipsOf(t, home, 9, 166, 100)
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("nested")}, home: home})
	there := func() (names []string) {
		files, err := filepath.Glob(filepath.Join(dir, "*.pstats"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			names = append(names, strings.TrimSuffix(filepath.Base(f), ".pstats"))
		}
		return names
	}
	listed := func() bool {
		o := v.observe()
		_, ok := panelOf(&o, "clips")
		return ok
	}
	until := func(what string, ok func(o *app.Observed) bool) {
		t.Helper()
		for range 400 {
			if o := v.observe(); ok(&o) {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		o := v.observe()
		t.Fatalf("in vain: %s: frames %d to %d, menu %q, clips %q", what, o.FrameA, o.FrameB, o.Menu, there())
	}
	count := func(n string) func(o *app.Observed) bool {
		return func(o *app.Observed) bool {
			p, ok := panelOf(o, "clips")
			return ok && strings.HasPrefix(p.Mode, n+" of ")
		}
	}
	at := func(frame int64) func(o *app.Observed) bool {
		return func(o *app.Observed) bool { return o.FrameA == frame && o.FrameB == frame }
	}
	v.rest()

	// By keys.
	v.press(ebiten.KeyC, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	until("three clips", count("3"))
	v.rest()
	v.see("clips")
	v.press(ebiten.KeyArrowDown)
	v.press(ebiten.KeyEnter)
	until("the newest clip, opened at its hitch", at(9))
	v.press(ebiten.KeyC, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	until("three clips", count("3"))
	v.press(ebiten.KeyArrowDown)
	v.press(ebiten.KeyArrowDown)
	v.press(ebiten.KeyArrowDown)
	v.press(ebiten.KeyDelete)
	until("the question", func(o *app.Observed) bool { return slices.Contains(o.Menu, "Delete it") })
	v.choose("Delete it")
	until("two clips", count("2"))
	left := there()
	if len(left) != 2 {
		t.Errorf("%q are left", left)
	}
	v.press(ebiten.KeyEscape)
	if listed() {
		t.Error("Esc does not shut the list")
	}

	// By mouse: opened by the palette, its menu and a click on its control.
	v.palette("clips of hitches")
	until("two clips", count("2"))
	row := func(i float64) (x, y float64) { return v.at("clips", 120, 24+24+22+12+22*i) }
	v.doubleClick(row(1))
	until("the other clip, opened at its hitch", func(o *app.Observed) bool { return o.FrameA == 166 || o.FrameA == 100 })
	if !listed() {
		v.palette("clips of hitches")
		until("two clips", count("2"))
	}
	v.rightClick(row(0))
	v.ticks(2)
	o := v.observe()
	if !slices.Contains(o.Menu, "Open") || !slices.Contains(o.Menu, "Save as…") {
		t.Fatalf("the menu of a clip: %q", o.Menu)
	}
	v.choose("Delete…")
	until("the question", func(o *app.Observed) bool { return slices.Contains(o.Menu, "No, it stays") })
	v.choose("No, it stays")
	v.ticks(10)
	if got := there(); !slices.Equal(got, left) {
		t.Errorf("%q are left, want %q", got, left)
	}
}
