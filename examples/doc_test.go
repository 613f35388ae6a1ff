// Package examples holds the examples of CONTRIBUTING.md.
package examples

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// The code in CONTRIBUTING.md is that of the examples, which are compiled and tested.
func TestContributing(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "CONTRIBUTING.md"))
	testkit.NoErr(t, err)
	blocks := regexp.MustCompile("(?s)<!-- (\\S+) -->\n```go\n(.*?)\n```\n").FindAllStringSubmatch(string(text), -1)
	testkit.MustEqual(t, len(blocks), 3, "examples in CONTRIBUTING.md")
	for _, b := range blocks {
		code, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(b[1])))
		testkit.NoErr(t, err)
		_, body, _ := strings.Cut("\n"+strings.ReplaceAll(string(code), "\r\n", "\n"), "\npackage ")
		testkit.That(t, strings.TrimSpace("package "+body) == strings.TrimSpace(b[2]),
			"%s is not what stands in CONTRIBUTING.md", b[1])
	}
}

// What CONTRIBUTING.md names is there: files and folders, packages to test, and in the places where a
// line goes the lists that it goes into.
func TestContributingNamesWhatIsThere(t *testing.T) {
	code, err := os.ReadFile(filepath.Join("..", "CONTRIBUTING.md"))
	testkit.NoErr(t, err)
	text := regexp.MustCompile("(?s)```go\n.*?\n```").ReplaceAllString(string(code), "")
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join("..", filepath.FromSlash(name)))
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
		"app/truth/tables_test.go":      {"panel.Teller"},
		"app/headless/kinds_test.go":    {"var captures"},
		"charts/tables/threads.go":      {"threadColumns", "cpuColumns", "busyColumns"},
		"charts/tables/tree.go":         {"framed", "flat", "ofRuns", "called"},
		"charts/tables/columns_test.go": {"tabletest.Unharmed", "frames.columns", "calls.columns"},
	} {
		code, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		for _, list := range lists {
			testkit.That(t, err == nil && strings.Contains(string(code), list), "%s has no %s, %v", name, list, err)
		}
	}
}
