package app

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"framescope/app/library"
	"framescope/internal/wait"
	"framescope/net/pstats"
	"framescope/net/pstats/wire"
)

// newTestGame returns a viewer without a window.
func newTestGame(t *testing.T, o Options) *Game {
	t.Helper()
	if o.SettingsPath == "" {
		o.SettingsPath = "-"
	}
	g, err := NewGame(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

func sortedByX(items []toolItem) []toolItem {
	items = slices.DeleteFunc(slices.Clone(items), func(it toolItem) bool { return it.rect.Empty() })
	slices.SortFunc(items, func(a, b toolItem) int { return cmp.Compare(a.rect.X0, b.rect.X0) })
	return items
}

// play sends a recorded client to the viewer and waits until its session has ended there.
func play(t *testing.T, g *Game, name string) {
	t.Helper()
	c, err := pstats.OpenCapture(filepath.Join(testFolder, "..", "testdata", "pstats", name))
	if err != nil {
		t.Fatal(err)
	}
	sessions := len(g.ss.store.Sessions())
	if err := c.Replay(t.Context(), g.ss.sources.games.State().Addr, nil); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the end of the client's session", func() bool {
		g.stage.begin()
		g.ss.poll()
		all := g.ss.store.Sessions()
		if len(all) == sessions {
			return false
		}
		_, ended := all[len(all)-1].Ended()
		return ended
	})
}

func framesIn(t *testing.T, path string) int64 {
	t.Helper()
	info, err := pstats.ReadSessionFile(path, pstats.NewRawSession(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return info.Frames
}

// With --record, each session is in a file of its own when the program ends, of the official format.
func TestRecordOption(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "run.pstats")
	if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	g := newTestGame(t, Options{Listen: "127.0.0.1:0", Record: mine, Deterministic: true})
	play(t, g, "fragmented.pscap")
	play(t, g, "fragmented.pscap")
	g.Close()
	for _, name := range []string{"run-2.pstats", "run-3.pstats"} {
		if n := framesIn(t, filepath.Join(dir, name)); n != 60 {
			t.Errorf("%s holds %d frames, the client sent 60", name, n)
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if got, _ := os.ReadFile(mine); len(left) != 3 || string(got) != "mine" {
		t.Errorf("there are %v, and %q", left, got)
	}
}

// keptGame is a viewer that listens, and keeps sessions in a place of the test's, which the next viewer of the test finds again.
func keptGame(t *testing.T, home string) *Game {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", home)
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	return newTestGame(t, Options{Listen: "127.0.0.1:0"})
}

// The button records a session from its first frame on, whenever it is pressed, also when the session has ended; what was saved can be opened, and an opened one be saved.
func TestRecordButton(t *testing.T) {
	g := keptGame(t, t.TempDir())
	t.Chdir(t.TempDir())
	play(t, g, "fragmented.pscap")
	g.ss.toggleRecord()
	g.ss.sources.work.Wait()
	files, _ := filepath.Glob("*.pstats")
	if len(files) != 1 {
		t.Fatalf("recorded to %v", files)
	}
	if n := framesIn(t, files[0]); n != 60 {
		t.Errorf("the recording holds %d frames, the client sent 60", n)
	}
	e, _ := g.ss.hub.EntryOf(g.ss.active)
	if err := save(t.Context(), e.Feed.Owner(), "y.pstats"); err != nil {
		t.Error(err)
	}
	if err := save(t.Context(), &opened{path: "y.pstats"}, "z.pstats"); err != nil {
		t.Error(err)
	}
	if n := framesIn(t, "z.pstats"); n != 60 {
		t.Errorf("the copy holds %d frames, want 60", n)
	}
	if err := save(t.Context(), &opened{path: "none.pstats"}, "z.pstats"); err == nil {
		t.Error("a file that is gone was copied")
	}
	if n := framesIn(t, "z.pstats"); n != 60 {
		t.Error("a failed save destroyed the file that was there")
	}
}

// A game that is recorded in its middle is there from its first frame on, while it runs and when it has ended.
func TestRecordInTheMiddle(t *testing.T) {
	g := keptGame(t, t.TempDir())
	t.Chdir(t.TempDir())
	h := g.ss.handlerFor(pstats.SessionInfo{Hello: wire.ClientHello{Program: "game"}})
	h.Hello(wire.ClientHello{Program: "game"})
	h.Threads(0, []string{"Main"})
	frame := func(n int) { h.Frame(&wire.Frame{Number: uint32(n)}, 10) }
	for n := range 100 {
		frame(n)
	}
	for g.ss.active == nil {
		g.stage.begin()
		g.ss.poll()
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
	g.Close()
	files, _ := filepath.Glob("*")
	if len(files) != 1 {
		t.Fatalf("recorded to %v", files)
	}
	if n := framesIn(t, files[0]); n != 200 {
		t.Errorf("the recording holds %d frames, the client sent 200", n)
	}
}

// captureFile returns the absolute path of a test recording, also after the working folder was changed.
func captureFile(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(testFolder, "..", "testdata", "pstats", name)
}

// testFolder is the folder of this package.
var testFolder = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()

// A session outlives its viewer, its place on the screen, and the next session.
func TestSessionsAreKept(t *testing.T) {
	home := t.TempDir()
	g := keptGame(t, home)
	play(t, g, "fragmented.pscap")
	play(t, g, "fragmented.pscap")
	g.ss.forget(g.ss.store.Sessions()[0])
	g.Close()
	h := keptGame(t, home)
	play(t, h, "fragmented.pscap")
	h.Close()
	all := h.ss.library.Sessions()
	if len(all) != 3 {
		t.Fatalf("%d of three sessions are on disk", len(all))
	}
	for _, s := range all {
		if s.State != library.Ended || s.Frames() != 60 {
			t.Errorf("%+v: the client sent 60 frames", s)
		}
	}
}
