//go:build !js

package app

import (
	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/input"
)

// offered returns all commands: outside of browsers each can work.
func offered(list []input.Command) []input.Command { return list }

// placed puts the viewer where it is shown.
func placed(g *Game) ebiten.Game { return g }
