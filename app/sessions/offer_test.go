package sessions

import (
	"os"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
)

// Sessions that are called alike say by which file they are, and where the files are called alike, too, in
// which folder; what has a name of its own says nothing more. The menu of a row acts on that session.
func TestSessionsThatAreCalledAlike(t *testing.T) {
	bytes, err := os.ReadFile(captureFile(t, "nested.pstats"))
	testkit.NoErr(t, err)
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"one/run.pstats", "two/run.pstats", "two/other.pstats"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o755)
		testkit.NoErr(t, os.WriteFile(path, bytes, 0o644))
		files = append(files, path)
	}
	g := newViewer(t, Options{Files: append(files, captureFile(t, "late.pstats"))})
	testkit.WaitUntil(t, "all recordings", func() bool {
		g.tick()
		rows, n := g.ss.Sessions(), 0
		for i := range rows {
			if _, ended := rows[i].Session.Ended(); ended {
				n++
			}
		}
		return n == 4
	})
	got := map[string]bool{}
	for _, r := range g.ss.Sessions() {
		got[filepath.ToSlash(r.Apart)] = true
	}
	alike := g.ss.Sessions()[0].Called() == g.ss.Sessions()[3].Called()
	testkit.That(t, got["one/run.pstats"] && got["two/run.pstats"] && got["other.pstats"] && got[""] != alike,
		"told apart by %v", got)
	other := g.ss.Sessions()[1].Session
	g.ss.Offer(other)
	testkit.WaitUntil(t, "the menu", func() bool { g.tick(); return g.ask.Menu() != nil })
	g.ask.Menu().Items[0].Run()
	testkit.Equal(t, g.ss.active, other, "the menu shows another session")
}
