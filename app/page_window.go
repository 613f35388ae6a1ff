//go:build !js && !headless

package app

import "github.com/hajimehoshi/ebiten/v2"

// placed puts the viewer where it is shown.
func placed(g *Game) ebiten.Game { return g }
