package app

import (
	"strings"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/input"
	"framescope/app/web/bridge"
)

// absent are the commands that cannot work in a browser: they need programs, folders or sockets.
const absent = " open.list reopen disk clips open.ondisk record listen jvm.attach source.open quit together "

// offered leaves out what cannot work here.
func offered(list []input.Command) (kept []input.Command) {
	for _, c := range list {
		if !strings.Contains(absent, " "+c.ID+" ") && !strings.HasPrefix(c.ID, "connect.") {
			kept = append(kept, c)
		}
	}
	return kept
}

// onPage is the viewer in a page, which learns when the first picture is there.
type onPage struct {
	*Game
	shown bool
}

// placed puts the viewer where it is shown.
func placed(g *Game) ebiten.Game { return &onPage{Game: g} }

// DrawFinalScreen puts the picture of the window on the screen.
func (p *onPage) DrawFinalScreen(screen ebiten.FinalScreen, picture *ebiten.Image, at ebiten.GeoM) {
	p.Game.DrawFinalScreen(screen, picture, at)
	if !p.shown {
		p.shown = true
		bridge.Ready(func(link string) { p.ask.Later(func() { p.ss.OpenFile(link) }) })
	}
}
