package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/app/demo"
	"framescope/app/input"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/server"
	"framescope/widgets"
)

// TestMain keeps what tests record out of the user's own place.
func TestMain(m *testing.M) { os.Exit(testkit.InOwnPlace(m)) }

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
	g.env = *panel.NewEnv(nil, &theme, draw.NewAtlas(1))
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
	before := srv.Messages()
	pstatstest.OverSockets(t, name, srv.Addr().String(), func(messages int64) {
		testkit.WaitUntil(t, "the client's messages", func() bool {
			g.tick()
			return srv.Messages() == before+messages
		}, func() any { return srv.Messages() })
	})
	untilOneMoreEnds(t, g, sessions)
}

// untilOneMoreEnds takes in data until a session beside so many others has ended.
func untilOneMoreEnds(t *testing.T, g *viewer, sessions int) {
	t.Helper()
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
	testkit.SetXDG(t, "XDG_STATE_HOME", home)
	return newViewer(t, Options{Listen: "127.0.0.1:0"})
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
	return filepath.Join(testkit.Folder, "..", "..", "testdata", "pstats", name)
}

// While a game runs clips of its hitches are filed and told of; they are listed, opened beside the rest,
// and deleted after a question. Who wants none gets none.
func TestClips(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	run := func() {
		over := make(chan error, 1)
		sessions := len(g.ss.store.Sessions())
		go func() {
			over <- demo.Run(t.Context(), g.ss.sources.server.Addr().String(), demo.Options{Seed: 1, Frames: 700, Fast: true})
		}()
		untilOneMoreEnds(t, g, sessions)
		testkit.NoErr(t, <-over)
	}
	var rows []widgets.ClipRow
	until := func(what string, ok func() bool) {
		testkit.WaitUntil(t, what, func() bool {
			g.tick()
			rows, _ = g.ss.liveClips.Clips()
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
		testkit.MustThat(t, i >= 0, "no clip of %s: %q", want, causes())
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
	at := slices.IndexFunc(rows, func(r widgets.ClipRow) bool { return r.Cause == "Upload on Loader" })
	n, path, filed := len(rows), rows[at].Path, rows[at].At
	// At its hitch: the number of the frame is that of the game.
	hitch := place.Place{Kind: place.Frames, Thread: rows[at].Thread, First: rows[at].Frame, Last: rows[at].Frame}
	g.ss.liveClips.DoClip(widgets.Open, path)
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
		return slices.ContainsFunc(rows, func(r widgets.ClipRow) bool { return r.Path == path && r.At.Equal(filed) })
	}
	testkit.That(t, listed(), "the clip that is open has left")

	// Deleting asks.
	g.ss.liveClips.DoClip(widgets.Delete, path)
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

// The recordings of a folder are listed with kind and size, the newest first, and what is none is not;
// folders and typed paths lead on, and Enter opens.
func TestChooseARecording(t *testing.T) {
	home := t.TempDir()
	g := newViewer(t, Options{})
	data := testkit.Must(os.ReadFile(captureFile(t, "late.pstats")))(t)
	put := func(name string, data []byte, age time.Duration) {
		path := filepath.Join(home, name)
		testkit.NoErr(t, os.MkdirAll(filepath.Dir(path), 0o777))
		testkit.NoErr(t, os.WriteFile(path, data, 0o666))
		testkit.NoErr(t, os.Chtimes(path, time.Time{}, time.Unix(1e9, 0).Add(-age)))
	}
	put("older.pstats", data, time.Hour)
	put("newer.pstats", data, 0)
	put("notes.txt", []byte("nothing"), 0)
	put(".hidden.pstats", data, 0)
	put("more/third.pstats", data, 0)

	var used []string
	g.ss.listFiles("Open notes", home, []string{".txt"}, func(paths []string) { used = paths })
	testkit.Equal(t, g.ask.Dialog().Chosen().Name, "notes.txt", "lists of files with an ending")
	g.ask.Dialog().Enter()
	testkit.Equal(t, strings.Join(used, " "), filepath.Join(home, "notes.txt"), "uses")

	g.ss.listRecordings(home)
	p := g.ask.Dialog()
	typed := func(text string) (names []string) {
		for _, it := range p.Typed(text) {
			names = append(names, filepath.ToSlash(it.Name))
		}
		return names
	}
	note := p.Chosen().Note
	testkit.That(t, strings.HasPrefix(note, "PStats session, "), "says of a recording %q", note)
	for text, want := range map[string]string{
		home + "/":                               "newer.pstats older.pstats ../ more/",
		"ne":                                     "newer.pstats",
		"./ER":                                   "newer.pstats older.pstats",
		"more":                                   "more/",
		"more/t":                                 "third.pstats",
		"more/":                                  "third.pstats ../",
		".h":                                     ".hidden.pstats",
		"notes":                                  "",
		"nowhere/x":                              "",
		"./newer.pstats#frame=120&thread=Main/1": "newer.pstats",
		"./gone.pstats#frame=120":                "",
		home + "/ol":                             "older.pstats",
	} {
		testkit.Equal(t, strings.Join(typed(text), " "), want, "%q lists", text)
	}
	for text, want := range map[string]string{
		"./newer.pstats#frame=120": "frame 120", "./newer.pstats#frame=1x": "frame",
	} {
		items := p.Typed(text)
		testkit.That(t, len(items) == 1 && strings.Contains(items[0].Note, want), "%s: %+v", text, items)
	}
	p.Text().SetText("mor")
	p.Enter()
	testkit.Equal(t, p.Text().Text(), filepath.Join(home, "more")+string(filepath.Separator), "a folder is gone into")
	p.Text().SetText(filepath.Join(home, "more", "third.pstats") + "#frame=120")
	p.Enter()
	pollUntil(t, g, "the recording", func(rows []widgets.SessionRow) bool { return len(rows) == 1 })
	testkit.That(t, g.ask.Dialog() == nil && len(g.settings.Recent) == 1 &&
		filepath.Base(g.settings.Recent[0]) == "third.pstats", "remembers %v", g.settings.Recent)
	_, at, _ := CutPlace("x#frame=120")
	testkit.That(t, g.ss.asked[g.ss.View().Session()].Place == at, "goes to %v, want %v", g.ss.asked, at)
	if at := g.ss.startFolder(); filepath.Base(at) != "more" {
		t.Errorf("looks in %s first", at)
	}
}

// The list below the path of a file to write: folders first, then files in one of the formats; the suggested
// name looks for nothing, a typed part for what has it in its name. A folder is gone into with the name kept,
// a file gives its name.
func TestFolderList(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "takes")
	for _, name := range []string{"old", "Older"} {
		testkit.NoErr(t, os.MkdirAll(filepath.Join(dir, name), 0o777))
	}
	for _, name := range []string{"a.csv", "b.svg", "held.txt", ".hidden.csv"} {
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, name), []byte("1234"), 0o666))
	}
	var field widgets.TextField
	list := folderList{suggested: "calls.csv", dir: dir, formats: []string{".csv", ".svg"}, to: &field}
	names := func(text string) (names []string) {
		for _, it := range list.items(text) {
			names = append(names, it.Name)
		}
		return names
	}
	choose := func(text, name, want string) {
		t.Helper()
		items := list.items(text)
		i := slices.IndexFunc(items, func(it widgets.PaletteItem) bool { return it.Name == name })
		testkit.MustThat(t, i >= 0, "%q has no %q", text, name)
		items[i].Run()
		testkit.Equal(t, field.Text(), want, "the path after "+name)
	}
	sep := string(filepath.Separator)
	all := []string{".." + sep, "Older" + sep, "old" + sep, "a.csv", "b.svg"}
	testkit.EqualSlices(t, names(filepath.Join(dir, "calls.csv")), all, "with the suggested name")
	testkit.EqualSlices(t, names(dir+sep), all, "without a name")
	testkit.EqualSlices(t, names("old"), []string{"Older" + sep, "old" + sep}, "with a part of a name")
	testkit.That(t, len(names("none")) == 0 && list.nothing() != "", "something is found, or nothing is said")
	choose(filepath.Join(dir, "calls.csv"), "old"+sep, filepath.Join(dir, "old", "calls.csv"))
	choose("ol", "Older"+sep, filepath.Join(dir, "Older", "calls.csv"))
	choose(filepath.Join(dir, ".csv"), "a.csv", filepath.Join(dir, "a.csv"))
}

// What came just before the window stands is the sessions' and no part of what the program takes
// with nothing loaded, though the sessions are asked once a second only.
func TestWhatComesFirstIsTheSessions(t *testing.T) {
	m := memoryWindow{store: store.New(0), hub: feed.NewHub()}
	m.SetLimit(64 << 20)
	defer m.Stop()
	f := m.hub.NewFeed(feed.Options{})
	m.hub.Poll(m.store, time.Second)
	m.count()
	f.Define(model.TrackDef{ID: 0, Name: "main"})
	f.Define(model.CollectorDef{ID: 1, Name: "work"})
	f.Define(model.PathDef{ID: 1, Collector: 1})
	b := f.Begin()
	for i := range int64(50_000) {
		b.Spans = append(b.Spans, model.Span{Begin: 10 * i, End: 10*i + 5, Path: 1})
	}
	testkit.MustThat(t, f.Publish(b), "the feed is closed")
	for m.hub.Stats().Waiting > 0 {
		m.hub.Poll(m.store, time.Second)
	}
	held := m.hub.Entries()[0].Session.Memory().Total()
	m.ticks, m.counted = standsAfter-1, time.Now().Add(time.Hour)
	m.Tick()
	testkit.That(t, m.keeper != nil && held >= 100_000 && m.use.Live == held,
		"the sessions hold %d bytes, %d when the program was measured", held, m.use.Live)
}
