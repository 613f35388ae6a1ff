package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"framescope/internal/testkit"
	"framescope/widgets"
)

// What can be opened is shown by the dialog, whatever its name ends in: it hides no files.
func TestDialogsHideNothing(t *testing.T) {
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	script := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\n' \"$@\" >> '%s'\necho /some/trace.log.gz\n", asked)
	for _, name := range []string{"qarma", "zenity", "matedialog"} { // the programs that show dialogs
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755))
	}
	t.Setenv("PATH", dir)
	if paths, err := AskFiles("Open recordings", dir); err != nil || len(paths) != 1 || paths[0] != "/some/trace.log.gz" {
		t.Errorf("%q, %v", paths, err)
	}
	if path, err := AskTarget("Save", "run.prof"); err != nil || path != "/some/trace.log.gz" {
		t.Errorf("%q, %v", path, err)
	}
	said, err := os.ReadFile(asked)
	testkit.That(t, err == nil && strings.Contains(string(said), "Open recordings") &&
		!strings.Contains(string(said), "--file-filter") && strings.Contains(string(said), "--filename\n"+dir+"/\n"),
		"%v, asked with\n%s", err, said)
}

// Where the system has no dialog the window asks itself where to write: nothing is written before
// Enter, nor over a file that was not asked for, nor in a way that is not known.
func TestSaveWithoutADialogOfTheSystem(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	g := newViewer(t, Options{})
	dir := t.TempDir()
	t.Chdir(dir)
	var mu sync.Mutex
	var written []string // files are written in the background
	ask := func() (p *widgets.Palette) {
		t.Helper()
		g.ss.Save("Export the panel", "calls.csv", []string{".csv", ".svg"}, func(path string) error {
			mu.Lock()
			written = append(written, filepath.Base(path))
			mu.Unlock()
			return os.WriteFile(path, []byte("new"), 0o666)
		})
		pollUntil(t, g, "the question", func([]widgets.SessionRow) bool { p = g.ask.Dialog(); return p != nil })
		return p
	}
	saved := func(what string, names ...string) {
		t.Helper()
		pollUntil(t, g, what, func([]widgets.SessionRow) bool {
			mu.Lock()
			defer mu.Unlock()
			return slices.Equal(written, names) && strings.HasPrefix(g.told().Text, "Saved to")
		})
	}
	p := ask()
	if at := p.Field.Text(); filepath.Base(at) != "calls.csv" || !filepath.IsAbs(at) || !strings.Contains(p.Field.Hint, ".csv, .svg") {
		t.Errorf("suggests %q and says %q", at, p.Field.Hint)
	}
	p.Close()
	entries, err := os.ReadDir(dir)
	testkit.That(t, err == nil && len(entries) == 0, "canceled, there are %v, %v", entries, err)
	p = ask()
	for text, want := range map[string]string{
		"": "enter a file name", ".": "a folder", "none/a.csv": "no folder", "a.xlsx": "one of .csv, .svg",
	} {
		complaint := p.Answer(text)
		testkit.That(t, strings.Contains(complaint, want), "%q: says %q, want %q", text, complaint, want)
	}
	p.Enter()
	saved("the suggested file", "calls.csv")
	p = ask()
	p.Enter()
	testkit.That(t, g.ask.Dialog() == p && p.Answer("calls.SVG") == "",
		"a file is written over without a question, or one that is not there is asked for")
	saved("the picture", "calls.csv", "calls.SVG")
	p.Enter()
	saved("the file that was asked for", "calls.csv", "calls.SVG", "calls.csv")
}
