package sessions

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/app/launch"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/net/feed"
	"framescope/net/flare"
	"framescope/widgets"
)

// jvmAgent listens as a Flare agent does, and sends what one sent to each client that subscribes.
func jvmAgent(t *testing.T) (addr string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(flaretest.Captures(t), "agent-wire", "recorded-60s.agent-to-client.resp"))
	testkit.NoErr(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.NoErr(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			if _, err := io.ReadFull(c, make([]byte, len(flare.Request))); err == nil {
				c.Write(data)
			}
		}
	}()
	return l.Addr().String()
}

// The user connects to an agent while another session is shown: the new one is shown, can be saved,
// and the address is remembered.
func TestConnectToAgent(t *testing.T) {
	addr := jvmAgent(t)
	agents, _ := launch.ServerOf("flare")
	g := newViewer(t, Options{Files: []string{captureFile(t, "late.pstats")}})
	pollUntil(t, g, "the file", func(rows []widgets.SessionRow) bool { return len(rows) == 1 && g.ss.active == rows[0].Session })
	g.ss.askServer(agents)
	p := g.ask.Dialog()
	testkit.MustThat(t, p != nil && p.Field.Text() == "localhost:3333" && len(p.Items) == 0,
		"no question, or one with something else in it: %+v", p)
	p.Field.SetText("host:nonsense")
	p.Enter()
	testkit.That(t, g.ask.Dialog() == p, "nonsense is taken for an address")
	p.Field.SetText(addr)
	p.Enter()
	testkit.That(t, g.ask.Dialog() == nil, "the dialog stays")
	pollUntil(t, g, "the session to be shown", func(rows []widgets.SessionRow) bool {
		return len(rows) == 2 && rows[1].Active && rows[1].Live && rows[1].State == "connected" && rows[1].Session.NumTracks() > 5
	})
	s := g.ss.active.Info()
	testkit.That(t, s.Source == "flare" && s.Program == "JVM at "+addr, "shows %+v", s)
	// It ends up in a sample folder when it is saved.
	e, _ := g.ss.hub.EntryOf(g.ss.active)
	name := library.FileName("x", time.Now(), extensionOf(g.ss.active, ownerOf(e.Feed)))
	testkit.That(t, filepath.Ext(name) == "", "would be saved to %q", name)
	saved := filepath.Join(t.TempDir(), "saved")
	pollUntil(t, g, "something on disk", func([]widgets.SessionRow) bool { return save(t.Context(), ownerOf(e.Feed), saved) == nil })
	testkit.That(t, (flare.Source{}).SniffFolder(saved), "what was saved is no sample folder")
	// So does an opened one.
	again := filepath.Join(t.TempDir(), "again")
	err := save(t.Context(), owner{file: &opened{path: saved}}, again)
	testkit.That(t, err == nil && (flare.Source{}).SniffFolder(again), "saved again: %v", err)

	// The next time the address is there, and nothing is twice.
	g.ss.askServer(agents)
	if p = g.ask.Dialog(); p.Field.Text() != addr || len(p.Items) != 1 || p.Items[0].Name != addr {
		t.Errorf("%q, %+v", p.Field.Text(), p.Items)
	}
	p.Move(1)
	p.Enter()
	for i := range 9 {
		g.ss.connect(agents, fmt.Sprintf("127.0.0.1:%d", 1+i%2))
	}
	testkit.EqualSlices(t, g.settings.Addresses("flare"), []string{"127.0.0.1:1", "127.0.0.1:2", addr}, "remembers")
	pollUntil(t, g, "the complaint", func([]widgets.SessionRow) bool {
		return slices.ContainsFunc(g.ask.Notices.Shown(), func(n workspace.Notice) bool {
			return n.Problem && strings.Contains(n.Text, "no agent at 127.0.0.1:1") && strings.Contains(n.Text, "framescope attach")
		})
	})
}

// Java VMs are found by name and number. The library is asked for once; what is wrong with
// attaching is told.
func TestAttachToJVM(t *testing.T) {
	g := newViewer(t, Options{})
	t.Setenv(launch.FlareAgentEnv, "")
	g.ss.chooseJVM(nil)
	if p := g.ask.Dialog(); p == nil || len(p.Items) != 0 || len(p.Empty) == 0 {
		t.Errorf("%+v", p)
	}
	none := 1<<22 - 1 // no process
	vms := []flare.VM{{PID: 12, Name: "com.acme.Main"}, {PID: none}}
	library := filepath.Join(t.TempDir(), "libflareagent.so")
	complaint := g.ss.takeLibrary(library, nil)
	testkit.That(t, strings.Contains(complaint, "no agent library at"), "complaint %q", complaint)
	testkit.NoErr(t, os.WriteFile(library, nil, 0o600))
	went := false
	if complaint := g.ss.takeLibrary(library, func() { went = true }); complaint != "" || g.settings.AgentLibrary != library {
		t.Errorf("complaint %q, remembers %q", complaint, g.settings.AgentLibrary)
	}
	g.tick()
	testkit.That(t, went, "it does not go on with the library")
	g.ss.chooseJVM(vms)
	p := g.ask.Dialog()
	testkit.MustThat(t, len(p.Items) == 3 && p.Items[0].Name == "com.acme.Main" && p.Items[0].Key == "process 12" &&
		p.Items[1].Name == "(unknown)" && p.Items[2].Key == "libflareagent.so", "%+v", p.Items)
	p.Field.SetText(fmt.Sprint(none))
	p.Enter()
	testkit.That(t, g.ask.Dialog() == nil, "the dialog stays")
	pollUntil(t, g, "the complaint", func(rows []widgets.SessionRow) bool {
		return len(rows) == 0 && slices.ContainsFunc(g.ask.Notices.Shown(), func(n workspace.Notice) bool {
			return n.Problem && (strings.Contains(n.Text, "no such process") || strings.Contains(n.Text, "not supported"))
		})
	})
	// A library that went away is asked for again; here its path is typed.
	testkit.NoErr(t, os.Remove(library))
	g.ss.dialog = true // of the system's: there is one at a time
	g.ss.attachTo(vms[0])
	testkit.That(t, slices.ContainsFunc(g.ask.Notices.Shown(), func(n workspace.Notice) bool { return strings.Contains(n.Text, "choose its new place") }),
		"notices %+v", g.ask.Notices.Shown())
	g.ss.typeLibrary(nil)
	p = g.ask.Dialog()
	testkit.That(t, p != nil && p.Field.Text() == library && p.Answer("") != "", "%+v", p)
}

// A log line that comes by the thousand is counted, not kept.
func TestLogLines(t *testing.T) {
	var s sources
	for range maxLogLines + 5 {
		s.logLine("line")
	}
	testkit.That(t, len(s.lines) == maxLogLines && s.lineCount == maxLogLines+5,
		"%d lines, %d counted", len(s.lines), s.lineCount)
}

// A sample folder that is dropped on the window is opened as a whole, and not file by file.
func TestDroppedSampleFolder(t *testing.T) {
	dir := t.TempDir()
	from := flaretest.Find(t, flaretest.Captures(t), "constructed-60s/127*")
	testkit.NoErr(t, launch.SaveFolder(from, filepath.Join(dir, "samples")))
	g := newViewer(t, Options{Deterministic: true})
	g.ss.OpenDropped(os.DirFS(dir))
	settle(t, g)
	rows := g.ss.Sessions()
	testkit.That(t, len(rows) == 1 && rows[0].Problem == "" && rows[0].Session.Info().Source == "flare" &&
		rows[0].Session.NumTracks() >= 4, "%d sessions: %+v", len(rows), rows)
	testkit.That(t, len(g.settings.Recent) == 1 && filepath.Base(g.settings.Recent[0]) == "samples",
		"remembered are %v", g.settings.Recent)
}

// The user connects to a Rust program before it runs: the session is there, says so, and fills when
// the program begins. Addresses are remembered for each kind of programs.
func TestConnectToRustProgram(t *testing.T) {
	data := recordings.Read(t, recordings.Puffin, "http_join_late.puffinstream")
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	addr := l.Addr().String()
	rust, _ := launch.ServerOf("puffin")
	g := newViewer(t, Options{})
	g.ss.askServer(rust)
	p := g.ask.Dialog()
	testkit.MustThat(t, p != nil && p.Field.Text() == "127.0.0.1:8585", "no question, or another: %+v", p)
	p.Field.SetText(addr)
	p.Enter()
	testkit.That(t, g.ask.Dialog() == nil, "the dialog stays")
	c := testkit.Must(l.Accept())(t)
	defer c.Close()
	pollUntil(t, g, "the session without frames", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && rows[0].Live && rows[0].State == "connected, no frames yet"
	})
	c.Write(data)
	pollUntil(t, g, "the session to be shown", func(rows []widgets.SessionRow) bool {
		return rows[0].Active && rows[0].State == "connected" && rows[0].Session.NumTracks() == 8
	})
	s := g.ss.active.Info()
	testkit.That(t, s.Source == "puffin" && s.Program == "program at "+addr, "shows %+v", s)
	got := g.settings.Addresses("puffin")
	testkit.That(t, len(got) == 1 && got[0] == addr && len(g.settings.Addresses("flare")) == 0, "remembers %q", got)
}

// A port that another program has keeps no file from opening; it is told, and taken as soon as it
// is free.
func TestTakenPort(t *testing.T) {
	other := testkit.Must(net.Listen("tcp4", "127.0.0.1:0"))(t)
	defer other.Close()
	addr := other.Addr().String()
	started := ""
	g := newViewer(t, Options{
		Listen: addr, Started: func(at string) { started = at },
		Files: []string{captureFile(t, "late.pstats")},
	})
	pollUntil(t, g, "the file", func(rows []widgets.SessionRow) bool { return len(rows) == 1 && rows[0].Session.NumTracks() > 0 })
	l := g.ss.Listening()
	testkit.That(t, l.Address == "" && strings.HasPrefix(l.Problem, addr+" is taken by ") &&
		strings.Contains(l.Remedy, "--listen HOST:PORT"), "%+v", l)
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
	conn := testkit.Must(net.Dial("tcp4", addr))(t)
	conn.Close()
	last := g.told()
	testkit.That(t, !last.Problem && last.Text == "Listening on "+addr+" now", "says %+v", last)
	g.ss.ListenAgain()
	last = g.told()
	testkit.That(t, last.Text == "Listening on "+addr, "says %+v", last)
}

// So it is with an input that listens.
func TestTakenPortOfAnInput(t *testing.T) {
	other := testkit.Must(net.Listen("tcp4", "127.0.0.1:0"))(t)
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
	testkit.That(t, len(g.ask.Notices.Shown()) == 1 &&
		strings.Contains(g.ask.Notices.Shown()[0].Text, "started without --listen"), "says %+v", g.ask.Notices.Shown())
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
			problems["late.pstats"] == "" && g.ss.active != nil && g.ss.ownerOf(g.ss.active).problem() == "" && len(g.ask.Notices.Shown()) == 2
	})
	for _, e := range append([]feed.Entry(nil), g.ss.hub.Entries()...) {
		g.ss.Forget(e.Session)
	}
	pollUntil(t, g, "all to be closed", func(rows []widgets.SessionRow) bool { return len(rows) == 0 })
}
