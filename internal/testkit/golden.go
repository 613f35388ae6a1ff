package testkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Signs replaces signs of text files by what they stand for: ␀ a NUL, ␍ a carriage return, � a byte that is no UTF-8.
var Signs = strings.NewReplacer("␀", "\x00", "␍", "\r", "�", "\xff")

// SameText compares a text with that of a file, or writes the file with -update.
func SameText(t testing.TB, path, got string) {
	t.Helper()
	if *Update {
		OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		OK(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := Must(os.ReadFile(path))(t)
	NoDiff(t, Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")), "%s (-file +now)", path)
}

// Lines compares what is said of the texts of a file with it, or writes it anew with -update. A line is a text, with
// Signs, and what is said of it behind " → "; others are comments.
func Lines(t testing.TB, path string, say func(text string) string) {
	t.Helper()
	lines := strings.Split(string(Must(os.ReadFile(path))(t)), "\n")
	for i, line := range lines {
		if text, _, ok := strings.Cut(line, " → "); ok {
			lines[i] = text + " → " + strings.ReplaceAll(say(Signs.Replace(text)), "\n", "␤")
		}
	}
	SameText(t, path, strings.Join(lines, "\n"))
}
