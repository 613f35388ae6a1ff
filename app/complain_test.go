package app

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/sessions"
	"framescope/internal/testkit"
)

// What of the settings is not used, and where they are kept as they were, is said in the window and
// on standard error.
func TestDamagedSettingsAreSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	testkit.NoErr(t, os.WriteFile(path, []byte(`{"Theme": "light", "Width": "wide"}`), 0o600))
	out, in, err := os.Pipe()
	testkit.NoErr(t, err)
	defer func(old *os.File) { os.Stderr = old }(os.Stderr)
	os.Stderr = in
	g, err := NewGame(Options{Options: sessions.Options{Deterministic: true}, SettingsPath: path})
	in.Close()
	testkit.NoErr(t, err)
	t.Cleanup(func() { g.Close() })
	said, _ := io.ReadAll(out)
	shown := g.ask.Notices.Shown()
	testkit.MustThat(t, g.settings.Theme == "light" && len(shown) == 1 && shown[0].Problem,
		"the theme is %v, shown is %+v", g.settings.Theme, shown)
	for _, text := range []string{string(said), shown[0].Text} {
		if !strings.Contains(text, `"Width"`) || !strings.Contains(text, "settings.json.bad-") || strings.Contains(text, "Theme") {
			t.Errorf("it says %q", text)
		}
	}
}
