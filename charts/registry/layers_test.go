package registry

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// importsOf returns what the code of a folder imports of charts, tests left out.
func importsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no code, %v", dir, err)
	}
	found := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			if of, ok := strings.CutPrefix(path, "framescope/charts/"); ok {
				found[of] = true
			}
		}
	}
	return found
}

// No panel knows another one: what they share lies below them, and what they tell each other goes
// by the view.
func TestNoPanelKnowsAnother(t *testing.T) {
	panels := importsOf(t, ".")
	for _, below := range []string{"panel", "view", "subject"} {
		delete(panels, below)
	}
	if len(panels) < 10 {
		t.Fatalf("only %d packages of panels", len(panels))
	}
	for p := range panels {
		for of := range importsOf(t, filepath.Join("..", p)) {
			if panels[of] || of == "registry" {
				t.Errorf("charts/%s imports charts/%s", p, of)
			}
		}
	}
}
