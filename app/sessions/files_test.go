package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"framescope/app/launch"
	"framescope/app/load"
	"framescope/internal/aside"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/widgets"
)

// A second recording gets a session beside the first one and is shown; taking it away shows the
// other again.
func TestSessionsBesideEachOther(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "nested.pstats")}, Deterministic: true})
	settle(t, g)
	first := g.ss.active
	g.ss.OpenFile(captureFile(t, "levels.pstats"))
	settle(t, g)
	settle(t, g)
	rows := g.ss.Sessions()
	testkit.MustThat(t, len(rows) == 2 && rows[1].Active,
		"%d sessions, the second one shown: %v", len(rows), len(rows) == 2 && rows[1].Active)
	g.ss.Select(first)
	testkit.That(t, g.ss.active == first && g.ss.View().Session() == first,
		"the first session is not shown after a click on it")
	g.ss.forget(first)
	rows = g.ss.Sessions()
	testkit.That(t, len(rows) == 1 && rows[0].Active, "the other session is not shown when the shown one is taken away")
	g.ss.forget(g.ss.active)
	testkit.That(t, g.ss.active == nil && g.ss.View().Session() == nil && len(g.ss.Sessions()) == 0,
		"a session is shown after the last was taken away")
}

// A file that cannot be read is a row with a reason, and disturbs nothing else.
func TestFileThatCannotBeRead(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "README.md"), captureFile(t, "nested.pstats")}, Deterministic: true})
	settle(t, g)
	rows := g.ss.Sessions()
	testkit.MustThat(t, len(rows) == 2 && rows[0].Problem != "" && rows[1].Problem == "", "rows: %+v", rows)
	testkit.Equal(t, rows[1].Session.Track(0).NumFrames(), 200, "the other file has … frames")
	testkit.That(t, len(g.ask.Notices.Shown()) == 1 && g.ask.Notices.Shown()[0].Problem,
		"notices: %+v", g.ask.Notices.Shown())
}

// Nothing that the window writes goes over what it shows, by whatever name.
func TestNothingIsWrittenOverWhatIsShown(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.pstats"), filepath.Join(dir, "link")
	content, err := os.ReadFile(captureFile(t, "nested.pstats"))
	testkit.NoErr(t, err)
	testkit.NoErr(t, os.WriteFile(file, content, 0o600))
	g := newViewer(t, Options{Files: []string{file}, Deterministic: true})
	settle(t, g)
	paths := []string{file}
	if os.Link(file, link) == nil {
		paths = append(paths, link)
	}
	var written []string
	write := g.ss.notOver(func(path string) error {
		written = append(written, path)
		return nil
	})
	for _, path := range paths {
		err := write(path)
		testkit.That(t, errors.As(err, new(*aside.InputError)), "%s: %v", path, err)
	}
	err = write(filepath.Join(dir, "b.pstats"))
	testkit.That(t, err == nil && len(written) == 1, "%v, written: %v", err, written)
}

// Files that are dropped on the window are opened where they lie; those that a browser hands over
// by a copy, which is gone when the viewer has ended.
func TestDroppedFiles(t *testing.T) {
	data := testkit.Must(os.ReadFile(captureFile(t, "nested.pstats")))(t)
	dir := t.TempDir()
	testkit.NoErr(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o755))
	for _, name := range []string{"a.pstats", "sub/b.pstats"} {
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	t.Setenv("TMPDIR", t.TempDir())
	g := newViewer(t, Options{Deterministic: true})
	g.ss.OpenDropped(os.DirFS(dir))
	g.ss.OpenDropped(fstest.MapFS{"c.pstats": {Data: data}})
	for range 3 {
		settle(t, g)
	}
	rows := g.ss.Sessions()
	testkit.MustEqual(t, len(rows), 3, "sessions")
	for _, r := range rows {
		testkit.That(t, r.Problem == "" && r.Session.NumTracks() != 0 && r.Session.Track(0).NumFrames() == 200,
			"%s: %s", r.Name, r.Problem)
	}
	testkit.MustEqual(t, len(g.ss.sources.temp), 1, "copies were made")
	copied := g.ss.sources.temp[0]
	g.ss.Close()
	_, err := os.Stat(copied)
	testkit.That(t, os.IsNotExist(err), "the copy is still there: %v", err)
	testkit.Equal(t, len(g.settings.Recent), 2, "remembered are %v, want the two files on disk", g.settings.Recent)
}

// TestEveryFormatIsDropped drops a recording of each format, under a name that says nothing: each becomes a session of
// its source.
func TestEveryFormatIsDropped(t *testing.T) {
	reg, dir := registry(t), t.TempDir()
	want := map[string]string{} // the name of the source by that of the file
	done := map[string]bool{}
	for _, path := range recordings.All(t, reg) {
		src := testkit.Must(reg.Recognise(path))(t)
		if done[src.Name()] || strings.HasPrefix(filepath.Base(path), "broken-") {
			continue
		}
		data := testkit.Must(os.ReadFile(path))(t)
		name := "ümläut " + filepath.Base(filepath.Dir(path))
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
		if again, err := reg.Recognise(filepath.Join(dir, name)); err != nil || again.Name() != src.Name() {
			os.Remove(filepath.Join(dir, name)) // one of those that only their names tell from others
			continue
		}
		done[src.Name()], want[name] = true, src.Name()
	}
	g := newViewer(t, Options{Deterministic: true})
	g.ss.OpenDropped(os.DirFS(dir))
	testkit.WaitUntil(t, "all sessions", func() bool {
		g.tick()
		n := 0
		for _, r := range g.ss.Sessions() {
			if _, ended := r.Session.Ended(); ended {
				n++
			}
		}
		return n >= len(want)
	}, func() any { return g.ss.Sessions() })
	for _, r := range g.ss.Sessions() {
		testkit.That(t, r.Problem == "" && r.Session.Contents().Any(), "%s (%s): %s", r.Name, want[r.Name], r.Problem)
	}
	if len(done) < len(reg)-2 { // but for those that are folders
		t.Errorf("only %v", done)
	}
}

// traceLines returns a trace log of GStreamer, by lines.
func traceLines(t *testing.T) []string {
	t.Helper()
	data := testkit.Must(os.ReadFile(filepath.Join(testFolder, "..", "..", "testdata", "gsttrace", "leaks-refs.log")))(t)
	return strings.SplitAfter(string(data), "\n")
}

// registry lists the kinds of recordings that are opened.
func registry(t *testing.T) feed.Registry {
	t.Helper()
	r := testkit.Must(load.Sources{}.Registry())(t)
	return r
}

// A file that is followed is a live session with a state; closing it stops what reads it.
func TestFollowedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.log")
	g := newViewer(t, Options{Inputs: []launch.Input{launch.File{Path: path, Registry: registry(t)}}})
	pollUntil(t, g, "a session that waits", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && rows[0].State == "waiting for data: the file is not there yet" && rows[0].Followed && rows[0].Live
	})
	lines := traceLines(t)
	testkit.NoErr(t, os.WriteFile(path, []byte(strings.Join(lines[:len(lines)/2], "")), 0o600))
	pollUntil(t, g, "its first half", func(rows []widgets.SessionRow) bool {
		return rows[0].State == "following" && rows[0].Session.Info().Source == "gsttrace" && rows[0].Session.Revision() > 0
	})
	s := g.ss.store.Sessions()[0]
	v := g.ss.views[s]
	testkit.That(t, v != nil && v.Live(), "the view does not follow")
	f := testkit.Must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(t)
	defer f.Close()
	before := s.Revision()
	testkit.Must(f.WriteString(strings.Join(lines[len(lines)/2:], "")))(t)
	pollUntil(t, g, "its second half", func([]widgets.SessionRow) bool { return s.Revision() > before })

	saved := filepath.Join(t.TempDir(), "saved.log")
	e, _ := g.ss.hub.EntryOf(s)
	testkit.NoErr(t, save(t.Context(), e.Feed.Owner(), saved))
	data, err := os.ReadFile(saved)
	testkit.That(t, err == nil && string(data) == strings.Join(lines, ""), "saved %d bytes, %v", len(data), err)

	g.ss.Forget(s)
	pollUntil(t, g, "the session to leave", func(rows []widgets.SessionRow) bool { return len(rows) == 0 })
	g.ss.sources.work.Wait() // what read the file has ended
}

// What can't be followed is told, in the list and in words.
func TestFollowedFileThatIsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	testkit.NoErr(t, os.WriteFile(path, []byte(strings.Repeat("nothing that is known\n", 5000)), 0o600))
	g := newViewer(t, Options{Inputs: []launch.Input{launch.File{Path: path, Registry: registry(t)}}})
	pollUntil(t, g, "the problem", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && strings.Contains(rows[0].Problem, "not a recording that Framescope can follow") && g.ss.problemOf(rows[0].Session) == rows[0].Problem
	})
}

// A viewer that ends leaves no goroutine behind, whatever it follows.
func TestInputsEndWithTheViewer(t *testing.T) {
	before := runtime.NumGoroutine()
	dir := t.TempDir()
	l := testkit.Must(launch.Listen(t.Context(), "127.0.0.1:0", load.GStreamer()))(t)
	testkit.NoErr(t, os.WriteFile(filepath.Join(dir, "trace.log"), []byte(strings.Join(traceLines(t), "")), 0o600))
	g := newViewer(t, Options{Inputs: []launch.Input{
		launch.File{Path: filepath.Join(dir, "never"), Registry: registry(t)},
		launch.Folder{Path: dir, Registry: registry(t), Newest: 1},
		l,
	}})
	pollUntil(t, g, "both sessions", func(rows []widgets.SessionRow) bool { return len(rows) == 2 })
	g.ss.Close()
	testkit.WaitUntil(t, "the end of all goroutines", func() bool { return runtime.NumGoroutine() <= before }, func() any {
		buf := make([]byte, 1<<20)
		return string(buf[:runtime.Stack(buf, true)])
	})
}

func TestExtensionOfASavedFile(t *testing.T) {
	s := store.NewSession()
	for path, want := range map[string]string{"a.log": ".log", "a.log.gz": ".log.gz", "b.bin": ".bin", "a": ".pstats"} {
		testkit.Equal(t, extensionOf(s, &opened{path: path}), want, "%s", path)
	}
	s.Apply(model.Info{Source: "gsttrace"})
	testkit.Equal(t, extensionOf(s, &launch.Recording{}), ".log", "a trace from a FIFO")
}
