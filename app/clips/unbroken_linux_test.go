package clips

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"framescope/app/load"
	"framescope/internal/aside"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/pstats/gen"
)

// The test program saves a recording again and again when it is started with its path in this.
const saveEnv = "FRAMESCOPE_CLIPS_SAVES"

func TestMain(m *testing.M) {
	if path := os.Getenv(saveEnv); path != "" {
		saveUntilKilled(path)
	}
	os.Exit(m.Run())
}

// saveUntilKilled says each time that it has saved.
func saveUntilKilled(path string) {
	reg, err := load.Sources{}.Registry()
	for n := 0; err == nil; n++ {
		_, err = (&Session{Path: path, Sources: reg}).Save(context.Background(), path+".framescope", true)
		fmt.Println(n)
	}
	panic(err)
}

// large writes a PStats file that takes several chunks of a session file.
func large(t *testing.T) string {
	t.Helper()
	made := testkit.Must(gen.New(gen.Options{Spans: 300_000, Tracks: 2, Depth: 6, Seed: 1}))(t)
	path := filepath.Join(t.TempDir(), "large.pstats")
	testkit.NoErr(t, aside.Write(path, func(out io.Writer) error {
		return made.Write(t.Context(), out, func(int64, int64) {})
	}))
	return path
}

// A program that saves over a file is killed at any moment: the file is whole each time, and what was being written
// beside it opens up to where it ends.
func TestKilledWhileItSaves(t *testing.T) {
	if testing.Short() {
		t.Skip("starts and kills programs")
	}
	path := large(t)
	want, _ := described(t, path)
	exe := testkit.Must(os.Executable())(t)
	for round := range testkit.Rounds(4, 20) {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), saveEnv+"="+path)
		out := testkit.Must(cmd.StdoutPipe())(t)
		testkit.NoErr(t, cmd.Start())
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if lines.Text() == "1" {
				break
			}
		}
		time.Sleep(time.Duration(round*17) * time.Millisecond)
		testkit.NoErr(t, cmd.Process.Kill())
		cmd.Wait()
		got, err := described(t, path+".framescope")
		testkit.That(t, err == nil && got == want, "killed in round %d: another session, or %v", round, err)
		for _, part := range testkit.Must(filepath.Glob(path + ".framescope.*.part"))(t) {
			st := testkit.Must(os.Stat(part))(t)
			rec, err := load.File(t.Context(), part, load.Options{})
			testkit.That(t, st.Size() == 0 || err == nil && rec != nil, "%s of %d bytes: %v", part, st.Size(), err)
			testkit.NoErr(t, os.Remove(part))
		}
	}
}

// failing is a disk that is full after some bytes.
type failing struct{ room int }

func (f *failing) Write(b []byte) (int, error) {
	n := min(f.room, len(b))
	if f.room -= n; n < len(b) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

// On a disk that is full saving says so, and how much has no room; the file that was there stays, and nothing else is
// left. (Files differ by some bytes: the time in their beginning has more or fewer digits.)
func TestSaveOnAFullDisk(t *testing.T) {
	testkit.OneGoroutine(t)
	path := large(t)
	reg := testkit.Must(load.Sources{}.Registry())(t)
	x := Session{Path: path, Sources: reg}
	var whole bytes.Buffer
	testkit.Must(x.Write(t.Context(), &whole))(t)
	for _, room := range []int{0, 1, 100, whole.Len() / 2, whole.Len() - 100} {
		_, err := x.Write(t.Context(), &failing{room})
		testkit.That(t, errors.Is(err, syscall.ENOSPC), "room for %d of %d bytes: %v", room, whole.Len(), err)
	}
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, fmt.Sprintf("size=%d", whole.Len()/2)); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	t.Cleanup(func() { testkit.NoErr(t, syscall.Unmount(dir, 0)) })
	old := filepath.Join(dir, "old.framescope")
	testkit.NoErr(t, os.WriteFile(old, []byte("old"), 0o600))
	part := x
	part.Part.Begin, part.Part.End = 0, 1<<60
	for name, write := range map[string]func(to string) error{
		"a session": func(to string) error { _, err := x.Save(t.Context(), to, true); return err },
		"a part":    func(to string) error { _, err := part.Save(t.Context(), to, true); return err },
		"a clip": func(string) error {
			_, err := OpenFolder(filepath.Join(dir, "clips"), Limits{Clips: 5, Bytes: 1 << 30}, nil).file(Info{},
				func(w io.Writer) (int64, error) { _, err := w.Write(whole.Bytes()); return 0, err })
			return err
		},
	} {
		for _, to := range []string{old, filepath.Join(dir, "new.framescope")} {
			err := write(to)
			testkit.That(t, errors.Is(err, syscall.ENOSPC), "%s: %v", name, err)
			if name != "a clip" {
				testkit.That(t, strings.Contains(err.Error(), to) && strings.Contains(err.Error(), "bytes of it have room") &&
					!strings.Contains(err.Error(), ".part"), "%s: %v", name, err)
			}
		}
		text := testkit.Must(os.ReadFile(old))(t)
		left := slices.Concat(testkit.Must(filepath.Glob(filepath.Join(dir, "*.*")))(t),
			testkit.Must(filepath.Glob(filepath.Join(dir, "clips", "*")))(t))
		testkit.That(t, string(text) == "old" && len(left) == 1, "%s: the old file has %q, there are %v", name, text, left)
	}
}

// A session file that is cut or damaged anywhere behind its mark, the first eight bytes, says where.
func TestDamagedSession(t *testing.T) {
	path := recordings.File(t, recordings.PStats, "recursion.pstats")
	var whole bytes.Buffer
	testkit.Must((&Session{Path: path, Sources: testkit.Must(load.Sources{}.Registry())(t)}).Write(t.Context(), &whole))(t)
	to := filepath.Join(t.TempDir(), "bad.framescope")
	rapid.Check(t, func(t *rapid.T) {
		bad := bytes.Clone(whole.Bytes())
		at := rapid.IntRange(8, len(bad)-1).Draw(t, "at")
		if rapid.Bool().Draw(t, "cut") {
			bad = bad[:at]
		} else {
			bad[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		}
		testkit.NoErr(t, os.WriteFile(to, bad, 0o600))
		rec, err := load.File(context.Background(), to, load.Options{})
		said := fmt.Sprint(err)
		if rec != nil {
			end, _ := rec.Session.Ended()
			said += rec.Cut + end
		}
		testkit.That(t, strings.Contains(said, "offset ") || strings.Contains(said, "the recording ends here"),
			"nothing says that byte %d of %d is bad: %s", at, len(bad), said)
	})
}

// Clips are their user's alone, as the sessions on disk are.
func TestClipsArePrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "clips")
	testkit.Must(OpenFolder(dir, Limits{Clips: 5, Bytes: 1 << 20}, nil).file(Info{},
		func(w io.Writer) (int64, error) { _, err := w.Write([]byte("clip")); return 0, err }))(t)
	seen := 0
	testkit.NoErr(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		st := testkit.Must(d.Info())(t)
		seen++
		testkit.That(t, err == nil && st.Mode().Perm()&0o077 == 0, "%s: %v, %v", path, st.Mode(), err)
		return nil
	}))
	testkit.That(t, seen >= 2, "%d files", seen)
}
