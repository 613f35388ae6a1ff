package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSettingsComeBackAsTheyWere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "settings.json")
	s := defaultSettings()
	s.Width, s.Scale, s.Light, s.MemoryMiB = 1600, 1.25, true, 512
	s.Layout.Weights[0] = 0.3
	s.Floating = []floating{{Pane: paneStrip, X: 0.1, Y: 0.2, W: 0.3, H: 0.4}}
	s.Recent = []string{"a.pstats"}
	s.Colors = map[string]rgb{"App:Collide": {1, 2, 3}}
	if err := s.save(path); err != nil {
		t.Fatal(err)
	}
	got, err := loadSettings(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(s, got, cmp.AllowUnexported(settings{}, node{}, floating{})); d != "" {
		t.Error(d)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "settings-*"))
	if len(left) > 0 {
		t.Errorf("temporary files were left: %v", left)
	}
}

func TestSettingsThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) string {
		p := filepath.Join(dir, "s.json")
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	if _, err := loadSettings(filepath.Join(dir, "none.json")); err != nil {
		t.Errorf("a file that is not there is a first start, not an error: %v", err)
	}
	for _, text := range []string{"", "{", "[]", `{"Width": "wide"}`, `{"Layout": 7}`} {
		s, err := loadSettings(write(text))
		if err == nil {
			t.Errorf("%q was taken for settings", text)
		}
		if d := cmp.Diff(defaultSettings(), s, cmp.AllowUnexported(settings{}, node{}, floating{})); d != "" {
			t.Errorf("%q: not the defaults: %s", text, d)
		}
	}
	for _, text := range []string{`{"Width": -5, "Height": 99999999, "Scale": 1e300, "BudgetMs": -1, "MemoryMiB": -3}`, `{"MemoryMiB": 99999999999}`, `{"Layout": {"pane": "timeline"}}`, `{"Layout": {"children": [null, {}]}}`,
		`{"Floating": [{"Pane": "strip", "X": 1e9}]}`} {
		s, err := loadSettings(write(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if d := cmp.Diff(defaultSettings(), s, cmp.AllowUnexported(settings{}, node{}, floating{})); d != "" {
			t.Errorf("%q: not the defaults: %s", text, d)
		}
	}
}
