package e2e

import (
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/panel"
)

// TestFoundLengths narrows a search down by a drag over the lengths of what it found, which lie over the
// list of the calls in windows of every usual height, and takes that back by a double click.
func TestFoundLengths(t *testing.T) {
	for _, s := range []start{{w: 1920, h: 1080, scale: 1}, {w: 1280, h: 720, scale: 1}} {
		s.files = []string{recording("late")}
		v := startViewer(t, s)
		mode := func(want string) {
			t.Helper()
			v.rest()
			v.ticks(30)
			if got := v.panel("calls").Mode; !strings.HasPrefix(got, want) {
				t.Errorf("%dx%d: the calls are %q, not %q", s.w, s.h, got, want)
			}
		}
		v.press(ebiten.KeySlash)
		v.typeText("dur>1ms")
		v.ticks(30)
		v.press(ebiten.KeyEnter)
		v.press(ebiten.KeyEscape) // the list goes, what is looked for stays
		v.tab("strip", "Calls")
		mode("found by “dur>1ms” · 1321 calls")
		if s.h == 720 {
			v.see("found")
		}
		v.find("calls", over(panel.HitNode)) // a call is still listed below
		const y = 28 + 10
		x0, top := v.at("calls", 100, y)
		x1, _ := v.at("calls", 200, y)
		v.drag(x0, top, x1, top)
		mode("found by “dur>=")
		v.doubleClick(x0, top)
		v.rest()
		v.ticks(30)
		if got := v.panel("calls").Mode; strings.Contains(got, "dur") {
			t.Errorf("%dx%d: a double click leaves %q", s.w, s.h, got)
		}
		v.close()
	}
}
