package app

import (
	"os"
	"testing"

	"github.com/adrg/xdg"
)

// TestMain keeps what tests record out of the user's own place.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "framescope-app-test-*")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_STATE_HOME", dir)
	xdg.Reload()
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}
