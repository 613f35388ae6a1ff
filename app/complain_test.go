package app

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/sessions"
)

// What of the settings is not used, and where they are kept as they were, is said in the window and
// on standard error.
func TestDamagedSettingsAreSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(path, []byte(`{"Theme": "light", "Width": "wide"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func(old *os.File) { os.Stderr = old }(os.Stderr)
	os.Stderr = in
	g, err := NewGame(Options{Options: sessions.Options{Deterministic: true}, SettingsPath: path})
	in.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	said, _ := io.ReadAll(out)
	shown := g.ask.Notices.Shown()
	if g.settings.Theme != "light" || len(shown) != 1 || !shown[0].Problem {
		t.Fatalf("the theme is %v, shown is %+v", g.settings.Theme, shown)
	}
	for _, text := range []string{string(said), shown[0].Text} {
		if !strings.Contains(text, `"Width"`) || !strings.Contains(text, "settings.json.bad-") || strings.Contains(text, "Theme") {
			t.Errorf("it says %q", text)
		}
	}
}
