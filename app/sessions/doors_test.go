package sessions

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/launch"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/widgets"
)

// A port that another program has keeps no file from opening; it is told, and taken as soon as it
// is free.
func TestTakenPort(t *testing.T) {
	other, err := net.Listen("tcp4", "127.0.0.1:0")
	testkit.NoErr(t, err)
	defer other.Close()
	addr := other.Addr().String()
	started := ""
	g := newViewer(t, Options{
		Listen: addr, Started: func(at string) { started = at },
		Files: []string{captureFile(t, "late.pstats")},
	})
	pollUntil(t, g, "the file", func(rows []widgets.SessionRow) bool { return len(rows) == 1 && rows[0].Session.NumTracks() > 0 })
	l := g.ss.Listening()
	if l.Address != "" || !strings.HasPrefix(l.Problem, addr+" is taken by ") || !strings.Contains(l.Remedy, "--listen HOST:PORT") {
		t.Errorf("%+v", l)
	}
	complaint := func(n workspace.Notice) bool { return n.Problem && strings.Contains(n.Text, "Not listening: "+addr) }
	testkit.That(t, len(g.ask.Notices.Shown()) == 1 && complaint(g.ask.Notices.Shown()[0]) && started == "",
		"notices %+v, started %q", g.ask.Notices.Shown(), started)

	// Asked for while the port is taken, it is told once more; and again when it is free, it
	// listens.
	g.ask.Notices.Drop("")
	g.ss.ListenAgain()
	pollUntil(t, g, "the complaint", func([]widgets.SessionRow) bool {
		return len(g.ask.Notices.Shown()) == 1 && complaint(g.ask.Notices.Shown()[0])
	})
	other.Close()
	g.ss.ListenAgain()
	pollUntil(t, g, "the port", func([]widgets.SessionRow) bool {
		l := g.ss.Listening()
		return l.Address == addr && l.Problem == "" && l.Doors[0].Address == addr && started == addr
	})
	conn, err := net.Dial("tcp4", addr)
	testkit.NoErr(t, err)
	conn.Close()
	last := g.told()
	testkit.That(t, !last.Problem && last.Text == "Listening on "+addr+" now", "says %+v", last)
	g.ss.ListenAgain()
	last = g.told()
	testkit.That(t, last.Text == "Listening on "+addr, "says %+v", last)
}

// So it is with an input that listens.
func TestTakenPortOfAnInput(t *testing.T) {
	other, err := net.Listen("tcp4", "127.0.0.1:0")
	testkit.NoErr(t, err)
	defer other.Close()
	addr := other.Addr().String()
	g := newViewer(t, Options{Inputs: []launch.Input{launch.NewPort(addr, "--addr", load.GStreamer())}})
	if l := g.ss.Listening(); l.Address != "" || !strings.HasPrefix(l.Problem, addr+" is taken") || g.ss.sources.awaited != "" {
		t.Errorf("%+v, awaits %q", l, g.ss.sources.awaited)
	}
	other.Close()
	g.ss.ListenAgain()
	pollUntil(t, g, "the port", func([]widgets.SessionRow) bool {
		l := g.ss.Listening()
		return l.Problem == "" && l.Doors[0].Address == "" && g.ss.sources.awaited == "GStreamer trace logs on "+addr &&
			l.Doors[1] == widgets.Door{For: "GStreamer trace logs", Flag: "--addr", Address: addr}
	})
}

// What is no address is told before a window opens; a window that closes waits for nothing.
func TestListening(t *testing.T) {
	for _, addr := range []string{"nonsense", "localhost:nonsense", "127.0.0.1:99999"} {
		set, _ := settings.Open("-")
		ss := New(&Options{Listen: addr}, set, &workspace.Prompt{})
		if err := ss.Start(); err == nil {
			ss.Close()
			t.Errorf("%s: no error", addr)
		}
	}
	g := newViewer(t, Options{})
	g.ss.ListenAgain()
	if len(g.ask.Notices.Shown()) != 1 || !strings.Contains(g.ask.Notices.Shown()[0].Text, "started without --listen") {
		t.Errorf("says %+v", g.ask.Notices.Shown())
	}
}

// A recording that can't be read takes nothing from the screen: what was shown is shown on, a notice
// says why, and Ctrl+O begins where something was opened, not among clips that the program keeps.
func TestWhatCannotBeReadIsNotShown(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "late.pstats")}})
	pollUntil(t, g, "the recording", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && g.ss.active != nil && g.ss.active.NumTracks() > 0
	})
	shown := g.ss.active
	bad := filepath.Join(t.TempDir(), "bad.pstats")
	testkit.NoErr(t, os.WriteFile(bad, []byte("no recording"), 0o666))
	for n, path := range []string{bad, filepath.Join(t.TempDir(), "missing.pstats")} {
		g.ss.OpenFile(path)
		pollUntil(t, g, "the notice and the end", func(rows []widgets.SessionRow) bool { // which may come a tick later
			if len(rows) < n+2 || len(g.ask.Notices.Shown()) <= n {
				return false
			}
			_, ended := rows[n+1].Session.Ended()
			return ended
		})
		testkit.Equal(t, g.ss.active, shown, "%s fills the window", path)
	}
	for _, dir := range []string{"clips", "sessions"} {
		kept := filepath.Join(library.StateDir(), dir)
		clip := filepath.Join(kept, "clip.pstats")
		testkit.NoErr(t, errors.Join(os.MkdirAll(kept, 0o777), os.WriteFile(clip, nil, 0o666)))
		g.settings.Remember(clip)
	}
	testkit.Equal(t, g.ss.startFolder(), filepath.Dir(bad), "it begins in")
}

// What can't be opened is a row that says why, beside what can.
func TestUnopened(t *testing.T) {
	good := captureFile(t, "late.pstats")
	missing := filepath.Join(t.TempDir(), "missing.pstats")
	g := newViewer(t, Options{Files: []string{good, missing}, Unopened: []Unopened{{Path: "folder", Err: errors.New(`"folder" is a folder`)}}})
	pollUntil(t, g, "all three", func(rows []widgets.SessionRow) bool {
		problems := map[string]string{}
		for _, r := range rows {
			problems[r.Name] = r.Problem
		}
		return len(rows) == 3 && problems["folder"] == `"folder" is a folder` && strings.Contains(problems["missing.pstats"], "no such file") &&
			problems["late.pstats"] == "" && g.ss.active != nil && g.ss.problemOf(g.ss.active) == "" && len(g.ask.Notices.Shown()) == 2
	})
	for _, e := range append([]feed.Entry(nil), g.ss.hub.Entries()...) {
		g.ss.Forget(e.Session)
	}
	pollUntil(t, g, "all to be closed", func(rows []widgets.SessionRow) bool { return len(rows) == 0 })
}
