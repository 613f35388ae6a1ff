package sessions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/library"
	"framescope/internal/testkit"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

func framesIn(t *testing.T, path string) int64 {
	t.Helper()
	info, err := sessionfile.ReadFile(path, sessionfile.NewRaw(), nil)
	testkit.NoErr(t, err)
	return info.Frames
}

// With --record, each session is in a file of its own when the program ends, of the official
// format.
func TestRecordOption(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "run.pstats")
	testkit.NoErr(t, os.WriteFile(mine, []byte("mine"), 0o644))
	g := newViewer(t, Options{Listen: "127.0.0.1:0", Record: mine, Deterministic: true})
	play(t, g, "fragmented")
	play(t, g, "fragmented")
	g.ss.Close()
	for _, name := range []string{"run-2.pstats", "run-3.pstats"} {
		testkit.Equal(t, framesIn(t, filepath.Join(dir, name)), 60, "%s holds … frames, the client sent 60", name)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	got, _ := os.ReadFile(mine)
	testkit.That(t, len(left) == 3 && string(got) == "mine", "there are %v, and %q", left, got)
}

// The button records a session from its first frame on, whenever it is pressed, also when the
// session has ended; what was saved can be opened, and an opened one be saved.
func TestRecordButton(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	play(t, g, "fragmented")
	t.Chdir(t.TempDir())
	g.ss.toggleRecord()
	g.ss.sources.work.Wait()
	files, _ := filepath.Glob("*.pstats")
	testkit.MustEqual(t, len(files), 1, "recorded to %v", files)
	testkit.Equal(t, framesIn(t, files[0]), 60, "the recording holds … frames, the client sent 60")
	e, _ := g.ss.hub.EntryOf(g.ss.active)
	testkit.NoErr(t, save(t.Context(), e.Feed.Owner(), "y.pstats"))
	testkit.NoErr(t, save(t.Context(), &opened{path: "y.pstats"}, "z.pstats"))
	testkit.Equal(t, framesIn(t, "z.pstats"), 60, "the copy holds … frames")
	err := save(t.Context(), &opened{path: "none.pstats"}, "z.pstats")
	testkit.That(t, err != nil, "a file that is gone was copied")
	testkit.Equal(t, framesIn(t, "z.pstats"), 60, "a failed save destroyed the file that was there")
}

// A game that is recorded in its middle is there from its first frame on, while it runs and when it
// has ended.
func TestRecordInTheMiddle(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	t.Chdir(t.TempDir())
	h := game(g, "Main")
	frame := func(n int) { h.Frame(&pstats.Frame{Number: uint32(n)}, 10) }
	for n := range 100 {
		frame(n)
	}
	for g.ss.active == nil {
		g.tick()
	}
	g.ss.toggleRecord()
	for n := range 100 {
		frame(100 + n)
	}
	s, ok := g.ss.recording(g.ss.active)
	if label, tip, _ := g.ss.recordChip(); !ok || !strings.HasPrefix(label, "● rec ") || !strings.Contains(tip, filepath.Base(s.Path)) {
		t.Errorf("%q, %q", label, tip)
	}
	h.Close("bye")
	g.ss.Close()
	files, _ := filepath.Glob("*")
	testkit.MustEqual(t, len(files), 1, "recorded to %v", files)
	testkit.Equal(t, framesIn(t, files[0]), 200, "the recording holds … frames, the client sent 200")
}

// A session outlives its viewer, its place on the screen, and the next session.
func TestSessionsAreKept(t *testing.T) {
	home := t.TempDir()
	g := keptViewer(t, home)
	play(t, g, "fragmented")
	play(t, g, "fragmented")
	g.ss.forget(g.ss.store.Sessions()[0])
	g.ss.Close()
	h := keptViewer(t, home)
	play(t, h, "fragmented")
	h.ss.Close()
	all := h.ss.library.Sessions()
	testkit.MustEqual(t, len(all), 3, "%d of three sessions are on disk", len(all))
	for _, s := range all {
		testkit.That(t, s.State == library.Ended && s.Frames() == 60, "%+v: the client sent 60 frames", s)
	}
}

// A notice that something is not recorded goes when it is no longer so.
func TestNoticesThatAreOver(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	g.ss.libraryTells(library.Notice{Text: "game is not recorded since frame 1", Problem: true})
	g.ss.libraryTells(library.Notice{Text: "game is recorded again", Over: "game is not recorded"})
	g.tick()
	n := g.ask.Notices.Shown()
	testkit.That(t, len(n) == 1 && n[0].Text == "game is recorded again", "told %+v", n)
}
