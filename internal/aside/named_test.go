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
	if !errors.Is(err, full) || err.Error() != "write "+filepath.Join(dir, "f", "frames.csv")+": no space left on device" {
		t.Errorf("%v", err)
	}
	testkit.That(t, len(noted) == 2 && forgotten == 2, "noted %q, forgotten %d", noted, forgotten)
}

// A fill that panics leaves nothing behind.
func TestPanic(t *testing.T) {
	dir := t.TempDir()
	for name, write := range map[string]func(){
		"file":   func() { aside.Write(filepath.Join(dir, "x"), func(io.Writer) error { panic("x") }) },
		"folder": func() { aside.Folder(filepath.Join(dir, "x"), func(string) (string, error) { panic("x") }) },
	} {
		func() {
			defer func() {
				testkit.That(t, recover() != nil, "%s: no panic", name)
			}()
			write()
		}()
	}
	left, _ := os.ReadDir(dir)
	testkit.That(t, len(left) == 0, "left: %v", left)
}
