package app

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// hostilePaths are names of files that a shell, or a program with flags, would misread.
var hostilePaths = []string{"--flag", "-x.cpp", "a b\"$(touch c)'.cpp", "x\ny.cpp", "\x1b[31m.cpp", "{line}.cpp", "a;b&c|d.cpp"}

// TestStartEditor: the editor is given the path and the line as they are, each in its argument.
func TestStartEditor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editor is a shell script")
	}
	dir := t.TempDir()
	script, out := filepath.Join(dir, "editor"), filepath.Join(dir, "out")
	text := "#!/bin/sh\nprintf '<%s>' \"$@\" > \"" + out + ".part\"\nmv \"" + out + ".part\" \"" + out + "\"\n"
	testkit.NoErr(t, os.WriteFile(script, []byte(text), 0o700))
	for _, name := range hostilePaths {
		path := filepath.Join(dir, name)
		testkit.NoErr(t, os.WriteFile(path, nil, 0o600))
		found, ok := locateSource(name, []string{dir})
		testkit.That(t, ok && found == path, "%q is found at %q", name, found)
		testkit.NoErr(t, startEditor([]string{script, "--goto", "{file}:{line}", "+{line}"}, found, 0))
		var got []byte
		testkit.WaitUntil(t, "the editor", func() (ok bool) { got, _ = os.ReadFile(out); return len(got) > 0 })
		testkit.Equal(t, string(got), "<--goto><"+path+":1><+1>", "arguments for %q", name)
		testkit.NoErr(t, os.Remove(out))
	}
	testkit.Fails(t, startEditor([]string{filepath.Join(dir, "none")}, dir, 1), "can't be started")
	testkit.Fails(t, startEditor(nil, dir, 1), "no editor")
}

// TestLocateSource: the longest end of a path counts, in the order of the folders, and nothing beside them is found.
func TestLocateSource(t *testing.T) {
	dir := t.TempDir()
	at := func(path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
	for _, path := range []string{"a/main.c", "b/main.c", "b/src/main.c", "secret.c", "b/only.c"} {
		testkit.NoErr(t, os.MkdirAll(filepath.Dir(at(path)), 0o700))
		testkit.NoErr(t, os.WriteFile(at(path), nil, 0o600))
	}
	folders := []string{at("a"), at("b")}
	for file, want := range map[string]string{
		"/build/ci/src/main.c": "b/src/main.c", `C:\build\src\main.c`: "b/src/main.c", "main.c": "a/main.c", "x/only.c": "b/only.c",
		"../secret.c": "", "x/../../secret.c": "", "src": "", "": "", "none.c": "", "/": "", "//" + at("secret.c"): "",
		at("secret.c"): "secret.c", "file://" + filepath.ToSlash(at("secret.c")): "secret.c",
	} {
		if want != "" {
			want = at(want)
		}
		got, ok := locateSource(file, folders)
		testkit.That(t, got == want && ok == (want != ""), "%q is at %q, %t, want %q", file, got, ok, want)
	}
}

// TestFoundEditor: the editor that the user names is preferred, if it is one that has a window.
func TestFoundEditor(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("EDITOR", "vi")
	for _, x := range []struct{ installed, visual, want string }{
		{"subl", "", "subl"}, {"code", "", "code"}, {"vi", "", "code"}, {"kate", "/usr/bin/kate --block", "kate"}, {"", "emacs -nw", "code"},
	} {
		if x.installed != "" {
			testkit.NoErr(t, os.WriteFile(filepath.Join(dir, x.installed), []byte("#!/bin/sh\n"), 0o700))
		}
		t.Setenv("VISUAL", x.visual)
		got := strings.Join(foundEditor(), " ")
		testkit.That(t, strings.HasPrefix(got, x.want+" "), "with VISUAL=%q: %q, want %s", x.visual, got, x.want)
	}
}
