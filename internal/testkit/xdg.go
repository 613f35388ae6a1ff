package testkit

import (
	"testing"

	"github.com/adrg/xdg"
)

// SetXDG sets a variable of the XDG base directories for a test, such as XDG_STATE_HOME, and puts it back.
func SetXDG(t testing.TB, name, dir string) {
	t.Helper()
	t.Cleanup(xdg.Reload) // when the variable is what it was
	t.Setenv(name, dir)
	xdg.Reload()
}
