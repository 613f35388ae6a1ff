package app

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"framescope/charts/draw"
	"framescope/net/pstats"
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
	t.Cleanup(g.Close)
	return g
}

func window(g *Game) draw.Rect { return draw.Rect{X1: float32(g.width), Y1: float32(g.height)} }

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
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	sessions := len(g.store.Sessions())
	if err := c.Replay(ctx, g.sources.games.State().Addr, nil); err != nil {
		t.Fatal(err)
	}
	for ctx.Err() == nil {
		g.prepareEnv(g.now())
		g.poll()
		if all := g.store.Sessions(); len(all) > sessions {
			if _, ended := all[len(all)-1].Ended(); ended {
				return
			}
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the client's session did not end")
}

func framesIn(t *testing.T, path string) int64 {
	t.Helper()
	info, err := pstats.ReadSessionFile(path, pstats.NewRawSession(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return info.Frames
}

// With --record, each session is in a file of its own when the program ends.
func TestRecordOption(t *testing.T) {
	dir := t.TempDir()
	g := newTestGame(t, Options{Listen: "127.0.0.1:0", Record: filepath.Join(dir, "run.pstats"), Deterministic: true})
	play(t, g, "fragmented.pscap")
	play(t, g, "fragmented.pscap")
	g.Close()
	for _, name := range []string{"run.pstats", "run-2.pstats"} {
		if n := framesIn(t, filepath.Join(dir, name)); n != 60 {
			t.Errorf("%s holds %d frames, the client sent 60", name, n)
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 2 {
		t.Errorf("other files were left: %v", left)
	}
}

// The button records a session from its first frame on, whenever it is pressed, and what was saved can be opened.
func TestRecordButton(t *testing.T) {
	t.Chdir(t.TempDir())
	g := newTestGame(t, Options{Listen: "127.0.0.1:0", Deterministic: true})
	own := &liveOwner{}
	j, err := pstats.NewJournal(pstats.JournalOptions{})
	if err != nil {
		t.Fatal(err)
	}
	own.journal = j
	if _, err := pstats.ReadSessionFile(captureFile(t, "nested.pstats"), j, nil); err != nil {
		t.Fatal(err)
	}
	own.record = "x.pstats"
	g.finishRecording(own)
	if n := framesIn(t, "x.pstats"); n != 200 {
		t.Errorf("the recording holds %d frames, the client sent 200", n)
	}
	if own.record != "" {
		t.Error("the recording goes on after it was finished")
	}
	if err := save(own, "y.pstats"); err != nil {
		t.Error(err)
	}
	if err := save(&opened{path: "y.pstats"}, "z.pstats"); err != nil {
		t.Error(err)
	}
	if n := framesIn(t, "z.pstats"); n != 200 {
		t.Errorf("the copy holds %d frames, want 200", n)
	}
	if err := save(&opened{path: "none.pstats"}, "z.pstats"); err == nil {
		t.Error("a file that is gone was copied")
	}
	if n := framesIn(t, "z.pstats"); n != 200 {
		t.Error("a failed save destroyed the file that was there")
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

// A session outlives its viewer: it is the last session when the game goes, and after a crash the next start finds its journal.
func TestLastSessionIsKept(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	defer xdg.Reload()
	g := newTestGame(t, Options{Listen: "127.0.0.1:0"})
	play(t, g, "fragmented.pscap")
	play(t, g, "fragmented.pscap")
	if n := len(pstats.LeftJournals()); n != 2 {
		t.Errorf("%d journals of two sessions", n)
	}
	g.forget(g.store.Sessions()[0])
	g.sources.work.Wait()
	if n := len(pstats.LeftJournals()); n != 1 {
		t.Errorf("%d journals are left after one of two sessions was taken away", n)
	}
	g.Close()
	if n := framesIn(t, pstats.LastSessionPath()); n != 60 {
		t.Errorf("the last session has %d frames, the client sent 60", n)
	}
	if left := pstats.LeftJournals(); len(left) > 0 {
		t.Errorf("journals were left: %v", left)
	}

	// A viewer that crashed leaves its journal; its process is gone.
	if err := os.Remove(pstats.LastSessionPath()); err != nil {
		t.Fatal(err)
	}
	mine := pstats.NewJournalDir()
	dead := mine[:strings.LastIndexByte(mine, '-')+1] + "999999999"
	for _, dir := range []string{dead, mine} {
		j, err := pstats.NewJournal(pstats.JournalOptions{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pstats.ReadSessionFile(captureFile(t, "nested.pstats"), j, nil); err != nil {
			t.Fatal(err)
		}
		j.Close("")
	}
	h := newTestGame(t, Options{Listen: "127.0.0.1:0"})
	h.sources.work.Wait()
	if n := framesIn(t, pstats.LastSessionPath()); n != 200 {
		t.Errorf("the recovered session has %d frames, want 200", n)
	}
	if left := pstats.LeftJournals(); len(left) != 1 || left[0] != mine {
		t.Errorf("left are %v; the journal of a program that runs must stay, the other one go", left)
	}
}

func TestFileNamesOfPrograms(t *testing.T) {
	for program, want := range map[string]string{"Solar Chase": "Solar-Chase-", "../../etc/passwd": "etc-passwd-", "": "session-", "\x00\n": "session-", strings.Repeat("x", 500): strings.Repeat("x", 60) + "-"} {
		got := fileName(program, ".pstats")
		if !strings.HasPrefix(got, want) || filepath.Base(got) != got || !strings.HasSuffix(got, ".pstats") {
			t.Errorf("%q is recorded to %q, want %q…", program, got, want)
		}
	}
}
