package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
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
