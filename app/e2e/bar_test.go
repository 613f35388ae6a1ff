package e2e

import (
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
)

// A button of the tool bar is pressed once: what is clicked afterwards, elsewhere, does not press it
// again.
func TestButtonsArePressedOnce(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("late")}})
	v.rest()
	v.control("⚙", v.observe().Controls)
	if len(v.observe().Menu) == 0 {
		t.Fatal("the button of the settings opens no menu")
	}
	v.press(ebiten.KeyEscape)
	if len(v.observe().Menu) != 0 {
		t.Fatal("Esc does not close the menu")
	}
	for _, at := range [][2]float64{{18, 124}, {600, 300}, {640, 708}} {
		v.click(at[0], at[1])
		if menu := v.observe().Menu; len(menu) != 0 {
			t.Errorf("a click at %v opens the menu again: %q", at, menu)
			v.press(ebiten.KeyEscape)
		}
	}
}
