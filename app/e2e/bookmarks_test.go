package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/charts/panel"
)

// TestBookmarks opens a link, marks frames and a span by key and by menu, writes a note, goes back to
// what was marked by key, flag, list and palette, and takes a bookmark away.
func TestBookmarks(t *testing.T) {
	v := startViewer(t, start{w: 1600, h: 1000, scale: 1, files: []string{recording("late") + "#frame=80&thread=Main"}})
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
		for x = x0; x < x0+1200; x += 3 {
			v.move(x, y)
			if o := v.observed(); noted(&o) {
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
	if !v.observe().HasSpan {
		t.Error("the bookmark of a span selects none")
	}
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
	if _, _, found := v.look("bookmarks", noted); found {
		t.Error("it is still there")
	}
	v.press(ebiten.KeyDigit2, ebiten.KeyControlLeft) // there is none
	frame(82)
}
