package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"framescope/internal/aside"
	"framescope/internal/testkit"
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
