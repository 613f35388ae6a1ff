package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/charts/panel"
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
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("the file is %q (%v), want %q", text, err, want)
		}
	}
	v.rest()
	v.rightClick(v.find("frames", over(panel.HitFrame)))
	v.choose("Set budget…")
	v.rest()
	v.see("budget_measure")
	retype("12 ms")
	v.ticks(2)
	retype(path)
	v.ticks(330) // the notice names a folder that is another each time
	file("[[budget]]\nlimit = \"12 ms\"\n")
	v.palette("budgets")
	v.rest()
	v.see("budgets")
	row := func(o *app.Observed) bool { return o.Under == panel.HitFrame && len(o.UnderLines) > 3 }
	v.click(v.find("budgets", row))
	v.rest()
	if o := v.observe(); o.FrameA < 0 || o.FrameA != o.FrameB {
		t.Errorf("frames %d to %d are selected", o.FrameA, o.FrameB)
	}
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
	if !strings.HasPrefix(string(text), "[[budget]]\nlimit = \"50 ms\"\n\n[[budget]]\ncollector = \"App:") {
		t.Errorf("%q", text)
	}
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
