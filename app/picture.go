package app

import (
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw"
)

// Paces of the window while nothing changes: after a quiet second there are 20 ticks a second, which are enough to notice new data and the mouse.
const (
	idleNs   = 16 * time.Millisecond // the least time between two frames: without vertical synchronisation they come as fast as the machine can
	quietNs  = time.Second
	quietTPS = 20
)

// idle waits instead of painting the same picture again.
func (g *Game) idle() {
	if g.opt.Deterministic {
		return
	}
	wait := idleNs
	if time.Since(g.lastNews) > quietNs {
		wait = time.Second / quietTPS
		if !g.quiet {
			g.quiet = true
			ebiten.SetTPS(quietTPS)
		}
	}
	time.Sleep(wait - time.Since(g.lastDraw))
	g.lastDraw = time.Now()
}

// news notes that there is something new to see: the window goes at full pace again.
func (g *Game) news() {
	g.lastNews = time.Now()
	if g.quiet {
		g.quiet = false
		ebiten.SetTPS(ebiten.DefaultTPS)
	}
}

// picture sums up all that the picture of the window depends on.
type picture struct {
	hash          uint64
	width, height int
	atlas         uint64
}

// pictureNow is what Draw would paint.
func (g *Game) pictureNow(screen *ebiten.Image) picture {
	b := screen.Bounds()
	p := picture{width: b.Dx(), height: b.Dy(), atlas: g.env.Atlas.Revision()}
	h := uint64(14695981039346656037)
	fold := func(v uint64) {
		h ^= v
		h *= 1099511628211
		h ^= h >> 29
	}
	list := func(l *draw.List) {
		if l == nil {
			fold(1)
			return
		}
		fold(l.Revision())
	}
	list(g.top.list)
	list(g.status.list)
	list(g.notice.list)
	list(g.tipList)
	fold(g.desk.Order())
	g.desk.Paint(list)
	fold(boolBit(g.overlay.help))
	fold(uint64(g.env.Scale * 1000))
	p.hash = h
	return p
}

func boolBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
