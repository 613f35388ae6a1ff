package sessions

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"framescope/app/launch"
	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/widgets"
)

// traceLines returns a trace log of GStreamer, by lines.
func traceLines(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testFolder, "..", "..", "testdata", "gsttrace", "leaks-refs.log"))
	testkit.NoErr(t, err)
	return strings.SplitAfter(string(data), "\n")
}

// registry lists the kinds of recordings that are opened.
func registry(t *testing.T) feed.Registry {
	t.Helper()
	r, err := load.Sources{}.Registry()
	testkit.NoErr(t, err)
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
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	testkit.NoErr(t, err)
	defer f.Close()
	before := s.Revision()
	_, err = f.WriteString(strings.Join(lines[len(lines)/2:], ""))
	testkit.NoErr(t, err)
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
	l, err := launch.Listen(t.Context(), "127.0.0.1:0", load.GStreamer())
	testkit.NoErr(t, err)
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
