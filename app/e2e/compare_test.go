package e2e

import (
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/panel"
	"framescope/model"
)

// TestComparing marks one side by its key and the other by the menu, looks at what differs, and stops.
func TestComparing(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("late")}})
	v.rest()
	v.press(ebiten.KeyHome)
	for range 40 {
		v.press(ebiten.KeyArrowRight, ebiten.KeyShiftLeft)
	}
	v.press(ebiten.KeyA, ebiten.KeyShiftLeft)
	v.press(ebiten.KeyEnd)
	for range 40 {
		v.press(ebiten.KeyArrowLeft, ebiten.KeyShiftLeft)
	}
	v.rest()
	v.rightClick(v.find("frames", over(panel.HitFrame)))
	v.choose("Compare: mark what is selected as B")
	v.rest()
	v.see("compare")
	for _, id := range []string{"frametimes", "diffflame", "differences", "timelines"} {
		if p := v.panel(id); p.Rect.Empty() {
			t.Errorf("%s has no room", id)
		}
	}
	v.click(v.find("diffflame", over(panel.HitCollector)))
	v.rest()
	if o := v.observe(); o.Collector == model.NoCollector {
		t.Error("a click on a bar selects nothing")
	}
	v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	v.typeText("compare: stop")
	v.press(ebiten.KeyEnter)
	v.press(ebiten.KeyHome)
	v.rest()
}
