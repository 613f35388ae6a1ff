//go:build !headless

package app

import (
	"image/color"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw"
)

// show shows the last picture again, with an invisible draw call.
func (w *painter) show(screen *ebiten.Image) {
	if w.window.clear == nil {
		w.window.clear = ebiten.NewImage(1, 1)
	}
	screen.DrawImage(w.window.clear, nil)
}

// paint paints what changed in a picture.
func (w *painter) paint(screen *ebiten.Image, ground color.Color, each func(func(*draw.List))) {
	for _, r := range w.changed(each) {
		part := screen.SubImage(pixelsOf(r)).(*ebiten.Image)
		if w.window.software.on {
			w.window.software.paint(part, screen.Bounds(), ground, w.lists)
			continue
		}
		part.Fill(ground)
		for _, l := range w.lists {
			w.window.renderer.DrawPart(part, l)
		}
	}
}

// present puts the picture on the screen. As the picture covers it, nothing is mixed: a third less work for a
// processor that draws.
func (w *painter) present(screen ebiten.FinalScreen, picture *ebiten.Image, at ebiten.GeoM) {
	if at.Element(0, 0) != 1 || at.Element(1, 1) != 1 {
		ebiten.DefaultDrawFinalScreen(screen, picture, at)
		return
	}
	w.window.final.GeoM, w.window.final.Blend = at, ebiten.BlendCopy
	screen.DrawImage(picture, &w.window.final)
}

// end notes the time of a picture.
func (w *painter) end(took time.Duration) {
	s, before := w.window.renderer.Stats(), &w.window.before
	w.cost.Drawn(took, int(s.Draws-before.Draws), int(s.Converted-before.Converted))
	*before = s
	w.window.software.painted()
}

// frame begins a frame.
func (w *painter) frame() {
	if !w.still {
		w.window.software.begin()
		w.wait()
	}
}

// ownPace is the pace of something new that the user looks at: the full one, but where the processor draws.
func (w *painter) ownPace() int {
	if !w.window.software.on {
		return 0
	}
	return w.window.software.pace(w.cost.UpdateMs + w.cost.DrawMs)
}
