//go:build integration

package e2e

import (
	"image"
	"path/filepath"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw/golden"
	"framescope/charts/panel"
)

// The pictures are of the GPU renderer, which here is Mesa's software one; its versions round
// differently at edges.
const (
	maxDiff   = 12
	maxPixels = 400
)

// see compares what the window shows with the picture of that name: the colors that are on the screen, or
// the layout of what is drawn there.
func (v *viewer) see(name string) {
	v.t.Helper()
	path := filepath.Join("testdata", name+".png")
	if golden.Colored(path) {
		golden.CheckImage(v.t, path, v.picture(), maxDiff, maxPixels)
		return
	}
	shapes, texts := v.layout()
	golden.CheckLayout(v.t, path, shapes, texts, func() image.Image { return v.picture() })
}

// seeAtRest compares the window with a picture while the mouse lights nothing up.
func (v *viewer) seeAtRest(name string) {
	v.t.Helper()
	v.rest()
	v.see(name)
}

// same tells whether the window shows what it showed before.
func (v *viewer) same(before image.Image, after string) {
	v.t.Helper()
	got := v.picture()
	if c := golden.Compare(before, got, maxDiff); c.Pixels > maxPixels {
		path := filepath.Join(v.t.ArtifactDir(), "after.png")
		err := writePNG(path, got)
		v.t.Errorf("after %s %d pixels differ from before, the first at %v: %s, %v", after, c.Pixels, c.At, path, err)
	}
}

func recording(name string) string {
	return filepath.Join("..", "..", "testdata", "pstats", name+".pstats")
}

// rest takes the mouse to where it lights nothing up.
func (v *viewer) rest() {
	v.move(float64(v.w)-2, float64(v.h)-2)
	v.ticks(2)
}

// hush closes so many notices.
func (v *viewer) hush(n int) {
	v.ticks(2)
	for range n {
		v.press(ebiten.KeyEscape)
	}
	v.rest()
}

// TestOpenScrubZoomSelectDescend opens a recording and does with it what a user does first.
func TestOpenScrubZoomSelectDescend(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("late")}})
	v.seeAtRest("opened")

	// Scrub on the frame strip: the playhead moves everything else.
	v.overStrip(0.23, 0.48)
	v.seeAtRest("scrubbed")

	// Zoom the timeline at the mouse: what is under it stays there.
	x, y := v.at("timeline", -300, 80)
	v.wheel(x, y, 5)
	v.seeAtRest("zoomed")

	// Select a span: the details panel, flame graph, strip chart and tree show it.
	x, y = v.find("timeline", span(""))
	v.click(x, y)
	v.seeAtRest("selected")

	// The tooltip of the thing under the mouse.
	v.move(x+4, y)
	v.ticks(10)
	v.see("tooltip")

	// Descend in the strip chart by a double click on a label, and ascend by the key.
	v.doubleClick(v.find("strip", over(panel.HitBand)))
	v.seeAtRest("descended")
	v.move(v.at("strip", -100, -40))
	v.press(ebiten.KeyBackspace)
	v.seeAtRest("ascended")

	// Focus on a bar of the flame graph.
	v.doubleClick(v.find("flame", over(panel.HitNode)))
	v.seeAtRest("flame-zoomed")
	v.move(v.at("flame", 100, -20))
	v.press(ebiten.KeyBackspace)

	// Back through the history of views, and everything at once.
	v.press(ebiten.KeyArrowLeft, ebiten.KeyAltLeft)
	v.press(ebiten.KeyDigit0)
	v.seeAtRest("everything")
}

// TestMissingFrames opens a recording with gaps and looks at one from near.
func TestMissingFrames(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("gaps")}})
	for range 36 {
		v.press(ebiten.KeyArrowRight)
	}
	v.press(ebiten.KeyDigit3)
	v.seeAtRest("gap")
}

// TestPanes moves panes about: a splitter, a pane that comes loose, its resize handle, docking,
// folding, tabs, and a chart of its own.
func TestPanes(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("nested")}})
	v.rest()
	before := v.picture()

	edge := float64(v.panel("flame").Rect.X1)
	_, y := v.at("flame", 0, -60)
	v.drag(edge, y, edge-100, y) // splitter between flame graph and strip chart
	x0, y0 := v.title("flame")
	v.drag(x0, y0, x0+100, y0-100)
	v.seeAtRest("floating")
	x1, y1 := v.at("flame", -6, -6) // larger by its corner
	v.drag(x1, y1, x1+80, y1+30)
	v.seeAtRest("resized")
	v.doubleClick(v.title("flame")) // back to its place
	v.drag(edge-100, y, edge, y)
	v.rest()
	v.same(before, "docking the pane again")
	v.doubleClick(v.title("flame")) // folds it
	v.seeAtRest("folded")

	v.rightClick(v.find("timeline", span("")))
	v.see("menu")
	v.press(ebiten.KeyEscape)
	v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	v.typeText("reset")
	v.see("palette")
	v.press(ebiten.KeyEnter)
	v.rest()
	v.same(before, "resetting the layout")
}

// TestPanesAtOddScale drags a pane by the lower part of its title row, which at a scale of 1.5 lies
// below the widget library's own.
func TestPanesAtOddScale(t *testing.T) {
	v := startViewer(t, start{w: 1920, h: 1080, scale: 1.5, files: []string{recording("nested")}})
	v.rest()
	before := v.picture()
	x, y := v.title("flame")
	y += 12
	v.drag(x, y, x+180, y-150)
	v.seeAtRest("floating-at-1.5")
	v.drag(x+180, y-150, x, y) // dropped on its own place it docks there again
	v.rest()
	v.same(before, "docking the pane again")
}

// TestSizes opens a recording at the sizes and scales that people have: every control of a title row has its
// place in the window.
func TestSizes(t *testing.T) {
	for _, s := range []struct {
		name string // of the picture; empty: none is stored
		start
	}{
		{"size-1280x720", start{w: 1280, h: 720, scale: 1}},
		{"size-1920x1080-at-1.5", start{w: 1920, h: 1080, scale: 1.5}},
		{"size-2560x1440-at-2", start{w: 2560, h: 1440, scale: 2}},
		{"", start{w: 1366, h: 768, scale: 2}},
	} {
		s.files = []string{recording("levels")}
		v := startViewer(t, s.start)
		v.rest()
		for _, p := range v.observe().Panels {
			for _, c := range append(p.Tabs, p.Tools...) {
				if r := c.Rect; r.Empty() || r.X0 < 0 || r.Y0 < 0 || r.X1 > float32(s.w) || r.Y1 > float32(s.h) {
					t.Errorf("%dx%d@%v: %q of %s lies at %v", s.w, s.h, s.scale, c.Label, p.ID, r)
				}
			}
		}
		if s.name != "" {
			v.see(s.name)
		}
		v.close()
	}
}

// TestNothingToShow looks at the window that waits for a game, at the overlay of keys, and at a
// file that is none.
func TestNothingToShow(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, listen: "127.0.0.1:0"})
	v.seeAtRest("waiting")
	v.press(ebiten.KeyF1)
	v.see("help")
	v.press(ebiten.KeyF1)
	v.seeAtRest("waiting")
	v.control("?", v.observe().Controls) // the button says the same as the key
	v.seeAtRest("help")
	v.close()

	bad := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{filepath.Join("testdata", "opened.png")}})
	bad.rest()
	bad.see("not-a-recording")
}
