package profilelib

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
)

// header has the library's prototypes that the page uses, as the library declares them.
const header = `#include <stdbool.h>
#include <stddef.h>
typedef void (*profile_write_fn)(void* buffer, size_t size);
extern int profile_initialize(const char* identifier, size_t length, void* buffer, size_t size);
extern void profile_set_output(profile_write_fn writer);
extern void profile_enable(bool enable);
#define STRING_CONST(s) (s), (sizeof((s)) - 1)
`

// TestLinesOfTheReadmeCompile: what docs/sources/profile-lib.md tells C programmers to write goes through a compiler
// that is strict.
func TestLinesOfTheReadmeCompile(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc here")
	}
	text := string(readFile(t, filepath.Join(recordings.Root(t), "docs/sources/profile-lib.md")))
	_, code, inC := strings.Cut(text, "```c\n")
	code, _, closed := strings.Cut(code, "```")
	testkit.MustThat(t, inC && closed && strings.Contains(code, "profile_set_output"),
		"docs/sources/profile-lib.md has no C lines")
	compile := func(code string) (string, error) {
		dir := t.TempDir()
		for name, text := range map[string]string{"foundation/foundation.h": header, "viewer.c": code} {
			path := filepath.Join(dir, name)
			testkit.OK(t, os.MkdirAll(filepath.Dir(path), 0o700))
			testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
		}
		cmd := exec.CommandContext(t.Context(), gcc, "-Wall", "-Wextra", "-Werror", "-Wpedantic", "-I.", "-c", "viewer.c", "-o", "viewer.o")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := compile("#include <sys/socket.h>\n#ifndef AF_INET\n#error none\n#endif\n"); err != nil {
		t.Skipf("no sockets as Unix has them: %s", out)
	}
	if out, err := compile(code); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
	// The check can fail: this is how the lines once were.
	if _, err := compile(strings.Replace(code, "(void* record", "(const void* record", 1)); err == nil {
		t.Error("a writer of another type compiles, too")
	}
}
