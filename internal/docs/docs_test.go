package docs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"framescope/internal/testkit"
	"framescope/model/measure"
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

const measures = "../../docs/measures.md"

const measuresHead = `# Measures

The name, meaning and computation of each figure. Headers and tooltips of tables, text and fields of ` + "`report`" + `, and columns
of exports read this list ([model/measure](../model/measure/measure.go)); ` + "`go test ./internal/docs -run Measures -update`" + `
makes this page from it.

- **Units.** All values of a column have the unit in its header. JSON and exports have base units: nanoseconds, bytes,
  numbers, parts of 1; the name of a field ends with its unit (` + "`total_ns`" + `).
- **Estimates** begin with ≈: percentiles of more than 4,096 frames or 65,536 samples in the window (from a histogram,
  within 1 %; ` + "`report`" + ` sorts all values and is exact), the CPU time of methods, and times of a clock with a step of a
  tenth of them or more.
- **Total and self** are side by side. Sums by name also have *net*: it belongs to the names App and App:AI, whatever
  calls them, so the net of App differs from its total, which a flame graph shows below App.
- **Overlapping spans** (buffers on their way through a pipeline or an element) are no calls: they have no caller, no self
  time and no share of the range, so these fields and cells are left out. Their total is the sum of all lengths, and may
  exceed the range: total divided by range is the mean number at a time.
- **Loads in the summary of a GStreamer log** are exact. The load of a thread is computed as everywhere (CPU); that of the
  process is its CPU time divided by its lifetime and the number of processors, if only one number of processors fits the
  loads in the log. Otherwise it is the log's own load, which is cut to a per mille (≥). Time here is the last reading of a clock,
  with the time before the log. Percentiles of up to eight million latencies in a log are exact, of more within 1 % (≈).
- **Frames** are counted once, not once for each thread, and have the program's own numbers everywhere. A thread that
  sends frames of its own (PStats) has its own count in the list of threads.

| name | in JSON | unit | meaning | sources |
|---|---|---|---|---|
`

// The page says what the program says, and nothing is named twice.
func TestMeasures(t *testing.T) {
	var b strings.Builder
	b.WriteString(measuresHead)
	ids, titles := map[string]bool{}, map[string]bool{}
	for _, m := range measure.All {
		testkit.That(t, m.ID != "" && m.Title != "" && m.What != "" && !ids[m.ID] && !titles[m.Title], "%+v", m)
		ids[m.ID], titles[m.Title] = true, true
		unit, on := string(m.Unit), m.On
		if m.Unit == measure.Word {
			unit = "–"
		}
		if on == "" {
			on = "all"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", m.Title, m.ID, unit, m.What, on)
	}
	if *testkit.Update {
		testkit.NoErr(t, os.WriteFile(measures, []byte(b.String()), 0o644))
	}
	got := testkit.Must(os.ReadFile(measures))(t)
	testkit.Equal(t, string(got), b.String(),
		"docs/measures.md does not say what the program says: go test ./internal/docs -run Measures -update")
}

func TestNamesOfMeasures(t *testing.T) {
	for title, id := range map[string]string{"total": "total", "call, and what took most of it": "call", "  source": "source"} {
		m, ok := measure.Of(title)
		testkit.That(t, ok && m.ID == id, "%q: %+v", title, m)
	}
	m, ok := measure.Of("nonsense")
	testkit.That(t, !ok, "%v", m)
}

// The files of the window name what stands in files below them: no file leads back to itself.
func TestFilesHaveNoCircle(t *testing.T) {
	list, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: "../../app"}, ".")
	testkit.MustThat(t, err == nil && len(list[0].Errors) <= 0, "%v %v", err, list[0].Errors)
	uses := map[string][]string{}
	p := list[0]
	name := func(n ast.Node) string { return filepath.Base(p.Fset.Position(n.Pos()).Filename) }
	for _, file := range p.Syntax {
		from := name(file)
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			o := p.TypesInfo.Uses[id]
			if field, ok := o.(*types.Var); ok && field.IsField() {
				return true
			}
			if o == nil || o.Pkg() != p.Types || o.Parent() != nil && o.Parent() != p.Types.Scope() {
				return true
			}
			to := filepath.Base(p.Fset.Position(o.Pos()).Filename)
			if to != from && !slices.Contains(uses[from], to) {
				uses[from] = append(uses[from], to)
			}
			return true
		})
	}
	testkit.MustThat(t, len(uses) >= 30, "%d files name others", len(uses))
	done := map[string]bool{}
	var way []string
	var visit func(file string)
	visit = func(file string) {
		if i := slices.Index(way, file); i >= 0 {
			t.Errorf("a circle: %s", strings.Join(append(way[i:], file), " > "))
			return
		}
		if done[file] {
			return
		}
		way = append(way, file)
		for _, to := range uses[file] {
			visit(to)
		}
		way = way[:len(way)-1]
		done[file] = true
	}
	for file := range uses {
		visit(file)
	}
}

// riddles are words of sentences that avoid the noun. Participles behind "can't be" name what fails, and are none.
var riddles = regexp.MustCompile(`(?i)\b(told|tells?|whose|of which|what (?:is|has|was|are|were|had)|who|asked|one's|can't be)\b`)

var failing = regexp.MustCompile(`(?i)\bcan't be (?:read|decoded|opened|shown|written|kept)\b`)

// mostRiddles is the share of lines of comments, and of texts that users see, with such words.
const (
	mostInComments = 0.02
	mostInTexts    = 0.02

	mostWide = 30 // lines of more than 120 characters: a few tables and texts
)

var wideLines = regexp.MustCompile(`(?m)^.{121,}$`)

// Comments and texts say things plainly.
func TestWordsArePlain(t *testing.T) {
	var comments, texts share
	wide := 0
	root := filepath.Join("..", "..")
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source := testkit.Must(os.ReadFile(filepath.Join(root, path)))(t)
		wide += len(wideLines.FindAll(source, -1))
		file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			for line := range strings.Lines(group.Text()) {
				comments.add(line)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(strings.TrimSpace(text), " ") {
					texts.add(text)
				}
			}
			return true
		})
		return nil
	})
	testkit.OK(t, err)
	comments.check(t, "lines of comments", 20_000, mostInComments)
	texts.check(t, "texts", 4_000, mostInTexts)
	testkit.That(t, wide <= mostWide, "%d lines have more than 120 characters: wrap what is not one text", wide)
}

// share counts lines, and those with riddles.
type share struct{ all, riddles int }

func (s *share) add(line string) {
	s.all++
	if riddles.MatchString(failing.ReplaceAllString(line, "")) {
		s.riddles++
	}
}

func (s *share) check(t *testing.T, what string, least int, most float64) {
	t.Helper()
	t.Logf("%d of %d %s have riddle words: %.1f %%", s.riddles, s.all, what, 100*float64(s.riddles)/float64(s.all))
	testkit.That(t, s.all >= least, "only %d %s were read", s.all, what)
	testkit.That(t, float64(s.riddles) <= most*float64(s.all),
		"more than %.1f %% of %s have riddle words: name the thing, see docs/glossary.md", 100*most, what)
}

// Bounds of the structure. A package is an idea; none of these is a reason to split one.
const (
	mostPackages = 110 // that the program consists of
	mostSingle   = 8   // with one importer, besides sources and panels, which a registry lists
	mostSmall    = 10  // of fewer lines than smallPackage
	smallPackage = 100
	mostFloors   = 14 // the longest chain of imports

	mostTestLines    = 90_000
	mostTestBinaries = 90
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
		if listed := strings.HasPrefix(name, "net/") || strings.HasPrefix(name, "charts/"); p.importers == 1 && !listed {
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
		testkit.That(t, f.got <= f.most, "%d %s, at most %d: make others shorter or fewer, or raise the bound (its constant is above) if all are needed",
			f.got, f.what, f.most)
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
