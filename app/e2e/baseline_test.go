package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/workspace"
	"framescope/charts/panel"
)

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
	if !measured() {
		t.Errorf("a bar says %q", v.observe().UnderLines)
	}
	typical := func() string { o := v.observe(); p, _ := panelOf(&o, "against"); return p.Mode }
	if m := typical(); !strings.Contains(m, "baseline of ") {
		t.Errorf("what is typical is said to be %q", m)
	}
	chips := slices.DeleteFunc(v.observe().Controls, func(c workspace.Control) bool {
		return !strings.HasPrefix(c.Label, "vs baseline frames ")
	})
	if len(chips) != 1 {
		t.Fatalf("%d chips name the baseline: %v", len(chips), v.observe().Controls)
	}
	v.control(chips[0].Label, chips)
	v.rest()
	if measured() {
		t.Errorf("without a baseline a bar says %q", v.observe().UnderLines)
	}
	if m := typical(); m == "" || strings.Contains(m, "baseline") {
		t.Errorf("without a baseline what is typical is said to be %q", m)
	}
}
