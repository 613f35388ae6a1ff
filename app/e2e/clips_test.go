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
	"framescope/internal/testkit"
)

// clipsOf puts clips of hitches where a user's are, and returns their folder: a recording each, the newest
// first, with the number of the hitch's frame.
func clipsOf(t *testing.T, home string, frames ...int64) string {
	t.Helper()
	dir := filepath.Join(home, "state", "framescope", "clips")
	testkit.OK(t, os.MkdirAll(dir, 0o777))
	data := testkit.Must(os.ReadFile(recording("late")))(t)
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
		testkit.OK(t, err)
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
		files := testkit.Must(filepath.Glob(filepath.Join(dir, "*.pstats")))(t)
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
	v.press(ebiten.KeyEnter)
	until("the newest clip, opened at its hitch", at(9))
	v.press(ebiten.KeyC, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	until("three clips", count("3"))
	v.press(ebiten.KeyArrowDown)
	v.press(ebiten.KeyArrowDown)
	v.press(ebiten.KeyDelete)
	until("the question", func(o *app.Observed) bool { return slices.Contains(o.Menu, "Delete it") })
	v.choose("Delete it")
	until("two clips", count("2"))
	left := there()
	testkit.That(t, len(left) == 2, "%q are left", left)
	v.press(ebiten.KeyEscape)
	testkit.That(t, !listed(), "Esc does not shut the list")

	// By mouse alone, but for the word that is looked for: found in the field of the tool bar, shut by its
	// cross.
	open := func() {
		t.Helper()
		v.click(690, 18)
		v.typeText("clips of hitches")
		v.ticks(4)
		v.click(v.at("dialog", 60, 42))
		v.ticks(2)
		until("two clips", count("2"))
	}
	open()
	row := func(i float64) (x, y float64) { return v.at("clips", 120, 24+24+22+12+22*i) }
	v.doubleClick(row(1))
	until("the other clip, opened at its hitch", func(o *app.Observed) bool { return o.FrameA == 166 || o.FrameA == 100 })
	testkit.That(t, !listed(), "the list covers the clip that was opened")
	open()
	v.rightClick(row(0))
	v.ticks(2)
	o := v.observe()
	testkit.MustThat(t, slices.Contains(o.Menu, "Open") && slices.Contains(o.Menu, "Save as…"),
		"the menu of a clip: %q", o.Menu)
	v.line("Delete…")
	until("the question", func(o *app.Observed) bool { return slices.Contains(o.Menu, "Keep it") })
	v.line("Keep it")
	v.ticks(10)
	testkit.EqualSlices(t, there(), left, "there()")
	v.rightClick(row(0))
	v.line("Delete…")
	const open1 = "Delete it (it is open)"
	until("the question", func(o *app.Observed) bool { return slices.Contains(o.Menu, open1) })
	v.see("clips_question")
	v.line(open1)
	until("one clip", count("1"))
	got := there()
	testkit.That(t, len(got) == 1 && slices.Contains(left, got[0]), "%q is left of %q", got, left)

	// A press on its title gives it the keyboard, wherever the mouse goes then: Delete chooses the clip that is
	// left, and asks.
	v.click(v.at("clips", 200, 12))
	v.rest()
	v.press(ebiten.KeyDelete)
	v.press(ebiten.KeyDelete)
	until("the question", func(o *app.Observed) bool { return slices.Contains(o.Menu, open1) })
	v.line("Keep it")
	v.click(v.at("clips", -12, 14))
	testkit.That(t, !listed(), "its cross does not shut the list")
}
