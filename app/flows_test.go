package app

import (
	"os"
	"path/filepath"
	"testing"

	"framescope/app/input"
	"framescope/app/sessions"
	"framescope/internal/testkit"
)

const flowTrace = `[
{"ph":"X","name":"spawn","ts":0,"dur":10,"pid":1,"tid":1}, {"ph":"X","name":"job","ts":20,"dur":10,"pid":1,"tid":2},
{"ph":"X","name":"job","ts":25,"dur":10,"pid":1,"tid":3}, {"ph":"X","name":"join","ts":40,"dur":10,"pid":1,"tid":1},
{"ph":"s","name":"go","id":1,"ts":2,"pid":1,"tid":1}, {"ph":"f","bp":"e","name":"go","id":1,"ts":20,"pid":1,"tid":2},
{"ph":"s","name":"go","id":2,"ts":4,"pid":1,"tid":1}, {"ph":"f","bp":"e","name":"go","id":2,"ts":25,"pid":1,"tid":3},
{"ph":"s","name":"done","id":3,"ts":35,"pid":1,"tid":3}, {"ph":"f","bp":"e","name":"done","id":3,"ts":40,"pid":1,"tid":1}]`

// Keys follow flows: on and back, also to a thread that is hidden; where there are several they are
// offered, and Enter takes the first. What was selected before comes back with Ctrl+Z.
func TestKeysFollowFlows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flows.json")
	testkit.NoErr(t, os.WriteFile(path, []byte(flowTrace), 0o600))
	g := newTestGame(t, sessions.Options{Files: []string{path}, Deterministic: true})
	g.stage.width, g.stage.height = 1280, 720
	settle(t, g)
	v := g.View()
	strike := func(c input.Chord, name string, beginNs int64) {
		t.Helper()
		g.keys.Chords = append(g.keys.Chords[:0], c)
		g.handleKeys()
		takeIn(g)
		if b := v.Span(); !v.HasSpan() || v.Session().Collector(b.Collector).Name != name || b.Begin != beginNs {
			t.Fatalf("%v leads to %+v, want %s at %d", c, b, name, beginNs)
		}
	}
	b, ok := v.Session().Spans().Innermost(v.Track(), 5000)
	testkit.MustThat(t, ok, "no span")
	v.SelectSpan(b)
	v.Look().SetTrackHidden(2, true)
	strike(input.Chord{Key: "]"}, "spawn", 0)
	m := g.ask.Menu()
	testkit.MustThat(t, m != nil && len(m.Items) == 2, "the menu is %+v", m)
	strike(input.Chord{Key: "enter"}, "job", 20_000)
	strike(input.Chord{Key: "["}, "spawn", 0)
	strike(input.Chord{Key: "]"}, "spawn", 0)
	strike(input.Chord{Key: "down"}, "spawn", 0)
	strike(input.Chord{Key: "enter"}, "job", 25_000)
	testkit.That(t, !v.Look().TrackHidden(v.Track()), "the thread is hidden still")
	strike(input.Chord{Key: "]"}, "join", 40_000)
	strike(input.Chord{Ctrl: true, Key: "z"}, "job", 25_000)
	strike(input.Chord{Ctrl: true, Key: "y"}, "join", 40_000)
	strike(input.Chord{Key: "]"}, "join", 40_000) // there is none
}
