package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// Each figure can be measured, has a value above 0 for each run, and is told in both tables. Only
// the quick ones are, and none of another process.
func TestBenchFigures(t *testing.T) {
	o := Options{Runs: 2, Only: []string{"wire", "memory, copied"}}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var text, markdown strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteMarkdown(&markdown); err != nil {
		t.Fatal(err)
	}
	if len(r.Figures) != 2 {
		t.Errorf("%d figures", len(r.Figures))
	}
	for _, f := range r.Figures {
		if len(f.Runs) != 2 || f.Runs[0] <= 0 || f.Median() <= 0 {
			t.Errorf("%s: %v", f.Name, f.Runs)
		}
		if f.Name == wireName && f.OfWire != 1 {
			t.Errorf("wire is %v of itself", f.OfWire)
		}
		if !strings.Contains(text.String(), f.Name) || !strings.Contains(markdown.String(), "| "+f.Name+" | "+f.Unit+" |") {
			t.Errorf("%s is not told:\n%s\n%s", f.Name, &text, &markdown)
		}
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

// Names that no figure has are known before anything is measured.
func TestNames(t *testing.T) {
	if !Known([]string{"open", "Wire"}) || Known([]string{"open", "nothing"}) {
		t.Error("names")
	}
	for _, s := range steps() {
		if !strings.Contains(Names(), s.name) || len(s.figures) == 0 {
			t.Errorf("step %q has %d figures", s.name, len(s.figures))
		}
	}
}
