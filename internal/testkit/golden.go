package testkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Signs replaces signs of text files by the control characters that they picture, and � by a byte that is no UTF-8.
var Signs = strings.NewReplacer("␀", "\x00", "␁", "\x01", "␍", "\r", "␛", "\x1b", "�", "\xff")

// SameText compares a text with that of a file, or writes the file with -update.
func SameText(t testing.TB, path, got string) {
	t.Helper()
	if *Update {
		OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		OK(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := Must(os.ReadFile(path))(t)
	NoDiff(t, Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")), "%s (-file +now; -update writes it)",
		path)
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

// Named compares texts with those of their names in a file, or writes it anew with -update: each after a line "== "
// with its name.
func Named(t testing.TB, path, about string, texts [][2]string) {
	t.Helper()
	out := about
	for _, x := range texts {
		out += "\n\n== " + x[0] + "\n" + strings.TrimRight(x[1], "\n")
	}
	SameText(t, path, out+"\n")
}

// block is a text of a file, as it stands there, and as it is meant.
type block struct{ about, written, text string }

// blocks returns the beginning of a file, and its blocks.
func blocks(t testing.TB, path string) (head string, list []block) {
	t.Helper()
	head, rest, found := strings.Cut(string(Must(os.ReadFile(path))(t)), "\n== ")
	MustThat(t, found && !strings.HasPrefix(head, "== "),
		"%s: a line of what it is about must come before its first block “== …”", path)
	known := map[string]string{}
	for _, part := range strings.Split(rest, "\n== ") {
		about, written, _ := strings.Cut(part, "\n")
		written, _, _ = strings.Cut(strings.TrimSuffix(written, "\n--"), "\n--\n")
		text := written
		if base, changes, ok := strings.Cut(written, "\n- "); ok && strings.HasPrefix(base, "as ") {
			text = changed(t, known[base[len("as "):]], changes)
		}
		known[about] = text
		text, _, _ = strings.Cut(Signs.Replace(text+"\n"), "␃")
		list = append(list, block{about, written, text})
	}
	return head, list
}

// changed returns a text with other parts.
func changed(t testing.TB, text, changes string) string {
	t.Helper()
	for _, change := range strings.Split(changes, "\n- ") {
		from, to, _ := strings.Cut(change, "\n+ ")
		MustThat(t, strings.Contains(text, from), "no %q in %q", from, text)
		text = strings.Replace(text, from, to, 1)
	}
	return text
}

// BlockTexts returns the texts of the blocks of a file.
func BlockTexts(t testing.TB, path string) (texts []string) {
	t.Helper()
	_, list := blocks(t, path)
	for _, b := range list {
		texts = append(texts, b.text)
	}
	return texts
}

// Blocks compares what is said of the blocks of a file with it, or writes it anew with -update. A block is a line on
// what it is about after "== ", a text, and what is said of it after a line "--". A text has Signs, and ␃ where it
// ends without a line break. One that begins with "as" is that of a block before, in which what stands behind "+" is
// instead of what stands behind "-" above it.
func Blocks(t testing.TB, path string, say func(about, text string) string) {
	t.Helper()
	head, list := blocks(t, path)
	out := []string{head}
	for _, b := range list {
		out = append(out, b.about+"\n"+b.written+"\n--\n"+say(b.about, b.text))
	}
	SameText(t, path, strings.Join(out, "\n== ")+"\n")
}
