package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"framescope/app/demo"
	"framescope/app/input"

	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/model/place"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/server"
	"framescope/widgets"
)

// TestMain keeps what tests record out of the user's own place.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "framescope-sessions-test-*")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_STATE_HOME", dir)
	xdg.Reload()
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// viewer is sessions with all that they know of a window, and no window.
type viewer struct {
	ss       *Sessions
	settings *settings.Settings
	ask      *workspace.Prompt
	desk     *workspace.Desk
	env      panel.Env
	mouse    input.Mouse
	began    time.Time
}

// newViewer returns a viewer whose settings are not kept.
func newViewer(t *testing.T, o Options) *viewer {
	t.Helper()
	return newViewerOf(t, "-", o)
}

// newViewerOf returns a viewer with a file of settings.
func newViewerOf(t *testing.T, path string, o Options) *viewer {
	t.Helper()
	g := &viewer{desk: workspace.New(&workspace.Tab{ID: "frames", Panel: &overview.History{}}), began: time.Now()}
	theme := assets.Dark()
	g.env = panel.Env{Atlas: draw.NewAtlas(1), Scale: 1, Theme: &theme}
	g.ask = &workspace.Prompt{Env: &g.env, Mouse: &g.mouse, Desk: g.desk}
	g.settings = testkit.Must(settings.Open(path))(t)
	g.desk.Load(g.settings.Kept)
	g.ss = New(&o, g.settings, g.ask)
	testkit.NoErr(t, g.ss.Start())
	t.Cleanup(func() { g.ss.Close() })
	return g
}

// tick takes in what has come, at the time of now.
func (g *viewer) tick() {
	g.env.NowNs = int64(time.Since(g.began))
	g.ss.poll()
}

// told returns the newest notice.
func (g *viewer) told() workspace.Notice {
	all := g.ask.Notices.Shown()
	if len(all) == 0 {
		return workspace.Notice{}
	}
	return all[len(all)-1]
}

// play sends a recorded client to the viewer and waits until its session has ended there. What is
// sent by TCP and by UDP is waited for in turn: they would overtake each other, and datagrams that
// nobody takes are lost.
func play(t *testing.T, g *viewer, name string) {
	t.Helper()
	sessions, srv := len(g.ss.store.Sessions()), g.ss.sources.server
	before := srv.Clients()
	pstatstest.OverSockets(t, name, srv.Addr().String(), func(messages int64) {
		testkit.WaitUntil(t, "the client's messages", func() bool {
			g.tick()
			all := srv.Clients()
			return len(all) > 0 && !slices.ContainsFunc(before, func(c server.ClientInfo) bool { return c.ID == all[len(all)-1].ID }) &&
				all[len(all)-1].Messages == messages
		}, func() any { return srv.Clients() })
	})
	testkit.WaitUntil(t, "the end of the client's session", func() bool {
		g.tick()
		all := g.ss.store.Sessions()
		if len(all) == sessions {
			return false
		}
		_, ended := all[len(all)-1].Ended()
		return ended
	})
}

// settle takes in data until the shown session is complete.
func settle(t *testing.T, g *viewer) {
	t.Helper()
	testkit.WaitUntil(t, "all of the recording", func() bool {
		g.tick()
		if g.ss.active == nil {
			return false
		}
		_, ended := g.ss.active.Ended()
		return ended
	})
}

// keptViewer is a viewer that listens, and keeps sessions in a place of the test's, which the next
// viewer of the test finds again.
func keptViewer(t *testing.T, home string) *viewer {
	t.Helper()
	keptIn(t, home)
	return newViewer(t, Options{Listen: "127.0.0.1:0"})
}

// keptIn lets a test keep what it keeps in a folder.
func keptIn(t *testing.T, home string) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", home)
	xdg.Reload()
	t.Cleanup(xdg.Reload)
}

// game is one that has said hello, what its threads are called, and that it has one collector.
func game(g *viewer, threads ...string) pstats.Handler {
	h := g.ss.handlerFor(server.SessionInfo{Hello: pstats.ClientHello{Program: "game"}})
	h.Hello(pstats.ClientHello{Program: "game"})
	h.Threads(0, threads)
	h.Collectors([]pstats.CollectorDef{{Index: 1, Name: "App"}})
	return h
}

// pollUntil takes in what comes until a condition holds.
func pollUntil(t *testing.T, g *viewer, what string, ok func(rows []widgets.SessionRow) bool) {
	t.Helper()
	testkit.WaitUntil(t, what, func() bool {
		g.tick()
		return ok(g.ss.Sessions())
	}, func() any { return g.ss.Sessions() })
}

// captureFile returns the absolute path of a test recording, also after the working folder was
// changed.
func captureFile(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(testFolder, "..", "..", "testdata", "pstats", name)
}

// testFolder is the folder of this package.
var testFolder = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()

// While a game runs clips of its hitches are filed and told of; they are listed, opened beside the rest,
// and deleted after a question. Who wants none gets none.
func TestCamera(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	run := func() {
		over := make(chan error, 1)
		sessions := len(g.ss.store.Sessions())
		go func() {
			over <- demo.Run(t.Context(), g.ss.sources.server.Addr().String(), demo.Options{Seed: 1, Frames: 700, Fast: true})
		}()
		testkit.WaitUntil(t, "the game is over", func() bool {
			g.tick()
			all := g.ss.store.Sessions()
			if len(all) == sessions {
				return false
			}
			_, ended := all[len(all)-1].Ended()
			return ended
		})
		testkit.NoErr(t, <-over)
	}
	var rows []widgets.Row
	until := func(what string, ok func() bool) {
		testkit.WaitUntil(t, what, func() bool {
			g.tick()
			rows, _ = g.ss.camera.Clips()
			return ok()
		}, func() any { return []any{g.ask.Notices.Shown(), len(rows)} })
	}
	causes := func() (all []string) {
		for _, r := range rows {
			all = append(all, r.Cause)
		}
		return all
	}
	run()
	until("the clips are there", func() bool { return slices.Contains(causes(), "Texture on Draw") })
	for _, want := range []string{"Compile shader on Draw", "Disk in Autosave on Main", "Mark on Main", "Upload on Loader"} {
		i := slices.Index(causes(), want)
		if i < 0 {
			t.Fatalf("no clip of %s: %q", want, causes())
		}
		if r := rows[i]; r.Program != "Solar Chase" || r.Took <= 0 || r.Length <= r.Took || r.Mark == "" || r.Color.A == 0 {
			t.Errorf("%+v", r)
		}
	}
	if !slices.ContainsFunc(g.ask.Notices.Shown(), func(n workspace.Notice) bool {
		return strings.HasPrefix(n.Text, "Clips: ") && strings.HasSuffix(n.Text, "Ctrl+Shift+C lists them")
	}) {
		t.Errorf("told %+v", g.ask.Notices.Shown())
	}

	// One is opened beside the rest, and stays while it is open.
	at := slices.IndexFunc(rows, func(r widgets.Row) bool { return r.Cause == "Upload on Loader" })
	n, path, filed := len(rows), rows[at].Path, rows[at].At
	// At its hitch: the number of the frame is that of the game.
	hitch := place.Place{Kind: place.Frames, Thread: rows[at].Thread, First: rows[at].Frame, Last: rows[at].Frame}
	g.ss.camera.DoClip(widgets.Open, path)
	until("it is opened", func() bool {
		all := g.ss.store.Sessions()
		return len(all) == 2 && all[1].NumTracks() > 0 && g.ss.active == all[1]
	})
	until("its hitch is there", func() bool {
		f, err := hitch.Find(g.ss.active)
		return err == nil && g.ss.active.Track(f.Track).Frame(f.First).Number == hitch.First
	})
	testkit.Equal(t, g.ss.asked[g.ss.active].Place, hitch, "it is opened at")
	g.settings.Clips = 1
	g.tick()
	run()
	until("the others have left", func() bool { return len(rows) < n })
	// By when it was filed, too: a clip of the second game may take its name.
	listed := func() bool {
		return slices.ContainsFunc(rows, func(r widgets.Row) bool { return r.Path == path && r.At.Equal(filed) })
	}
	testkit.That(t, listed(), "the clip that is open has left")

	// Deleting asks.
	g.ss.camera.DoClip(widgets.Delete, path)
	until("the question", func() bool { return g.ask.Menu() != nil })
	g.ask.Menu().Items[0].Run()
	until("it is deleted", func() bool { return !listed() })

	home := t.TempDir()
	if err := g.ss.Close(); err != nil { // it looks after its folder until then
		t.Error(err)
	}
	g = keptViewer(t, home)
	g.settings.NoClips = true
	g.tick()
	run()
	for range 100 {
		g.tick()
	}
	g.ss.Close()
	entries, _ := os.ReadDir(filepath.Join(home, "framescope", "clips"))
	testkit.That(t, len(entries) == 0, "%d files though nobody wants clips", len(entries))
}
