package aside

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
)

// holdEnv makes this program hold a temporary folder until it is killed.
const holdEnv = "FRAMESCOPE_SCRATCH_HOLD"

func TestMain(m *testing.M) {
	if os.Getenv(holdEnv) != "" {
		if _, err := Dir(); err != nil {
			panic(err)
		}
		f, err := os.CreateTemp(own.dir, "file-*")
		if err != nil {
			panic(err)
		}
		f.WriteString("left behind")
		os.Stdout.WriteString(own.dir + "\n")
		io.Copy(io.Discard, os.Stdin) // until it is killed, or whoever started it has ended
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// tempDir gives the test a folder for temporary files of its own.
func tempDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
	t.Cleanup(Clear)
	return dir
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	list := testkit.Must(os.ReadDir(dir))(t)
	for _, e := range list {
		all = append(all, e.Name())
	}
	return all
}

func TestFile(t *testing.T) {
	dir := tempDir(t)
	f, err := Create()
	testkit.NoErr(t, err)
	_, err = f.WriteString("hello")
	testkit.NoErr(t, err)
	for range 2 { // as often as one likes, each time from its beginning
		data, err := os.ReadFile(f.Path())
		testkit.That(t, err == nil && string(data) == "hello", "%q %v", data, err)
	}
	left := names(t, dir)
	testkit.That(t, runtime.GOOS != "linux" || len(left) == 0, "the file has a name: %v", left)
	f.Remove()
	_, err = os.ReadFile(f.Path())
	testkit.That(t, err != nil, "the file is still there")
}

func TestFilesWithNames(t *testing.T) {
	dir := tempDir(t)
	a, err := Dir()
	testkit.NoErr(t, err)
	b, err := Dir()
	testkit.That(t, err == nil && a != b && filepath.Dir(a) == filepath.Dir(b), "%s and %s, %v", a, b, err)
	testkit.NoErr(t, os.WriteFile(filepath.Join(a, "x"), nil, 0o600))
	Sweep() // of others only
	_, err = os.Stat(filepath.Join(a, "x"))
	testkit.NoErr(t, err)
	Clear()
	left := names(t, dir)
	testkit.That(t, len(left) == 0, "left: %v", left)
	for range 2 { // begins anew, also when somebody has cleaned up
		d := testkit.Must(Dir())(t)
		testkit.NoErr(t, os.RemoveAll(filepath.Dir(d)))
	}
}

// What a program leaves behind that was killed is removed, what one has that runs is not.
func TestSweep(t *testing.T) {
	dir := tempDir(t)
	start := func() (*exec.Cmd, string) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), holdEnv+"=1")
		if _, err := cmd.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		testkit.NoErr(t, err)
		testkit.NoErr(t, cmd.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		testkit.MustThat(t, err == nil || err == io.EOF, "%v", err)
		return cmd, line[:max(0, len(line)-1)]
	}
	killed, left := start()
	running, used := start()
	defer func() { running.Process.Kill(); running.Wait() }()
	killed.Process.Kill()
	killed.Wait()

	// What others have, and what only looks like it.
	user := filepath.Join(dir, prefix+"notes.txt")
	fresh, old := filepath.Join(dir, prefix+"fresh"), filepath.Join(dir, prefix+"old")
	full := filepath.Join(dir, prefix+"full")
	for _, d := range []string{fresh, old, filepath.Join(full, "things")} {
		testkit.NoErr(t, os.MkdirAll(d, 0o700))
	}
	testkit.NoErr(t, os.WriteFile(user, nil, 0o600))
	making := filepath.Join(dir, prefix+"making") // its maker has not got the lock yet
	testkit.NoErr(t, errors.Join(os.Mkdir(making, 0o700), os.WriteFile(filepath.Join(making, lockName), nil, 0o600)))
	Sweep()
	_, err := os.Lstat(making)
	testkit.That(t, err == nil, "a folder that may be just being made was removed")
	_, err = os.Lstat(left)
	testkit.That(t, err != nil, "what a program left that was killed just now is still there")
	for _, d := range []string{old, full, filepath.Join(making, lockName), filepath.Join(used, lockName)} {
		testkit.NoErr(t, os.Chtimes(d, time.Time{}, time.Now().Add(-2*young)))
	}

	Sweep()
	for path, want := range map[string]bool{left: false, making: false, used: true, user: true, fresh: true, old: false, full: true} {
		_, err := os.Lstat(path)
		testkit.That(t, (err == nil) == want, "%s: there: %v, want %v", path, err == nil, want)
	}
}

// A link that somebody else planted leads nowhere.
func TestSweepFollowsNoLinks(t *testing.T) {
	dir := tempDir(t)
	target := t.TempDir()
	precious := filepath.Join(target, "precious")
	for _, path := range []string{precious, filepath.Join(target, lockName)} {
		testkit.NoErr(t, os.WriteFile(path, nil, 0o600))
	}
	if err := os.Symlink(target, filepath.Join(dir, prefix+"link")); err != nil {
		t.Skip(err)
	}
	Sweep()
	testkit.Must(os.Stat(precious))(t)
}

// What was being written aside goes with the folder of a program that was killed, and nothing else that a
// note names.
func TestNotes(t *testing.T) {
	temp, dir := tempDir(t), t.TempDir()
	make := func(name string) string {
		path := filepath.Join(dir, name)
		testkit.NoErr(t, os.WriteFile(path, nil, 0o600))
		return path
	}
	part, other, done := make("x.json.123.part"), make("x.json"), make("y.json.45.part")
	Note(part)
	Note(other)
	Note(done)()
	testkit.MustThat(t, len(names(t, temp)) == 1, "%v", names(t, temp))
	Sweep() // this program runs
	testkit.That(t, len(names(t, dir)) == 3, "%v while the program runs", names(t, dir))
	own.lock.Close() // as if it were killed
	own.dir, own.lock = "", nil
	Sweep()
	got := names(t, dir)
	testkit.That(t, len(got) == 2 && got[0] == "x.json" && got[1] == "y.json.45.part", "%v are left", got)
	testkit.That(t, len(names(t, temp)) == 0, "%v", names(t, temp))
}

// Without force nothing is replaced, also not what came into being meanwhile, on file systems with hard
// links and without.
func TestPut(t *testing.T) {
	defer func() { link = os.Link }()
	for name, l := range map[string]func(string, string) error{
		"with links": os.Link, "without": func(string, string) error { return errors.ErrUnsupported },
	} {
		link = l
		dir := t.TempDir()
		path := filepath.Join(dir, "file")
		text := func() string { b, _ := os.ReadFile(path); return string(b) }
		writes := func(s string) func(io.Writer) error {
			return func(out io.Writer) error { _, err := io.WriteString(out, s); return err }
		}
		err := Put(path, false, func(out io.Writer) error {
			return errors.Join(writes("ours")(out), os.WriteFile(path, []byte("theirs"), 0o600))
		})
		testkit.That(t, err != nil && strings.Contains(err.Error(), "is there already") && text() == "theirs",
			"%s: %v, %q", name, err, text())
		if err := Put(path, true, writes("forced")); err != nil || text() != "forced" {
			t.Errorf("%s: with force: %v, %q", name, err, text())
		}
		if err := Put(path, false, writes("again")); err == nil || text() != "forced" {
			t.Errorf("%s: %v, %q", name, err, text())
		}
		os.Remove(path)
		if err := Put(path, false, writes("new")); err != nil || text() != "new" {
			t.Errorf("%s: new: %v, %q", name, err, text())
		}
		st, err := os.Stat(path)
		testkit.That(t, err == nil && (st.Mode().Perm() == 0o644 || os.PathSeparator != '/'), "%s: %v, %v", name, st, err)
		left, _ := os.ReadDir(dir)
		testkit.That(t, len(left) == 1, "%s: left %v", name, left)
	}
}
