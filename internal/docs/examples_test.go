package docs

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/table"
	"framescope/charts/table/tabletest"
	"framescope/examples/column"
	example "framescope/examples/panel"
	callog "framescope/examples/source"
	"framescope/examples/stream"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// The code in CONTRIBUTING.md is that of the examples, which are compiled and tested.
func TestContributing(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "CONTRIBUTING.md"))
	testkit.NoErr(t, err)
	blocks := regexp.MustCompile("(?s)<!-- (\\S+) -->\n```go\n(.*?)\n```\n").FindAllStringSubmatch(string(text), -1)
	testkit.MustEqual(t, len(blocks), 3, "examples in CONTRIBUTING.md")
	for _, b := range blocks {
		code, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(b[1])))
		testkit.NoErr(t, err)
		_, body, _ := strings.Cut("\n"+strings.ReplaceAll(string(code), "\r\n", "\n"), "\npackage ")
		testkit.That(t, strings.TrimSpace("package "+body) == strings.TrimSpace(b[2]),
			"%s is not what stands in CONTRIBUTING.md", b[1])
	}
}

// What CONTRIBUTING.md names is there: files and folders, packages to test, and in the places where a
// line goes the lists that it goes into.
func TestContributingNamesWhatIsThere(t *testing.T) {
	code, err := os.ReadFile(filepath.Join("..", "..", "CONTRIBUTING.md"))
	testkit.NoErr(t, err)
	text := regexp.MustCompile("(?s)```go\n.*?\n```").ReplaceAllString(string(code), "")
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(name)))
		return err == nil
	}
	// By who follows the examples, and of Ebitengine.
	made := []string{"charts/clock", "net/calls", "exp/vmhost"}
	paths := 0
	named := regexp.MustCompile("(?:`|\\./|\\()([a-z]+(?:/[a-zA-Z_.0-9]+)+)")
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		name := strings.TrimSuffix(strings.TrimSuffix(m[1], "."), "/...")
		if strings.HasSuffix(name, "NAME") {
			name = filepath.ToSlash(filepath.Dir(name))
		}
		paths++
		testkit.That(t, there(name) || slices.Contains(made, name), "CONTRIBUTING.md names %s, which is not there", m[1])
	}
	testkit.That(t, paths >= 30, "only %d paths were found in CONTRIBUTING.md", paths)
	for name, lists := range map[string][]string{
		"charts/registry/registry.go":   {"[]panel.Def{"},
		"app/load/sources.go":           {"feed.Registry{"},
		"app/e2e/truth_test.go":         {"var says", "var mute"},
		"app/e2e/ways_test.go":          {"var unused"},
		"app/truth/tips_test.go":        {"var tipRules"},
		"app/truth/ways_test.go":        {"var headRules"},
		"app/truth/tables_test.go":      {"panel.Teller", "var tableRules"},
		"app/headless/kinds_test.go":    {"testdata/panels.txt"},
		"charts/tables/threads.go":      {"workColumns", "cpuColumns", "busyColumns"},
		"charts/tables/tree.go":         {"framed", "flat", "ofRuns", "called"},
		"charts/tables/columns_test.go": {"tabletest.Unharmed", "frames.columns", "calls.columns"},
	} {
		code, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		for _, list := range lists {
			testkit.That(t, err == nil && strings.Contains(string(code), list), "%s has no %s, %v", name, list, err)
		}
	}
}

// shown is a source whose columns a test may change.
type shown[R any] struct {
	table.Source[*R]
	columns *[]table.Column[R]
}

func (s shown[R]) Columns() []table.Column[R] { return *s.columns }

// A column anywhere in the list harms none of the others.
func TestColumnOfTheExample(t *testing.T) { unharmed(t, &column.Threads{}) }

func unharmed[R any](t *testing.T, of table.Source[*R]) {
	columns := of.Columns()
	tabletest.Unharmed(t, func() tabletest.Shown[R] {
		rig := chartstest.NewRig(chartstest.NewSession(t), 1, 400, 300)
		return tabletest.Shown[R]{Rig: rig, Table: table.New("Threads", shown[R]{of, &columns}), Columns: &columns}
	})
}

// What is in the table can be exported.
func TestTableOfTheExample(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 400, 300)
	tb := column.NewThreads()
	rig.Tick(tb)
	var out bytes.Buffer
	testkit.NoErr(t, tb.Export(rig.Env, &out, panel.CSV))
	text := out.String()
	testkit.That(t, strings.HasPrefix(text, "thread,frames\n") && strings.Contains(text, "Main,"), "exported: %s", text)
}

// The panel shows the selected frame, fills its list only when that changes, and does what its command
// says.
func TestPanelOfTheExample(t *testing.T) {
	d := example.Def()
	p := d.New()
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 300, 120)
	rig.Env.View.SelectFrames(10, 10)
	rig.Tick(p)
	quads, at := p.List().Quads(), p.List().Revision()
	testkit.MustThat(t, quads != 0, "nothing is drawn")
	rig.Tick(p)
	testkit.That(t, p.List().Revision() == at, "drawn again though nothing changed")
	rig.Env.View.SelectFrames(20, 20)
	rig.Tick(p)
	testkit.That(t, p.List().Revision() != at, "another frame is selected, and nothing was drawn")
	at = p.List().Revision()
	if c := &d.Commands[0]; c.ID == "" || c.Name == "" || c.Run == nil { // as the program demands of its commands
		t.Errorf("the command lacks something: %+v", c)
	}
	d.Commands[0].Run(rig.Env, p)
	rig.Tick(p)
	testkit.That(t, p.List().Revision() != at, "the command does nothing")
	n := testing.AllocsPerRun(50, func() { rig.Tick(p) })
	testkit.That(t, n <= 0, "%g allocations a tick", n)
	var _ panel.Panel = p
}

// A log is recognised by its content, its calls are there, and the panels that have something to show of
// it offer themselves.
func TestSourceOfTheExample(t *testing.T) {
	path := filepath.Join(t.TempDir(), "anything")
	text := "# calls 1\nmain begin 0 load\nmain end 5000 load\nnonsense\nmain begin 6000 draw mesh=tree\nmain end 9000 draw\n" +
		"main sends 9500 job\nworker gets 9600 job\nworker begin 9600 run\nmain begin 10000 draw\nmain end 14000 draw\n" +
		"main counts 14000 triangles 1200\nworker end 15000 run\n"
	testkit.NoErr(t, os.WriteFile(path, []byte(text), 0o600))
	k := &feedtest.Into{Session: store.NewSession()}
	testkit.NoErr(t, (feed.Registry{callog.Source{}}).Open(context.Background(), path, k))
	var calls []string
	for _, st := range k.Session.Spans().Stats([]model.TrackID{0}, 0, 1e6, nil) {
		calls = append(calls, k.Session.Collector(st.Collector).Name)
		if name := calls[len(calls)-1]; name == "draw" && (st.Calls != 2 || st.TotalNs != 7000) {
			t.Errorf("draw: %d calls, %d ns, want 2 and 7000", st.Calls, st.TotalNs)
		}
	}
	testkit.Equal(t, strings.Join(calls, " "), "load draw", "calls of %q", calls)
	if _, lines := k.Session.Losses(); len(lines) != 1 || !strings.Contains(lines[0], "line 4") {
		t.Errorf("the line that is none is told as %q", lines)
	}
	for _, id := range []string{"timeline", "flame", "calltree"} {
		d, _ := registry.Find(id)
		testkit.That(t, d.Has(k.Session.Contents()), "the panel %s has nothing to show", id)
	}
}

// FuzzSourceOfTheExample: every byte of a file is hostile.
func FuzzSourceOfTheExample(f *testing.F) {
	f.Add("a begin 1 x\na end 2 x\nb gets 3 x\nb counts 4 y 5\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, _ := feedtest.Load(t, callog.Source{}, feedtest.File(t, "log", "# calls 1\n"+text))
		n := int64(0)
		for _, track := range feedtest.Tracks(s) {
			n += track.NumSpans()
		}
		testkit.That(t, n <= int64(strings.Count(text, "\n")+1), "%d spans of %q", n, text)
		feedtest.Unrefused(t, s)
	})
}

const growing = "# calls 2\nmain begin 5 load\n- frame 10\nmain begin 11 draw mesh=tree\nmain sends 12 j1\nworker gets 15 j1\nworker begin 15 job\n" +
	"main end 20\nmain counts 20 n 4\n- frame 30\nworker end 35\nmain begin 36 draw\nnonsense\nmain end 40\n- frame 50\nmain begin 55 draw\n"

// A log that grows is the same session in pieces.
func TestStreamOfTheExample(t *testing.T) {
	path := feedtest.File(t, "x.calls", growing)
	testkit.That(t, stream.Source{}.Sniff([]byte(growing), path), "it is not recognised")
	whole := feedtest.Outline(feedtest.Open(t, stream.Source{}, path))
	for _, want := range []string{"  frame 1 10-30", "  frame 2 30-50", "load;draw 11-20 mesh=tree", "job 15-35", "sample 20 4", "1 arrows", "bad-line ×1 at line 13"} {
		testkit.That(t, strings.Contains(whole, want), "there is no %q in:\n%s", want, whole)
	}
}

func FuzzStreamOfTheExample(f *testing.F) {
	f.Add(strings.TrimPrefix(growing, "# calls 2\n"))
	f.Fuzz(func(t *testing.T, text string) {
		whole := feedtest.Streamed(t, stream.Source{}, []byte("# calls 2\n"+text), 1<<20, false)
		parts := feedtest.Streamed(t, stream.Source{}, []byte("# calls 2\n"+text), 3, true)
		feedtest.Unrefused(t, whole)
		testkit.Equal(t, feedtest.Outline(parts), feedtest.Outline(whole), "in pieces")
	})
}

// foreignGame is a program of another module that uses both packages for games.
const foreignGame = `package main

import (
	"context"

	"framescope/net/profilelib/client"
	pstats "framescope/net/pstats/client"
)

func main() {
	c := pstats.New(pstats.Options{})
	defer c.Close()
	c.Connect(context.Background())
	c.MainThread().EndFrame()
	if p, err := client.New(make([]client.Slot, 16), client.Options{}); err == nil {
		p.Close()
	}
}
`

// TestClientsInAnotherModule builds a game that is not in this module, without a network and without the modules
// that the viewer needs.
func TestClientsInAnotherModule(t *testing.T) {
	dir := t.TempDir()
	root := testkit.Must(filepath.Abs("../.."))(t)
	module := "module game\n\ngo 1.26.0\n\nrequire framescope v0.0.0\n\nreplace framescope => " + strconv.Quote(root) + "\n"
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o644))
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(foreignGame), 0o644))
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOMODCACHE="+t.TempDir(), "GOWORK=off")
		out, err := cmd.CombinedOutput()
		testkit.MustThat(t, err == nil, "go %v: %v\n%s", args, err, out)
		return string(out)
	}
	run("build", "-o", os.DevNull, ".")
	needed := strings.Fields(run("list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "."))
	slices.Sort(needed)
	want := []string{"framescope/model", "framescope/net/profilelib/client", "framescope/net/pstats", "framescope/net/pstats/client", "game"}
	testkit.EqualSlices(t, needed, want, "packages that are not of the standard library")
}
