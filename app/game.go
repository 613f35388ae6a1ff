// Package app is the program's window: it owns the game loop, the status line, and the table of
// commands, and makes the parts of the window, each in a package of its own that does not depend on
// app.
package app

import (
	"fmt"
	"iter"
	"os"

	"framescope/app/input"
	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/view"
)

// Game is the viewer as Ebitengine runs it: it makes the parts, which do not depend on it, and gives
// each its turn. One goroutine calls Update and Draw.
type Game struct {
	settings *settings.Settings
	stage    *stage
	ss       *sessions.Sessions
	ask      workspace.Prompt
	desk     *workspace.Desk
	spaces   spaces
	compare  Sides
	budgets  *Book
	exports  Exports
	console  *Console
	nav      navigator
	find     finder
	chosen   lately // in the palette
	commands *input.Table
	bars     bars
	under    under
	help     help
	about    inspected // the inspector is about that
	paint    painter
	mouse    input.Mouse
	keys     input.Keyboard
	end      end
}

// end says when the program is over.
type end struct {
	quit        bool
	interrupted <-chan struct{} // closed when the system asks for it; nil: never
	observe     func(Observed)  // receives the visible state after each tick; may be nil
	// check is that of the options; may be nil
	check func(tick int64, views iter.Seq[*view.View], desk *workspace.Desk) error
}

// Close ends listening and recording, and keeps the settings. The error names recordings that are
// not as they should be.
func (g *Game) Close() error {
	g.exports.Close()
	g.console.Stop()
	err := g.ss.Close()
	g.keepSettings()
	return err
}

// keepSettings writes the settings.
func (g *Game) keepSettings() {
	if g.stage.deterministic {
		return
	}
	g.spaces.keep()
	g.complain(g.settings.Keep())
}

// complain reports an error of the settings, if any, also on standard error: the window may be closing,
// or nobody may look at it.
func (g *Game) complain(err error) {
	if err != nil {
		g.ask.Warn(err)
		fmt.Fprintln(os.Stderr, "framescope:", err)
	}
}

// View returns the view of all panels.
func (g *Game) View() *view.View { return g.ss.View() }

// settingsPage returns the window's page of settings.
func (g *Game) settingsPage() *settingsPage {
	return &settingsPage{settings: g.settings, stage: g.stage, ss: g.ss, ask: &g.ask, keyOf: g.nav.keyOf,
		source: g.nav.source}
}
