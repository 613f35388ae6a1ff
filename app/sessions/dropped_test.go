package sessions

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// Files that are dropped on the window are opened where they lie; those that a browser hands over
// by a copy, which is gone when the viewer has ended.
func TestDroppedFiles(t *testing.T) {
	data, err := os.ReadFile(captureFile(t, "nested.pstats"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.pstats", "sub/b.pstats"} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", t.TempDir())
	g := newViewer(t, Options{Deterministic: true})
	g.ss.OpenDropped(os.DirFS(dir))
	g.ss.OpenDropped(fstest.MapFS{"c.pstats": {Data: data}})
	for range 3 {
		settle(t, g)
	}
	rows := g.ss.Sessions()
	if len(rows) != 3 {
		t.Fatalf("%d sessions, want 3", len(rows))
	}
	for _, r := range rows {
		if r.Problem != "" || r.Session.NumTracks() == 0 || r.Session.Track(0).NumFrames() != 200 {
			t.Errorf("%s: %s", r.Name, r.Problem)
		}
	}
	if len(g.ss.sources.temp) != 1 {
		t.Fatalf("%d copies were made, want 1", len(g.ss.sources.temp))
	}
	copied := g.ss.sources.temp[0]
	g.ss.Close()
	if _, err := os.Stat(copied); !os.IsNotExist(err) {
		t.Errorf("the copy is still there: %v", err)
	}
	if len(g.settings.Recent) != 2 {
		t.Errorf("remembered are %v, want the two files on disk", g.settings.Recent)
	}
}
