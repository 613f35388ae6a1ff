package app

import (
	"slices"

	"framescope/model"
)

// What stays on screen of games that are gone. A game that connects again and again, or a program that only says hello, must not fill memory.
const (
	maxEnded = 64 // sessions that received something
	maxEmpty = 4  // sessions that did not
)

// forgetOldest takes the oldest sessions of games that are gone off the screen when there are too many. The one that is shown stays, and so do files and connected games.
func (g *Game) forgetOldest() {
	ended, empty := 0, 0
	var old []*model.Session
	for _, e := range slices.Backward(g.hub.Entries()) {
		if _, over := e.Session.Ended(); !over || !e.Feed.Live() || e.Session == g.active {
			continue
		}
		if _, _, ok := e.Session.Bounds(); ok {
			ended++
		} else {
			empty++
		}
		if ended > maxEnded || empty > maxEmpty {
			old = append(old, e.Session)
			ended, empty = min(ended, maxEnded), min(empty, maxEmpty)
		}
	}
	for _, s := range old {
		g.forget(s)
	}
}
