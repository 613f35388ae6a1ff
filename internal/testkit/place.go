package testkit

import (
	"flag"
	"os"
	"testing"

	"github.com/adrg/xdg"
)

// Folder is the folder of the package that is tested, whatever folder a test goes to.
var Folder = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()

// InOwnPlace runs tests that keep what they record out of the user's own place, and returns their exit code.
func InOwnPlace(m *testing.M) int {
	dir, err := os.MkdirTemp("", "framescope-test-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_STATE_HOME", dir)
	xdg.Reload()
	return m.Run()
}

// SideBySide runs tests of which more wait at a time than there are processors, and returns their exit code.
func SideBySide(m *testing.M) int {
	flag.Set("test.parallel", "8")
	return m.Run()
}
