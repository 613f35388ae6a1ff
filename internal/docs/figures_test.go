package docs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// Bounds of the structure. A package is an idea; none of these is a reason to split one.
const (
	mostPackages = 110 // that the program consists of
	mostSingle   = 21  // with one importer
	mostSmall    = 10  // of fewer lines than smallPackage
	smallPackage = 100
	mostFloors   = 14 // the longest chain of imports

	mostTestLines    = 91_300
	mostTestBinaries = 92
)

// part is a package of the program, as go list describes it.
type part struct {
	ImportPath, Dir  string
	GoFiles, Imports []string

	importers, lines, floor int
}

// TestFigures measures the structure of the program; `go test ./internal/docs -run Figures -v` prints it.
func TestFigures(t *testing.T) {
	parts := partsOfTheProgram(t)
	var single, small []string
	lines, floors := 0, 0
	for path, p := range parts {
		name := strings.TrimPrefix(path, "framescope/")
		if p.importers == 1 {
			single = append(single, name)
		}
		if p.lines < smallPackage {
			small = append(small, name)
		}
		lines += p.lines
		floors = max(floors, parts.floorOf(path))
	}
	slices.Sort(single)
	slices.Sort(small)
	t.Logf("%d packages, %d lines of code, %d floors", len(parts), lines, floors)
	tests, binaries := 0, map[string]bool{}
	testkit.OK(t, filepath.WalkDir(filepath.Join("..", ".."), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, "_test.go") {
			tests += codeLines(t, path)
			binaries[filepath.Dir(path)] = true
		}
		return err
	}))
	t.Logf("%d lines of tests in %d binaries", tests, len(binaries))
	t.Logf("%d with one importer: %s", len(single), strings.Join(single, " "))
	t.Logf("%d below %d lines: %s", len(small), smallPackage, strings.Join(small, " "))
	for path, p := range parts {
		if p.floor == floors {
			t.Log("highest: ", strings.Join(parts.chain(path), " > "))
			break
		}
	}
	for _, f := range []struct {
		what      string
		got, most int
	}{
		{"packages", len(parts), mostPackages}, {"packages with one importer", len(single), mostSingle},
		{"small packages", len(small), mostSmall}, {"floors", floors, mostFloors},
		{"lines of tests", tests, mostTestLines}, {"test binaries", len(binaries), mostTestBinaries},
	} {
		testkit.That(t, f.got <= f.most, "%d %s, at most %d", f.got, f.what, f.most)
	}
}

// program has the packages of the program by path.
type program map[string]*part

// partsOfTheProgram lists the packages that the program is built of on this platform.
func partsOfTheProgram(t *testing.T) program {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,Imports", ".")
	cmd.Dir = filepath.Join("..", "..")
	out := testkit.Must(cmd.Output())(t)
	parts := program{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &part{}
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(p.ImportPath, "framescope") {
			parts[p.ImportPath] = p
		}
	}
	for _, p := range parts {
		p.Imports = slices.DeleteFunc(p.Imports, func(path string) bool { return parts[path] == nil })
		for _, path := range p.Imports {
			parts[path].importers++
		}
		for _, name := range p.GoFiles {
			p.lines += codeLines(t, filepath.Join(p.Dir, name))
		}
	}
	return parts
}

// codeLines counts the lines of a file that are neither blank nor comments.
func codeLines(t *testing.T, path string) (n int) {
	t.Helper()
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Scan() {
		if line := strings.TrimSpace(in.Text()); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}

// floorOf returns how many packages the longest chain of imports from a package down has.
func (ps program) floorOf(path string) int {
	p := ps[path]
	if p.floor == 0 {
		for _, below := range p.Imports {
			p.floor = max(p.floor, ps.floorOf(below))
		}
		p.floor++
	}
	return p.floor
}

// chain returns the longest chain of imports from a package down.
func (ps program) chain(path string) []string {
	name := strings.TrimPrefix(path, "framescope/")
	for _, below := range ps[path].Imports {
		if ps[below].floor == ps[path].floor-1 {
			return append([]string{name}, ps.chain(below)...)
		}
	}
	return []string{name}
}
