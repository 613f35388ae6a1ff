package settings

import (
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
)

// The size of the window comes back at the next start, also that which it had before it was
// maximized.
func TestTheWindowKeepsItsSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	start := func() *Settings {
		s, err := Open(path)
		testkit.NoErr(t, err)
		return s
	}
	s := start()
	s.Sized(1100, 640, false)
	s.Sized(1920, 1053, true)
	testkit.MustThat(t, s.Touched(), "nothing is to be kept")
	testkit.NoErr(t, s.Keep())
	if s = start(); s.Width != 1100 || s.Height != 640 || !s.Maximized {
		t.Errorf("it comes back as %d×%d, maximized %v", s.Width, s.Height, s.Maximized)
	}
	s.Sized(1100, 640, false)
	s.Keep()
	if s = start(); s.Maximized || s.Width != 1100 {
		t.Errorf("it comes back as %d×%d, maximized %v", s.Width, s.Height, s.Maximized)
	}
}
