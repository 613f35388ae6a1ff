package cli

import (
	"os"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
)

// What was written is told on one line, whatever is in the name of the file.
func TestWroteIsOneLine(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "a.folded")
	testkit.OK(t, os.WriteFile(from, []byte("main;update 3\nmain;draw 4\n"), 0o600))
	to := filepath.Join(dir, "new\nline\x1b[2J.txt")
	_, errs := executed(t, exitOK, "export", from, "--to", "folded", "-o", to)
	testkit.Must(os.Stat(to))(t)
	testkit.Contains(t, errs, "new\uFFFDline\uFFFD[2J.txt: ")
}
