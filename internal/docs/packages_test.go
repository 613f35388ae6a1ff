package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// Every package says in a comment what it owns.
func TestPackagesAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (base == "testdata" || base[0] == '.' && base != ".." || base[0] == '_'):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.Dir(name)
		documented[dir] = documented[dir] || f.Doc != nil && strings.TrimSpace(f.Doc.Text()) != ""
		return nil
	})
	testkit.NoErr(t, err)
	testkit.MustThat(t, len(documented) >= 50, "only %d folders with code", len(documented))
	for dir, ok := range documented {
		testkit.That(t, ok, "%s: no comment says what the package owns", dir)
	}
}
