package docs

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// named finds the pictures that a document shows or leads to: ![words](docs/x.png), [words](x.png).
var named = regexp.MustCompile(`\]\(([^)\s]+\.png)\)`)

// TestDocumentsAndPictures: a document names no picture that there is none of, each picture in docs is
// named by a document, and each is made by the command that makes them all.
func TestDocumentsAndPictures(t *testing.T) {
	root := filepath.Join("..", "..")
	by := map[string]string{} // who names a picture
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			by[filepath.Join(filepath.Dir(path), filepath.FromSlash(m[1]))] = path
		}
		return nil
	})
	testkit.NoErr(t, err)
	made := map[string]bool{}
	for _, p := range pictures() {
		made[filepath.Join(root, "docs", filepath.FromSlash(p.path))] = true
	}
	for _, path := range slices.Sorted(maps.Keys(by)) {
		_, err := os.Stat(path)
		testkit.That(t, err == nil, "%s names %s: %v", by[path], path, err)
	}
	for path := range made {
		testkit.That(t, by[path] != "", "%s is made and no document names it", path)
	}
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		testkit.That(t, err != nil || filepath.Ext(path) != ".png" || made[path],
			"%s is made by nothing: go test ./internal/docs -update makes what pictures lists", path)
		return err
	})
	testkit.NoErr(t, err)
}
