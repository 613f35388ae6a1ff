package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/charts/panel"
	"framescope/internal/testkit"
)

// TestBudgets makes a budget by a right click on a frame, sees it broken in the panel, goes to the worst
// frame, changes it so that it is kept, sets another by the keyboard, and removes both; the file follows.
func TestBudgets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "budgets.toml")
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("late")}})
	retype := func(text string) {
		v.press(ebiten.KeyA, ebiten.KeyControlLeft)
		v.typeText(text)
		v.press(ebiten.KeyEnter)
	}
	file := func(want string) {
		t.Helper()
		text, err := os.ReadFile(path)
		testkit.That(t, err == nil && string(text) == want, "the file is %q (%v), want %q", text, err, want)
	}
	v.rest()
	v.rightClick(v.find("frames", over(panel.HitFrame)))
	v.choose("Set budget…")
	v.rest()
	v.see("budget_measure")
	retype("12 ms")
	v.ticks(2)
	retype(path)
	v.hush(1) // the notice names a folder that is another each time
	file("[[budget]]\nlimit = \"12 ms\"\n")
	v.palette("budgets")
	v.rest()
	v.see("budgets")
	row := func(o *app.Observed) bool { return o.Under == panel.HitFrame && len(o.UnderLines) > 3 }
	v.click(v.find("budgets", row))
	v.rest()
	o := v.observe()
	testkit.That(t, o.FrameA >= 0 && o.FrameA == o.FrameB, "frames %d to %d are selected", o.FrameA, o.FrameB)
	v.rightClick(v.find("budgets", row))
	v.choose("Change budget…")
	v.ticks(2)
	retype("50 ms")
	v.rest()
	file("[[budget]]\nlimit = \"50 ms\"\n")
	v.see("budgets_kept")

	v.click(v.find("flame", func(o *app.Observed) bool { return o.UnderCollector > 0 }))
	v.move(v.at("why", 20, 20)) // what is chosen is meant where nothing is under the mouse
	v.press(ebiten.KeyL, ebiten.KeyShiftLeft)
	v.ticks(2)
	v.press(ebiten.KeyEnter)
	v.rest()
	text, _ := os.ReadFile(path)
	testkit.That(t, strings.HasPrefix(string(text), "[[budget]]\nlimit = \"50 ms\"\n\n[[budget]]\ncollector = \"App:"),
		"%q", text)
	for range 2 {
		v.rightClick(v.find("budgets", func(o *app.Observed) bool { return len(o.UnderLines) > 3 }))
		v.choose("Remove budget")
		v.rest()
	}
	file("\n")
	v.see("budgets_none")
}

// palette runs the command that is found first by some words.
func (v *viewer) palette(words string) {
	v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	v.typeText(words)
	v.press(ebiten.KeyEnter)
	v.ticks(2)
}

// TestBookmarks opens a link, marks frames and a span by key and by menu, writes a note, goes back to
// what was marked by key, flag, list and palette, and takes a bookmark away.
func TestBookmarks(t *testing.T) {
	v := startViewer(t, start{w: 1600, h: 1200, scale: 1, files: []string{recording("late") + "#frame=80&thread=Main"}})
	frame := func(want int64) {
		t.Helper()
		v.rest()
		if o := v.observe(); o.FrameA != want || o.FrameB != want {
			t.Fatalf("frames %d to %d are selected, want %d", o.FrameA, o.FrameB, want)
		}
	}
	// noted finds the flag, or the row, of the bookmark with a note.
	noted := func(o *app.Observed) bool {
		return o.Under == panel.HitMark && slices.ContainsFunc(o.UnderLines, func(s string) bool { return strings.Contains(s, "a note") })
	}
	frame(80)
	v.press(ebiten.KeyB)
	v.press(ebiten.KeyArrowRight)
	v.press(ebiten.KeyArrowRight)
	frame(82)
	v.press(ebiten.KeyB, ebiten.KeyAltLeft)
	v.typeText("a note on i")
	v.input.Commit("t") // in one tick with Enter, which does not overtake it
	v.press(ebiten.KeyEnter)
	v.rightClick(v.find("timeline", over(panel.HitSpan)))
	v.choose("Bookmark")
	v.rest()
	flag := func() (x, y float64) {
		t.Helper()
		x0, y := v.at("frames", 0, 18)
		for from := x0; from < x0+1200; from += 90 {
			if x, y, found := v.lookAt(points(from, y, 3, 0, 30), noted); found {
				return x, y
			}
		}
		t.Fatal("there is no flag in the frame strip")
		return 0, 0
	}
	flag()
	v.ticks(30)
	v.see("bookmarks")
	v.press(ebiten.KeyDigit1, ebiten.KeyControlLeft)
	frame(80)
	v.press(ebiten.KeyZ, ebiten.KeyControlLeft)
	frame(82)
	v.press(ebiten.KeyDigit1, ebiten.KeyControlLeft)
	v.click(flag())
	frame(82)
	v.press(ebiten.KeyDigit3, ebiten.KeyControlLeft)
	v.rest()
	testkit.That(t, v.observe().HasSpan, "the bookmark of a span selects none")
	v.press(ebiten.KeyDigit1, ebiten.KeyControlLeft)
	v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	v.typeText("a note on")
	v.press(ebiten.KeyEnter)
	frame(82)
	v.press(ebiten.KeyDigit1, ebiten.KeyControlLeft)
	v.click(v.find("bookmarks", noted))
	frame(82)
	v.rightClick(v.find("bookmarks", noted))
	v.choose("Remove the bookmark")
	v.rest()
	x, y := v.at("bookmarks", 60, 30)
	_, _, found := v.lookAt(points(x, y, 0, 6, 30), noted)
	testkit.That(t, !found, "it is still there")
	v.press(ebiten.KeyDigit2, ebiten.KeyControlLeft) // there is none
	frame(82)
}
