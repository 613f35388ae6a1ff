//go:build integration

package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"framescope/internal/testkit"
)

// source is the code that was parsed, which is the same on each platform.
var source = parsed{set: token.NewFileSet(), files: map[string]*ast.File{}}

type parsed struct {
	set   *token.FileSet
	lock  sync.Mutex
	files map[string]*ast.File
}

// parse returns the code of a file. Of what is not of this module it has the declarations alone, without the
// contents of tables.
func (p *parsed) parse(set *token.FileSet, name string, text []byte) (*ast.File, error) {
	p.lock.Lock()
	file := p.files[name]
	p.lock.Unlock()
	if file != nil {
		return file, nil
	}
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if module, _ := filepath.Abs("../.."); file != nil && !strings.HasPrefix(name, module) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				n.Body = nil
			case *ast.CompositeLit:
				if a, ok := n.Type.(*ast.ArrayType); !ok || a.Len == nil || !isEllipsis(a.Len) {
					n.Elts = nil
				}
			}
			return true
		})
	}
	if err == nil {
		p.lock.Lock()
		p.files[name] = file
		p.lock.Unlock()
	}
	return file, err
}

// isEllipsis reports whether the length of an array is the number of its elements.
func isEllipsis(length ast.Expr) bool {
	_, is := length.(*ast.Ellipsis)
	return is
}

// TestRealPlatforms checks every package of the module against the types of each platform, without cgo: what compilers find
// wrong in Go's code is found so in a tenth of their time. Linux is where all tests are compiled, but for those of the
// program without a window. It is a step of .ci/run: a build of another platform fails for reasons of its own.
func TestRealPlatforms(t *testing.T) {
	for platform, tags := range map[string]string{"windows/amd64": "", "darwin/arm64": "", "js/wasm": "", "linux/amd64": "headless"} {
		t.Run(platform, func(t *testing.T) {
			system, processor, _ := strings.Cut(platform, "/")
			for _, e := range check(t, "../..", system, processor, tags, nil) {
				t.Error(e)
			}
		})
	}
}

// TestRealFaultsOfPlatforms adds a file that one platform alone has, and that does not compile.
func TestRealFaultsOfPlatforms(t *testing.T) {
	dir, err := filepath.Abs("../escape") // it imports little
	testkit.OK(t, err)
	more := map[string][]byte{dir + "/fault_windows.go": []byte("package escape\n\nfunc f() int { return \"\" }\n")}
	list := check(t, dir, "windows", "amd64", "", more)
	testkit.That(t, len(list) == 1 && strings.Contains(list[0].Error(), "fault_windows.go:3"), "on Windows: %v", list)
	list = check(t, dir, "darwin", "arm64", "", more)
	testkit.That(t, len(list) == 0, "on macOS: %v", list)
}

// check returns what is wrong in the packages of the module below a folder; more are files that it has besides. Of
// other modules the declarations are read alone.
func check(t *testing.T, dir, system, processor, tags string, more map[string][]byte) (wrong []error) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	list, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax &^ packages.NeedTypesInfo, Context: t.Context(), Dir: dir, Overlay: more, Fset: source.set, ParseFile: source.parse,
		Tests: tags != "", BuildFlags: []string{"-tags=" + tags},
		Env: append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0"),
	}, "./...")
	testkit.OK(t, err)
	n := 0
	packages.Visit(list, nil, func(p *packages.Package) {
		if !strings.HasPrefix(p.PkgPath, "framescope") || strings.HasSuffix(p.PkgPath, ".test") { // that is made by go
			return
		}
		n++
		for _, e := range p.Errors {
			wrong = append(wrong, e)
		}
	})
	testkit.MustThat(t, n >= 50 || more != nil, "%d packages were looked at", n)
	return wrong
}
