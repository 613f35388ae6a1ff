package aside

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

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
		if err == nil || !strings.Contains(err.Error(), "is there already") || text() != "theirs" {
			t.Errorf("%s: %v, %q", name, err, text())
		}
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
