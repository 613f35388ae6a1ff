//go:build !headless

package app

import (
	"testing"

	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/internal/testkit"
)

// TestNoTextOverText: no text lies over other text, nor anything over it, in no panel, however small
// the window is.
func TestNoTextOverText(t *testing.T) {
	inOneGoroutine(t)
	for _, name := range []string{"nested.pstats", "../gsttrace/leaks-refs.log", "there-is-none.pstats"} {
		g := openedGame(t, name)
		var ids []string
		g.desk.Each(func(tab *workspace.Tab) { ids = append(ids, tab.ID) })
		look := func(w, h int, panel string) {
			t.Helper()
			g.stage.width, g.stage.height = w, h
			var last letters
			for tick := range 3 { // places are taken in one tick and painted in the next
				g.stage.tick++
				g.stage.begin()
				g.stage.env.View = g.View()
				g.stage.env.View.Tick(g.stage.now(), false)
				g.mouse.X, g.mouse.Y = -1, -1
				testkit.NoErr(t, g.answer())
				g.prepare()
				paint := func(*draw.List) {}
				if tick == 2 {
					paint = last.list
				}
				g.lists(paint)
			}
			testkit.Equal(t, last.first, "", "%s at %d × %d, %s", name, w, h, panel)
			testkit.That(t, len(last.shown) != 0, "%s at %d × %d, %s: nothing is written", name, w, h, panel)
		}
		for w := 200; w <= 1300; w += testkit.Rounds(110, 75) {
			look(w, 150, "")
			look(w, 720, "")
		}
		for _, id := range ids {
			g.desk.Show(id)
			for _, size := range [][2]int{{200, 300}, {320, 240}, {250, 900}, {640, 400}, {1280, 720}} {
				look(size[0], size[1], id)
			}
		}
	}
}

// A remembered window keeps its size unless the screen is smaller.
func TestWindowsFitTheScreen(t *testing.T) {
	for _, c := range [][6]int{{1900, 1000, 1920, 1080, 1900, 1000}, {2560, 1440, 1920, 1080, 1824, 972}, {1280, 1200, 1920, 1080, 1280, 972}} {
		w, h := fitting(c[0], c[1], c[2], c[3])
		testkit.That(t, w == c[4] && h == c[5], "%d×%d on %d×%d becomes %d×%d", c[0], c[1], c[2], c[3], w, h)
	}
}

// Where the processor draws, there are as many pictures as fit into half a core, within bounds.
func TestPicturesOfTheProcessor(t *testing.T) {
	for presentMs, want := range map[float64]int{2: softMost, 14: 26, 24: 16, 90: softLeast} {
		s := software{on: true, presentMs: presentMs}
		testkit.Equal(t, s.pace(4), want, "pictures a second of %v ms", presentMs)
	}
}
