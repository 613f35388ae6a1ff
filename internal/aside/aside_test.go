package aside_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/aside"
	"framescope/internal/testkit"
)

func put(t *testing.T, path, text string) string {
	t.Helper()
	testkit.NoErr(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// What fails leaves what was there, and nothing beside it; what succeeds replaces it, keeps its
// permissions, and goes through a symbolic link.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := put(t, filepath.Join(dir, "file"), "old")
	failed := errors.New("failed")
	if err := aside.Write(path, func(out io.Writer) error {
		io.WriteString(out, "half")
		return failed
	}); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
	text, _ := os.ReadFile(path)
	testkit.That(t, string(text) == "old", "%q after a failure", text)
	to := path
	if link := filepath.Join(dir, "link"); os.Symlink(path, link) == nil {
		to = link
	}
	if err := aside.Write(to, func(out io.Writer) error {
		_, err := io.WriteString(out, "new")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	text, _ = os.ReadFile(path)
	testkit.That(t, string(text) == "new", "%q", text)
	st, _ := os.Stat(path)
	testkit.That(t, st.Mode().Perm()&0o077 == 0 || os.PathSeparator != '/', "permissions %v", st.Mode())
	left, _ := filepath.Glob(filepath.Join(dir, "*.part"))
	testkit.That(t, len(left) == 0, "left: %v", left)
}

// A small file has the permissions that it is given only while it is new, and leaves nothing beside
// it where it can't be written.
func TestSmall(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	mode := func() os.FileMode {
		st := testkit.Must(os.Stat(path))(t)
		return st.Mode().Perm()
	}
	testkit.NoErr(t, aside.Small(path, []byte("old"), 0o600))
	first := mode()
	testkit.That(t, first&0o077 == 0 || os.PathSeparator != '/', "permissions %v", first)
	testkit.NoErr(t, aside.Small(path, []byte("new"), 0o644))
	text, _ := os.ReadFile(path)
	testkit.That(t, string(text) == "new" && mode() == first, "%q, %v", text, mode())
	err := aside.Small(dir, []byte("new"), 0o644)
	testkit.That(t, errors.As(err, new(*aside.NotFileError)), "a folder: %v", err)
	left, _ := os.ReadDir(dir)
	testkit.That(t, len(left) == 1, "left: %v", left)
}

// A link to nothing stays a link: what it names is written, where that is possible.
func TestLinkToNothing(t *testing.T) {
	dir := t.TempDir()
	for name, to := range map[string]string{"new": "file", "nowhere": "no/file", "ring": "ring"} {
		link := filepath.Join(dir, name)
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
		err := aside.Small(link, []byte("new"), 0o600)
		testkit.Equal(t, err == nil, to == "file", "%v: written", err)
		_, err = os.Readlink(link)
		testkit.OK(t, err)
	}
	text := testkit.Must(os.ReadFile(filepath.Join(dir, "file")))(t)
	testkit.Equal(t, string(text), "new", "text")
}

func TestDistinct(t *testing.T) {
	dir := t.TempDir()
	a, b := put(t, filepath.Join(dir, "a"), "a"), put(t, filepath.Join(dir, "b"), "a")
	folder := filepath.Join(dir, "folder", "in")
	testkit.NoErr(t, os.MkdirAll(folder, 0o755))
	same := []string{a, filepath.Join(dir, "folder", "..", "a")}
	for name, link := range map[string]func(from, to string) error{"hard": os.Link, "symbolic": os.Symlink} {
		if to := filepath.Join(dir, name); link(a, to) == nil {
			same = append(same, to)
		}
	}
	for _, to := range same {
		testkit.That(t, errors.As(aside.Distinct(to, b, a), new(*aside.InputError)), "%s is not taken for %s", to, a)
		testkit.NoErr(t, aside.Distinct(to, b, filepath.Join(dir, "missing")))
	}
	for _, to := range []string{filepath.Join(folder, "new"), filepath.Join(folder, "..", "new"), folder} {
		testkit.That(t, aside.Distinct(to, filepath.Join(dir, "folder")) != nil, "%s does not lie in the folder", to)
	}
	testkit.NoErr(t, aside.Distinct(filepath.Join(dir, "folder-2"), filepath.Join(dir, "folder")))
}

// What is told of an error is the name that was asked for, and what is noted is forgotten.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	before, noted, forgotten := aside.Noted, []string{}, 0
	aside.Noted = func(part string) func() {
		noted = append(noted, part)
		return func() { forgotten++ }
	}
	defer func() { aside.Noted = before }()
	to := filepath.Join(dir, "no", "x.json")
	err := aside.Write(to, func(io.Writer) error { return nil })
	testkit.That(t, errors.Is(err, fs.ErrNotExist) && err.Error() == to+": there is no folder "+filepath.Join(dir, "no"),
		"%v", err)
	err = aside.Folder(to, nil)
	testkit.That(t, errors.Is(err, fs.ErrNotExist) && !strings.Contains(err.Error(), ".part"), "%v", err)
	full := errors.New("no space left on device")
	file := filepath.Join(dir, "x.json")
	err = aside.Write(file, func(io.Writer) error {
		return fmt.Errorf("after a while: %w", &fs.PathError{Op: "write", Path: noted[len(noted)-1], Err: full})
	})
	testkit.That(t, errors.Is(err, full) && err.Error() == "after a while: write "+file+": no space left on device",
		"%v", err)
	err = aside.Folder(filepath.Join(dir, "f"), func(part string) (string, error) {
		return part, &fs.PathError{Op: "write", Path: filepath.Join(part, "frames.csv"), Err: full}
	})
	testkit.That(t, errors.Is(err, full) &&
		err.Error() == "write "+filepath.Join(dir, "f", "frames.csv")+": no space left on device", "%v", err)
	// A path is noted also where nothing can be made: a kill may come right after the making.
	testkit.That(t, len(noted) == 4 && forgotten == 4, "noted %q, forgotten %d", noted, forgotten)
}

// A fill that panics leaves nothing behind.
func TestPanic(t *testing.T) {
	dir := t.TempDir()
	for name, write := range map[string]func(){
		"file":   func() { aside.Write(filepath.Join(dir, "x"), func(io.Writer) error { panic("x") }) },
		"folder": func() { aside.Folder(filepath.Join(dir, "x"), func(string) (string, error) { panic("x") }) },
	} {
		func() {
			defer func() { testkit.That(t, recover() != nil, "%s: no panic", name) }()
			write()
		}()
	}
	left, _ := os.ReadDir(dir)
	testkit.That(t, len(left) == 0, "left: %v", left)
}
