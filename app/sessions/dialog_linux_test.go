package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What can be opened is shown by the dialog, whatever its name ends in: it hides no files.
func TestDialogsHideNothing(t *testing.T) {
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	script := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\n' \"$@\" >> '%s'\necho /some/trace.log.gz\n", asked)
	for _, name := range []string{"qarma", "zenity", "matedialog"} { // the programs that show dialogs
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	if paths, err := chooseFiles("Open recordings"); err != nil || len(paths) != 1 || paths[0] != "/some/trace.log.gz" {
		t.Errorf("%q, %v", paths, err)
	}
	if path, err := chooseTarget("Save", "run.prof"); err != nil || path != "/some/trace.log.gz" {
		t.Errorf("%q, %v", path, err)
	}
	said, err := os.ReadFile(asked)
	if err != nil || !strings.Contains(string(said), "Open recordings") || strings.Contains(string(said), "--file-filter") {
		t.Errorf("%v, asked with\n%s", err, said)
	}
}
