package app

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/input"
	"framescope/app/launch"
	"framescope/app/load"
	"framescope/app/sessions"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/timeline"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/widgets"
)

// Idle tracks are hidden by one command, which is found by whatever people call tracks, idleness and
// hiding; Ctrl+Z shows them again, and so do the other ways.
func TestIdleTracksAreHidden(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	s, look := g.View().Session(), g.View().Look()
	spare := model.TrackID(s.NumTracks())
	s.Apply(model.TrackDef{ID: spare, Name: "Spare"})
	shown := func() bool { return slices.Contains(look.VisibleTracks(), spare) }
	takeIn(g)
	for _, text := range []string{
		"hide idle tracks", "hide idle threads", "idle", "hide thread", "remove empty rows", "inactive threads", "hide track", "hide tracks",
	} {
		p, found := lookUp(g, false, text), false
		for range p.Hits() {
			found = found || p.Chosen().Name == timeline.HideIdle
			p.Move(1)
		}
		testkit.That(t, found, "“%s” does not find what hides idle tracks", text)
	}
	key := func(k string) {
		t.Helper()
		takeIn(g)
		testkit.MustThat(t, g.commands.Strike(input.ParseChord(k)), "%s is no key", k)
	}
	lookUp(g, false, "hide idle tracks").Enter()
	testkit.MustThat(t, !shown(), "the idle track is shown")
	said := g.ask.Notices.Shown()
	testkit.That(t, len(said) != 0 && strings.Contains(said[len(said)-1].Text, "hidden: Ctrl+Z"), "it says %v", said)
	key("Ctrl+Z")
	testkit.That(t, shown(), "Ctrl+Z does not undo it")
	key("Ctrl+Y")
	testkit.That(t, !shown(), "Ctrl+Y does not do it again")
	for _, text := range []string{"show idle threads", "show all tracks", "unhide threads"} {
		look.HideIdle(true)
		p := lookUp(g, false, text)
		p.Enter()
		testkit.That(t, shown(), "“%s” does “%s”", text, p.Chosen().Name)
	}
}

// The tool of the timeline says what it hid, in the words of the command; where none is idle that is
// said, and nothing is remembered.
func TestToolSaysWhatItHid(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	s, look := g.View().Session(), g.View().Look()
	takeIn(g)
	env, tl := &g.stage.env, g.nav.panels["timeline"]
	use := func(want string) {
		t.Helper()
		tools := tl.(panel.Tooled)
		for _, tool := range tools.Tools(env) {
			if i := slices.Index(tool.Options, timeline.HideIdle); i >= 0 {
				tools.Use(env, tool.ID, i)
			}
		}
		g.nav.act(tl.Update(env, draw.Rect{X1: 900, Y1: 500}, &panel.Input{X: -1, Y: -1}))
		if said := g.ask.Notices.Shown(); len(said) == 0 || !strings.Contains(said[len(said)-1].Text, want) {
			t.Errorf("it says %v, want %q", said, want)
		}
	}
	use("No track is idle")
	testkit.That(t, !look.Tracks().NoIdle, "idle tracks are hidden from now on, though none was")
	s.Apply(model.TrackDef{ID: model.TrackID(s.NumTracks()), Name: "Spare"})
	takeIn(g)
	use("1 idle track hidden: Ctrl+Z")
	testkit.That(t, look.HidesIdle(), "the idle track is shown")
}

// trace is a trace log of GStreamer.
var trace = filepath.Join(testFolder, "..", "testdata", "gsttrace", "leaks-refs.log")

// A log whose writer is gone is silent, in the list and in the tool bar; it is live again with the
// next line.
func TestSilentLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.log")
	log, err := os.ReadFile(trace)
	testkit.NoErr(t, err)
	half := bytes.LastIndexByte(log[:len(log)/2], '\n') + 1
	testkit.NoErr(t, os.WriteFile(path, log[:half], 0o600))
	registry, err := load.Sources{}.Registry()
	testkit.NoErr(t, err)
	g := newTestGame(t, sessions.Options{Inputs: []launch.Input{launch.File{Path: path, Registry: registry}}})
	tip := func() (said string) {
		g.placeBar(draw.Rect{X1: 1920, Y1: ToolbarHeight})
		for _, it := range g.bars.top.Items() {
			if it.ID == "live" {
				said = it.Label
			}
		}
		return said
	}
	pollUntil(t, g, "silence", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && rows[0].Silence.Overdue && !rows[0].Silence.Nothing && strings.HasPrefix(tip(), "● Live, silent for ")
	})
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	testkit.NoErr(t, err)
	defer f.Close()
	_, err = f.Write(log[half:])
	testkit.NoErr(t, err)
	pollUntil(t, g, "life", func(rows []widgets.SessionRow) bool {
		return !rows[0].Silence.Overdue && strings.HasPrefix(tip(), "● Live  ")
	})
}
