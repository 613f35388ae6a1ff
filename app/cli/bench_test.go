package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// Each figure can be measured, has a value above 0 for each run, and is told in both tables. Only
// the quick ones are, and none of another process.
func TestBenchFigures(t *testing.T) {
	o := Options{Runs: 2, Only: []string{"wire", "memory, copied"}}
	r := testkit.Must(Run(t.Context(), o))(t)
	var text, markdown strings.Builder
	testkit.OK(t, r.WriteText(&text))
	testkit.OK(t, r.WriteMarkdown(&markdown))
	testkit.That(t, len(r.Figures) == 2, "%d figures", len(r.Figures))
	for _, f := range r.Figures {
		testkit.That(t, len(f.Runs) == 2 && f.Runs[0] > 0 && f.Median() > 0, "%s: %v", f.Name, f.Runs)
		testkit.That(t, f.Name != wireName || f.OfWire == 1, "wire is %v of itself", f.OfWire)
		if !strings.Contains(text.String(), f.Name) || !strings.Contains(markdown.String(), "| "+f.Name+" | "+f.Unit+" |") {
			t.Errorf("%s is not told:\n%s\n%s", f.Name, &text, &markdown)
		}
	}
	testkit.Must(json.Marshal(r))(t)
}

// Names that no figure has are known before anything is measured.
func TestNames(t *testing.T) {
	testkit.That(t, Known([]string{"open", "Wire"}) && !Known([]string{"open", "nothing"}), "names")
	for _, s := range steps() {
		testkit.That(t, strings.Contains(Names(), s.name) && len(s.figures) != 0,
			"step %q has %d figures", s.name, len(s.figures))
	}
}
