package app

import (
	"testing"

	"framescope/internal/testkit"
)

// A remembered window keeps its size unless the screen is smaller.
func TestWindowsFitTheScreen(t *testing.T) {
	for _, c := range [][6]int{{1900, 1000, 1920, 1080, 1900, 1000}, {2560, 1440, 1920, 1080, 1824, 972}, {1280, 1200, 1920, 1080, 1280, 972}} {
		w, h := fitting(c[0], c[1], c[2], c[3])
		testkit.That(t, w == c[4] && h == c[5], "%d×%d on %d×%d becomes %d×%d", c[0], c[1], c[2], c[3], w, h)
	}
}
