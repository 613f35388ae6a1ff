package app

import (
	"os"
	"path/filepath"
	"testing"

	"framescope/app/sessions"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/pstatstest"
	"framescope/widgets"
)

// newTestGame returns a viewer without a window.
func newTestGame(t *testing.T, o sessions.Options) *Game {
	t.Helper()
	g := testkit.Must(NewGame(Options{Options: o, SettingsPath: "-"}))(t)
	t.Cleanup(func() { g.Close() })
	return g
}

// openedGame returns a viewer without a window that has read a recording.
func openedGame(t *testing.T, name string) *Game {
	t.Helper()
	g := newTestGame(t, sessions.Options{Files: []string{captureFile(t, name)}, Deterministic: true})
	g.stage.width, g.stage.height = 1280, 720
	settleGame(t, g)
	return g
}

// openedView returns such a viewer, and the view of its session.
func openedView(t *testing.T, name string) (*Game, *view.View) {
	t.Helper()
	g := openedGame(t, name)
	return g, g.View()
}

// takeIn is the part of a tick that takes in data.
func takeIn(g *Game) {
	g.stage.tick++
	g.stage.begin()
	g.ss.Tick()
	g.stage.env.View = g.View()
	g.stage.env.View.Tick(g.stage.now(), false)
}

// settleGame takes in data until everything is read.
func settleGame(t *testing.T, g *Game) {
	t.Helper()
	testkit.WaitUntil(t, "all of the recording", func() bool {
		takeIn(g)
		s := g.View().Session()
		if s == nil {
			return false
		}
		_, ended := s.Ended()
		return ended
	})
}

// keptGame is a viewer that listens, and keeps sessions in a place of the test's, which the next
// viewer of the test finds again.
func keptGame(t *testing.T, home string) *Game {
	t.Helper()
	testkit.SetXDG(t, "XDG_STATE_HOME", home)
	return newTestGame(t, sessions.Options{Listen: "127.0.0.1:0"})
}

// pollUntil takes in what comes until a condition holds.
func pollUntil(t *testing.T, g *Game, what string, ok func(rows []widgets.SessionRow) bool) {
	t.Helper()
	testkit.WaitUntil(t, what, func() bool {
		takeIn(g)
		return ok(g.ss.Sessions())
	}, func() any { return g.ss.Sessions() })
}

// play sends a recorded client to the viewer and waits until its session has ended there.
func play(t *testing.T, g *Game, name string) {
	t.Helper()
	c := testkit.Must(pstatstest.Open(filepath.Join(testkit.Folder, "..", "testdata", "pstats", name)))(t)
	testkit.NoErr(t, c.Replay(t.Context(), g.ss.Listening().Address, nil))
	pollUntil(t, g, "the end of the client's session", func(rows []widgets.SessionRow) bool {
		if len(rows) == 0 {
			return false
		}
		_, ended := rows[0].Session.Ended()
		return ended
	})
}

// captureFile returns the absolute path of a test recording, also after the working folder was
// changed.
func captureFile(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(testkit.Folder, "..", "testdata", "pstats", name)
}

// TestMain keeps what tests record out of the user's own place.
func TestMain(m *testing.M) { os.Exit(testkit.InOwnPlace(m)) }
