package docs

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"framescope/internal/testkit"
)

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
