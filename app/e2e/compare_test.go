package e2e

import (
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
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
	v.choose("Compare: mark the selection as B")
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

// TestBothTimelines opens two recordings as A and B: both lie on one ruler. A click in either selects there, and
// what is seen of the window is of that session; the wheel over one zooms both.
func TestBothTimelines(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 900, scale: 1, files: []string{recording("late"), recording("nested")}, compare: true})
	v.rest()
	p := v.panel("timelines")
	for i, name := range []string{"App:Base", "Physics"} { // each is in one of both alone
		x, y := v.find("timelines", func(o *app.Observed) bool {
			return len(o.UnderLines) > 1 && strings.HasSuffix(o.UnderLines[0], name) && strings.Contains(strings.Join(o.UnderLines, " "), "duration")
		})
		if half := p.Rect.Y0 + p.Rect.H()/2; (float32(y) > half) != (i == 1) {
			t.Errorf("%s is at %v of %v", name, y, p.Rect)
		}
		v.click(x, y)
		v.rest()
		o := v.observe()
		if !o.HasSpan || !strings.HasSuffix(name, o.Name) || o.Name == "" {
			t.Errorf("a click on %s selects %q", name, o.Name)
		}
		width := o.End - o.Begin
		v.wheel(x, y, 2)
		v.rest()
		if o = v.observe(); o.End-o.Begin >= width {
			t.Errorf("the wheel over %s zooms nothing", name)
		}
		v.wheel(x, y, -2)
		v.rest()
		if p = v.panel("timelines"); p.Rect.Empty() {
			t.Fatal("the timelines are gone")
		}
	}
	v.see("compare_lines")
}
