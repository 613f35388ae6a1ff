package aside_test

import (
	"io"
	"strings"
	"testing"

	"framescope/internal/aside"
	"framescope/internal/testkit"
)

// A folder in which nothing can be made is there all the same, whatever the system says.
func TestFolderThatTakesNothing(t *testing.T) {
	err := aside.Write("/proc/x", func(io.Writer) error { return nil })
	testkit.That(t, err != nil && strings.HasPrefix(err.Error(), "/proc/x: nothing can be made in the folder /proc: "),
		"%v", err)
}
