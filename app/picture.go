package app

import (
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw"
	"framescope/charts/draw/gpu"
	"framescope/widgets"
)

// Paces of the window while nothing changes: after a quiet second there are 20 ticks a second,
// which are enough to notice new data and the mouse.
const (
	idleNs   = 16 * time.Millisecond // the least time between two frames: without vertical synchronisation they come as fast as the machine can
	quietNs  = time.Second
	quietTPS = 20
)

// painter puts lists on the screen, when there is something new to see.
type painter struct {
	renderer gpu.Renderer
	cost     costs
	still    bool    // it never waits: pictures are to be repeatable
	on       picture // the screen
	ticks    int64   // at which it was painted
	lastDraw time.Time
	lastNews time.Time // when the picture last changed
	changes  int       // how often it did
	quiet    bool      // the window goes at a low rate, because nothing changes
}

// picture sums up all that the picture of the window depends on.
type picture struct {
	sum           widgets.Sum
	width, height int
	atlas         uint64
}

// list takes a list into the sum.
func (p *picture) list(l *draw.List) {
	if l == nil {
		p.sum.Add(1)
		return
	}
	p.sum.Add(l.Revision())
}

// begin tells whether a picture has to be painted: what is on the screen stays there, so a window
// in which nothing changed costs next to nothing. Once a second it is painted in any case. If not
// it waits.
func (w *painter) begin(p picture, tick int64) bool {
	if p == w.on && tick-w.ticks < 60 {
		w.idle()
		return false
	}
	if p != w.on {
		w.news()
	}
	w.on, w.ticks, w.cost.quads = p, tick, 0
	return true
}

// draw paints a list, if there is one.
func (w *painter) draw(screen *ebiten.Image, l *draw.List) {
	if l == nil {
		return
	}
	w.renderer.Draw(screen, l)
	w.cost.quads += l.Quads()
}

// end notes what a picture took.
func (w *painter) end(took time.Duration) {
	w.cost.drawn(took, w.renderer.Stats())
	w.lastDraw = time.Now()
}

// idle waits instead of painting the same picture again.
func (w *painter) idle() {
	if w.still {
		return
	}
	wait := idleNs
	if time.Since(w.lastNews) > quietNs {
		wait = time.Second / quietTPS
		if !w.quiet {
			w.quiet = true
			ebiten.SetTPS(quietTPS)
		}
	}
	time.Sleep(wait - time.Since(w.lastDraw))
	w.lastDraw = time.Now()
}

// news notes that there is something new to see: the window goes at full pace again.
func (w *painter) news() {
	w.lastNews = time.Now()
	w.changes++
	if w.quiet {
		w.quiet = false
		ebiten.SetTPS(ebiten.DefaultTPS)
	}
}
