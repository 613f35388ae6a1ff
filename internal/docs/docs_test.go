package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

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

// TestCompiles checks every package and all that it imports against the types of each platform, without
// cgo: what compilers find wrong in Go's code is found so in a tenth of their time.
func TestCompiles(t *testing.T) {
	for _, platform := range []string{"linux/amd64", "windows/amd64", "darwin/arm64", "js/wasm"} {
		t.Run(platform, func(t *testing.T) {
			system, processor, _ := strings.Cut(platform, "/")
			for _, e := range check(t, "../..", system, processor, nil) {
				t.Error(e)
			}
		})
	}
}

// TestFaultsAreFound adds a file that one platform alone has, and that does not compile.
func TestFaultsAreFound(t *testing.T) {
	dir, err := os.Getwd()
	testkit.NoErr(t, err)
	more := map[string][]byte{dir + "/fault_windows.go": []byte("package docs\n\nfunc f() int { return \"\" }\n")}
	list := check(t, ".", "windows", "amd64", more)
	testkit.That(t, len(list) == 1 && strings.Contains(list[0].Error(), "fault_windows.go:3"), "on Windows: %v", list)
	list = check(t, ".", "darwin", "arm64", more)
	testkit.That(t, len(list) == 0, "on macOS: %v", list)
}

// check returns what is wrong in the packages below a folder; more are files that it has besides.
func check(t *testing.T, dir, system, processor string, more map[string][]byte) (wrong []error) {
	t.Helper()
	list, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax &^ packages.NeedTypesInfo, Context: t.Context(), Dir: dir, Overlay: more,
		Env: append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0"),
	}, "./...")
	testkit.NoErr(t, err)
	n := 0
	packages.Visit(list, nil, func(p *packages.Package) {
		n++
		for _, e := range p.Errors {
			wrong = append(wrong, e)
		}
	})
	testkit.MustThat(t, n >= 2 || more != nil, "%d packages were looked at", n)
	return wrong
}
