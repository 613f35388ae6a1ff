package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What was written is told on one line, whatever is in the name of the file.
func TestWroteIsOneLine(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "a.folded")
	if err := os.WriteFile(from, []byte("main;update 3\nmain;draw 4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "new\nline\x1b[2J.txt")
	var out, errs bytes.Buffer
	if code := Execute([]string{"export", from, "--to", "folded", "-o", to}, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d, %s", code, &errs)
	}
	if _, err := os.Stat(to); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(errs.String(), "new\uFFFDline\uFFFD[2J.txt: ") {
		t.Errorf("told: %q", &errs)
	}
}
