package library

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/adrg/xdg"

	"framescope/internal/testkit"
)

// Without HOME sessions are kept in the home of the account, not in the root of the disk.
func TestStateDirWithoutHome(t *testing.T) {
	u, err := user.Current()
	if runtime.GOOS != "linux" || err != nil || !filepath.IsAbs(u.HomeDir) {
		t.Skip(u, err)
	}
	t.Cleanup(xdg.Reload)
	for _, name := range []string{"HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, "") // so that it is put back
		os.Unsetenv(name)
	}
	xdg.Reload()
	got, want := StateDir(), filepath.Join(u.HomeDir, ".local/state/framescope")
	testkit.That(t, got == want, "%s, want %s", got, want)
}
