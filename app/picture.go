package app

import (
	"image/color"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/gpu"
	"framescope/widgets"
)

// painter puts lists on the screen, when there is something new to see.
type painter struct {
	renderer gpu.Renderer
	software software
	pacer
	cost    Costs
	on      picture // the screen
	damage  draw.Damage
	whole   bool         // all of the screen is to be painted
	lists   []*draw.List // of the picture
	screen  [1]draw.Rect // all of it
	ticks   int64        // at which it was painted or shown
	changes int          // how often it changed
	clear   *ebiten.Image
	final   ebiten.DrawImageOptions
}

// picture sums up all that the picture of the window depends on.
type picture struct {
	sum           widgets.Sum
	width, height int
	scale         float32
	ground        assets.Color
	atlas         uint64
	focused       bool // a change repaints the window, which may have been covered
}

// list takes a list into the sum.
func (p *picture) list(l *draw.List) {
	if l == nil {
		p.sum.Add(1)
		return
	}
	p.sum.Add(l.Revision())
}

// begin reports whether to paint a picture: the screen keeps the last one, so a window without changes
// costs next to nothing, and the next frame waits. Now and then it still shows the last picture again, as a
// window system may have lost covered parts.
func (w *painter) begin(p picture, tick int64) todo {
	switch {
	case p != w.on && p.fits(&w.on) && tick-w.ticks < w.restTicks(time.Now()):
		return leaveIt
	case p != w.on:
		w.changes++
		w.news(w.ownPace())
		w.whole = w.whole || !p.fits(&w.on)
		w.on, w.ticks, w.cost.Quads = p, tick, 0
		return paintIt
	case tick-w.ticks >= shownTicks:
		w.ticks = tick
		return showIt
	}
	w.idle()
	return leaveIt
}

// todo is the next action on the screen.
type todo uint8

const (
	leaveIt todo = iota // the screen is right
	showIt              // it is to be shown again
	paintIt             // it is to be painted
)

// shownTicks is a minute of a window without changes.
const shownTicks = 60 * stillTPS

// show shows the last picture again, with an invisible draw call.
func (w *painter) show(screen *ebiten.Image) {
	if w.clear == nil {
		w.clear = ebiten.NewImage(1, 1)
	}
	screen.DrawImage(w.clear, nil)
}

// fits reports whether the parts in which the lists of a picture did not change are those of another.
func (p *picture) fits(o *picture) bool {
	return p.width == o.width && p.height == o.height && p.scale == o.scale && p.ground == o.ground && p.focused == o.focused
}

// paint paints what changed in a picture.
func (w *painter) paint(screen *ebiten.Image, ground color.Color, each func(func(*draw.List))) {
	for _, r := range w.changed(each) {
		part := screen.SubImage(pixelsOf(r)).(*ebiten.Image)
		if w.software.on {
			w.software.paint(part, screen.Bounds(), ground, w.lists)
			continue
		}
		part.Fill(ground)
		for _, l := range w.lists {
			w.renderer.DrawPart(part, l)
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
	w.final.GeoM, w.final.Blend = at, ebiten.BlendCopy
	screen.DrawImage(picture, &w.final)
}

// changed takes the lists of the picture, and returns the parts of the screen that are to be painted.
func (w *painter) changed(each func(func(*draw.List))) []draw.Rect {
	w.lists = w.lists[:0]
	each(w.addList)
	parts := w.damage.Changed(w.lists)
	if w.whole {
		w.whole = false
		w.screen[0] = draw.Rect{X1: float32(w.on.width), Y1: float32(w.on.height)}
		parts = w.screen[:]
	}
	for _, r := range parts {
		w.cost.Pixels += int(r.W() * r.H())
	}
	return parts
}

// addList adds a list to the picture, if there is one.
func (w *painter) addList(l *draw.List) {
	if l != nil {
		w.lists = append(w.lists, l)
		w.cost.Quads += l.Quads()
	}
}

// end notes the time of a picture.
func (w *painter) end(took time.Duration) {
	w.cost.Drawn(took, w.renderer.Stats())
	w.software.painted()
}

// frame begins a frame.
func (w *painter) frame() {
	if !w.still {
		w.software.begin()
		w.wait()
	}
}

// ownPace is the pace of something new that the user looks at: the full one, but where the processor draws.
func (w *painter) ownPace() int {
	if !w.software.on {
		return 0
	}
	return w.software.pace(w.cost.UpdateMs + w.cost.DrawMs)
}
