package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/app/workspace"
	"framescope/charts/panel"
	"framescope/internal/testkit"
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
		p := v.panel(id)
		testkit.That(t, !p.Rect.Empty(), "%s has no room", id)
	}
	v.click(v.find("diffflame", over(panel.HitCollector)))
	v.rest()
	o := v.observe()
	testkit.That(t, o.Collector != model.NoCollector, "a click on a bar selects nothing")
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
		half := p.Rect.Y0 + p.Rect.H()/2
		testkit.That(t, (float32(y) > half) == (i == 1), "%s is at %v of %v", name, y, p.Rect)
		v.click(x, y)
		v.rest()
		o := v.observe()
		testkit.That(t, o.HasSpan && strings.HasSuffix(name, o.Name) && o.Name != "",
			"a click on %s selects %q", name, o.Name)
		width := o.End - o.Begin
		v.wheel(x, y, 2)
		v.rest()
		o = v.observe()
		testkit.That(t, o.End-o.Begin < width, "the wheel over %s zooms nothing", name)
		v.wheel(x, y, -2)
		v.rest()
		p = v.panel("timelines")
		testkit.MustThat(t, !p.Rect.Empty(), "the timelines are gone")
	}
	v.see("compare_lines")
}

// TestBaseline pins what is selected by its key, looks at a frame that took longer, and takes the baseline
// off by a click on its chip.
func TestBaseline(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("late")}})
	v.rest()
	v.press(ebiten.KeyHome)
	for range 40 {
		v.press(ebiten.KeyArrowRight, ebiten.KeyShiftLeft)
	}
	v.press(ebiten.KeyC)
	v.rest()
	v.press(ebiten.KeyN)
	v.rest()
	v.see("baseline")
	measured := func() bool {
		v.find("flame", over(panel.HitNode))
		lines := strings.Join(v.observe().UnderLines, "\n")
		return strings.Contains(lines, "vs baseline") || strings.Contains(lines, "new: ")
	}
	testkit.That(t, measured(), "a bar says %q", v.observe().UnderLines)
	typical := func() string { o := v.observe(); p, _ := panelOf(&o, "against"); return p.Mode }
	m := typical()
	testkit.That(t, strings.Contains(m, "baseline of "), "what is typical is said to be %q", m)
	chips := slices.DeleteFunc(v.observe().Controls, func(c workspace.Control) bool {
		return !strings.HasPrefix(c.Label, "vs baseline frames ")
	})
	testkit.MustThat(t, len(chips) == 1, "%d chips name the baseline: %v", len(chips), v.observe().Controls)
	v.control(chips[0].Label, chips)
	v.rest()
	testkit.That(t, !measured(), "without a baseline a bar says %q", v.observe().UnderLines)
	m = typical()
	testkit.That(t, m != "" && !strings.Contains(m, "baseline"), "without a baseline what is typical is said to be %q", m)
}
