package aside_test

import (
	"io"
	"strings"
	"testing"

	"framescope/internal/aside"
)

// A folder in which nothing can be made is there all the same, whatever the system says.
func TestFolderThatTakesNothing(t *testing.T) {
	err := aside.Write("/proc/x", func(io.Writer) error { return nil })
	if err == nil || !strings.HasPrefix(err.Error(), "/proc/x: nothing can be made in the folder /proc: ") {
		t.Errorf("%v", err)
	}
}
