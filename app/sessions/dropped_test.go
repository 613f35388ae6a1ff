package sessions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
)

// Files that are dropped on the window are opened where they lie; those that a browser hands over
// by a copy, which is gone when the viewer has ended.
func TestDroppedFiles(t *testing.T) {
	data, err := os.ReadFile(captureFile(t, "nested.pstats"))
	testkit.NoErr(t, err)
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
	_, err = os.Stat(copied)
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
		src, err := reg.Recognise(path)
		testkit.NoErr(t, err)
		if done[src.Name()] || strings.HasPrefix(filepath.Base(path), "broken-") {
			continue
		}
		data, err := os.ReadFile(path)
		testkit.NoErr(t, err)
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
