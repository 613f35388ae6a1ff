package truth

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"framescope/charts/registry"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
)

// elsewhere are the panels of the window that need the program, and those of the comparison, which need
// two sides: what compares what they state, or the reason why nothing does.
var elsewhere = map[string]string{
	"frametimes":  "TestCompared",
	"diffflame":   "TestCompared",
	"differences": "TestCompared",
	"timelines":   "TestBothTimelines",
	"budgets":     "TestBudgets",
	"bookmarks":   "TestBookmarks",
	"why":         "TestWhyOfTheHeadline",
	"details":     "TestDetails",
	"sessions":    "it lists sessions: what it says of each is the account, see widgets",
}

// Every panel of the window is compared: those of the registry, which the tests here walk over, and
// those that the window has besides.
func TestEveryPanelOfTheWindow(t *testing.T) {
	root := recordings.Root(t)
	source := func(folder string) (text string) {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		for _, file := range files {
			b := testkit.Must(os.ReadFile(file))(t)
			if test := strings.HasSuffix(file, "_test.go"); test == (folder == "app/truth") {
				text += string(b)
			}
		}
		return text
	}
	tests, panels := source("app/truth"), []string{}
	found := regexp.MustCompile(`panel\.Def\{\s*ID: "([a-z]+)"`).FindAllStringSubmatch(source("app"), -1)
	for _, d := range registry.Compared() {
		found = append(found, []string{"", d.ID})
	}
	for _, m := range found {
		id := m[1]
		panels = append(panels, id)
		if _, in := registry.Find(id); in {
			continue
		}
		switch by := elsewhere[id]; {
		case by == "":
			t.Errorf("nothing compares what the panel %s states", id)
		case strings.HasPrefix(by, "Test") && !strings.Contains(tests, "func "+by+"(t *testing.T)"):
			t.Errorf("there is no %s, which is to compare %s", by, id)
		}
	}
	for id := range elsewhere {
		if !slices.Contains(panels, id) {
			t.Errorf("there is no panel %s", id)
		}
	}
}
